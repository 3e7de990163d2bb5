struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(100) 
var before: texture_2d<u32>;
@group(0) @binding(300) 
var<storage, read_write> after: type_u002e_RWStructuredBuffer_u002e_uint;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_163_: u32;

    let _e19 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e22 = bitcast<vec2<i32>>(_e19.xy);
            let _e23 = textureDimensions(before, 0i);
            let _e34 = ((_e19.y * _e23.x) + _e19.x);
            if (((_e19.x >= _e23.x) || (_e19.y >= _e23.y)) || (_e34 >= arrayLength((&after.member)))) {
                break;
            }
            let _e41 = (vec2<i32>(bitcast<i32>(_e23.x), bitcast<i32>(_e23.y)) - vec2<i32>(1i, 1i));
            let _e42 = clamp((_e22 + vec2<i32>(-1i, -1i)), vec2<i32>(0i, 0i), _e41);
            let _e47 = textureLoad(before, vec3<i32>(_e42.x, _e42.y, 0i).xy, 0i);
            let _e51 = clamp((_e22 + vec2<i32>(0i, -1i)), vec2<i32>(0i, 0i), _e41);
            let _e56 = textureLoad(before, vec3<i32>(_e51.x, _e51.y, 0i).xy, 0i);
            let _e61 = clamp((_e22 + vec2<i32>(1i, -1i)), vec2<i32>(0i, 0i), _e41);
            let _e66 = textureLoad(before, vec3<i32>(_e61.x, _e61.y, 0i).xy, 0i);
            let _e71 = clamp((_e22 + vec2<i32>(-1i, 0i)), vec2<i32>(0i, 0i), _e41);
            let _e76 = textureLoad(before, vec3<i32>(_e71.x, _e71.y, 0i).xy, 0i);
            let _e81 = clamp((_e22 + vec2<i32>(1i, 0i)), vec2<i32>(0i, 0i), _e41);
            let _e86 = textureLoad(before, vec3<i32>(_e81.x, _e81.y, 0i).xy, 0i);
            let _e91 = clamp((_e22 + vec2<i32>(-1i, 1i)), vec2<i32>(0i, 0i), _e41);
            let _e96 = textureLoad(before, vec3<i32>(_e91.x, _e91.y, 0i).xy, 0i);
            let _e101 = clamp((_e22 + vec2<i32>(0i, 1i)), vec2<i32>(0i, 0i), _e41);
            let _e106 = textureLoad(before, vec3<i32>(_e101.x, _e101.y, 0i).xy, 0i);
            let _e111 = clamp((_e22 + vec2<i32>(1i, 1i)), vec2<i32>(0i, 0i), _e41);
            let _e116 = textureLoad(before, vec3<i32>(_e111.x, _e111.y, 0i).xy, 0i);
            let _e119 = ((((((((_e47.x & 1u) + (_e56.x & 1u)) + (_e66.x & 1u)) + (_e76.x & 1u)) + (_e86.x & 1u)) + (_e96.x & 1u)) + (_e106.x & 1u)) + (_e116.x & 1u));
            let _e124 = textureLoad(before, vec3<i32>(_e22.x, _e22.y, 0i).xy, 0i);
            if ((_e124.x & 1u) != 0u) {
                phi_163_ = bitcast<u32>(select(0i, 1i, ((_e119 == 2u) || (_e119 == 3u))));
            } else {
                phi_163_ = bitcast<u32>(select(0i, 1i, (_e119 == 3u)));
            }
            let _e137 = phi_163_;
            after.member[_e34] = _e137;
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
