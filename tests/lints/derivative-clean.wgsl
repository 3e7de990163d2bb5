// finds: nothing
// Flat inputs, constants and what is read with them are one value in a quad; given gradients and levels need no neighbour; discarded pixels stay
// as helpers; behind a loop that pixels leave one by one they are together again.
diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var<uniform> mode: u32;
@group(0) @binding(3) var<storage> modes: array<u32>;
@fragment fn main(@location(0) uv: vec2f, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4f {
    var color = vec4f(0.0);
    if (mode == 1u) { color += textureSample(t, s, uv); }
    if (modes[which] == 2u) { color += textureSample(t, s, uv * 2.0); }
    for (var i = 0u; i < which; i++) { color += textureSample(t, s, uv + f32(i)); }
    if (uv.x > 0.5) { color += textureSampleLevel(t, s, uv, 0.0); }
    var x = uv.x;
    loop {
        if (x > 4.0) { break; }
        x = x * 2.0 + 1.0;
    }
    if (uv.y > 0.75) { discard; }
    return color + textureSample(t, s, uv + x) + vec4f(fwidth(x));
}
