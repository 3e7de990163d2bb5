// `loops.spvasm` by hand, entry point main, for numbers that are normal.
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> written: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var a = source[id.x];
    var b = 1.0;
    var sum = 0.0;
    for (var i = 0u; i < 4u; i++) {
        for (var j = 0u; j < 3u; j++) {
            let added = sum + a * 0.5;
            if (!(added <= 40.0)) {
                written[id.x] = added;
                return;
            }
            sum = added;
        }
        let before = a;
        a = b;
        b = before;
    }
    written[id.x] = sum + b;
}
