// finds: 9 divergent-derivative
// Lanes leave the loop in different rounds, so that some are missing from its second round on.
diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn main(@location(0) uv: vec2f, @location(1) @interpolate(flat) rounds: u32) -> @location(0) vec4f {
    var sum = vec4f(0.0);
    for (var i = 0u; i < rounds; i++) {
        sum += textureSample(t, s, uv + f32(i));
        if (sum.x > uv.x) { break; }
    }
    return sum;
}
