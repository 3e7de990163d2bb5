struct type_u002e_StructuredBuffer_u002e_v4uint {
    member: array<vec4<u32>>,
}

struct type_u002e_RWStructuredBuffer_u002e_v4uint {
    member: array<vec4<u32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_v4uint;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v4uint;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_41_: vec4<u32>;
    var phi_44_: u32;
    var local: vec4<u32>;

    let _e17 = global;
    let _e21 = source.member[_e17.x];
    phi_41_ = _e21;
    phi_44_ = 0u;
    loop {
        let _e23 = phi_41_;
        let _e25 = phi_44_;
        local = _e23;
        if (_e25 < 5u) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e31 = (((_e23.x ^ _e23.w) * 2654435761u) + _e25);
            let _e38 = (((_e23.y << bitcast<u32>(13u)) | (_e23.y >> bitcast<u32>(19u))) + _e31);
            let _e44 = (_e23.z ^ (_e38 >> bitcast<u32>(((_e31 & 31u) & 31u))));
            phi_41_ = vec4<u32>(_e31, _e38, _e44, ((_e23.w % ((_e44 >> bitcast<u32>(20u)) + 1u)) + (_e38 / (_e25 + 3u))));
            phi_44_ = (_e25 + 1u);
        }
    }
    let _e55 = local;
    let _e56 = bitcast<vec4<i32>>(_e55);
    let _e67 = vec4<i32>((max(_e56.x, -(_e56.y)) >> bitcast<u32>(3i)), _e56.y, _e56.z, _e56.w);
    let _e77 = vec4<i32>(_e67.x, _e67.y, (_e56.z / ((_e56.w & 255i) + 1i)), _e67.w);
    target_.member[_e17.x] = bitcast<vec4<u32>>(vec4<i32>(_e77.x, _e77.y, _e77.z, (_e56.w % 17i)));
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
