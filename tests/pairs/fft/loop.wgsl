struct type_u002e_StructuredBuffer_u002e_v2float {
    member: array<vec2<f32>>,
}

struct type_u002e_RWStructuredBuffer_u002e_v2float {
    member: array<vec2<f32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_v2float;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v2float;
var<workgroup> ping: array<vec2<f32>, 64>;
var<workgroup> pong: array<vec2<f32>, 64>;
var<private> global: u32;
var<private> global_1: vec3<u32>;

fn main_1() {
    var phi_50_: u32;

    let _e13 = global;
    let _e14 = global_1;
    let _e17 = ((_e14.x * 64u) + _e13);
    let _e20 = source.member[_e17];
    ping[_e13] = _e20;
    let _e22 = (_e17 + 32u);
    let _e25 = source.member[_e22];
    let _e26 = (_e13 + 32u);
    ping[_e26] = _e25;
    phi_50_ = 1u;
    loop {
        let _e29 = phi_50_;
        if (_e29 < 64u) {
            continue;
        } else {
            break;
        }
        continuing {
            workgroupBarrier();
            let _e32 = (_e13 & (_e29 - 1u));
            let _e36 = ((-3.140625f * f32(_e32)) / f32(_e29));
            let _e37 = cos(_e36);
            let _e38 = sin(_e36);
            let _e39 = ping[_e13];
            let _e40 = ping[_e26];
            let _e48 = vec2<f32>(fma(_e40.x, _e37, -((_e40.y * _e38))), fma(_e40.x, _e38, (_e40.y * _e37)));
            let _e52 = (((_e13 - _e32) << bitcast<u32>(1u)) + _e32);
            pong[_e52] = (_e39 + _e48);
            pong[(_e52 + _e29)] = (_e39 - _e48);
            workgroupBarrier();
            let _e59 = (_e29 << bitcast<u32>(1u));
            let _e61 = (_e13 & (_e59 - 1u));
            let _e65 = ((-3.140625f * f32(_e61)) / f32(_e59));
            let _e66 = cos(_e65);
            let _e67 = sin(_e65);
            let _e69 = pong[_e13];
            let _e71 = pong[_e26];
            let _e79 = vec2<f32>(fma(_e71.x, _e66, -((_e71.y * _e67))), fma(_e71.x, _e67, (_e71.y * _e66)));
            let _e83 = (((_e13 - _e61) << bitcast<u32>(1u)) + _e61);
            ping[_e83] = (_e69 + _e79);
            ping[(_e83 + _e59)] = (_e69 - _e79);
            phi_50_ = (_e29 << bitcast<u32>(2u));
        }
    }
    workgroupBarrier();
    let _e91 = ping[_e13];
    target_.member[_e17] = _e91;
    let _e94 = ping[_e26];
    target_.member[_e22] = _e94;
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(local_invocation_index) param: u32, @builtin(workgroup_id) param_1: vec3<u32>) {
    global = param;
    global_1 = param_1;
    main_1();
}
