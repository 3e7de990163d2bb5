// An effect of fx_5_0: groups, the stages of Direct3D 11, interfaces, streams.

float4x4 World;
float Level = 2;
Texture2D Image;
RWTexture2D<float4> Result;
RWStructuredBuffer<float4> Bodies[2];
AppendStructuredBuffer<float4> Made;
ByteAddressBuffer Bytes;
SamplerState Linear { Filter = ANISOTROPIC; };

interface Light { float3 at(float3 p); };
class Sun : Light { float3 colour; float3 at(float3 p) { return colour; } };
class Lamp : Light { float3 place; float radius; float3 at(float3 p) { return (place - p) * radius; } };

Sun sun < string Name = "the sun"; > = { 1, 1, 0 };
Lamp lamps[2];
Light chosen < string Use = "shade"; > = sun;
Light many[2] = { sun, sun };

struct Vertex { float4 position : SV_Position; float2 uv : TEXCOORD; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };

Vertex transform(float4 position : POSITION, float2 uv : TEXCOORD)
{
    Vertex v;
    v.position = mul(position, World);
    v.uv = uv;
    return v;
}

Factors factors(InputPatch<Vertex, 3> patch)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = f.inside = Level;
    return f;
}

[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("factors")]
Vertex control(InputPatch<Vertex, 3> patch, uint i : SV_OutputControlPointID) { return patch[i]; }

[domain("tri")]
Vertex evaluate(Factors f, float3 at : SV_DomainLocation, const OutputPatch<Vertex, 3> patch)
{
    Vertex v;
    v.position = patch[0].position * at.x + patch[1].position * at.y + patch[2].position * at.z;
    v.uv = patch[0].uv * at.x + patch[1].uv * at.y + patch[2].uv * at.z;
    return v;
}

[maxvertexcount(2)]
void split(point Vertex v[1], inout PointStream<Vertex> a, inout PointStream<Vertex> b) { a.Append(v[0]); b.Append(v[0]); }

float4 bound(Vertex v, Light light) : SV_Target { return light.at(v.position.xyz).xyzx; }

float4 shade(Vertex v, uniform Light light) : SV_Target { return Image.Sample(Linear, v.uv) * light.at(v.position.xyz).xyzx; }

[numthreads(8, 8, 1)]
void fill(uint3 id : SV_DispatchThreadID) { Result[id.xy] = Bodies[0][id.x] + asfloat(Bytes.Load(4 * id.x)); Made.Append(Level); }

VertexShader Shared = CompileShader(vs_5_0, transform());
ComputeShader Fills[2] = { CompileShader(cs_5_0, fill()), CompileShader(cs_5_0, fill()) };
GeometryShader Streams = ConstructGSWithSO(CompileShader(gs_5_0, split()), "0:SV_Position.xyzw", "1:TEXCOORD.xy", NULL, NULL, 0);


PixelShader Bound = BindInterfaces(CompileShader(ps_5_0, bound()), sun);

fxgroup Scene
{
    technique11 Main
    {
        pass P0
        {
            SetVertexShader(Shared);
            SetHullShader(CompileShader(hs_5_0, control()));
            SetDomainShader(CompileShader(ds_5_0, evaluate()));
            SetGeometryShader(NULL);
            SetPixelShader(Bound);
        }
        pass P1
        {
            SetVertexShader(Shared);
            SetGeometryShader(Streams);
            SetPixelShader(CompileShader(ps_5_0, shade(lamps[1])));
        }
    }
    technique11 Second { pass { SetComputeShader(Fills[1]); } }
}

technique11 { pass { SetComputeShader(CompileShader(cs_5_0, fill())); } }
