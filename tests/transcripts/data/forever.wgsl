@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    loop {
        data[id.x] += 1u;
        if data[id.x] == 0u && id.x > 100u { break; }
    }
}
