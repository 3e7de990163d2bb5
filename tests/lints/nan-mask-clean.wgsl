// finds: nothing
// With the bits of 1.0 the mask is 1.0 or 0.0; as a condition, or for equality with zero, it is right too.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mask = select(0u, 0xffffffffu, id.x < 7u);
    let one = bitcast<f32>(mask & 0x3f800000u) * 2.0;
    out[id.x] = select(one, 3.0, mask != 0u) + f32(bitcast<f32>(mask) == 0.0);
}
