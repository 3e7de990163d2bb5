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
    let _e20 = global;
    let _e24 = source.member[_e20.x];
    let _e28 = ((_e24.x ^ _e24.w) * 2654435761u);
    let _e35 = (((_e24.y << bitcast<u32>(13u)) | (_e24.y >> bitcast<u32>(19u))) + _e28);
    let _e41 = (_e24.z ^ (_e35 >> bitcast<u32>(((_e28 & 31u) & 31u))));
    let _e47 = ((_e24.w % ((_e41 >> bitcast<u32>(20u)) + 1u)) + (_e35 / 3u));
    let _e50 = (((_e28 ^ _e47) * 2654435761u) + 1u);
    let _e56 = (((_e35 << bitcast<u32>(13u)) | (_e35 >> bitcast<u32>(19u))) + _e50);
    let _e61 = (_e41 ^ (_e56 >> bitcast<u32>(((_e50 & 31u) & 31u))));
    let _e67 = ((_e47 % ((_e61 >> bitcast<u32>(20u)) + 1u)) + (_e56 / 4u));
    let _e70 = (((_e50 ^ _e67) * 2654435761u) + 2u);
    let _e76 = (((_e56 << bitcast<u32>(13u)) | (_e56 >> bitcast<u32>(19u))) + _e70);
    let _e81 = (_e61 ^ (_e76 >> bitcast<u32>(((_e70 & 31u) & 31u))));
    let _e87 = ((_e67 % ((_e81 >> bitcast<u32>(20u)) + 1u)) + (_e76 / 5u));
    let _e90 = (((_e70 ^ _e87) * 2654435761u) + 3u);
    let _e96 = (((_e76 << bitcast<u32>(13u)) | (_e76 >> bitcast<u32>(19u))) + _e90);
    let _e101 = (_e81 ^ (_e96 >> bitcast<u32>(((_e90 & 31u) & 31u))));
    let _e107 = ((_e87 % ((_e101 >> bitcast<u32>(20u)) + 1u)) + (_e96 / 6u));
    let _e110 = (((_e90 ^ _e107) * 2654435761u) + 4u);
    let _e116 = (((_e96 << bitcast<u32>(13u)) | (_e96 >> bitcast<u32>(19u))) + _e110);
    let _e121 = (_e101 ^ (_e116 >> bitcast<u32>(((_e110 & 31u) & 31u))));
    let _e129 = bitcast<vec4<i32>>(vec4<u32>(_e110, _e116, _e121, ((_e107 % ((_e121 >> bitcast<u32>(20u)) + 1u)) + (_e116 / 7u))));
    let _e140 = vec4<i32>((max(_e129.x, -(_e129.y)) >> bitcast<u32>(3i)), _e129.y, _e129.z, _e129.w);
    let _e150 = vec4<i32>(_e140.x, _e140.y, (_e129.z / ((_e129.w & 255i) + 1i)), _e140.w);
    target_.member[_e20.x] = bitcast<vec4<u32>>(vec4<i32>(_e150.x, _e150.y, _e150.z, (_e129.w % 17i)));
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
