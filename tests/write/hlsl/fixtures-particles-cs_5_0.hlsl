cbuffer Simulation : register(b0) {
    float3 gravity : packoffset(c0);
    float dt : packoffset(c0.w);
    float4 attractors[4] : packoffset(c1);
    float drag : packoffset(c5);
    float lifetime : packoffset(c5.y);
    uint alive : packoffset(c5.z);
    uint emit_count : packoffset(c5.w);
};

struct previous_element {
    float words[8];
};
RWStructuredBuffer<previous_element> previous : register(u0);
struct next_element {
    float words[8];
};
RWStructuredBuffer<next_element> next : register(u1);
RWByteAddressBuffer draw_arguments : register(u2);

[numthreads(64, 1, 1)]
void main(
    uint3 vThreadID : SV_DispatchThreadID
) {
    if (alive <= vThreadID.x) {
        return;
    }
    uint v1 = previous.DecrementCounter();
    float v2 = previous[v1].words[0];
    float v3 = previous[v1].words[1];
    float v4 = previous[v1].words[2];
    float v5 = previous[v1].words[3];
    float v6 = previous[v1].words[4];
    float v7 = previous[v1].words[5];
    float v8 = previous[v1].words[6];
    float v9 = previous[v1].words[7];
    float v10 = v5 + dt;
    if (lifetime < v10) {
        return;
    }
    int i1 = 0;
    float3 i2 = gravity;
    float3 r1;
    while (true) {
        if (4 <= i1) {
            r1 = i2;
            break;
        }
        float3 v11 = float3(attractors[i1].x, attractors[i1].y, attractors[i1].z) - float3(v2, v3, v4);
        float3 v12 = v11 * (attractors[i1].w / (dot(v11, v11) + 0.01)) + i2;
        i1 = i1 + 1;
        i2 = v12;
    }
    float3 v13 = (1.0 - drag * dt) * (r1 * dt + float3(v6, v7, v8));
    float3 v14 = v13 * dt + float3(v2, v3, v4);
    float3 v15 = v13 * float3(0.9, -0.6, 0.9);
    float4 v16 = (bool4)(v14.y < 0.0) ? float4(-v14.y, v15) : float4(v14.y, v13);
    uint v17 = next.IncrementCounter();
    next[v17].words[0] = v14.x;
    next[v17].words[1] = v16.x;
    next[v17].words[2] = v14.z;
    next[v17].words[3] = v10;
    next[v17].words[4] = v16.y;
    next[v17].words[5] = v16.z;
    next[v17].words[6] = v16.w;
    next[v17].words[7] = v9;
    draw_arguments.InterlockedAdd(4, 1u);
}
