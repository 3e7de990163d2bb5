// finds: nothing
// Counted to 7, masked to 7, clamped to 7, and an index of which nothing is known.
struct Rows { rows: array<vec4f, 8> }
@group(0) @binding(0) var<uniform> u: Rows;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage> index: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0.0;
    for (var i = 0u; i < 8u; i++) {
        sum += u.rows[i].x;
    }
    sum += u.rows[id.x & 7u].y + u.rows[min(id.x, 7u)].z + u.rows[index[id.x]].w;
    out[id.x] = sum;
}
