// A metallic-roughness surface under one light: a port of original.dxbc, operation by operation.

struct FrameConstants {
    world: mat4x4<f32>,
    eye: vec3<f32>,
    exposure: f32,
    light_direction: vec3<f32>,
    light_intensity: f32,
    light_color: vec3<f32>,
    ambient: f32,
}

@group(0) @binding(0) var<uniform> Frame: FrameConstants;
@group(0) @binding(100) var albedo_map: texture_2d<f32>;
@group(0) @binding(101) var normal_map: texture_2d<f32>;
@group(0) @binding(102) var metal_rough_map: texture_2d<f32>;
@group(0) @binding(200) var surface_sampler: sampler;

// Direct3D 11 flushes denormal operands and results of arithmetic to a zero of their sign; WGSL keeps them.
fn flush(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return select(x, bitcast<f32>(bits & 0x80000000u), (bits & 0x7f800000u) == 0u);
}

fn flush2(v: vec2<f32>) -> vec2<f32> {
    let bits = bitcast<vec2<u32>>(v);
    return select(v, bitcast<vec2<f32>>(bits & vec2(0x80000000u)), (bits & vec2(0x7f800000u)) == vec2(0u));
}

fn flush3(v: vec3<f32>) -> vec3<f32> {
    let bits = bitcast<vec3<u32>>(v);
    return select(v, bitcast<vec3<f32>>(bits & vec3(0x80000000u)), (bits & vec3(0x7f800000u)) == vec3(0u));
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

fn mad3(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    return flush3(flush3(a * b) + c);
}

fn dot3(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let p = flush3(a * b);
    return flush(flush(p.x + p.y) + p.z);
}

fn scale3(v: vec3<f32>, s: f32) -> vec3<f32> {
    return flush3(v * s);
}

// HLSL's mul(v, m): the products with the columns. In the buffer they lie as in the original.
fn transform(v: vec3<f32>, m: mat4x4<f32>) -> vec3<f32> {
    let c0 = flush3(m[0].xyz);
    let c1 = flush3(m[1].xyz);
    let c2 = flush3(m[2].xyz);
    return vec3(dot3(v, c0), dot3(v, c1), dot3(v, c2));
}

@fragment
fn main(
    @location(0) world_position: vec3<f32>,
    @location(1) normal_in: vec3<f32>,
    @location(2) tangent_in: vec4<f32>,
    @location(3) uv: vec2<f32>,
) -> @location(0) vec4<f32> {
    let texel = textureSample(albedo_map, surface_sampler, uv);
    let albedo = flush3(texel.rgb);
    let metal_rough = flush2(textureSample(metal_rough_map, surface_sampler, uv).xy);
    let t = mad3(flush3(textureSample(normal_map, surface_sampler, uv).xyz), vec3(2.0), vec3(-1.0));

    let normal = flush3(normal_in);
    let tangent = flush4(tangent_in);
    let cross = mad3(normal.yzx, tangent.zxy, -flush3(normal.zxy * tangent.yzx));
    var mapped = scale3(scale3(cross, tangent.w), t.y);
    mapped = mad3(tangent.xyz, t.xxx, mapped);
    mapped = mad3(normal, t.zzz, mapped);
    let unscaled = transform(mapped, Frame.world);
    let n = scale3(unscaled, flush(inverseSqrt(dot3(unscaled, unscaled))));

    let light = flush3(Frame.light_direction);
    let to_eye = flush3(flush3(Frame.eye) - flush3(world_position));
    let inverse_distance = flush(inverseSqrt(dot3(to_eye, to_eye)));
    let v = scale3(to_eye, inverse_distance);
    let between = flush3(v - light);
    let h = scale3(between, flush(inverseSqrt(dot3(between, between))));

    let n_l = d3d_saturate(dot3(n, -light));
    let n_h = d3d_saturate(dot3(n, h));
    let v_h = d3d_saturate(dot3(v, h));
    let alpha = flush(metal_rough.y * metal_rough.y);
    let a2 = flush(alpha * alpha);
    let d = mad(flush(n_h * n_h), mad(alpha, alpha, -1.0), 1.0);
    let lobe = flush(a2 / mad(d, d, 0.0001));

    let f0 = mad3(metal_rough.xxx, flush3(albedo - 0.04), vec3(0.04));
    let m = flush(1.0 - v_h);
    let m2 = flush(m * m);
    let m5 = flush(m * flush(m2 * m2));
    let f = mad3(flush3(1.0 - f0), vec3(m5), f0);
    let specular = scale3(f, lobe);
    let reflected = mad3(albedo, vec3(flush(1.0 - metal_rough.x)), specular);
    let lit = flush3(reflected * flush3(Frame.light_color));
    let direct = flush(n_l * flush(Frame.light_intensity));
    let color = mad3(lit, vec3(direct), scale3(albedo, flush(Frame.ambient)));
    return vec4(scale3(color, flush(Frame.exposure)), texel.a);
}
