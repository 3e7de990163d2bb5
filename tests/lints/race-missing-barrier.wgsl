// finds: 8 race-candidate
// Lane i reads what lane i - 1 writes; no barrier orders the two.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage> source: array<f32>;
var<workgroup> tile: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
    tile[i] = source[id.x];
    if (i > 0u) {
        out[id.x] = tile[i - 1u];
    }
}
