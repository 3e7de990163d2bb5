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
    var phi_60_: u32;

    let _e15 = global;
    let _e16 = global_1;
    let _e20 = arrayLength((&source.member));
    let _e22 = arrayLength((&target_.member));
    ping[_e15] = vec2<f32>(0f, 0f);
    let _e24 = (_e15 + 32u);
    ping[_e24] = vec2<f32>(0f, 0f);
    let _e26 = ((_e16.x * 64u) + _e15);
    if (_e26 < _e20) {
        let _e30 = source.member[_e26];
        ping[_e15] = _e30;
    }
    let _e31 = (_e26 + 32u);
    if (_e31 < _e20) {
        let _e35 = source.member[_e31];
        ping[_e24] = _e35;
    }
    phi_60_ = 1u;
    loop {
        let _e37 = phi_60_;
        if (_e37 < 64u) {
            continue;
        } else {
            break;
        }
        continuing {
            workgroupBarrier();
            let _e40 = (_e15 & (_e37 - 1u));
            let _e44 = ((-3.140625f * f32(_e40)) / f32(_e37));
            let _e45 = cos(_e44);
            let _e46 = sin(_e44);
            let _e47 = ping[_e15];
            let _e48 = ping[_e24];
            let _e56 = vec2<f32>(fma(_e48.x, _e45, -((_e48.y * _e46))), fma(_e48.x, _e46, (_e48.y * _e45)));
            let _e60 = (((_e15 - _e40) << bitcast<u32>(1u)) + _e40);
            pong[_e60] = (_e47 + _e56);
            pong[(_e60 + _e37)] = (_e47 - _e56);
            workgroupBarrier();
            let _e67 = (_e37 << bitcast<u32>(1u));
            let _e69 = (_e15 & (_e67 - 1u));
            let _e73 = ((-3.140625f * f32(_e69)) / f32(_e67));
            let _e74 = cos(_e73);
            let _e75 = sin(_e73);
            let _e77 = pong[_e15];
            let _e79 = pong[_e24];
            let _e87 = vec2<f32>(fma(_e79.x, _e74, -((_e79.y * _e75))), fma(_e79.x, _e75, (_e79.y * _e74)));
            let _e91 = (((_e15 - _e69) << bitcast<u32>(1u)) + _e69);
            ping[_e91] = (_e77 + _e87);
            ping[(_e91 + _e67)] = (_e77 - _e87);
            phi_60_ = (_e37 << bitcast<u32>(2u));
        }
    }
    workgroupBarrier();
    if (_e26 < _e22) {
        let _e100 = ping[_e15];
        target_.member[_e26] = _e100;
    }
    if (_e31 < _e22) {
        let _e104 = ping[_e24];
        target_.member[_e31] = _e104;
    }
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(local_invocation_index) param: u32, @builtin(workgroup_id) param_1: vec3<u32>) {
    global = param;
    global_1 = param_1;
    main_1();
}
