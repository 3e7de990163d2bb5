// finds: 9 constant-out-of-range
// Elements have 16 bytes: index 8 + 7 lies behind the 8 elements that the buffer has, whatever the low bits are.
struct Rows { rows: array<vec4f, 8> }
@group(0) @binding(0) var<uniform> u: Rows;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = 8u + (id.x & 7u);
    out[id.x] = u.rows[at].x;
}
