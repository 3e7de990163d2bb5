//! WGSL's derived builtins: the accuracy table's expressions written with the language's f32 operators and CORE-MATH.

mod common;

use common::Random;
use gpuproof_number::wgsl;

/// Finite floats of moderate size, with now and then a special one.
fn operand(random: &mut Random) -> f32 {
    let bits = random.bits();
    match bits % 16 {
        0 => [0.0, -0.0, f32::INFINITY, f32::NAN, 1.0, -1.0, 1e-45, f32::MAX][(bits >> 8) as usize % 8],
        1 => f32::from_bits((bits >> 32) as u32),
        _ => ((bits >> 32) as f32 / 4_294_967_296.0 - 0.5) * [1.0, 4.0, 40.0][(bits >> 8) as usize % 3],
    }
}

fn same(name: &str, got: u32, want: f32, x: &[f32]) {
    let want = if want.is_nan() { 0x7fc0_0000 } else { want.to_bits() };
    assert_eq!(got, want, "{name} {x:?}");
}

#[test]
#[allow(clippy::manual_clamp, reason = "the order of comparisons is what is tested")]
fn scalar_expressions() {
    use core_math::{cosf, exp2f, expf, log2f, logf, sinf};
    let min = |a: f32, b: f32| if b < a { b } else { a };
    let max = |a: f32, b: f32| if a < b { b } else { a };
    let mut random = Random(5);
    for _ in 0..200_000 {
        let [x, y, z] = core::array::from_fn(|_| operand(&mut random));
        let (a, b, c) = (x.to_bits(), y.to_bits(), z.to_bits());
        let check = |name: &str, got: u32, want: f32| same(name, got, want, &[x, y, z]);
        if !x.is_nan() && !y.is_nan() && !z.is_nan() {
            check("clamp", wgsl::clamp(a, b, c), min(max(x, y), z));
        }
        check("mix", wgsl::mix(a, b, c), x * (1.0 - z) + y * z);
        check("remainder", wgsl::remainder(a, b), x - y * (x / y).trunc());
        check("pow", wgsl::pow(a, b), exp2f(y * log2f(x)));
        check("step", wgsl::step(a, b), if x <= y { 1.0 } else { 0.0 });
        let t = min(max((z - x) / (y - x), 0.0), 1.0);
        check("smoothstep", wgsl::smoothstep(a, b, c), t * t * (3.0 - 2.0 * t));
        check("degrees", wgsl::degrees(a), x * 57.295_779_513_082_32_f64 as f32);
        check("radians", wgsl::radians(a), x * 0.017_453_292_519_943_295_f64 as f32);
        check("tan", wgsl::tan(a), sinf(x) / cosf(x));
        let (sinh, cosh) = ((expf(x) - expf(-x)) * 0.5, (expf(x) + expf(-x)) * 0.5);
        check("sinh", wgsl::sinh(a), sinh);
        check("cosh", wgsl::cosh(a), cosh);
        check("tanh", wgsl::tanh(a), sinh / cosh);
        check("asinh", wgsl::asinh(a), logf(x + (x * x + 1.0).sqrt()));
        check("acosh", wgsl::acosh(a), logf(x + (x * x - 1.0).sqrt()));
        check("atanh", wgsl::atanh(a), logf((1.0 + x) / (1.0 - x)) * 0.5);
    }
}

#[test]
fn vector_expressions() {
    let mut random = Random(6);
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for _ in 0..100_000 {
        let [x, y, w]: [[f32; 3]; 3] = core::array::from_fn(|_| core::array::from_fn(|_| operand(&mut random)));
        let z = operand(&mut random);
        let [a, b, c] = [x, y, w].map(|v| v.map(f32::to_bits));
        let check = |name: &str, got: [u32; 3], want: [f32; 3]| {
            for (got, want) in got.into_iter().zip(want) {
                same(name, got, want, &[x, y, w].concat());
            }
        };
        let length = dot(x, x).sqrt();
        same("length", wgsl::length(a), length, &x);
        let difference = [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
        same("distance", wgsl::distance(a, b), dot(difference, difference).sqrt(), &[x, y].concat());
        check("normalize", wgsl::normalize(a), x.map(|x| x / length));
        let minor = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
        check("cross", wgsl::cross(a, b), [minor(1, 2), minor(2, 0), minor(0, 1)]);
        if !x.iter().any(|x| x.is_nan()) {
            check("faceForward", wgsl::face_forward(a, b, c), if dot(w, y) < 0.0 { x } else { x.map(|x| -x) });
        }
        let d = dot(x, y);
        check("reflect", wgsl::reflect(a, b), core::array::from_fn(|i| x[i] - 2.0 * d * y[i]));
        let d = dot(y, x);
        let k = 1.0 - z * z * (1.0 - d * d);
        let refracted = |i: usize| if k < 0.0 { 0.0 } else { z * x[i] - (z * d + k.sqrt()) * y[i] };
        check("refract", wgsl::refract(a, b, z.to_bits()), core::array::from_fn(refracted));
    }
}
