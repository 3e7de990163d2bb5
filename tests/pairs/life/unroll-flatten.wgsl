struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_Life {
    size: vec2<i32>,
}

@group(0) @binding(100) 
var before: texture_2d<u32>;
@group(0) @binding(300) 
var<storage, read_write> after: type_u002e_RWStructuredBuffer_u002e_uint;
@group(0) @binding(0) 
var<uniform> Life: type_u002e_Life;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_147_: u32;

    let _e19 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e22 = bitcast<vec2<i32>>(_e19.xy);
            let _e26 = Life.size[0i];
            let _e31 = Life.size[1i];
            if ((_e22.x >= _e26) || (_e22.y >= _e31)) {
                break;
            }
            let _e34 = (_e22 + vec2<i32>(-1i, -1i));
            let _e39 = textureLoad(before, vec3<i32>(_e34.x, _e34.y, 0i).xy, 0i);
            let _e42 = (_e22 + vec2<i32>(0i, -1i));
            let _e47 = textureLoad(before, vec3<i32>(_e42.x, _e42.y, 0i).xy, 0i);
            let _e51 = (_e22 + vec2<i32>(1i, -1i));
            let _e56 = textureLoad(before, vec3<i32>(_e51.x, _e51.y, 0i).xy, 0i);
            let _e60 = (_e22 + vec2<i32>(-1i, 0i));
            let _e65 = textureLoad(before, vec3<i32>(_e60.x, _e60.y, 0i).xy, 0i);
            let _e69 = (_e22 + vec2<i32>(1i, 0i));
            let _e74 = textureLoad(before, vec3<i32>(_e69.x, _e69.y, 0i).xy, 0i);
            let _e78 = (_e22 + vec2<i32>(-1i, 1i));
            let _e83 = textureLoad(before, vec3<i32>(_e78.x, _e78.y, 0i).xy, 0i);
            let _e87 = (_e22 + vec2<i32>(0i, 1i));
            let _e92 = textureLoad(before, vec3<i32>(_e87.x, _e87.y, 0i).xy, 0i);
            let _e96 = (_e22 + vec2<i32>(1i, 1i));
            let _e101 = textureLoad(before, vec3<i32>(_e96.x, _e96.y, 0i).xy, 0i);
            let _e104 = ((((((((_e39.x & 1u) + (_e47.x & 1u)) + (_e56.x & 1u)) + (_e65.x & 1u)) + (_e74.x & 1u)) + (_e83.x & 1u)) + (_e92.x & 1u)) + (_e101.x & 1u));
            let _e107 = textureLoad(before, vec3<i32>(_e22.x, _e22.y, 0i).xy, 0i);
            if ((_e107.x & 1u) != 0u) {
                phi_147_ = bitcast<u32>(select(0i, 1i, ((_e104 == 2u) || (_e104 == 3u))));
            } else {
                phi_147_ = bitcast<u32>(select(0i, 1i, (_e104 == 3u)));
            }
            let _e120 = phi_147_;
            after.member[bitcast<u32>(((_e22.y * _e26) + _e22.x))] = _e120;
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
