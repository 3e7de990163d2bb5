#version 450
// Operations between lanes of a subgroup.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint words[]; } source;
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint words[]; } target;

void main() {
    uint at = gl_LocalInvocationIndex;
    uint x = source.words[at];
    uint r = 0u;
    r += subgroupAdd(x) * 3u;
    r ^= subgroupExclusiveAdd(x);
    r += uint(subgroupMin(int(x)));
    uvec4 odd = subgroupBallot((x & 1u) != 0u);
    r += subgroupBallotBitCount(odd) + 7u * subgroupBallotExclusiveBitCount(odd);
    r ^= subgroupInverseBallot(odd) ? 0x100u : 0u;
    r += subgroupShuffleXor(x, 1u) + subgroupBroadcast(x, 3u);
    if ((x & 2u) != 0u) r += subgroupBroadcastFirst(x);
    r += subgroupAll(x != 5u) ? 1u : 0u;
    r += subgroupBallotFindLSB(odd | uvec4(0x80000000u, 0u, 0u, 0u)) * 11u;
    target.words[at] = r;
}
