struct type_u002e_StructuredBuffer_u002e_v2uint {
    member: array<vec2<u32>>,
}

struct type_u002e_RWStructuredBuffer_u002e_v4uint {
    member: array<vec4<u32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_v2uint;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v4uint;
var<private> global: vec3<u32>;

fn main_1() {
    let _e14 = global;
    let _e18 = source.member[_e14.x];
    let _e46 = (_e14.x * 2u);
    target_.member[_e46] = vec4<u32>(countOneBits(_e18.x), reverseBits(_e18.y), firstLeadingBit((_e18.x | 1u)), firstTrailingBit((_e18.y | 2147483648u)));
    target_.member[(_e46 + 1u)] = vec4<u32>(((_e18.x >> bitcast<u32>(4u)) & 1023u), bitcast<u32>((bitcast<i32>((_e18.y << bitcast<u32>(7u))) >> bitcast<u32>(19i))), bitcast<u32>(unpack2x16float(_e18.x).x), ((_e18.x & 4294902015u) | ((_e18.y & 255u) << bitcast<u32>(8u))));
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
