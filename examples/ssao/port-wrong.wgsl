// Ambient occlusion from a depth pyramid: a port of original.dxbc, operation by operation.

struct OcclusionConstants {
    texel: vec2<f32>,
    radius: f32,
    bias: f32,
    falloff: f32,
    max_level: f32,
    projection: vec2<f32>,
    offsets: array<vec4<f32>, 8>,
}

@group(0) @binding(0) var<uniform> Occlusion: OcclusionConstants;
@group(0) @binding(100) var depth_map: texture_2d<f32>;
@group(0) @binding(200) var point_clamp: sampler;

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

fn mad(a: f32, b: f32, c: f32) -> f32 {
    return flush(flush(a * b) + c);
}

// min drops a NaN on either side.
fn d3d_min(a: f32, b: f32) -> f32 {
    return select(b, a, a < b || b != b);
}

fn view_depth(depth: f32) -> f32 {
    let projection = flush2(Occlusion.projection);
    return flush(projection.x / flush(flush(depth) - projection.y));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let view = view_depth(textureSampleLevel(depth_map, point_clamp, uv, 0.0).x);
    var occlusion = 0.0;
    var weight = 0.0001;
    for (var i = 0u; i < 8u; i++) {
        let o = flush4(Occlusion.offsets[i]);
        let step = flush2(flush2(flush2(Occlusion.texel) * o.xy) * flush(Occlusion.radius));
        let at = flush2(step + flush2(uv));
        let level = d3d_min(flush(log2(flush(1.0 + o.z))), flush(Occlusion.max_level));
        let other = view_depth(textureSampleLevel(depth_map, point_clamp, at, 0.0).x);
        let difference = flush(view - other);
        if (flush(Occlusion.bias) < difference) {
            let fade = mad(flush(difference * difference), flush(Occlusion.falloff), 1.0);
            occlusion = flush(occlusion + flush(o.w / fade));
        }
        weight = flush(weight + o.w);
    }
    let visibility = d3d_saturate(flush(1.0 - flush(occlusion / weight)));
    return vec4(visibility, visibility, visibility, view);
}
