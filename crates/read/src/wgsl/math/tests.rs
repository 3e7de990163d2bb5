//! The expansions against `gpuproof_number::wgsl`, where they are written as functions of bits.

use super::*;
use crate::wgsl::fold::{Exact, Known};
use gpuproof_number::wgsl as number;

/// Runs a builtin function on f32 operands.
fn run(fun: MathFunction, args: &[&[u32]]) -> Vec<u32> {
    let flat = |arg: &&[u32]| arg.iter().map(|bits| Known { width: Width::W32, bits: u64::from(*bits) }).collect::<Vec<_>>();
    let args: Vec<Vec<Known>> = args.iter().map(flat).collect();
    let shape = Shape { kind: Kind::Float, columns: 1, rows: args[0].len() };
    math(&mut Exact, fun, shape, &args).unwrap().iter().map(|known| known.bits as u32).collect()
}

#[track_caller]
fn same(fun: MathFunction, found: &[u32], expected: &[u32], args: &[u32]) {
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    let agree = found.iter().zip(expected).all(|(x, y)| x == y || is_nan(*x) && is_nan(*y));
    assert!(agree && found.len() == expected.len(), "{fun:?} of {args:x?}: {found:x?}, expected {expected:x?}");
}

#[test]
fn expansions_agree_with_the_functions_of_number() {
    use MathFunction as M;
    const SPECIAL: [f32; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-40, f32::MAX, f32::INFINITY, f32::NAN, -3.5];
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (state >> 32) as u32;
        match word % 5 {
            0 => SPECIAL[(word / 5 % 10) as usize].to_bits(),
            1 => word.rotate_left(13),
            _ => ((f64::from(word) / f64::from(u32::MAX) * 8.0 - 4.0) as f32).to_bits(),
        }
    };
    for _ in 0..2000 {
        let v: [u32; 9] = std::array::from_fn(|_| next());
        let [x, y, z, ..] = v;
        let (p, q, r) = ([v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]);
        let scalars: [(M, &[&[u32]], u32); 16] = [
            (M::Clamp, &[&[x], &[y], &[z]], number::clamp(x, y, z)),
            (M::Mix, &[&[x], &[y], &[z]], number::mix(x, y, z)),
            (M::Pow, &[&[x], &[y]], number::pow(x, y)),
            (M::Step, &[&[x], &[y]], number::step(x, y)),
            (M::SmoothStep, &[&[x], &[y], &[z]], number::smoothstep(x, y, z)),
            (M::Degrees, &[&[x]], number::degrees(x)),
            (M::Radians, &[&[x]], number::radians(x)),
            (M::Tan, &[&[x]], number::tan(x)),
            (M::Sinh, &[&[x]], number::sinh(x)),
            (M::Cosh, &[&[x]], number::cosh(x)),
            (M::Tanh, &[&[x]], number::tanh(x)),
            (M::Asinh, &[&[x]], number::asinh(x)),
            (M::Acosh, &[&[x]], number::acosh(x)),
            (M::Atanh, &[&[x]], number::atanh(x)),
            (M::Length, &[&p], number::length(p)),
            (M::Distance, &[&p, &q], number::distance(p, q)),
        ];
        for (fun, args, expected) in scalars {
            same(fun, &run(fun, args), &[expected], &v);
        }
        same(M::Normalize, &run(M::Normalize, &[&p]), &number::normalize(p), &v);
        same(M::Cross, &run(M::Cross, &[&p, &q]), &number::cross(p, q), &v);
        same(M::FaceForward, &run(M::FaceForward, &[&p, &q, &r]), &number::face_forward(p, q, r), &v);
        same(M::Reflect, &run(M::Reflect, &[&p, &q]), &number::reflect(p, q), &v);
        same(M::Refract, &run(M::Refract, &[&p, &q, &[z]]), &number::refract(p, q, z), &v);
    }
}
