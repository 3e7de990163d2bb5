// finds: 9 divergent-derivative
// uv differs among the pixels of a quad (WGSL, Uniformity Analysis: a user-defined input is non-uniform).
diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
    var color = vec4f(0.0);
    if (uv.x > 0.5) {
        color = textureSample(t, s, uv);
    }
    return color;
}
