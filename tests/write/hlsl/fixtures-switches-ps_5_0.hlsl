cbuffer Constants : register(b0) {
    float4 table[4] : packoffset(c0);
    int mode : packoffset(c4);
    int bound : packoffset(c4.y);
};

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    nointerpolation int4 key : KEY,
    float4 v : V
) {
    Output output;
    float4 r1;
    switch (asuint(key.x)) {
        case 0u: case 5u: {
            float4 v1 = sin(v);
            r1 = v1;
            break;
        }
        case 1u: {
            float4 v2 = cos(v);
            r1 = v2;
            break;
        }
        case 3u: {
            r1 = v.wzyx;
            break;
        }
        default: {
            float4 v3 = exp2(v);
            r1 = v3;
            break;
        }
    }
    float4 r2;
    switch (asuint(mode)) {
        case 0u: {
            float4 v4 = r1 + table[0];
            r2 = v4;
            break;
        }
        case 2u: {
            float4 r3;
            switch (asuint(key.y)) {
                case 1u: {
                    float4 v5 = r1 + r1;
                    r3 = v5;
                    break;
                }
                case 2u: {
                    output.target = r1;
                    return output;
                }
                default: {
                    r3 = r1;
                    break;
                }
            }
            r2 = r3;
            break;
        }
        case 9u: {
            if (0xffffffffu != 0u) { discard; }
            r2 = r1;
            break;
        }
        default: {
            float4 v6 = r1 - table[1];
            r2 = v6;
            break;
        }
    }
    float4 i1 = r2;
    int i2 = 0;
    float4 r4;
    while (true) {
        if (bound <= i2) {
            r4 = i1;
            break;
        }
        float3 r5;
        switch (asuint((i2 + key.z) & 3)) {
            case 0u: {
                r5 = float3(i1.x + 1.0, i1.yz);
                break;
            }
            case 1u: {
                r5 = float3(i1.x, i1.y + float(i2), i1.z);
                break;
            }
            case 2u: {
                r5 = float3(i1.xy, i1.z * 0.5);
                break;
            }
            default: {
                r5 = i1.xyz;
                break;
            }
        }
        if (9.0 < r5.x) {
            r4 = float4(r5, i1.w);
            break;
        }
        if (5.0 < r5.y) {
            i1 = float4(r5, i1.w);
            i2 = i2 + 1;
            continue;
        }
        i1 = float4(r5, i1.w + 0.25);
        i2 = i2 + 1;
    }
    output.target = r4;
    return output;
}
