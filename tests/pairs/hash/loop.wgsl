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
    var phi_48_: vec4<u32>;
    var phi_51_: u32;
    var local: vec4<u32>;

    let _e16 = global;
    switch bitcast<i32>(0u) {
        default: {
            if (_e16.x >= min(arrayLength((&source.member)), arrayLength((&target_.member)))) {
                break;
            }
            let _e27 = source.member[_e16.x];
            phi_48_ = _e27;
            phi_51_ = 0u;
            loop {
                let _e29 = phi_48_;
                let _e31 = phi_51_;
                local = _e29;
                if (_e31 < 5u) {
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e37 = (((_e29.x ^ _e29.w) * 2654435761u) + _e31);
                    let _e44 = (((_e29.y << bitcast<u32>(13u)) | (_e29.y >> bitcast<u32>(19u))) + _e37);
                    let _e50 = (_e29.z ^ (_e44 >> bitcast<u32>(((_e37 & 31u) & 31u))));
                    phi_48_ = vec4<u32>(_e37, _e44, _e50, ((_e29.w % ((_e50 >> bitcast<u32>(20u)) + 1u)) + (_e44 / (_e31 + 3u))));
                    phi_51_ = (_e31 + 1u);
                }
            }
            let _e61 = local;
            let _e62 = bitcast<vec4<i32>>(_e61);
            let _e73 = vec4<i32>((max(_e62.x, -(_e62.y)) >> bitcast<u32>(3i)), _e62.y, _e62.z, _e62.w);
            let _e86 = vec4<i32>(_e73.x, _e73.y, bitcast<i32>((bitcast<u32>(_e62.z) / ((bitcast<u32>(_e62.w) & 255u) + 1u))), _e73.w);
            target_.member[_e16.x] = bitcast<vec4<u32>>(vec4<i32>(_e86.x, _e86.y, _e86.z, (_e62.w % 17i)));
            break;
        }
    }
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
