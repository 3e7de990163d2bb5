// finds: 6 dead-code
// The product is overwritten before anything reads it.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = f32(id.x) * 3.0;
    x = 1.0;
    out[id.x] = x;
}
