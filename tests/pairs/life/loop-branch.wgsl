struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(100) 
var before: texture_2d<u32>;
@group(0) @binding(300) 
var<storage, read_write> after: type_u002e_RWStructuredBuffer_u002e_uint;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_55_: u32;
    var phi_58_: i32;
    var phi_56_: u32;
    var phi_66_: i32;
    var phi_64_: u32;
    var local: u32;
    var local_1: u32;
    var local_2: u32;
    var phi_110_: u32;
    var local_3: u32;
    var local_4: u32;

    let _e12 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e15 = bitcast<vec2<i32>>(_e12.xy);
            let _e16 = textureDimensions(before, 0i);
            let _e27 = ((_e12.y * _e16.x) + _e12.x);
            if (((_e12.x >= _e16.x) || (_e12.y >= _e16.y)) || (_e27 >= arrayLength((&after.member)))) {
                break;
            }
            phi_55_ = 0u;
            phi_58_ = -1i;
            loop {
                let _e31 = phi_55_;
                let _e33 = phi_58_;
                local = _e31;
                local_1 = _e31;
                local_2 = _e31;
                if (_e33 <= 1i) {
                    phi_56_ = _e31;
                    phi_66_ = -1i;
                    loop {
                        let _e36 = phi_56_;
                        let _e38 = phi_66_;
                        local_3 = _e36;
                        if (_e38 <= 1i) {
                            phi_64_ = _e36;
                            if ((_e38 != 0i) || (_e33 != 0i)) {
                                let _e49 = clamp((_e15 + vec2<i32>(_e38, _e33)), vec2<i32>(0i, 0i), (vec2<i32>(bitcast<i32>(_e16.x), bitcast<i32>(_e16.y)) - vec2<i32>(1i, 1i)));
                                let _e54 = textureLoad(before, vec3<i32>(_e49.x, _e49.y, 0i).xy, 0i);
                                phi_64_ = (_e36 + (_e54.x & 1u));
                            }
                            let _e59 = phi_64_;
                            local_4 = _e59;
                            continue;
                        } else {
                            break;
                        }
                        continuing {
                            let _e94 = local_4;
                            phi_56_ = _e94;
                            phi_66_ = (_e38 + 1i);
                        }
                    }
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e90 = local_3;
                    phi_55_ = _e90;
                    phi_58_ = (_e33 + 1i);
                }
            }
            let _e66 = textureLoad(before, vec3<i32>(_e15.x, _e15.y, 0i).xy, 0i);
            if ((_e66.x & 1u) != 0u) {
                let _e71 = local;
                let _e74 = local_1;
                phi_110_ = bitcast<u32>(select(0i, 1i, ((_e71 == 2u) || (_e74 == 3u))));
            } else {
                let _e80 = local_2;
                phi_110_ = bitcast<u32>(select(0i, 1i, (_e80 == 3u)));
            }
            let _e85 = phi_110_;
            after.member[_e27] = _e85;
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
