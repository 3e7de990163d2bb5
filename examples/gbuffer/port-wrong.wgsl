// A g-buffer packer: a port of original.dxbc, operation by operation.

struct MaterialConstants {
    tint: vec4<f32>,
    material_id: u32,
    flags: u32,
    roughness: f32,
    motion_scale: f32,
}

@group(0) @binding(0) var<uniform> Material: MaterialConstants;

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

// A number of `steps` + 1 levels for x from 0 to 1.
fn quantize(x: f32, steps: f32) -> u32 {
    return u32(flush(d3d_saturate(x) * steps) + 0.5);
}

// max and min drop a NaN; so must a clamp.
fn d3d_clamp(x: f32, low: f32, high: f32) -> f32 {
    let raised = select(low, x, x >= low);
    return clamp(x, low, high);
}

fn octahedral(normal: vec3<f32>) -> vec2<f32> {
    let n = flush3(normal / flush(flush(abs(normal.y) + abs(normal.x)) + abs(normal.z)));
    let signs = select(vec2(-1.0), vec2(1.0), n.xy >= vec2(0.0));
    let folded = flush2(signs * flush2(1.0 - abs(n.yx)));
    return select(folded, n.xy, n.z >= 0.0);
}

struct Packed {
    @location(0) words: vec4<u32>,
    @location(1) motion: vec4<f32>,
}

@fragment
fn main(
    @location(0) normal: vec3<f32>,
    @location(1) color: vec4<f32>,
    @location(2) current: vec4<f32>,
    @location(3) previous: vec4<f32>,
) -> Packed {
    let oct = flush2(octahedral(flush3(normal)) * 0.5) + 0.5;
    let c = flush4(flush4(color) * flush4(Material.tint));
    let r = quantize(flush(Material.roughness), 1023.0);
    let now = flush2(flush2(current.xy) / flush(current.w));
    let before = flush2(flush2(previous.xy) / flush(previous.w));
    let motion = flush2(flush2(now - before) * flush(Material.motion_scale));

    var out: Packed;
    out.words.x = quantize(oct.x, 65535.0) | quantize(oct.y, 65535.0) << 16u;
    out.words.y = quantize(c.x, 255.0) | quantize(c.y, 255.0) << 8u
        | quantize(c.z, 255.0) << 16u | quantize(c.w, 255.0) << 24u;
    out.words.z = r | (Material.material_id & 0xfffu) << 10u | (Material.flags & 0x3ffu) << 22u;
    out.words.w = bitcast<u32>(color.w);
    out.motion = vec4(d3d_clamp(motion.x, -1.0, 1.0), d3d_clamp(motion.y, -1.0, 1.0), current.w, previous.w);
    return out;
}
