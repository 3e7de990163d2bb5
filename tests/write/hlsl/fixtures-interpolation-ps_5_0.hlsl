struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float4 a : A,
    noperspective float4 b : B,
    centroid float3 c : C,
    sample float2 d : D,
    noperspective centroid float e : E,
    uint sampleindex : SV_SampleIndex,
    uint vCoverage : SV_Coverage
) {
    Output output;
    float4 v1 = EvaluateAttributeSnapped(b, int2(asint(sampleindex), 1)) + EvaluateAttributeSnapped(a, int2(-3, 4)) + (EvaluateAttributeAtSample(a, sampleindex) + EvaluateAttributeCentroid(b));
    float3 v2 = c * float(countbits(vCoverage)) + v1.xyz;
    float2 v3 = v2.xy + (d + e);
    output.target = float4(v3, v2.z, v1.w);
    return output;
}
