// Clouds of value noise: a port of original.dxbc, operation by operation.

struct CloudConstants {
    scale: vec2<f32>,
    drift: vec2<f32>,
    low_color: vec4<f32>,
    high_color: vec4<f32>,
    time: f32,
    coverage: f32,
}

@group(0) @binding(0) var<uniform> Clouds: CloudConstants;

// Direct3D 11 flushes denormal operands and results of arithmetic to a zero of their sign; WGSL keeps them.
fn flush(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return select(x, bitcast<f32>(bits & 0x80000000u), (bits & 0x7f800000u) == 0u);
}

fn flush2(v: vec2<f32>) -> vec2<f32> {
    let bits = bitcast<vec2<u32>>(v);
    return select(v, bitcast<vec2<f32>>(bits & vec2(0x80000000u)), (bits & vec2(0x7f800000u)) == vec2(0u));
}

fn flush4(v: vec4<f32>) -> vec4<f32> {
    let bits = bitcast<vec4<u32>>(v);
    return select(v, bitcast<vec4<f32>>(bits & vec4(0x80000000u)), (bits & vec4(0x7f800000u)) == vec4(0u));
}

// `_sat`: a NaN gives 0, and so does a zero of either sign.
fn d3d_saturate(x: f32) -> f32 {
    return select(0.0, select(1.0, x, x < 1.0), x > 0.0);
}

fn hash(p: vec2<f32>) -> f32 {
    return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453);
}

fn lerp(a: f32, b: f32, t: f32) -> f32 {
    return t * (b - a) + a;
}

fn noise(p: vec2<f32>) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let u = (3.0 - f * 2.0) * (f * f);
    let a = hash(i);
    let b = hash(i + vec2(1.0, 0.0));
    let c = hash(i + vec2(0.0, 1.0));
    let d = hash(i + vec2(1.0, 1.0));
    let n0 = lerp(a, b, u.x);
    let n1 = lerp(c, d, u.x);
    return lerp(n0, n1, u.x);
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let offset = flush2(flush2(Clouds.drift) * flush(Clouds.time));
    let p = flush2(flush2(flush2(uv) * flush2(Clouds.scale)) + offset);
    let first = noise(p);
    let second = noise(p * 2.0 + 17.5);
    let n = d3d_saturate(flush((first * 0.625 + second * 0.375) - flush(Clouds.coverage)));
    let low = flush4(Clouds.low_color);
    let range = flush4(flush4(Clouds.high_color) - low);
    return flush4(flush4(n * range) + low);
}
