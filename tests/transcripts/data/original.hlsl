cbuffer Frame : register(b0)
{
    float4 tint;
};

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    return tint * uv.xyxy;
}
