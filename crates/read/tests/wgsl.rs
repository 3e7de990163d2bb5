//! WGSL texts that read to programs which hold every rule of the representation, and texts that do not.
#![cfg(feature = "wgsl")]

use gpuproof_program::{Access, Attrs, Builtin, Instruction, Interpolation, Node, Op, Program, Shape, Stage, Target, Type, walk};
use gpuproof_read::wgsl::{Error, Options, entry_points, read};

/// Reads a text with one entry point and holds the program to every rule.
#[track_caller]
fn program(text: &str) -> Program {
    let program = read(text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    gpuproof_program::validate(&program).unwrap();
    program
}

fn operations(program: &Program) -> Vec<&Instruction> {
    let mut all = Vec::new();
    for function in &program.functions {
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node {
                all.push(instruction);
            }
        });
    }
    all
}

fn count(program: &Program, op: Op) -> usize {
    operations(program).iter().filter(|instruction| instruction.op == op).count()
}

/// The constants of a program as f32s.
fn floats(program: &Program) -> Vec<f32> {
    let bits = |attrs: Attrs| if let Target::Bits(bits) = attrs.target { Some(f32::from_bits(bits as u32)) } else { None };
    operations(program).iter().filter(|i| i.op == Op::Const).filter_map(|i| bits(i.attrs)).collect()
}

#[test]
fn a_fragment_program_has_its_interface() {
    let program = program(
        "struct Uniforms { tint: vec4f, matrix: mat3x3f, count: u32 }
         struct Varyings { @builtin(position) position: vec4f, @location(0) uv: vec2f, @location(1) @interpolate(flat) id: u32 }
         @group(0) @binding(0) var<uniform> uniforms: Uniforms;
         @group(0) @binding(1) var image: texture_2d<f32>;
         @group(0) @binding(2) var linear: sampler;
         @fragment fn main(v: Varyings) -> @location(0) vec4f {
             let c = textureSample(image, linear, v.uv) * uniforms.tint;
             if (c.a < 0.5) { discard; }
             return vec4f(uniforms.matrix * c.rgb, f32(v.id + uniforms.count));
         }",
    );
    assert_eq!(program.stage, Stage::Pixel);
    let inputs = &program.interface.inputs;
    assert_eq!(inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["position", "uv", "id"]);
    assert_eq!(inputs[0].builtin, Some(Builtin::Position));
    assert_eq!((inputs[1].location, inputs[1].mask, inputs[1].interpolation), (Some(0), 3, Interpolation::Linear));
    assert_eq!(inputs[2].interpolation, Interpolation::Flat);
    assert_eq!(program.interface.outputs[0].location, Some(0));
    assert_eq!(program.interface.outputs[0].mask, 15);
    let uniforms = &program.interface.resources[0];
    // Sizes and offsets by the rules of WGSL 14.4.1: a column of three f32 takes 16 bytes.
    assert_eq!((uniforms.shape, uniforms.access), (Shape::ConstantBuffer { bytes: 80 }, Access::Read));
    let Some(Type::Struct { members, size: 80 }) = &uniforms.layout else { panic!("{:?}", uniforms.layout) };
    assert_eq!(
        members.iter().map(|m| (m.name.as_str(), m.offset)).collect::<Vec<_>>(),
        [("tint", 0), ("matrix", 16), ("count", 64)]
    );
    assert_eq!(count(&program, Op::Sample), 1);
    assert_eq!(count(&program, Op::Demote), 1);
    assert_eq!(count(&program, Op::FDot3), 3);
}

#[test]
fn origins_are_lines_and_columns() {
    let program = program("@fragment fn main(@location(0) x: f32) -> @location(0) f32 {\n    let y = x * 2.0;\n    return y;\n}");
    let product = operations(&program).into_iter().find(|i| i.op == Op::FMul).unwrap();
    assert_eq!((product.origin.line, product.origin.column), (1, 13));
    assert_eq!(program.source.line(product.origin).unwrap().text, "let y = x * 2.0;");
}

#[test]
fn folded_literals_are_exact() {
    // The nearest f32 of sin 1 and of e^0.5, from their decimal expansions (OEIS A049469, A019774).
    let program = program(
        "const K = exp(0.5);
         @fragment fn main(@location(0) x: f32) -> @location(0) vec2f { return x * vec2f(sin(1.0), K) + normalize(vec2f(3.0, 4.0)); }",
    );
    for expected in [0.841_470_98_f32, 1.648_721_2, 0.6, 0.8] {
        assert!(floats(&program).contains(&expected), "{expected} in {:?}", floats(&program));
    }
    assert_eq!(program.notes, Vec::<String>::new());
}

#[test]
fn functions_with_pointers_and_private_variables() {
    let program = program(
        "var<private> total: f32;
         fn add(p: ptr<function, vec2f>, x: f32) { (*p).x += x; total += (*p).y; }
         fn pick(p: ptr<function, array<f32, 4>>, i: u32) -> f32 { return (*p)[i]; }
         @fragment fn main(@location(0) x: vec4f, @location(1) @interpolate(flat) i: u32) -> @location(0) vec4f {
             var v = x.xy;
             add(&v, x.z);
             add(&v, x.w);
             var a = array(x.x, x.y, x.z, x.w);
             return vec4f(v, total, pick(&a, i));
         }",
    );
    assert_eq!(program.functions.len(), 3);
    assert_eq!(count(&program, Op::Call), 3);
    assert_eq!(program.arrays.len(), 1);
    let add = program.functions.iter().find(|f| f.name == "add").unwrap();
    // vec2f, f32 and `total` go in, vec2f and `total` come out.
    assert_eq!((add.params.len(), add.results.len()), (4, 3));
}

#[test]
fn loops_carry_what_their_continuing_part_uses() {
    let program = program(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
         @compute @workgroup_size(8, 4) fn main(@builtin(global_invocation_id) id: vec3u) {
             var i = 0u;
             loop {
                 let at = i * 2u;
                 if (data[at] == 7u) { continue; }
                 switch (data[at + 1u]) {
                     case 1u, 2u: { data[at] = 1u; }
                     case 3u { break; }
                     default { return; }
                 }
                 data[at] += id.x;
                 continuing { i += at + 1u; break if (i > arrayLength(&data)); }
             }
             for (var j = 0; j < 4; j++) { if (j == 2) { continue; } data[j] = u32(j); }
             while (data[0] < 5u) { data[0]++; }
         }",
    );
    assert_eq!(program.group_size, [8, 4, 1]);
    assert_eq!(count(&program, Op::BufferSize), 1);
}

#[test]
fn workgroup_memory_atomics_and_barriers() {
    let program = program(
        "struct Cell { lock: atomic<u32>, value: vec3f, flag: bool }
         var<workgroup> cells: array<Cell, 16>;
         @group(0) @binding(0) var<storage, read_write> counters: array<atomic<i32>>;
         @compute @workgroup_size(16) fn main(@builtin(local_invocation_index) i: u32) {
             cells[i].flag = i == 3u;
             cells[i].value = vec3f(f32(i));
             atomicStore(&cells[i].lock, 0u);
             workgroupBarrier();
             let r = atomicCompareExchangeWeak(&cells[15u - i].lock, 0u, i);
             if (r.exchanged && cells[r.old_value].flag) { atomicAdd(&counters[i], atomicMax(&counters[i + 1u], 3)); }
             storageBarrier();
         }",
    );
    // The array's stride is 48: the lock, padding to 16, 12 bytes, the flag, padding.
    assert_eq!(program.shared[0].bytes % 16, 0);
    assert!(program.shared[0].zeroed);
    assert_eq!(count(&program, Op::SharedAtomic), 2);
    assert_eq!(count(&program, Op::BufferAtomic), 2);
    assert_eq!(count(&program, Op::Barrier), 2);
}

#[test]
fn every_builtin_function_has_operations() {
    let body = |lines: &str| {
        format!(
            "enable f16;
             @group(0) @binding(0) var<storage, read_write> o: array<vec4f>;
             @group(0) @binding(1) var<storage> v: array<vec4f>;
             @group(0) @binding(2) var<storage> n: array<vec4i>;
             @group(0) @binding(3) var<storage> m: array<mat4x4f>;
             @group(0) @binding(4) var<storage> h: array<vec4<f16>>;
             @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {{
                 let a = v[0]; let b = v[1]; let c = v[2]; let i = n[0]; let u = vec4u(n[1]);
                 {lines}
             }}"
        )
    };
    let floats = [
        "abs(a)",
        "acos(a)",
        "acosh(a)",
        "asin(a)",
        "asinh(a)",
        "atan(a)",
        "atanh(a)",
        "atan2(a, b)",
        "ceil(a)",
        "clamp(a, b, c)",
        "cos(a)",
        "cosh(a)",
        "vec4f(cross(a.xyz, b.xyz), 0)",
        "degrees(a)",
        "vec4f(determinant(m[0]))",
        "vec4f(distance(a, b))",
        "vec4f(dot(a, b))",
        "exp(a)",
        "exp2(a)",
        "faceForward(a, b, c)",
        "floor(a)",
        "fma(a, b, c)",
        "fract(a)",
        "frexp(a).fract",
        "vec4f(frexp(a).exp)",
        "inverseSqrt(a)",
        "ldexp(a, i)",
        "vec4f(length(a))",
        "log(a)",
        "log2(a)",
        "max(a, b)",
        "min(a, b)",
        "mix(a, b, c)",
        "mix(a, b, 0.5)",
        "modf(a).whole",
        "modf(a).fract",
        "normalize(a)",
        "pow(a, b)",
        "quantizeToF16(a)",
        "radians(a)",
        "reflect(a, b)",
        "refract(a, b, c.x)",
        "round(a)",
        "saturate(a)",
        "sign(a)",
        "sin(a)",
        "sinh(a)",
        "smoothstep(a, b, c)",
        "sqrt(a)",
        "step(a, b)",
        "tan(a)",
        "tanh(a)",
        "transpose(m[0])[1]",
        "trunc(a)",
        "a % b",
        "m[0] * a",
        "a * m[0]",
        "(m[0] * m[1])[2]",
        "(m[0] + m[1])[id.x]",
        "m[0][id.x]",
        "(2.0 * m[0])[0]",
        "vec4f(a[id.x])",
        "select(a, b, a < c)",
        "select(a, b, all(a > c) || any(a != c))",
        "vec4f(h[0] * h[1] + sin(h[0]))",
        "-a",
        "unpack4x8snorm(u.x)",
        "unpack4x8unorm(u.x)",
        "vec4f(unpack2x16snorm(u.x), unpack2x16unorm(u.x))",
        "vec4f(unpack2x16float(u.x), 0, 0)",
        "bitcast<vec4f>(u)",
        "vec4f(u) + vec4f(i)",
    ];
    let integers = [
        "abs(i)",
        "countLeadingZeros(i)",
        "countOneBits(i)",
        "countTrailingZeros(i)",
        "extractBits(i, 3u, 5u)",
        "firstLeadingBit(i)",
        "firstTrailingBit(i)",
        "insertBits(i, i.yxzw, 3u, 5u)",
        "reverseBits(i)",
        "sign(i)",
        "i / i.yxzw",
        "i % i.yxzw",
        "-i",
        "~i",
        "i << u",
        "i >> u",
        "max(i, i.yxzw)",
        "clamp(i, i.yxzw, i.zwxy)",
        "vec4i(dot(i, i))",
        "vec4i(dot4I8Packed(u.x, u.y))",
        "vec4i(a)",
        "unpack4xI8(u.x)",
        "vec4i(i32(pack4xI8(i)), i32(pack4xI8Clamp(i)), 0, 0)",
        "select(i, -i, i < i.yxzw)",
    ];
    let unsigned = [
        "vec4u(dot4U8Packed(u.x, u.y))",
        "firstLeadingBit(u)",
        "extractBits(u, 3u, 5u)",
        "u / u.yxzw",
        "u % u.yxzw",
        "u >> u",
        "min(u, u)",
        "vec4u(a)",
        "vec4u(pack4x8snorm(a), pack4x8unorm(a), pack2x16snorm(a.xy), pack2x16unorm(a.xy))",
        "vec4u(pack2x16float(a.xy), pack4xU8(u), pack4xU8Clamp(u), 0)",
        "unpack4xU8(u.x)",
        "vec4u(a == b)",
    ];
    let cast = |texts: &[&str], to: &str| {
        texts.iter().enumerate().map(|(k, text)| format!("o[{k}] = {}({text});\n", to)).collect::<String>()
    };
    program(&body(&cast(&floats, "")));
    program(&body(&cast(&integers, "vec4f")));
    program(&body(&cast(&unsigned, "vec4f")));
}

#[test]
fn every_texture_function_has_operations() {
    let program = program(
        "@group(0) @binding(0) var t1: texture_1d<f32>;
         @group(0) @binding(1) var t2: texture_2d<f32>;
         @group(0) @binding(2) var t2a: texture_2d_array<f32>;
         @group(0) @binding(3) var t3: texture_3d<f32>;
         @group(0) @binding(4) var tc: texture_cube<f32>;
         @group(0) @binding(5) var tca: texture_cube_array<f32>;
         @group(0) @binding(6) var tm: texture_multisampled_2d<f32>;
         @group(0) @binding(7) var td: texture_depth_2d;
         @group(0) @binding(8) var tda: texture_depth_2d_array;
         @group(0) @binding(9) var tu: texture_2d<u32>;
         @group(0) @binding(10) var ts: texture_storage_2d<rgba8unorm, write>;
         @group(0) @binding(11) var tsa: texture_storage_2d_array<r32uint, read_write>;
         @group(0) @binding(12) var s: sampler;
         @group(0) @binding(13) var sc: sampler_comparison;
         fn shade(t: texture_2d<f32>, uv: vec2f) -> vec4f { return textureSample(t, s, uv); }
         @fragment fn main(@location(0) p: vec3f, @location(1) @interpolate(flat) i: i32) -> @location(0) vec4f {
             var r = textureSample(t1, s, p.x) + shade(t2, p.xy) + textureSample(t3, s, p, vec3i(1, 2, 3));
             r += textureSampleBias(t2a, s, p.xy, i, 0.5) + textureSampleLevel(tc, s, p, 2.0) + textureSample(tca, s, p, i);
             r += textureSampleGrad(t2, s, p.xy, dpdx(p.xy), dpdyFine(p.xy)) + textureSampleBaseClampToEdge(t2, s, p.xy);
             r += vec4f(textureSample(td, s, p.xy), textureSampleLevel(td, s, p.xy, i), textureSampleCompare(td, sc, p.xy, p.z),
                        textureSampleCompareLevel(tda, sc, p.xy, i, p.z));
             r += textureGather(1, t2, s, p.xy) + textureGather(td, s, p.xy) + textureGatherCompare(tda, sc, p.xy, i, p.z);
             r += textureLoad(t2, vec2i(p.xy), i) + textureLoad(t2a, vec2u(p.xy), i, 0) + textureLoad(tm, vec2i(i), 2);
             r.x += textureLoad(td, vec2i(p.xy), i) + f32(textureLoad(tu, vec2i(p.xy), i).y) + fwidth(p.x);
             let size = textureDimensions(t3, i) + vec3u(textureDimensions(tca), textureNumLayers(tca));
             r.y += f32(size.z + textureNumLevels(t2) + textureNumSamples(tm) + textureLoad(tsa, vec2i(i), 1).x);
             textureStore(ts, vec2i(i), r);
             textureStore(tsa, vec2i(i), 2, vec4u(u32(i)));
             return r;
         }",
    );
    assert_eq!(count(&program, Op::Gather), 3);
    assert_eq!(count(&program, Op::TexelStore), 2);
    assert_eq!(count(&program, Op::Sample), 12);
}

#[test]
fn lanes_talk() {
    let program = program(
        "enable subgroups;
         @group(0) @binding(0) var<storage, read_write> o: array<vec4u>;
         @compute @workgroup_size(64) fn main(@builtin(subgroup_size) size: u32, @builtin(local_invocation_index) i: u32) {
             let a = subgroupAdd(i) + subgroupExclusiveMul(i) + subgroupInclusiveAdd(i) + subgroupMin(i) + subgroupXor(i);
             let b = subgroupBroadcastFirst(i) + subgroupBroadcast(i, 3u) + subgroupShuffle(i, i ^ 1u) + subgroupShuffleUp(i, 1u);
             let c = subgroupShuffleXor(i, 2u) + quadBroadcast(i, 2u) + quadSwapX(i) + quadSwapDiagonal(i);
             if (subgroupAll(i < size) || subgroupAny(i == 3u)) { o[i] = subgroupBallot(i > 2u) + vec4u(a, b, c, 0u); }
             subgroupBarrier();
         }",
    );
    assert_eq!(count(&program, Op::WaveReduce), 5);
    assert_eq!(program.interface.inputs.len(), 3);
}

#[test]
fn overrides_take_values() {
    let text = "override scale = 0.5; @id(7) override n: u32 = 4u; override twice = f32(n) * 2.0;
                var<workgroup> w: array<f32, n * 2u>;
                @group(0) @binding(0) var<storage, read_write> o: array<f32>;
                @compute @workgroup_size(n, 2) fn main(@builtin(local_invocation_index) i: u32) { w[i] = scale; o[i] = w[i] * twice; }";
    let with = |overrides: &[(&str, f64)]| {
        let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        read(text, &Options { entry: None, overrides })
    };
    let program = with(&[]).unwrap();
    assert_eq!((program.group_size, program.shared[0].bytes), ([4, 2, 1], 32));
    assert!(floats(&program).contains(&8.0));
    let program = with(&[("7", 8.0), ("scale", 0.25)]).unwrap();
    assert_eq!((program.group_size, program.shared[0].bytes), ([8, 2, 1], 64));
    assert!(floats(&program).contains(&16.0) && floats(&program).contains(&0.25));
    assert!(matches!(with(&[("other", 1.0)]), Err(Error::BadInput { .. })));
    assert!(matches!(with(&[("n", 1.5)]), Err(Error::BadInput { .. })));
}

#[test]
fn errors_keep_the_line_and_the_caret() {
    let Err(Error::BadInput { message, line, column }) = read("fn f() {\n    let x = y;\n}", &Options::default()) else {
        panic!("the text is not valid")
    };
    assert_eq!((line, column), (2, 13));
    assert!(message.contains("let x = y;") && message.contains('^'), "{message}");
    let invalid = "@fragment fn f() -> @location(0) f32 {\n    return vec2f(1.0);\n}";
    assert!(matches!(read(invalid, &Options::default()), Err(Error::BadInput { line: 1..=2, .. })));
}

#[test]
fn entry_points_are_found_by_name() {
    let text = "@vertex fn a() -> @builtin(position) vec4f { return vec4f(); } @compute @workgroup_size(1) fn b() {}";
    let names: Vec<_> = entry_points(text).unwrap().into_iter().map(|e| (e.name, e.stage)).collect();
    assert_eq!(names, [("a".to_owned(), Some(Stage::Vertex)), ("b".to_owned(), Some(Stage::Compute))]);
    assert!(matches!(read(text, &Options::default()), Err(Error::BadInput { .. })));
    assert!(matches!(read(text, &Options { entry: Some("c".into()), ..Options::default() }), Err(Error::BadInput { .. })));
    assert_eq!(read(text, &Options { entry: Some("a".into()), ..Options::default() }).unwrap().stage, Stage::Vertex);
}

#[test]
fn hostile_texts_give_errors() {
    let chain = format!("@compute @workgroup_size(1) fn main() {{ var x = 1; x = x{}; }}", " + x".repeat(100_000));
    let nested = format!("@compute @workgroup_size(1) fn main() {{ var x = {}1{}; }}", "(".repeat(50_000), ")".repeat(50_000));
    let blocks = format!("@compute @workgroup_size(1) fn main() {{ {} {} }}", "{".repeat(50_000), "}".repeat(50_000));
    let elses =
        format!("@compute @workgroup_size(1) fn main() {{ var x = 1; if x == 0 {{}} {} }}", "else if x == 1 {} ".repeat(2_000));
    let doubling: String = (1..28).map(|i| format!("struct S{i} {{ a: S{}, b: S{} }}\n", i - 1, i - 1)).collect();
    let doubling = format!(
        "struct S0 {{ x: f32 }}\n{doubling}@group(0) @binding(0) var<storage, read_write> s: S24; @compute @workgroup_size(1) fn main() {{ s = S24(); }}"
    );
    for text in [&chain, &nested, &blocks, &elses, &doubling] {
        assert!(read(text, &Options::default()).is_err());
    }
}

/// Every text under a folder of the repository.
fn texts(folder: &str) -> Vec<std::path::PathBuf> {
    let mut pending = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_repositorys_texts_are_read_with_exact_constants() {
    let all: Vec<_> = ["examples", "tests/pairs"].iter().flat_map(|folder| texts(folder)).collect();
    assert!(!all.is_empty());
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = read(&text, &Options::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(program.notes, Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn every_type_has_operations() {
    program(
        "enable f16;
         struct All { a: f16, b: vec3<f16>, c: i64, d: vec2<u64>, e: f64, f: mat2x3<f16>, g: array<vec3u, 2>, h: atomic<u64> }
         @group(0) @binding(0) var<storage, read_write> all: All;
         @compute @workgroup_size(1) fn main() {
             all.a = f16(all.e) + 0.5h;
             all.b = vec3<f16>(vec3f(all.g[1])) * all.a;
             all.c = i64(all.e) / i64(all.a) + (all.c >> 3u) - i64(all.d.x);
             all.d = vec2<u64>(all.d.y & 0xffffffffffffffflu, u64(all.c));
             all.e = f64(all.c) * sqrt(all.e) + f64(all.a) - floor(all.e) + all.e % 2.0lf;
             all.f = all.f * 2.0h;
             all.g[all.g[0].x] = vec3u(all.d.xyx);
             atomicAdd(&all.h, all.d.x);
         }",
    );
}

#[test]
fn every_stage_builtin_and_kind_of_variable() {
    let text = "enable clip_distances;
         enable primitive_index;
         enable dual_source_blending;
         var<immediate> now: vec2f;
         @group(0) @binding(3) var<storage> numbers: array<f32>;
         struct Out { @builtin(position) @invariant p: vec4f, @builtin(clip_distances) clip: array<f32, 6>, @location(0) @interpolate(linear, sample) x: f32 }
         @vertex fn v(@builtin(vertex_index) i: u32, @builtin(instance_index) j: u32, @location(3) n: vec3<i32>) -> Out {
             var o: Out;
             o.p = vec4f(f32(i), f32(j), now);
             o.clip[i % 6] = f32(n.z);
             return o;
         }
         struct Colors { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f, @builtin(frag_depth) d: f32, @builtin(sample_mask) m: u32 }
         @fragment fn f(@builtin(position) p: vec4f, @builtin(front_facing) front: bool, @builtin(sample_index) s: u32,
                        @builtin(sample_mask) m: u32, @builtin(primitive_index) q: u32, @location(0) @interpolate(perspective, centroid) x: f32) -> Colors {
             return Colors(p, vec4f(x), select(0.0, 1.0, front), m | s | q);
         }
         @compute @workgroup_size(4, 2, 2) fn c(@builtin(local_invocation_id) a: vec3u, @builtin(workgroup_id) b: vec3u,
                        @builtin(num_workgroups) n: vec3u, @builtin(local_invocation_index) i: u32) { _ = numbers[a.x + b.y + n.z + i]; let unused = &numbers[3]; }";
    let one =
        |entry: &str| read(text, &Options { entry: Some(entry.into()), ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let (vertex, pixel, compute) = (one("v"), one("f"), one("c"));
    let outputs = &vertex.interface.outputs;
    assert_eq!(
        outputs.iter().map(|o| (o.builtin, o.mask)).collect::<Vec<_>>(),
        [(Some(Builtin::Position), 15), (Some(Builtin::ClipDistance), 15), (Some(Builtin::ClipDistance), 3), (None, 1)]
    );
    assert_eq!(outputs[3].interpolation, Interpolation::NoPerspectiveSample);
    assert_eq!(vertex.interface.inputs.len(), 3);
    assert_eq!(pixel.interface.outputs.iter().map(|o| o.blend_source).collect::<Vec<_>>(), [Some(0), Some(1), None, None]);
    assert_eq!(pixel.interface.inputs[5].interpolation, Interpolation::LinearCentroid);
    assert_eq!(pixel.interface.resources.len(), 0);
    assert_eq!((compute.group_size, compute.interface.resources.len()), ([4, 2, 2], 1));
}

#[test]
fn binding_arrays_keep_the_element() {
    let program = program(
        "enable wgpu_binding_array;
         struct Data { x: array<f32, 4> }
         @group(0) @binding(0) var images: binding_array<texture_2d<f32>, 5>;
         @group(0) @binding(1) var samplers: binding_array<sampler, 5>;
         @group(0) @binding(2) var<storage> buffers: binding_array<Data>;
         fn shade(t: texture_2d<f32>, s: sampler) -> vec4f { return textureSampleLevel(t, s, vec2f(0.5), 0.0); }
         @fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) vec4f {
             return textureSampleLevel(images[i], samplers[2], vec2f(0), 0.0) * buffers[i].x[i + 1u] + shade(images[1], samplers[1]);
         }",
    );
    let counts: Vec<_> = program.interface.resources.iter().map(|r| r.count).collect();
    assert_eq!(counts, [Some(5), None]);
}

#[test]
fn what_has_no_counterpart_is_unsupported_by_name() {
    let rays = "enable wgpu_ray_query;
         @group(0) @binding(0) var world: acceleration_structure;
         @compute @workgroup_size(1) fn main() { var q: ray_query; rayQueryInitialize(&q, world, RayDesc(0u, 255u, 0.1, 9.0, vec3f(0), vec3f(1))); }";
    let external = "@group(0) @binding(0) var t: texture_external;
         @fragment fn main() -> @location(0) vec4f { return textureLoad(t, vec2u(0)); }";
    for (text, name) in [(rays, "acceleration"), (external, "external")] {
        match read(text, &Options::default()) {
            Err(Error::Unsupported { what, line: 1.. }) => assert!(what.contains(name), "{what}"),
            other => panic!("{other:?}"),
        }
    }
}
