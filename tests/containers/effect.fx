// An effect with everything that the reader has to step over to find the programs: annotations of every kind, states, arrays.

float4x4 World;
float4 Tint < string Name = "Tint"; float2 Range = { 0, 1 }; string Kinds[2] = { "a", "b" }; > = { 1, 0, 0, 1 };
int Which = 1;

cbuffer Lights : register(b3) < string Group = "Lights"; >
{
    struct { float3 at; float radius; } lights[4];
    float2 spread[3] = { 1, 2, 3, 4, 5, 6 };
};

tbuffer Table { float4 rows[8]; };

string Author < bool Shown = true; > = "nobody";
string Words[2] = { "one", "two" };
Texture2D Image < int Slot = 2; >;
Texture2D Layers[3];
TextureCube Sky;
RenderTargetView Target;
DepthStencilView Depth;
SamplerState Linear { Filter = MIN_MAG_MIP_LINEAR; AddressU = Clamp; BorderColor = float4(0, 0, 0, 1); Texture = Image; };
SamplerState Several[2] { { Filter = MIN_MAG_MIP_POINT; }, { MaxLOD = 3; } };
BlendState Blend { BlendEnable[0] = true; SrcBlend = SRC_ALPHA; };
DepthStencilState Test { DepthEnable = false; StencilEnable = true; };
RasterizerState Raster { CullMode = NONE; };

struct Vertex
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD;
};

Vertex transform(float4 position : POSITION, float2 uv : TEXCOORD, uniform bool flip)
{
    Vertex v;
    v.position = mul(position, World);
    v.uv = flip ? 1 - uv : uv;
    return v;
}

[maxvertexcount(3)]
void expand(triangle Vertex v[3], inout TriangleStream<Vertex> stream)
{
    for (int i = 0; i < 3; i++)
        stream.Append(v[i]);
}

float4 shade(Vertex v, uniform bool textured) : SV_Target
{
    float4 light = rows[Which] + lights[1].radius * spread[2].xyxy;
    return (textured ? Image.Sample(Linear, v.uv) + Sky.Sample(Linear, v.uv.xyx) : light) * Tint;
}

VertexShader Shared < string Use = "all"; > = CompileShader(VS, transform(false));
VertexShader Kinds[2] = { CompileShader(VS, transform(false)), CompileShader(VS, transform(true)) };
PixelShader Nothing = NULL;
GeometryShader Streamed = ConstructGSWithSO(CompileShader(GS, expand()), "SV_Position.xyzw; TEXCOORD.xy");

technique10 Main < string Quality = "high"; int Order = 1; >
{
    pass P0 < float Weight = 0.5; >
    {
        SetVertexShader(Shared);
        SetGeometryShader(NULL);
        SetPixelShader(CompileShader(PS, shade(true)));
        SetBlendState(Blend, float4(0, 0, 0, 0), 0xffffffff);
        SetDepthStencilState(Test, 1);
        SetRasterizerState(Raster);
    }
    pass P1
    {
        SetVertexShader(Kinds[1]);
        SetGeometryShader(Streamed);
        SetPixelShader(Nothing);
    }
    pass P2
    {
        SetVertexShader(Kinds[Which]);
        SetGeometryShader(ConstructGSWithSO(CompileShader(VS, transform(true)), "TEXCOORD.x"));
        SetPixelShader(CompileShader(PS, shade(false)));
    }
}

technique10
{
    pass
    {
        SetVertexShader(CompileShader(VS, transform(true)));
        SetGeometryShader(CompileShader(GS, expand()));
    }
}
