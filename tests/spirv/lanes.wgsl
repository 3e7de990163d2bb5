enable subgroups;
// `lanes.comp` by hand.
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> written: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) at: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let x = source[at];
    var r = 0u;
    r += subgroupAdd(x) * 3u;
    r ^= subgroupExclusiveAdd(x);
    r += u32(subgroupMin(i32(x)));
    let odd = subgroupBallot((x & 1u) != 0u);
    let mine = x & 1u;
    r += subgroupAdd(mine) + 7u * subgroupExclusiveAdd(mine);
    r ^= mine * 0x100u;
    r += subgroupShuffle(x, lane ^ 1u) + subgroupBroadcast(x, 3u);
    if ((x & 2u) != 0u) { r += subgroupBroadcastFirst(x); }
    r += select(0u, 1u, subgroupAll(x != 5u));
    r += firstTrailingBit(odd.x | 0x80000000u) * 11u;
    written[at] = r;
}
