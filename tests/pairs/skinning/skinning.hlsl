// Four-bone skinning with rows in a structured buffer.
struct Bone
{
    float4 rows[3];
};

cbuffer Object : register(b0)
{
    float4 projection[4];
    float3 morph;
    uint base;
};

StructuredBuffer<Bone> bones : register(t0);

struct Out
{
    float4 position : SV_Position;
    float3 normal : NORMAL;
};

Out main(float3 position : POSITION, float3 normal : NORMAL, uint4 indices : BLENDINDICES, float4 weights : BLENDWEIGHT)
{
    uint count, stride;
    bones.GetDimensions(count, stride);
    float3 p = morph, n = morph.zxy;
    [LOOP]
    for (int i = 0; i < 4; i++)
    {
        Bone b = bones[min(base + indices[i], count - 1)];
        float4 q = float4(position, 1);
        p += float3(dot(b.rows[0], q), dot(b.rows[1], q), dot(b.rows[2], q)) * weights[i];
        n += float3(dot(b.rows[0].xyz, normal), dot(b.rows[1].xyz, normal), dot(b.rows[2].xyz, normal)) * weights[i];
    }
    float4 v = float4(p, 1);
    Out o;
    o.position = float4(dot(v, projection[0]), dot(v, projection[1]), dot(v, projection[2]), dot(v, projection[3]));
    o.normal = n;
    return o;
}
