// Ports of textures.hlsl, filtering by hand what a sampler filters. A line that is wrong on purpose ends in `// wrong`.

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var cloud: texture_3d<f32>;
@group(0) @binding(2) var ramp: texture_1d<f32>;
@group(0) @binding(3) var depth: texture_2d<f32>;
@group(0) @binding(4) var pages: texture_2d_array<f32>;
@group(0) @binding(5) var state: sampler;

@fragment
fn sampled(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, state, a.xy, 0.0);
}

fn repeated_texel(at: vec2<i32>, level: i32) -> vec4<f32> {
    let size = vec2<i32>(textureDimensions(image, level));
    return textureLoad(image, (at % size + size) % size, level);
}

fn clamped_texel(at: vec2<i32>) -> vec4<f32> {
    return textureLoad(image, clamp(at, vec2(0), vec2<i32>(textureDimensions(image)) - 1), 0);
}

fn mirrored_texel(at: vec2<i32>) -> vec4<f32> {
    let size = vec2<i32>(textureDimensions(image));
    let period = (at % (2 * size) + 2 * size) % (2 * size);
    return textureLoad(image, min(period, 2 * size - 1 - period), 0);
}

fn bordered_texel(at: vec2<i32>) -> vec4<f32> {
    let nearest = clamp(at, vec2(0), vec2<i32>(textureDimensions(image)) - 1);
    return select(vec4(0.25, 0.5, 0.75, 1.0), textureLoad(image, nearest, 0), all(at == nearest));
}

fn cloud_texel(at: vec3<i32>) -> vec4<f32> {
    let size = vec3<i32>(textureDimensions(cloud));
    return textureLoad(cloud, (at % size + size) % size, 0);
}

fn page_texel(at: vec2<i32>, page: i32) -> vec4<f32> {
    let size = vec2<i32>(textureDimensions(pages));
    return textureLoad(pages, (at % size + size) % size, page, 0);
}

fn lit(at: vec2<i32>, reference: f32) -> f32 {
    let texel = textureLoad(depth, clamp(at, vec2(0), vec2<i32>(textureDimensions(depth)) - 1), 0).x;
    return select(0.0, 1.0, reference <= texel);
}

// Between two values, and each of them where the weight is 0 or where they are equal.
fn between(a: vec4<f32>, b: vec4<f32>, weight: f32) -> vec4<f32> {
    return a + (b - a) * weight;
}

@fragment
fn repeated_by_mix(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_by_weights(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let g = 1.0 - f;
    return repeated_texel(i, 0) * (g.x * g.y) + repeated_texel(i + vec2(1, 0), 0) * (f.x * g.y)
        + repeated_texel(i + vec2(0, 1), 0) * (g.x * f.y) + repeated_texel(i + vec2(1, 1), 0) * (f.x * f.y);
}

@fragment
fn repeated_in_fixed_point(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = round((fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5) * 256.0) / 256.0;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_one_further(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p)) + vec2(1, 0); // wrong
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_clamped(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(clamped_texel(i), clamped_texel(i + vec2(1, 0)), f.x); // wrong
    let bottom = mix(clamped_texel(i + vec2(0, 1)), clamped_texel(i + vec2(1, 1)), f.x); // wrong
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_at_corners(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)); // wrong
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_exchanged(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p).yx; // wrong
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_smooth(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = smoothstep(vec2(0.0), vec2(1.0), fract(p)); // wrong
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn repeated_cut_off(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = floor(fract(p) * 256.0) / 256.0; // wrong
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn clamped_by_differences(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(clamped_texel(i), clamped_texel(i + vec2(1, 0)), f.x);
    let bottom = between(clamped_texel(i + vec2(0, 1)), clamped_texel(i + vec2(1, 1)), f.x);
    return between(top, bottom, f.y);
}

@fragment
fn clamped_by_mix(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(clamped_texel(i), clamped_texel(i + vec2(1, 0)), f.x);
    let bottom = mix(clamped_texel(i + vec2(0, 1)), clamped_texel(i + vec2(1, 1)), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn clamped_repeated(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x); // wrong
    let bottom = between(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x); // wrong
    return between(top, bottom, f.y);
}

@fragment
fn mirrored_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy * 0.5) * 2.0 * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(mirrored_texel(i), mirrored_texel(i + vec2(1, 0)), f.x);
    let bottom = between(mirrored_texel(i + vec2(0, 1)), mirrored_texel(i + vec2(1, 1)), f.x);
    return between(top, bottom, f.y);
}

@fragment
fn mirrored_repeated(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy * 0.5) * 2.0 * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x); // wrong
    let bottom = between(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x); // wrong
    return between(top, bottom, f.y);
}

@fragment
fn bordered_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(-1.0), vec2(2.0)) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(bordered_texel(i), bordered_texel(i + vec2(1, 0)), f.x);
    let bottom = between(bordered_texel(i + vec2(0, 1)), bordered_texel(i + vec2(1, 1)), f.x);
    return between(top, bottom, f.y);
}

@fragment
fn bordered_clamped(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(-1.0), vec2(2.0)) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = between(clamped_texel(i), clamped_texel(i + vec2(1, 0)), f.x); // wrong
    let bottom = between(clamped_texel(i + vec2(0, 1)), clamped_texel(i + vec2(1, 1)), f.x); // wrong
    return between(top, bottom, f.y);
}

@fragment
fn nearest_by_load(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(image));
    return clamped_texel(vec2<i32>(floor(p)));
}

@fragment
fn nearest_rounded(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(image));
    return clamped_texel(vec2<i32>(round(p))); // wrong
}

@fragment
fn levels_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let level = fract(a.z) * 2.0;
    let first = i32(floor(level));
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image, first)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let near = mix(mix(repeated_texel(i, first), repeated_texel(i + vec2(1, 0), first), f.x),
        mix(repeated_texel(i + vec2(0, 1), first), repeated_texel(i + vec2(1, 1), first), f.x), f.y);
    let q = fract(a.xy) * vec2<f32>(textureDimensions(image, first + 1)) - 0.5;
    let j = vec2<i32>(floor(q));
    let g = fract(q);
    let far = mix(mix(repeated_texel(j, first + 1), repeated_texel(j + vec2(1, 0), first + 1), g.x),
        mix(repeated_texel(j + vec2(0, 1), first + 1), repeated_texel(j + vec2(1, 1), first + 1), g.x), g.y);
    return mix(near, far, fract(level));
}

@fragment
fn levels_exchanged(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let level = fract(a.z) * 2.0;
    let first = i32(floor(level));
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image, first)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let near = mix(mix(repeated_texel(i, first), repeated_texel(i + vec2(1, 0), first), f.x),
        mix(repeated_texel(i + vec2(0, 1), first), repeated_texel(i + vec2(1, 1), first), f.x), f.y);
    let q = fract(a.xy) * vec2<f32>(textureDimensions(image, first + 1)) - 0.5;
    let j = vec2<i32>(floor(q));
    let g = fract(q);
    let far = mix(mix(repeated_texel(j, first + 1), repeated_texel(j + vec2(1, 0), first + 1), g.x),
        mix(repeated_texel(j + vec2(0, 1), first + 1), repeated_texel(j + vec2(1, 1), first + 1), g.x), g.y);
    return mix(far, near, fract(level)); // wrong
}

@fragment
fn levels_of_one(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let level = i32(round(fract(a.z) * 2.0)); // wrong
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image, level)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    return mix(mix(repeated_texel(i, level), repeated_texel(i + vec2(1, 0), level), f.x),
        mix(repeated_texel(i + vec2(0, 1), level), repeated_texel(i + vec2(1, 1), level), f.x), f.y); // wrong
}

@fragment
fn moved_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p)) + vec2(2, -1);
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn moved_the_other_way(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p)) + vec2(-2, 1); // wrong
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn gathered_by_loads(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    return vec4(repeated_texel(i + vec2(0, 1), 0).y, repeated_texel(i + vec2(1, 1), 0).y,
        repeated_texel(i + vec2(1, 0), 0).y, repeated_texel(i + vec2(0, 0), 0).y);
}

@fragment
fn gathered_by_rows(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    return vec4(repeated_texel(i + vec2(0, 0), 0).y, repeated_texel(i + vec2(1, 0), 0).y, // wrong
        repeated_texel(i + vec2(0, 1), 0).y, repeated_texel(i + vec2(1, 1), 0).y); // wrong
}

@fragment
fn clouded_by_mix(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xyz) * vec3<f32>(textureDimensions(cloud)) - 0.5;
    let i = vec3<i32>(floor(p));
    let f = fract(p);
    let near = mix(mix(cloud_texel(i), cloud_texel(i + vec3(1, 0, 0)), f.x),
        mix(cloud_texel(i + vec3(0, 1, 0)), cloud_texel(i + vec3(1, 1, 0)), f.x), f.y);
    let far = mix(mix(cloud_texel(i + vec3(0, 0, 1)), cloud_texel(i + vec3(1, 0, 1)), f.x),
        mix(cloud_texel(i + vec3(0, 1, 1)), cloud_texel(i + vec3(1, 1, 1)), f.x), f.y);
    return mix(near, far, f.z);
}

@fragment
fn clouded_in_planes(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xyz) * vec3<f32>(textureDimensions(cloud)) - 0.5;
    let i = vec3<i32>(floor(p));
    let f = vec3(fract(p.xy), 0.0); // wrong
    let near = mix(mix(cloud_texel(i), cloud_texel(i + vec3(1, 0, 0)), f.x),
        mix(cloud_texel(i + vec3(0, 1, 0)), cloud_texel(i + vec3(1, 1, 0)), f.x), f.y);
    let far = mix(mix(cloud_texel(i + vec3(0, 0, 1)), cloud_texel(i + vec3(1, 0, 1)), f.x),
        mix(cloud_texel(i + vec3(0, 1, 1)), cloud_texel(i + vec3(1, 1, 1)), f.x), f.y);
    return mix(near, far, f.z);
}

@fragment
fn ramped_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let size = i32(textureDimensions(ramp));
    let p = clamp(a.x, 0.0, 1.0) * f32(size) - 0.5;
    let i = i32(floor(p));
    let first = textureLoad(ramp, clamp(i, 0, size - 1), 0);
    let second = textureLoad(ramp, clamp(i + 1, 0, size - 1), 0);
    return between(first, second, fract(p)) * a.y;
}

@fragment
fn ramped_other_factor(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let size = i32(textureDimensions(ramp));
    let p = clamp(a.x, 0.0, 1.0) * f32(size) - 0.5;
    let i = i32(floor(p));
    let first = textureLoad(ramp, clamp(i, 0, size - 1), 0);
    let second = textureLoad(ramp, clamp(i + 1, 0, size - 1), 0);
    return between(first, second, fract(p)) * a.z; // wrong
}

@fragment
fn paged_by_mix(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(pages)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(page_texel(i, 2), page_texel(i + vec2(1, 0), 2), f.x);
    let bottom = mix(page_texel(i + vec2(0, 1), 2), page_texel(i + vec2(1, 1), 2), f.x);
    return mix(top, bottom, f.y);
}

@fragment
fn paged_one_before(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(pages)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(page_texel(i, 1), page_texel(i + vec2(1, 0), 1), f.x); // wrong
    let bottom = mix(page_texel(i + vec2(0, 1), 1), page_texel(i + vec2(1, 1), 1), f.x); // wrong
    return mix(top, bottom, f.y);
}

@fragment
fn shadowed_by_hand(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(depth)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let r = fract(a.z);
    let top = lit(i, r) + (lit(i + vec2(1, 0), r) - lit(i, r)) * f.x;
    let bottom = lit(i + vec2(0, 1), r) + (lit(i + vec2(1, 1), r) - lit(i + vec2(0, 1), r)) * f.x;
    return vec4(top + (bottom - top) * f.y);
}

@fragment
fn shadowed_hard(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(depth)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = round(fract(p)); // wrong
    let r = fract(a.z);
    let top = lit(i, r) + (lit(i + vec2(1, 0), r) - lit(i, r)) * f.x;
    let bottom = lit(i + vec2(0, 1), r) + (lit(i + vec2(1, 1), r) - lit(i + vec2(0, 1), r)) * f.x;
    return vec4(top + (bottom - top) * f.y);
}

@fragment
fn shadowed_biased(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = clamp(a.xy, vec2(0.0), vec2(1.0)) * vec2<f32>(textureDimensions(depth)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let r = fract(a.z) - 0.001; // wrong
    let top = lit(i, r) + (lit(i + vec2(1, 0), r) - lit(i, r)) * f.x;
    let bottom = lit(i + vec2(0, 1), r) + (lit(i + vec2(1, 1), r) - lit(i + vec2(0, 1), r)) * f.x;
    return vec4(top + (bottom - top) * f.y);
}

@fragment
fn cut_by_mix(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    let texel = mix(top, bottom, f.y);
    return vec4(select(0.0, 1.0, texel.x > texel.y), texel.xyz);
}

@fragment
fn cut_by_another(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
    let p = fract(a.xy) * vec2<f32>(textureDimensions(image)) - 0.5;
    let i = vec2<i32>(floor(p));
    let f = fract(p);
    let top = mix(repeated_texel(i, 0), repeated_texel(i + vec2(1, 0), 0), f.x);
    let bottom = mix(repeated_texel(i + vec2(0, 1), 0), repeated_texel(i + vec2(1, 1), 0), f.x);
    let texel = mix(top, bottom, f.y);
    return vec4(select(0.0, 1.0, texel.x > texel.z), texel.xyz); // wrong
}
