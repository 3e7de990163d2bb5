cbuffer Constants : register(b0) {
    float4 transform[4] : packoffset(c0);
    float4 instances[64] : packoffset(c4);
    float4 planes[6] : packoffset(c68);
    float4 quad[4] : packoffset(c74);
};

struct Output {
    float4 position : SV_Position;
    float4 clipdistance : SV_ClipDistance;
    float2 culldistance : SV_CullDistance;
    float3 color : COLOR;
    uint id : ID;
};

Output main(
    float3 position : POSITION,
    uint vertexid : SV_VertexID,
    uint instanceid : SV_InstanceID
) {
    Output output;
    uint v1 = ((instanceid << 2u) & 60u) | (0u & ~60u);
    float4 v2 = position.x * float4(instances[v1].x, instances[v1].y, instances[v1].z, instances[v1].w) + position.y * float4(instances[v1 + 1u].x, instances[v1 + 1u].y, instances[v1 + 1u].z, instances[v1 + 1u].w);
    float4 v3 = position.z * float4(instances[v1 + 2u].x, instances[v1 + 2u].y, instances[v1 + 2u].z, instances[v1 + 2u].w) + v2 + float4(instances[v1 + 3u].x, instances[v1 + 3u].y, instances[v1 + 3u].z, instances[v1 + 3u].w);
    output.position = float4(dot(v3, transform[0]), dot(v3, transform[1]), dot(v3, transform[2]), dot(v3, transform[3]));
    output.clipdistance = float4(dot(v3, planes[0]), dot(v3, planes[1]), dot(v3, planes[2]), dot(v3, planes[3]));
    output.culldistance = float2(dot(v3, planes[4]), dot(v3, planes[5]));
    output.color = quad[vertexid & 3u].xyz;
    output.id = instanceid * 1000u + vertexid;
    return output;
}
