@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var nearby: sampler;
@group(0) @binding(2) var<storage, read_write> loaded: array<vec4<f32>, 4>;
@group(0) @binding(3) var<storage, read_write> sampled: array<vec4<f32>, 4>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    loaded[i] = textureLoad(image, vec2u(i, 0u), 0);
    // Halfway between texels, along a footprint of four texels by one.
    let at = vec2f(f32(i) + 1.0, 0.5) / 4.0;
    sampled[i] = textureSampleGrad(image, nearby, at, vec2f(1.0, 0.0), vec2f(0.0, 0.25));
}
