//! WGSL programs, run; what they should give is worked out in Rust or by hand.
#![cfg(feature = "wgsl")]

use gpuproof_program::Access;
use gpuproof_read::wgsl::{Options, read};
use gpuproof_run::{Binding, BufferBinding, Case, LaneValues, Launch, Plan};
use std::sync::Arc;

/// Runs one group of a compute program. Buffers are bound in order of binding; the last one that is written comes back.
#[track_caller]
fn run(text: &str, buffers: &[Vec<u32>]) -> Vec<u32> {
    let program = read(text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let bytes = |words: &Vec<u32>| Arc::new(words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    let bind = |words| vec![Binding::Buffer(BufferBinding { bytes: bytes(words), format: None, counter: 0 })];
    let case = Case {
        launch: Launch::Groups { count: [1, 1, 1] },
        wave_size: 32,
        samples: 1,
        inputs: vec![LaneValues::default(); program.interface.inputs.len()],
        resources: buffers.iter().map(bind).collect(),
        samplers: Vec::new(),
    };
    let outcome = Plan::compile(&program).unwrap().run(&case, &gpuproof_run::Options::default()).unwrap();
    assert_eq!(outcome.events, []);
    let written = program.interface.resources.iter().rposition(|resource| resource.access != Access::Read).unwrap();
    let Some(Binding::Buffer(buffer)) = outcome.resources[written].first() else { panic!("nothing was written") };
    buffer.bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn words(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

#[test]
fn loops_and_switches_do_as_written() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        fn step(n: u32) -> u32 {
            var sum = 0u;
            var i = 0u;
            loop {
                let twice = i * 2u;
                if (i == 3u) { continue; }
                if (i > n) { break; }
                switch (i % 5u) {
                    case 0u, 4u: { sum += 1u; }
                    case 2u: { if (n > 20u) { break; } sum += 100u; }
                    default: { sum += twice; if (sum > 500u) { return sum; } }
                }
                continuing { i++; sum += twice; break if (i == 17u); }
            }
            for (var j = 0; j < 5; j++) { if (j == 2) { continue; } sum += u32(j); }
            return sum;
        }
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) { o[lane] = step(lane); }";
    let step = |n: u32| {
        let (mut sum, mut i) = (0u32, 0u32);
        loop {
            let twice = i * 2;
            if i != 3 {
                if i > n {
                    break;
                }
                match i % 5 {
                    0 | 4 => sum += 1,
                    2 => sum += if n > 20 { 0 } else { 100 },
                    _ => {
                        sum += twice;
                        if sum > 500 {
                            return sum;
                        }
                    }
                }
            }
            i += 1;
            sum += twice;
            if i == 17 {
                break;
            }
        }
        sum + 1 + 3 + 4
    };
    assert_eq!(run(text, &[vec![0; 32]]), (0..32).map(step).collect::<Vec<_>>());
}

#[test]
fn variables_pointers_and_arrays() {
    let text = "
        struct Pair { a: f32, b: vec2u }
        var<private> calls: u32 = 3u;
        var<private> table = array<u32, 4>(10u, 20u, 30u, 40u);
        const POWERS = array(1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u);
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        fn bump(p: ptr<function, u32>, by: u32) { *p += by; calls += 1u; }
        fn change(p: ptr<function, Pair>) { (*p).b.y = (*p).b.x + 7u; var x = (*p).b.x; bump(&x, 100u); (*p).b.x = x; }
        fn sum(p: ptr<function, array<u32, 6>>) -> u32 {
            var total = 0u;
            for (var i = 0u; i < 6u; i++) { total = total * 3u + (*p)[i]; }
            return total;
        }
        fn fresh(i: u32) -> u32 { var a: array<u32, 20>; a[i] += 5u; a[i + 1u] += a[i]; return a[i + 1u] + a[19]; }
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
            var pair = Pair(1.5, vec2u(lane, 2u));
            change(&pair);
            change(&pair);
            var list = array<u32, 6>(1u, 2u, 3u, 4u, 5u, 6u);
            list[lane] = 9u;
            table[lane] += lane;
            let copy = list;
            o[lane * 8u] = pair.b.x;
            o[lane * 8u + 1u] = pair.b.y;
            o[lane * 8u + 2u] = calls;
            o[lane * 8u + 3u] = sum(&list);
            o[lane * 8u + 4u] = table[lane] + table[0];
            o[lane * 8u + 5u] = POWERS[lane + 6u] + POWERS[lane];
            o[lane * 8u + 6u] = copy[5u - lane] + vec4u(4u, 3u, 2u, 1u)[lane];
            o[lane * 8u + 7u] = fresh(lane) + fresh(lane + 1u);
        }";
    let expected = (0..4u32).flat_map(|lane| {
        let mut list = [1u32, 2, 3, 4, 5, 6];
        list[lane as usize] = 9;
        let mut table = [10, 20, 30, 40];
        table[lane as usize] += lane;
        [
            lane + 200,
            lane + 107,
            5,
            list.iter().fold(0, |total, x| total * 3 + x),
            table[lane as usize] + table[0],
            (1 << (lane + 6)) + (1 << lane),
            list[5 - lane as usize] + 4 - lane,
            10,
        ]
    });
    assert_eq!(run(text, &[vec![0; 32]]), expected.collect::<Vec<_>>());
}

#[test]
fn memory_lies_as_wgsl_lays_it_out() {
    // Offsets by WGSL 14.4.1: m at 0 (columns 16 apart), v at 48, s at 60, list at 64 (elements 16 apart), tail at 96.
    let text = "
        struct Data { m: mat3x3f, v: vec3f, s: f32, list: array<vec3f, 2>, tail: mat2x2f }
        @group(0) @binding(0) var<uniform> data: Data;
        @group(0) @binding(1) var<storage, read_write> o: array<vec3f>;
        @compute @workgroup_size(1) fn main() {
            o[0] = data.m[1];
            o[1] = vec3f(data.v.z, data.s, data.list[1].y);
            o[2] = vec3f(data.tail[1], data.m[2][0]);
            o[3] = data.m * data.v;
        }";
    let data: Vec<f32> = (0..28).map(|i| i as f32).collect();
    let result = run(text, &[words(&data), vec![0; 16]]);
    let expected = [
        [4.0, 5.0, 6.0, 0.0],
        [14.0, 15.0, 21.0, 0.0],
        [26.0, 27.0, 8.0, 0.0],
        // Columns (0 1 2), (4 5 6), (8 9 10) times (12, 13, 14).
        [164.0, 203.0, 242.0, 0.0],
    ];
    assert_eq!(result, words(expected.as_flattened()));
}

#[test]
fn workgroup_memory_is_shared_and_atomics_count() {
    let text = "
        struct Cell { flag: bool, count: atomic<u32>, value: vec2f }
        var<workgroup> cells: array<Cell, 8>;
        var<workgroup> total: u32;
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            cells[i].flag = i % 3u == 1u;
            cells[i].value = vec2f(f32(i), 2.5);
            workgroupBarrier();
            if (cells[7u - i].flag) { atomicAdd(&cells[0].count, 10u + i); }
            workgroupBarrier();
            if (i == 0u) { total = atomicLoad(&cells[0].count); }
            let all = workgroupUniformLoad(&total);
            o[i] = all * 100u + u32(cells[(i + 1u) % 8u].value.x * cells[i].value.y);
        }";
    // The flags 1, 4 and 7 are seen by the lanes 6, 3 and 0.
    let all = 10 * 3 + 9;
    let expected = (0..8u32).map(|i| all * 100 + (f64::from((i + 1) % 8) * 2.5) as u32);
    assert_eq!(run(text, &[vec![0; 8]]), expected.collect::<Vec<_>>());
}

#[test]
fn numbers_follow_wgsls_rules() {
    let text = "
        @group(0) @binding(0) var<storage, read> v: array<f32>;
        @group(0) @binding(1) var<storage, read> n: array<i32>;
        @group(0) @binding(2) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(1) fn main() {
            o[0] = u32(v[0]);
            o[1] = u32(i32(v[0]));
            o[2] = u32(n[0] / n[1]);
            o[3] = u32(n[0] % n[1]);
            o[4] = u32(n[2] / n[3]);
            o[5] = u32(n[2] % n[3]);
            o[6] = u32(n[4] % n[5]);
            o[7] = 1u << u32(n[6]);
            o[8] = extractBits(0xffffffffu, 28u, u32(n[6]));
            o[9] = countLeadingZeros(u32(n[1])) * 1000u + countTrailingZeros(u32(n[1])) + firstLeadingBit(u32(n[1]));
            o[10] = u32(firstLeadingBit(n[3]));
            o[11] = pack4x8snorm(vec4f(-2.0, v[1], 0.5, v[2]));
            o[12] = bitcast<u32>(unpack4x8snorm(0x80u).x);
            o[13] = bitcast<u32>(v[3] % v[4]);
            o[14] = bitcast<u32>(sign(v[3]) + step(v[4], v[3]) + saturate(v[0]));
            o[15] = u32(any(vec3f(v[1]) > vec3f(0.0))) + 2u * u32(all(vec2f(v[1], v[2]) == vec2f(v[1])));
        }";
    let floats = words(&[1e20, -0.004, f32::NAN, -5.5, 2.0]);
    let integers: Vec<u32> = [7, 0, i32::MIN, -1, -7, 3, 37].map(|n: i32| n as u32).to_vec();
    let expected = [
        0xffff_ff00, // WGSL 15.7.6: the largest f32 below 2^32
        0x7fff_ff80,
        7, // 8.7: the dividend
        0,
        0x8000_0000,
        0,
        (-1i32) as u32, // the dividend's sign
        1 << 5,         // the low five bits of 37
        0xf,            // the field is cut off at bit 31
        32_000 + 32 - 1,
        u32::MAX,
        // floor(0.5 + 127 x): -127, floor(-0.008) = -1, 64; a NaN loses to -1: max(-1, NaN) is -1
        0x8140_ff81,
        (-1.0f32).to_bits(), // max(-128 / 127, -1)
        (-1.5f32).to_bits(), // -5.5 - 2 trunc(-2.75)
        0.0f32.to_bits(),    // -1 + 0 + 1
        0,
    ];
    assert_eq!(run(text, &[floats, integers, vec![0; 16]]), expected);
}

#[test]
fn constants_and_run_time_give_the_same_bits() {
    // Both sides of each row are the same expression, once of literals, which naga folds, and once of loaded numbers.
    let functions = [
        "sin(X)",
        "cos(X)",
        "tan(X)",
        "exp(X)",
        "exp2(X)",
        "log(X)",
        "log2(X)",
        "sqrt(X)",
        "inverseSqrt(X)",
        "pow(X, Y)",
        "atan2(X, Y)",
        "asin(X * 0.125f)",
        "acos(X * 0.125f)",
        "atan(X)",
        "sinh(X)",
        "cosh(X)",
        "tanh(X)",
        "asinh(X)",
        "acosh(X)",
        "atanh(X * 0.125f)",
        "degrees(X)",
        "radians(X)",
        "fract(X)",
        "X % Y",
        "smoothstep(0.0f, Y, X)",
        "mix(X, Y, 0.3f)",
        "length(vec3f(X, Y, X))",
        "normalize(vec3f(X, Y, 1.0f)).y",
        "distance(vec2f(X, Y), vec2f(Y, X))",
        "dot(vec4f(X), vec4f(X, Y, X, Y))",
        "X / Y + X * Y",
        "f32(quantizeToF16(X))",
        "bitcast<f32>(pack4x8unorm(vec4f(X * 0.1f, Y * 0.2f, 0.3f, 1.0f)))",
        "cross(vec3f(X, Y, 3.0f), vec3f(Y)).z",
        "reflect(vec2f(X, Y), vec2f(0.6f, 0.8f)).x",
        "refract(vec2f(X, Y), vec2f(0.6f, 0.8f), 0.9f).y",
    ];
    let row = |function: &str, x: &str, y: &str| function.replace('X', x).replace('Y', y);
    let rows: String = functions
        .iter()
        .enumerate()
        .map(|(i, f)| format!("o[{}] = {};\no[{}] = {};\n", 2 * i, row(f, "1.2345f", "3.21f"), 2 * i + 1, row(f, "v[0]", "v[1]")))
        .collect();
    let text = format!(
        "@group(0) @binding(0) var<storage, read> v: array<f32>;
         @group(0) @binding(1) var<storage, read_write> o: array<f32>;
         @compute @workgroup_size(1) fn main() {{ {rows} }}"
    );
    let result = run(&text, &[words(&[1.2345, 3.21]), vec![0; 2 * functions.len()]]);
    for (i, pair) in result.chunks(2).enumerate() {
        assert_eq!(pair[0], pair[1], "{}: {} and {}", functions[i], f32::from_bits(pair[0]), f32::from_bits(pair[1]));
    }
}

#[test]
fn lanes_of_a_wave_talk() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
            o[i] = subgroupShuffleXor(i, 5u) + 100u * subgroupInclusiveAdd(1u) + 10000u * quadSwapX(i % 4u) + 100000u * subgroupShuffleUp(i, 0u)
                 + subgroupBallot(i < 2u).x * 10000000u;
        }";
    let expected = (0..32u32).map(|i| (i ^ 5) + 100 * (i + 1) + 10_000 * ((i % 4) ^ 1) + 100_000 * i + 30_000_000);
    assert_eq!(run(text, &[vec![0; 32]]), expected.collect::<Vec<_>>());
}
