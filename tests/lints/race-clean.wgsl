// finds: nothing
// By hand: a reduction's lane i < s reads i + s >= s, which no lane below s writes; (i / 8, i % 8) is one place for each i; a counter's old value is
// one for each lane; only lane 0 writes the total; all lanes store the same flag.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> counter: atomic<u32>;
var<workgroup> partial: array<f32, 64>;
var<workgroup> square: array<array<f32, 8>, 8>;
var<workgroup> done: u32;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    partial[i] = source[group.x * 64u + i];
    square[i >> 3u][i & 7u] = source[i];
    workgroupBarrier();
    for (var s = 32u; s > 0u; s >>= 1u) {
        if (i < s) {
            partial[i] = partial[i] + partial[i + s];
        }
        workgroupBarrier();
    }
    done = 1u;
    let at = atomicAdd(&counter, 1u);
    list[at] = i;
    if (i == 0u) {
        out[group.x] = partial[0] + square[1][2];
    }
}
