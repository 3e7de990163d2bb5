// `constants.comp` by hand, with COUNT 3, SCALE 0.25, FLIP, and 16 invocations.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> kept: array<f32, 5>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) at: u32, @builtin(global_invocation_id) id: vec3<u32>) {
    if (at < 5u) { kept[at] = data[at] * 0.25; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0; i < 5; i++) { sum += kept[i]; }
    data[id.x] = -sum;
}
