// Blades of grass made from vertex and instance numbers.
cbuffer Grass : register(b0)
{
    float4 rows[4];
    float2 wind;
    float width;
    float height;
};

struct Out
{
    float4 position : SV_Position;
    nointerpolation uint kind : KIND;
    float2 uv : TEXCOORD0;
};

Out main(uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
    uint seed = instance * 747796405u + 2891336453u;
    seed = ((seed >> ((seed >> 28) + 4)) ^ seed) * 277803737u;
    float2 root = float2(seed & 0xffff, seed >> 16) * (1.0 / 65536.0);
    float up = (vertex >> 1) * 0.25;
    float side = (vertex & 1) * 2.0 - 1.0;
    float3 p;
    [BRANCH]
    if ((seed & 3) == 0)
        p = float3(root.x + side * width, up * height * 0.5, root.y);
    else
        p = float3(root.x + side * width * (1 - up) + wind.x * (up * up), up * height, root.y + wind.y * (up * up));
    float4 q = float4(p, 1);
    Out o;
    o.position = float4(dot(q, rows[0]), dot(q, rows[1]), dot(q, rows[2]), dot(q, rows[3]));
    o.kind = seed & 3;
    o.uv = float2(side * 0.5 + 0.5, up);
    return o;
}
