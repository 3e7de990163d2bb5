// Derivatives: a face normal and a line width.
float4 main(float4 position : SV_Position, float3 world : POSITION, float2 uv : TEXCOORD0) : SV_Target
{
    float3 a = ddx(world), b = ddy(world);
    float3 n = a.yzx * b.zxy - a.zxy * b.yzx;
    float2 width = abs(ddx(uv)) + abs(ddy(uv));
    return float4(n, max(width.x, width.y));
}
