cbuffer Constants : register(b0) {
    uint4 a : packoffset(c0);
    int4 b : packoffset(c1);
    uint4 c : packoffset(c2);
};

struct Output {
    uint4 target : SV_Target;
    int4 target1 : SV_Target1;
    uint4 target2 : SV_Target2;
};

Output main(
    nointerpolation uint4 u : U,
    nointerpolation int4 s : S
) {
    Output output;
    output.target = (((u >> c) & ~a) | (u << a)) ^ (u / a + u % c);
    uint3 v1 = asuint(s.xyz ^ b.xyz) & uint3(0x80000000u, 0x80000000u, 0x80000000u);
    int3 v2 = max(b.xyz, int3(0 - b.x, 0 - b.y, 0 - b.z));
    int4 v3 = max(s.xyzx, int4(0 - s.x, 0 - s.y, 0 - s.z, 0 - s.x));
    uint3 v4 = asuint(v3.xyz) / asuint(v2);
    uint3 v5 = asuint(v3.xyz) % asuint(v2);
    uint3 v6 = bool3(v1.x != 0u, v1.y != 0u, v1.z != 0u) ? uint3(0u, 0u, 0u) - v4 : v4;
    uint3 v7 = asuint(s.xyz) & uint3(0x80000000u, 0x80000000u, 0x80000000u);
    uint3 v8 = bool3(v7.x != 0u, v7.y != 0u, v7.z != 0u) ? uint3(0u, 0u, 0u) - v5 : v5;
    uint3 v9 = uint3(0u - v6.x, 0u - v6.y, 0u - v6.z) + uint3(0u - v8.x, 0u - v8.y, 0u - v8.z);
    int3 v10 = s.xyz >> asuint(b.xyz);
    int3 v11 = min(s.xyz, b.xyz);
    int3 v12 = max(s.xyz, asint(c.xyz));
    int3 v13 = int3(v11.x * v12.x, v11.y * v12.y, v11.z * v12.z) + int3(0 - v10.x, 0 - v10.y, 0 - v10.z);
    uint3 v14 = (v9 + asuint(v13)) * (s.xyz == int3(5, 5, 5) ? uint3(3u, 3u, 3u) : asuint(b.xyz));
    float2 v15 = float2(u.xz);
    int2 v16 = int2(float2(float(s.y) * 0.5, v15.x));
    output.target1 = int4(asint(v14), v16.x + v16.y);
    uint3 v17 = (u.xyz < a.xyz ? u.xyz : c.xyz) + (b.xyz <= s.xyz ? u.xyz : a.xyz) + (s.xyz < int3(0, 0, 0) ? uint3(1u, 1u, 1u) : uint3(2u, 2u, 2u));
    uint3 v18 = max(u.xyz, c.xyz);
    uint3 v19 = v17 + (c.xyz <= u.xyz ? c.xyz : a.xyz) + (uint3(v18.x * a.x, v18.y * a.y, v18.z * a.z) + min(u.xyz, a.xyz));
    uint3 v20 = v19 ^ ((u.xyz == a.xyz ? uint3(7u, 7u, 7u) : uint3(0u, 0u, 0u)) ^ (s.xyz != b.xyz ? uint3(9u, 9u, 9u) : uint3(0u, 0u, 0u)));
    output.target2 = uint4(asuint(v3.w) + v20.x, v20.yz, uint(v15.y * 0.25));
    return output;
}
