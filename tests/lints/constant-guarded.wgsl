// finds: 22 constant-out-of-range up to row 8
// finds: 25 constant-out-of-range up to row 11
// Of each index the decision before tells enough: eight elements from 0 to 7, counted from below zero, up by two, and kept in by a comparison.
// The last two let one row too many come, and four.
struct Rows { rows: array<vec4f, 8> }
@group(0) @binding(0) var<uniform> u: Rows;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0.0;
    for (var i = -4; i < 4; i++) {
        sum += u.rows[i + 4].x;
    }
    for (var i = 1u; i < 8u; i += 2u) {
        sum += u.rows[i].x;
    }
    let at = id.x & 15u;
    if (at < 8u) {
        sum += u.rows[at].x;
    }
    if (at <= 8u) {
        sum += u.rows[at].y;
    }
    for (var i = 1u; i < 10u; i += 2u) {
        sum += u.rows[i + 2u].x;
    }
    out[id.x] = sum;
}
