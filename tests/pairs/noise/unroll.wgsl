struct type_u002e_Noise {
    scale: vec2<f32>,
    time: f32,
    gain: f32,
}

@group(0) @binding(0) 
var<uniform> Noise: type_u002e_Noise;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    let _e21 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e23 = Noise.scale;
    let _e25 = Noise.time;
    let _e27 = fma(_e21, _e23, vec2(_e25));
    let _e28 = floor(_e27);
    let _e29 = fract(_e27);
    let _e33 = ((_e29 * _e29) * (vec2<f32>(3f, 3f) - (_e29 * 2f)));
    let _e37 = fract((sin(dot(_e28, vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e47 = fract((sin(dot((_e28 + vec2<f32>(0f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e55 = fma((fract((sin(dot((_e28 + vec2<f32>(1f, 0f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e37), _e33.x, _e37);
    let _e62 = ((_e27 * 2f) + vec2<f32>(17.25f, 17.25f));
    let _e64 = Noise.gain;
    let _e65 = (0.5f * _e64);
    let _e66 = floor(_e62);
    let _e67 = fract(_e62);
    let _e71 = ((_e67 * _e67) * (vec2<f32>(3f, 3f) - (_e67 * 2f)));
    let _e75 = fract((sin(dot(_e66, vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e85 = fract((sin(dot((_e66 + vec2<f32>(0f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e93 = fma((fract((sin(dot((_e66 + vec2<f32>(1f, 0f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e75), _e71.x, _e75);
    let _e102 = ((_e62 * 2f) + vec2<f32>(17.25f, 17.25f));
    let _e103 = (_e65 * _e64);
    let _e104 = floor(_e102);
    let _e105 = fract(_e102);
    let _e109 = ((_e105 * _e105) * (vec2<f32>(3f, 3f) - (_e105 * 2f)));
    let _e113 = fract((sin(dot(_e104, vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e123 = fract((sin(dot((_e104 + vec2<f32>(0f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e131 = fma((fract((sin(dot((_e104 + vec2<f32>(1f, 0f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e113), _e109.x, _e113);
    let _e139 = ((_e102 * 2f) + vec2<f32>(17.25f, 17.25f));
    let _e140 = (_e103 * _e64);
    let _e141 = floor(_e139);
    let _e142 = fract(_e139);
    let _e146 = ((_e142 * _e142) * (vec2<f32>(3f, 3f) - (_e142 * 2f)));
    let _e150 = fract((sin(dot(_e141, vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e160 = fract((sin(dot((_e141 + vec2<f32>(0f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
    let _e168 = fma((fract((sin(dot((_e141 + vec2<f32>(1f, 0f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e150), _e146.x, _e150);
    let _e176 = ((_e139 * 2f) + vec2<f32>(17.25f, 17.25f));
    out_u002e_var_u002e_SV_Target = vec4<f32>(fma(fma((fma((fract((sin(dot((_e141 + vec2<f32>(1f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e160), _e146.x, _e160) - _e168), _e146.y, _e168), _e140, fma(fma((fma((fract((sin(dot((_e104 + vec2<f32>(1f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e123), _e109.x, _e123) - _e131), _e109.y, _e131), _e103, fma(fma((fma((fract((sin(dot((_e28 + vec2<f32>(1f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e47), _e33.x, _e47) - _e55), _e33.y, _e55), 0.5f, (fma((fma((fract((sin(dot((_e66 + vec2<f32>(1f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e85), _e71.x, _e85) - _e93), _e71.y, _e93) * _e65)))), _e176.x, _e176.y, (_e140 * _e64));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
