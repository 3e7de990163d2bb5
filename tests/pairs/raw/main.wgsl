struct type_u002e_ByteAddressBuffer {
    member: array<u32>,
}

struct type_u002e_RWByteAddressBuffer {
    member: array<u32>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_ByteAddressBuffer;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWByteAddressBuffer;
var<private> global: vec3<u32>;

fn main_1() {
    let _e13 = global;
    let _e17 = ((_e13.x * 12u) >> bitcast<u32>(2u));
    let _e20 = source.member[_e17];
    let _e21 = (_e17 + 1u);
    let _e24 = source.member[_e21];
    let _e25 = (_e17 + 2u);
    let _e28 = source.member[_e25];
    let _e40 = bitcast<vec2<u32>>((bitcast<vec2<f32>>(vec3<u32>(_e20, _e24, _e28).xy) * 0.5f).yx);
    target_.member[_e17] = _e40.x;
    target_.member[_e21] = _e40.y;
    target_.member[_e25] = (((_e28 & 65280u) >> bitcast<u32>(8u)) | (_e28 << bitcast<u32>(16u)));
    if (_e28 > 2147483647u) {
        let _e55 = source.member[((_e28 & 252u) >> bitcast<u32>(2u))];
        target_.member[_e17] = _e55;
    }
    return;
}

@compute @workgroup_size(16, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
