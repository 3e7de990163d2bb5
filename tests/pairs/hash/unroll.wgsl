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
    switch bitcast<i32>(0u) {
        default: {
            if (_e20.x >= min(arrayLength((&source.member)), arrayLength((&target_.member)))) {
                break;
            }
            let _e31 = source.member[_e20.x];
            let _e35 = ((_e31.x ^ _e31.w) * 2654435761u);
            let _e42 = (((_e31.y << bitcast<u32>(13u)) | (_e31.y >> bitcast<u32>(19u))) + _e35);
            let _e48 = (_e31.z ^ (_e42 >> bitcast<u32>(((_e35 & 31u) & 31u))));
            let _e54 = ((_e31.w % ((_e48 >> bitcast<u32>(20u)) + 1u)) + (_e42 / 3u));
            let _e57 = (((_e35 ^ _e54) * 2654435761u) + 1u);
            let _e63 = (((_e42 << bitcast<u32>(13u)) | (_e42 >> bitcast<u32>(19u))) + _e57);
            let _e68 = (_e48 ^ (_e63 >> bitcast<u32>(((_e57 & 31u) & 31u))));
            let _e74 = ((_e54 % ((_e68 >> bitcast<u32>(20u)) + 1u)) + (_e63 / 4u));
            let _e77 = (((_e57 ^ _e74) * 2654435761u) + 2u);
            let _e83 = (((_e63 << bitcast<u32>(13u)) | (_e63 >> bitcast<u32>(19u))) + _e77);
            let _e88 = (_e68 ^ (_e83 >> bitcast<u32>(((_e77 & 31u) & 31u))));
            let _e94 = ((_e74 % ((_e88 >> bitcast<u32>(20u)) + 1u)) + (_e83 / 5u));
            let _e97 = (((_e77 ^ _e94) * 2654435761u) + 3u);
            let _e103 = (((_e83 << bitcast<u32>(13u)) | (_e83 >> bitcast<u32>(19u))) + _e97);
            let _e108 = (_e88 ^ (_e103 >> bitcast<u32>(((_e97 & 31u) & 31u))));
            let _e114 = ((_e94 % ((_e108 >> bitcast<u32>(20u)) + 1u)) + (_e103 / 6u));
            let _e117 = (((_e97 ^ _e114) * 2654435761u) + 4u);
            let _e123 = (((_e103 << bitcast<u32>(13u)) | (_e103 >> bitcast<u32>(19u))) + _e117);
            let _e128 = (_e108 ^ (_e123 >> bitcast<u32>(((_e117 & 31u) & 31u))));
            let _e136 = bitcast<vec4<i32>>(vec4<u32>(_e117, _e123, _e128, ((_e114 % ((_e128 >> bitcast<u32>(20u)) + 1u)) + (_e123 / 7u))));
            let _e147 = vec4<i32>((max(_e136.x, -(_e136.y)) >> bitcast<u32>(3i)), _e136.y, _e136.z, _e136.w);
            let _e160 = vec4<i32>(_e147.x, _e147.y, bitcast<i32>((bitcast<u32>(_e136.z) / ((bitcast<u32>(_e136.w) & 255u) + 1u))), _e147.w);
            target_.member[_e20.x] = bitcast<vec4<u32>>(vec4<i32>(_e160.x, _e160.y, _e160.z, (_e136.w % 17i)));
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
