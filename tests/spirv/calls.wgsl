// `calls.frag` by hand.
struct Item { turn: mat3x2<f32>, weights: array<f32, 3> }
struct Data { view: mat4x4<f32>, items: array<Item, 2>, skew: mat2x3<f32> }
@group(0) @binding(1) var<storage, read> data: Data;

fn ladder(n: i32) -> f32 {
    if (n == 0) { return 3.0; }
    if (n == 1) { return 2.0; }
    if (n == 2) { return 2.5; }
    return -0.5;
}

@fragment
fn main(@location(0) tint: vec4<f32>, @location(1) @interpolate(flat) picks: vec2<i32>) -> @location(0) vec4<f32> {
    var value = tint;
    switch (picks.x & 3) {
        case 0 { value.x += 1.5; }
        case 1 { value.y += 1.5; }
        case 2 { value.z += 1.5; }
        default { value.w += 1.5; }
    }
    let first = value.x;
    var total = value.y;
    var values: array<f32, 4>;
    for (var i = 0; i < 4; i++) { values[(i + picks.y) & 3] = value[i]; }
    let moved = data.view * value;
    let turned = data.items[picks.x & 1].turn * moved.xyz;
    let skewed = data.skew * turned;
    if (moved.w > 60.0) { discard; }
    var found = -1.0;
    for (var i = 0; i < 4; i++) {
        if (values[i] > first) { found = values[i] - first; break; }
        if (i != 2) { total += 0.25; }
    }
    return vec4(found, skewed.x + data.items[picks.y & 1].weights[(picks.x & 3) % 3], turned.y + skewed.z, total + ladder(picks.x & 3));
}
