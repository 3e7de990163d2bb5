cbuffer Frame : register(b0) {
    float4 tint : packoffset(c0);
    uint chosen : packoffset(c1);
};

struct materials_type {
    float4 rows[2];
};
ConstantBuffer<materials_type> materials[4] : register(b2, space1);

struct lists_element {
    float words[8];
};
StructuredBuffer<lists_element> lists[3] : register(t9);
Texture2D<float4> maps[8] : register(t0, space1);
TextureCube<float4> sky : register(t4, space2);
ByteAddressBuffer raw : register(t1, space7);
struct counted_element {
    uint words[1];
};
RWStructuredBuffer<counted_element> counted : register(u2, space1);
RWTexture2D<float4> targets[2] : register(u5, space4);
SamplerState plain : register(s0);
SamplerState samplers[2] : register(s3, space1);

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float2 uv : UV,
    nointerpolation uint i : I
) {
    Output output;
    uint2 v1 = (uint2)i & uint2(3u, 1u);
    float v2 = materials[v1.x + 2u - 2u].rows[1].x;
    float v3 = materials[v1.x + 2u - 2u].rows[1].y;
    uint2 v4 = uint2(7u, 1u) & uint2(asuint(v2), asuint(v3));
    float4 maps_texel = maps[v4.x].Sample(samplers[v4.y + 3u - 3u], uv * float2(materials[v1.x + 2u - 2u].rows[1].z, materials[v1.x + 2u - 2u].rows[1].w));
    float4 v5 = maps_texel * float4(materials[v1.x + 2u - 2u].rows[0].x, materials[v1.x + 2u - 2u].rows[0].y, materials[v1.x + 2u - 2u].rows[0].z, materials[v1.x + 2u - 2u].rows[0].w) + (sky.Sample(samplers[1u], float3(uv, 1.0)) * tint + maps[2u].SampleLevel(plain, uv, 1.0));
    uint v6 = i % 3u;
    float4 v7 = float4(lists[v6 + 9u - 9u][3].words[6], lists[v6 + 9u - 9u][3].words[7], lists[v6 + 9u - 9u][3].words[6], lists[v6 + 9u - 9u][3].words[7]) + float4(lists[1u][chosen].words[0], lists[1u][chosen].words[1], lists[1u][chosen].words[2], lists[1u][chosen].words[3]);
    float4 v8 = v5 + v7;
    targets[v1.y + 5u - 5u][asint(uint2(position.xy))] = v8;
    uint v9;
    InterlockedAdd(counted[0].words[0], raw.Load(chosen << 2u), v9);
    output.target = float(v9) + v8;
    return output;
}
