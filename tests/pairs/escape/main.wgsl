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
    var phi_50_: f32;
    var phi_53_: vec2<f32>;
    var phi_55_: u32;
    var local: u32;
    var local_1: vec2<f32>;
    var local_2: vec2<f32>;
    var local_3: f32;

    let _e15 = global;
    let _e17 = View.center;
    let _e21 = View.scale;
    let _e22 = fma(vec2<f32>(_e15.xy), _e21, _e17);
    let _e24 = View.limit;
    phi_50_ = 10000000000f;
    phi_53_ = vec2<f32>(0f, 0f);
    phi_55_ = 0u;
    loop {
        let _e27 = phi_50_;
        let _e29 = phi_53_;
        let _e31 = phi_55_;
        local = _e31;
        local_1 = _e29;
        local_2 = _e29;
        local_3 = _e27;
        if (_e31 >= min(_e24, 100u)) {
            break;
        }
        let _e35 = (_e29.y * _e29.y);
        let _e36 = fma(_e29.x, _e29.x, _e35);
        if (_e36 > 4f) {
            break;
        }
        continue;
        continuing {
            phi_50_ = min(_e27, (_e36 + f32(_e31)));
            phi_53_ = vec2<f32>((fma(_e29.x, _e29.x, -(_e35)) + _e22.x), fma((2f * _e29.x), _e29.y, _e22.y));
            phi_55_ = (_e31 + 1u);
        }
    }
    let _e51 = local;
    let _e54 = local_1;
    let _e57 = local_2;
    let _e60 = local_3;
    let _e64 = View.width;
    target_.member[((_e15.y * _e64) + _e15.x)] = vec4<f32>(_e54.x, _e57.y, f32(_e51), _e60);
    return;
}

@compute @workgroup_size(8, 4, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
