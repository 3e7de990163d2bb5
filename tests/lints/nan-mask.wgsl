// finds: 7 nan-mask
// A select of all ones is what `lt` gives in Direct3D; as an f32 that is a NaN (IEEE 754: exponent all ones, fraction not zero).
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mask = select(0u, 0xffffffffu, id.x < 7u);
    let scaled = bitcast<f32>(mask) * 2.0;
    out[id.x] = scaled;
}
