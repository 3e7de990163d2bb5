struct type_u002e_StructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_RWStructuredBuffer_u002e_v2uint {
    member: array<vec2<u32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_uint;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v2uint;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_37_: u32;
    var phi_40_: u32;
    var phi_42_: u32;
    var phi_43_: u32;
    var phi_38_: u32;
    var phi_73_: u32;
    var local: u32;
    var local_1: u32;
    var local_2: u32;

    let _e12 = global;
    let _e16 = source.member[_e12.x];
    phi_37_ = 0u;
    phi_40_ = 0u;
    phi_42_ = (_e16 & 65535u);
    loop {
        let _e19 = phi_37_;
        let _e21 = phi_40_;
        let _e23 = phi_42_;
        phi_73_ = _e19;
        local = _e21;
        if ((_e23 > 1u) && (_e21 < 60u)) {
            if ((_e23 & 1u) != 0u) {
                phi_43_ = ((_e23 * 3u) + 1u);
            } else {
                phi_43_ = (_e23 >> bitcast<u32>(1u));
            }
            let _e34 = phi_43_;
            local_2 = _e34;
            switch bitcast<i32>((_e34 & 7u)) {
                case 0: {
                    phi_38_ = (_e19 | 1u);
                    break;
                }
                case 3, 5: {
                    phi_38_ = (_e19 ^ _e34);
                    break;
                }
                case 6: {
                    phi_38_ = ((_e19 << bitcast<u32>(1u)) | (_e19 >> bitcast<u32>(31u)));
                    break;
                }
                default: {
                    phi_38_ = (_e19 + 7u);
                    break;
                }
            }
            let _e46 = phi_38_;
            local_1 = _e46;
            if (_e46 == 57005u) {
                phi_73_ = _e46;
                break;
            }
            continue;
        } else {
            break;
        }
        continuing {
            let _e58 = local_1;
            phi_37_ = _e58;
            phi_40_ = (_e21 + 1u);
            let _e62 = local_2;
            phi_42_ = _e62;
        }
    }
    let _e50 = phi_73_;
    let _e52 = local;
    target_.member[_e12.x] = vec2<u32>(_e52, _e50);
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
