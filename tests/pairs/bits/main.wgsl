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
    let _e15 = global;
    switch bitcast<i32>(0u) {
        default: {
            if (_e15.x >= min(arrayLength((&source.member)), (arrayLength((&target_.member)) / 2u))) {
                break;
            }
            let _e27 = source.member[_e15.x];
            let _e55 = (_e15.x * 2u);
            target_.member[_e55] = vec4<u32>(countOneBits(_e27.x), reverseBits(_e27.y), firstLeadingBit((_e27.x | 1u)), firstTrailingBit((_e27.y | 2147483648u)));
            target_.member[(_e55 + 1u)] = vec4<u32>(((_e27.x >> bitcast<u32>(4u)) & 1023u), bitcast<u32>((bitcast<i32>((_e27.y << bitcast<u32>(7u))) >> bitcast<u32>(19i))), bitcast<u32>(unpack2x16float(_e27.x).x), ((_e27.x & 4294902015u) | ((_e27.y & 255u) << bitcast<u32>(8u))));
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
