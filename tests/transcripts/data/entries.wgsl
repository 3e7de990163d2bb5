diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;

@fragment
fn plain(@location(0) uv: vec2f) -> @location(0) vec4f {
    return textureSample(t, s, uv);
}

@fragment
fn masked(@location(0) uv: vec2f, @location(1) mask: f32) -> @location(0) vec4f {
    if (mask < 0.5) {
        return vec4f();
    }
    return textureSample(t, s, uv);
}
