#version 450
// Combined samplers, projections, gathers with four offsets, fetches, storage images, queries.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D plain;
layout(set = 0, binding = 1) uniform sampler2DShadow depths;
layout(set = 0, binding = 2, rgba32f) uniform writeonly image2D target;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec2 uv = (vec2(at) + 0.25) / 8.0;
    vec4 sum = textureLod(plain, uv, 1.0);
    sum += textureProjLod(plain, vec3(uv, 2.0), 0.0);
    sum += textureGatherOffsets(plain, uv, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, -1), ivec2(-2, 1)), 1);
    sum += texelFetch(plain, at & 3, 0);
    sum.x += textureLod(depths, vec3(uv, 0.5), 0.0);
    sum.zw += vec2(textureSize(plain, 0)) + float(textureQueryLevels(plain));
    imageStore(target, at, sum);
}
