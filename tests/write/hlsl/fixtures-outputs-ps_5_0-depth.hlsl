struct Output {
    float4 target : SV_Target;
    uint2 target3 : SV_Target3;
    uint coverage : SV_Coverage;
    float depth : SV_Depth;
};

Output main(
    float4 position : SV_Position,
    float4 v : V,
    uint primitiveid : SV_PrimitiveID,
    uint vCoverage : SV_Coverage
) {
    Output output;
    output.target = float(primitiveid) * v;
    output.target3 = uint2(vCoverage, asuint(position.w));
    output.depth = position.z * 0.5;
    output.coverage = vCoverage & 5u;
    return output;
}
