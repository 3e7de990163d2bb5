struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_Life {
    size: vec2<i32>,
}

@group(0) @binding(100) 
var before: texture_2d<u32>;
@group(0) @binding(300) 
var<storage, read_write> after: type_u002e_RWStructuredBuffer_u002e_uint;
@group(0) @binding(0) 
var<uniform> Life: type_u002e_Life;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_51_: u32;
    var phi_54_: i32;
    var phi_52_: u32;
    var phi_62_: i32;
    var phi_60_: u32;
    var local: u32;
    var local_1: u32;
    var local_2: u32;
    var phi_101_: u32;
    var local_3: u32;
    var local_4: u32;

    let _e11 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e14 = bitcast<vec2<i32>>(_e11.xy);
            let _e18 = Life.size[0i];
            let _e23 = Life.size[1i];
            if ((_e14.x >= _e18) || (_e14.y >= _e23)) {
                break;
            }
            phi_51_ = 0u;
            phi_54_ = -1i;
            loop {
                let _e27 = phi_51_;
                let _e29 = phi_54_;
                local = _e27;
                local_1 = _e27;
                local_2 = _e27;
                if (_e29 <= 1i) {
                    phi_52_ = _e27;
                    phi_62_ = -1i;
                    loop {
                        let _e32 = phi_52_;
                        let _e34 = phi_62_;
                        local_3 = _e32;
                        if (_e34 <= 1i) {
                            phi_60_ = _e32;
                            if ((_e34 != 0i) || (_e29 != 0i)) {
                                let _e40 = (_e14 + vec2<i32>(_e34, _e29));
                                let _e45 = textureLoad(before, vec3<i32>(_e40.x, _e40.y, 0i).xy, 0i);
                                phi_60_ = (_e32 + (_e45.x & 1u));
                            }
                            let _e50 = phi_60_;
                            local_4 = _e50;
                            continue;
                        } else {
                            break;
                        }
                        continuing {
                            let _e86 = local_4;
                            phi_52_ = _e86;
                            phi_62_ = (_e34 + 1i);
                        }
                    }
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e82 = local_3;
                    phi_51_ = _e82;
                    phi_54_ = (_e29 + 1i);
                }
            }
            let _e55 = textureLoad(before, vec3<i32>(_e14.x, _e14.y, 0i).xy, 0i);
            if ((_e55.x & 1u) != 0u) {
                let _e60 = local;
                let _e63 = local_1;
                phi_101_ = bitcast<u32>(select(0i, 1i, ((_e60 == 2u) || (_e63 == 3u))));
            } else {
                let _e69 = local_2;
                phi_101_ = bitcast<u32>(select(0i, 1i, (_e69 == 3u)));
            }
            let _e74 = phi_101_;
            after.member[bitcast<u32>(((_e14.y * _e18) + _e14.x))] = _e74;
            break;
        }
    }
    return;
}

@compute @workgroup_size(8, 8, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
