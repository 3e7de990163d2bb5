// Sums of directional sine waves displacing a water surface.
cbuffer Waves : register(b0)
{
    float4 waves[6];
    float4 rows[4];
    float3 rest;
    float time;
};

struct Out
{
    float4 position : SV_Position;
    float3 normal : NORMAL;
};

Out main(float2 at : POSITION)
{
    float height = rest.y;
    float2 slope = rest.xz;
    [LOOP]
    for (int i = 0; i < 6; i++)
    {
        float phase = dot(waves[i].xy, at) + time * waves[i].z;
        height += sin(phase) * waves[i].w;
        slope += waves[i].xy * (cos(phase) * waves[i].w);
    }
    float4 p = float4(at.x, height, at.y, 1);
    Out o;
    o.position = float4(dot(p, rows[0]), dot(p, rows[1]), dot(p, rows[2]), dot(p, rows[3]));
    o.normal = float3(-slope.x, 1, -slope.y);
    return o;
}
