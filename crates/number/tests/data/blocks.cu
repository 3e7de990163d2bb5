// What an NVIDIA GPU's texture units decode of 4,096 blocks of each block-compressed format: nvcc -o blocks blocks.cu && ./blocks out.bin
// Ran on an H200 (driver 580.159). out.bin has, format by format, a float4 for each texel of each block; tests/blocks.rs makes the same blocks.
#include <cstdio>
#include <cstring>
#include <vector>

typedef unsigned long long u64;

static u64 mix(u64 x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

__global__ void fetch(cudaTextureObject_t texture, float4 *out) {
    int block = blockIdx.x, texel = threadIdx.x;
    out[block * 16 + texel] = tex2D<float4>(texture, block % 64 * 4 + texel % 4 + .5f, block / 64 * 4 + texel / 4 + .5f);
}

#define CHECK(call) { cudaError_t error = call; if (error) { printf("%s: %s\n", #call, cudaGetErrorString(error)); return 1; } }
#define KIND(kind) cudaCreateChannelDesc<cudaChannelFormatKind##kind>()

int main(int, char **arguments) {
    FILE *out = fopen(arguments[1], "wb");
    cudaChannelFormatDesc kinds[] = {
        KIND(UnsignedBlockCompressed1), KIND(UnsignedBlockCompressed2), KIND(UnsignedBlockCompressed3), KIND(UnsignedBlockCompressed4),
        KIND(SignedBlockCompressed4), KIND(UnsignedBlockCompressed5), KIND(SignedBlockCompressed5), KIND(UnsignedBlockCompressed6H),
        KIND(SignedBlockCompressed6H), KIND(UnsignedBlockCompressed7),
    };
    for (int kind = 0; kind < 10; kind++) {
        int size = kind == 0 || kind == 3 || kind == 4 ? 8 : 16;
        std::vector<unsigned char> blocks(4096 * size);
        for (int i = 0; i < 4096; i++) {
            u64 words[2] = {mix((u64)kind << 32 | 2 * i), mix((u64)kind << 32 | (2 * i + 1))};
            unsigned char *block = &blocks[i * size];
            memcpy(block, words, size);
            if (kind == 9) {
                int mode = i % 9;
                block[0] = mode == 8 ? 0 : (block[0] & ~((2 << mode) - 1)) | 1 << mode;
            } else if (kind >= 7) {
                block[0] = (block[0] & ~31) | i % 32;
            } else {
                if (i % 8 == 0) block[1] = block[0];
                if (i % 8 == 1) block[0] = 128;
                if (i % 8 == 2) block[1] = 128;
            }
        }
        cudaArray_t array;
        CHECK(cudaMallocArray(&array, &kinds[kind], 256, 256));
        CHECK(cudaMemcpy2DToArray(array, 0, 0, &blocks[0], 64 * size, 64 * size, 64, cudaMemcpyHostToDevice));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description = {};
        description.readMode = kind == 7 || kind == 8 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &description, 0));
        float4 *texels;
        CHECK(cudaMalloc(&texels, 1 << 20));
        fetch<<<4096, 16>>>(texture, texels);
        std::vector<char> copy(1 << 20);
        CHECK(cudaMemcpy(&copy[0], texels, 1 << 20, cudaMemcpyDeviceToHost));
        fwrite(&copy[0], 1, 1 << 20, out);
    }
}
