// finds: 12 divergent-derivative
// Pixels that have returned give no value to the derivative of those that go on, in a function that is called too.
diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn shade(uv: vec2f) -> vec4f {
    if (uv.y < 0.0) {
        return vec4f(0.0);
    }
    var color = vec4f(1.0);
    // A loop in which lanes stay together takes nothing away and gives nothing back.
    color += dpdx(uv).xxxx;
    return color;
}
@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
    let base = textureSample(t, s, uv);
    return base + shade(uv);
}
