// finds: 6 race-candidate
// Every group writes elements 0 to 63.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    out[i] = f32(group.x);
}
