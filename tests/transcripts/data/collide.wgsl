@group(0) @binding(0) var<storage, read_write> results: array<u32>;
var<workgroup> tile: array<u32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
    tile[i / 2u] = i + 1u;
    workgroupBarrier();
    results[i] = tile[i / 2u];
}
