// finds: normal unused-input
// finds: shadow unused-input
// finds: 9 dead-code
// The position is always there; `normal` is never read, and of `shadow` only code without an effect reads.
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var shadow: texture_2d<f32>;
@fragment fn main(@builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) normal: vec3f) -> @location(0) vec4f {
    let size = textureDimensions(shadow);
    return textureSample(t, s, uv);
}
