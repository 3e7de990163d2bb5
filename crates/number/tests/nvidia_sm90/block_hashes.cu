// Makes block_hashes.bin on the GPU at hand, or compares that file with it:
//
//     nvcc -arch=sm_90 -O3 -o block_hashes block_hashes.cu
//     ./block_hashes write block_hashes.bin
//     ./block_hashes compare block_hashes.bin
//     ./block_hashes results COUNT > results.txt     (COUNT lines of random operands a function: function, operand, result)
//
// The file: for each function of FUNCTIONS, in that order, 4,096 little-endian 64-bit words. Word b is the sum, modulo 2^64, of
// mix(operand << 32 | result) over the operands whose high 12 bits are b.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define FUNCTIONS(X)           \
    X(0, "ex2.approx.f32")       \
    X(1, "ex2.approx.ftz.f32")   \
    X(2, "lg2.approx.f32")       \
    X(3, "lg2.approx.ftz.f32")   \
    X(4, "rcp.approx.f32")       \
    X(5, "rcp.approx.ftz.f32")   \
    X(6, "rsqrt.approx.f32")     \
    X(7, "rsqrt.approx.ftz.f32") \
    X(8, "sqrt.approx.f32")      \
    X(9, "sin.approx.ftz.f32")   \
    X(10, "cos.approx.ftz.f32")  \
    X(11, "tanh.approx.f32")     \
    X(12, "sin.approx.f32")      \
    X(13, "cos.approx.f32")      \
    X(14, "sqrt.approx.ftz.f32")

constexpr int BLOCKS = 4096;
constexpr uint32_t OPERANDS = 1u << 20;
constexpr int THREADS = 512;

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        exit(2);
    }
}

template <int F> __device__ uint32_t result(uint32_t operand);
#define DEFINE_RESULT(index, name)                                          \
    template <> __device__ uint32_t result<index>(uint32_t operand) {       \
        float y;                                                            \
        asm(name " %0, %1;" : "=f"(y) : "f"(__uint_as_float(operand)));     \
        return __float_as_uint(y);                                          \
    }
FUNCTIONS(DEFINE_RESULT)

__host__ __device__ uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

template <int F> __global__ void hash_blocks(unsigned long long *hashes) {
    uint64_t sum = 0;
    for (uint32_t low = threadIdx.x; low < OPERANDS; low += THREADS) {
        uint32_t operand = blockIdx.x * OPERANDS + low;
        sum += mix(uint64_t(operand) << 32 | result<F>(operand));
    }
    atomicAdd(&hashes[blockIdx.x], sum);
}

template <int F> __global__ void list_results(const uint32_t *operands, uint32_t *results, int count) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) results[at] = result<F>(operands[at]);
}

template <int F> static void hashes(unsigned long long *to) {
    unsigned long long *device;
    check(cudaMalloc(&device, BLOCKS * sizeof *device));
    check(cudaMemset(device, 0, BLOCKS * sizeof *device));
    hash_blocks<F><<<BLOCKS, THREADS>>>(device);
    check(cudaGetLastError());
    check(cudaMemcpy(to, device, BLOCKS * sizeof *device, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
}

template <int F> static void print_results(const char *name, int count) {
    std::vector<uint32_t> operands(count), results(count);
    // Any pattern, and in turn one whose exponent is of a magnitude between 2^-32 and 2^31.
    for (int at = 0; at < count; at++) {
        uint32_t bits = uint32_t(mix(uint64_t(F) << 32 | at));
        operands[at] = at % 2 ? bits : (bits & 0x807fffff) | (95 + (bits >> 23) % 64) << 23;
    }
    uint32_t *from, *to;
    check(cudaMalloc(&from, count * 4));
    check(cudaMalloc(&to, count * 4));
    check(cudaMemcpy(from, operands.data(), count * 4, cudaMemcpyHostToDevice));
    list_results<F><<<(count + 255) / 256, 256>>>(from, to, count);
    check(cudaGetLastError());
    check(cudaMemcpy(results.data(), to, count * 4, cudaMemcpyDeviceToHost));
    for (int at = 0; at < count; at++) printf("%s %08x %08x\n", name, operands[at], results[at]);
    check(cudaFree(from));
    check(cudaFree(to));
}

int main(int count, char **words) {
    if (count == 3 && !strcmp(words[1], "results")) {
#define PRINT(index, name) print_results<index>(name, atoi(words[2]));
        FUNCTIONS(PRINT)
        return 0;
    }
    bool write = count == 3 && !strcmp(words[1], "write");
    if (!write && !(count == 3 && !strcmp(words[1], "compare"))) {
        fprintf(stderr, "block_hashes write|compare FILE, or block_hashes results COUNT\n");
        return 2;
    }
    std::vector<unsigned long long> all, known;
#define HASH(index, name)                 \
    all.resize((index + 1) * BLOCKS);     \
    hashes<index>(&all[index * BLOCKS]);
    FUNCTIONS(HASH)
    FILE *file = fopen(words[2], write ? "wb" : "rb");
    if (!file) {
        perror(words[2]);
        return 2;
    }
    if (write) {
        fwrite(all.data(), sizeof all[0], all.size(), file);
        return fclose(file) == 0 ? 0 : 2;
    }
    known.resize(all.size());
    if (fread(known.data(), sizeof known[0], known.size(), file) != known.size()) {
        fprintf(stderr, "%s is too short\n", words[2]);
        return 2;
    }
    int wrong = 0;
#define COMPARE(index, name)                                                       \
    {                                                                              \
        int different = 0;                                                         \
        for (int b = 0; b < BLOCKS; b++)                                           \
            different += all[index * BLOCKS + b] != known[index * BLOCKS + b];     \
        printf("%s: %d of %d blocks differ\n", name, different, BLOCKS);           \
        wrong += different;                                                        \
    }
    FUNCTIONS(COMPARE)
    return wrong ? 1 : 0;
}
