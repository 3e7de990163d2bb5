@vertex
fn main(@location(0) x: f32) -> @builtin(position) vec4f {
    return vec4f(fract(sin(x) * 43758.547), 0.0, 0.0, 1.0);
}
