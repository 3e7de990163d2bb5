// `images.comp` by hand.
@group(0) @binding(0) var plain: texture_2d<f32>;
@group(0) @binding(1) var depths: texture_depth_2d;
@group(0) @binding(2) var written: texture_storage_2d<rgba32float, write>;
@group(1) @binding(0) var plain_sampler: sampler;
@group(1) @binding(1) var depths_sampler: sampler_comparison;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec2<i32>(id.xy);
    let uv = (vec2<f32>(at) + 0.25) / 8.0;
    var sum = textureSampleLevel(plain, plain_sampler, uv, 1.0);
    sum += textureSampleLevel(plain, plain_sampler, uv / 2.0, 0.0);
    sum += vec4(
        textureGather(1, plain, plain_sampler, uv, vec2(0, 0)).w,
        textureGather(1, plain, plain_sampler, uv, vec2(1, 0)).w,
        textureGather(1, plain, plain_sampler, uv, vec2(0, -1)).w,
        textureGather(1, plain, plain_sampler, uv, vec2(-2, 1)).w,
    );
    sum += textureLoad(plain, at & vec2(3), 0);
    sum.x += textureSampleCompareLevel(depths, depths_sampler, uv, 0.5);
    let size = vec2<f32>(textureDimensions(plain, 0)) + f32(textureNumLevels(plain));
    sum.z += size.x;
    sum.w += size.y;
    textureStore(written, at, sum);
}
