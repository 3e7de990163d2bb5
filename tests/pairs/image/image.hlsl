// A storage image written from a texture, mirrored and graded.
Texture2D<float4> source : register(t0);
RWTexture2D<float4> target : register(u0);

cbuffer Grade : register(b0)
{
    float2 levels;
    float4 gain;
};

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint2 size, limit;
    source.GetDimensions(size.x, size.y);
    target.GetDimensions(limit.x, limit.y);
    if (any(id.xy >= min(size, limit)))
        return;
    float4 c = source.Load(int3(size.x - 1 - id.x, id.y, 0));
    c.rgb = max(c.rgb - levels.x, 0.0) * levels.y;
    target[id.xy] = c * gain;
}
