struct type_u002e_View {
    center: vec2<f32>,
    scale: vec2<f32>,
    limit: u32,
    width: u32,
}

struct type_u002e_RWStructuredBuffer_u002e_v4float {
    member: array<vec4<f32>>,
}

@group(0) @binding(0) 
var<uniform> View: type_u002e_View;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v4float;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_64_: f32;
    var phi_67_: vec2<f32>;
    var phi_69_: u32;
    var local: u32;
    var local_1: vec2<f32>;
    var local_2: vec2<f32>;
    var local_3: f32;

    let _e15 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e21 = View.width;
            let _e25 = ((_e15.y * _e21) + _e15.x);
            if ((_e15.x >= _e21) || (_e25 >= arrayLength((&target_.member)))) {
                break;
            }
            let _e29 = View.center;
            let _e33 = View.scale;
            let _e34 = fma(vec2<f32>(_e15.xy), _e33, _e29);
            let _e36 = View.limit;
            phi_64_ = 10000000000f;
            phi_67_ = vec2<f32>(0f, 0f);
            phi_69_ = 0u;
            loop {
                let _e39 = phi_64_;
                let _e41 = phi_67_;
                let _e43 = phi_69_;
                local = _e43;
                local_1 = _e41;
                local_2 = _e41;
                local_3 = _e39;
                if (_e43 >= min(_e36, 100u)) {
                    break;
                }
                let _e47 = (_e41.y * _e41.y);
                let _e48 = fma(_e41.x, _e41.x, _e47);
                if (_e48 > 4f) {
                    break;
                }
                continue;
                continuing {
                    phi_64_ = min(_e39, (_e48 + f32(_e43)));
                    phi_67_ = vec2<f32>((fma(_e41.x, _e41.x, -(_e47)) + _e34.x), fma((2f * _e41.x), _e41.y, _e34.y));
                    phi_69_ = (_e43 + 1u);
                }
            }
            let _e63 = local;
            let _e66 = local_1;
            let _e69 = local_2;
            let _e72 = local_3;
            target_.member[_e25] = vec4<f32>(_e66.x, _e69.y, f32(_e63), _e72);
            break;
        }
    }
    return;
}

@compute @workgroup_size(8, 4, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
