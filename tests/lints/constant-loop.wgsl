// finds: 10 constant-out-of-range
// The loop counts to 8 inclusive; the buffer has elements 0 to 7.
struct Rows { rows: array<vec4f, 8> }
@group(0) @binding(0) var<uniform> u: Rows;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0.0;
    for (var i = 0u; i <= 8u; i++) {
        sum += u.rows[i].x;
    }
    out[id.x] = sum;
}
