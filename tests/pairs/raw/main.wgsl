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
    let _e18 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e21 = (_e18.x * 12u);
            if ((_e21 + 12u) > min((arrayLength((&source.member)) * 4u), (arrayLength((&target_.member)) * 4u))) {
                break;
            }
            let _e32 = (_e21 >> bitcast<u32>(2u));
            let _e35 = source.member[_e32];
            let _e36 = (_e32 + 1u);
            let _e39 = source.member[_e36];
            let _e40 = (_e32 + 2u);
            let _e43 = source.member[_e40];
            let _e57 = bitcast<vec2<u32>>((bitcast<vec2<f32>>(((vec3<u32>(_e35, _e39, _e43).xy & vec2<u32>(3221225471u, 3221225471u)) | vec2<u32>(536870912u, 536870912u))) * 0.5f).yx);
            target_.member[_e32] = _e57.x;
            target_.member[_e36] = _e57.y;
            target_.member[_e40] = (((_e43 & 65280u) >> bitcast<u32>(8u)) | (_e43 << bitcast<u32>(16u)));
            if (_e43 > 2147483647u) {
                let _e73 = source.member[(min((_e43 & 252u), _e21) >> bitcast<u32>(2u))];
                target_.member[_e32] = _e73;
            }
            break;
        }
    }
    return;
}

@compute @workgroup_size(16, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
