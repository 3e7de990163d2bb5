// finds: 16 race-candidate
// The barrier stands in front of the read alone: a lane in its next round may write what another still reads in this one.
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage> source: array<f32>;
var<workgroup> tile: array<f32, 65>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    var sum = 0.0;
    for (var round = 0u; round < 4u; round++) {
        if (round > 0u) {
            sum += tile[i + 1u];
        }
        if (round > 3u) {
            break;
        }
        tile[i] = source[group.x * 256u + round * 64u + i];
        workgroupBarrier();
    }
    out[group.x * 64u + i] = sum;
}
