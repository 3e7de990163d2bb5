//! Pixels: outputs, helpers, derivatives, inputs evaluated elsewhere.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

fn input(k: &mut Kit, component: u8) -> Value {
    k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), component)), &[])
}

fn output(k: &mut Kit, component: u8, value: Value) {
    k.b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), component)), &[value]);
}

fn kit() -> Kit {
    let mut k = Kit::pixel();
    k.interface.inputs.push(variable("uv", Width::W32, None));
    k.interface.outputs.push(variable("target", Width::W32, None));
    k
}

fn floats(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Two quads with these x.
fn pixels(program: &Program, x: &[f32; 8], helpers: &[bool]) -> Case {
    let launch = Launch::Pixels { quads: 2, helpers: helpers.to_vec() };
    let mut case = Case::empty_for(program, launch).unwrap();
    case.inputs[0].components[0] = floats(x);
    case.resources[0] = vec![buffer(&[0; 8])];
    case
}

#[test]
fn derivatives_are_differences_in_the_quad() {
    let table = [
        (Op::FDdx, Derivative::Coarse, [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0]),
        (Op::FDdx, Derivative::Any, [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0]),
        (Op::FDdx, Derivative::Fine, [1.0, 1.0, 5.0, 5.0, -1.0, -1.0, 0.0, 0.0]),
        (Op::FDdy, Derivative::Coarse, [2.0, 2.0, 2.0, 2.0, -9.0, -9.0, -9.0, -9.0]),
        (Op::FDdy, Derivative::Fine, [2.0, 6.0, 2.0, 6.0, -9.0, -8.0, -9.0, -8.0]),
    ];
    for (op, kind, expected) in table {
        let mut k = kit();
        let x = input(&mut k, 0);
        let value = k.b.value(op, Attrs::default().with_detail(Detail::Derivative(kind)), &[x]);
        output(&mut k, 2, value);
        let program = k.program();
        // A helper takes part in derivatives but has no output.
        let helpers = [false, true, false, false, false, false, false, false];
        let outcome = run(&program, &pixels(&program, &[1.0, 2.0, 3.0, 8.0, 9.0, 8.0, 0.0, 0.0], &helpers));
        let mut expected = floats(&expected);
        expected[1] = 0;
        assert_eq!(outcome.outputs[0].components[2], expected, "{op:?} {kind:?}");
        assert_eq!(outcome.outputs[0].written, [0x44, 0, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44]);
        assert_eq!(outcome.live, helpers.map(|helper| !helper));
        assert_eq!(outcome.event_count, 0);
    }
}

#[test]
fn a_derivative_where_a_pixel_of_the_quad_went_elsewhere_is_an_event() {
    let mut k = kit();
    let x = input(&mut k, 0);
    let limit = k.word(4f32.to_bits());
    let low = k.op(Op::FLt, &[x, limit]);
    k.b.begin_if(low);
    let value = k.b.value(Op::FDdx, Attrs::default().with_detail(Detail::Derivative(Derivative::Fine)), &[x]);
    output(&mut k, 0, value);
    k.b.end_if();
    let program = k.program();
    let outcome = run(&program, &pixels(&program, &[1.0, 2.0, 3.0, 8.0, 0.0, 1.0, 3.0, 2.0], &[]));
    assert_eq!(kinds(&outcome), [EventKind::DivergentDerivative]);
    assert_eq!(outcome.outputs[0].components[0][4..], floats(&[1.0, 1.0, -1.0, -1.0]));
}

/// Discarded pixels go on as helpers: their stores, atomics and outputs do not count, their values still feed derivatives.
#[test]
fn discarded_pixels_go_on_as_helpers() {
    let mut k = kit();
    let x = input(&mut k, 0);
    let [zero, one, four] = [0, 1, 4].map(|word| k.word(word));
    let two = k.word(2f32.to_bits());
    output(&mut k, 1, x);
    let discarded = k.op(Op::FEq, &[x, two]);
    k.b.effect(Op::Demote, Attrs::default(), &[discarded]);
    let helper = k.b.value(Op::IsHelper, Attrs::default(), &[]);
    let helper = k.b.value_of(Width::W32, Op::UExtend, Attrs::default(), &[helper]);
    let n = k.b.value_of(Width::W32, Op::FToU, Attrs::default(), &[x]);
    let offset = k.op(Op::IMul, &[n, four]);
    let buffer = Attrs::target(Target::Resource(ResourceId(0)));
    k.b.effect(Op::BufferStore, buffer, &[zero, offset, one]);
    let detail = Detail::Atomic(AtomicOp::Add);
    k.b.emit(Op::BufferAtomic, buffer.with_detail(detail), &[zero, zero, one, zero], &[Width::W32]);
    let slope = k.b.value(Op::FDdx, Attrs::default().with_detail(Detail::Derivative(Derivative::Fine)), &[x]);
    output(&mut k, 0, slope);
    output(&mut k, 3, helper);
    let program = k.program();
    let outcome = run(&program, &pixels(&program, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 2.0], &[]));
    assert_eq!(outcome.live, [true, false, true, true, true, true, true, false]);
    assert_eq!(outcome.outputs[0].components[0], floats(&[1.0, 0.0, 1.0, 1.0, 1.0, 1.0, -5.0, 0.0]));
    assert_eq!(outcome.outputs[0].components[1], floats(&[1.0, 0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0]));
    assert_eq!(words(&outcome.resources[0][0]), [6, 1, 0, 1, 1, 1, 1, 1]);
    assert_eq!(kinds(&outcome), [EventKind::HelperAtomic; 2]);
}

/// A plane is extended exactly; a flat input stays.
#[test]
fn inputs_elsewhere_follow_the_plane_of_the_quad() {
    let evaluate = |evaluation: Evaluation, interpolation: Interpolation, samples: u32, first: u32, second: u32| {
        let mut k = kit();
        k.interface.inputs[0].interpolation = interpolation;
        let (a, b) = (k.word(first), k.word(second));
        let attrs = Attrs::target(Target::Input(InputId(0), 0)).with_detail(Detail::Evaluation(evaluation));
        let value = k.b.value_of(Width::W32, Op::InputAt, attrs, &[a, b]);
        output(&mut k, 0, value);
        let program = k.program();
        // 16 along x, 32 along y.
        let mut case = pixels(&program, &[0.0, 16.0, 32.0, 48.0, 0.0, 0.0, 0.0, 0.0], &[]);
        case.samples = samples;
        f32::from_bits(run(&program, &case).outputs[0].components[0][3])
    };
    let linear = Interpolation::Linear;
    assert_eq!(evaluate(Evaluation::Snapped, linear, 1, 4, 0x1f), 48.0 + 4.0 - 2.0);
    // Only four bits of an offset count: 8 is -8.
    assert_eq!(evaluate(Evaluation::Snapped, linear, 1, 8, 0), 48.0 - 8.0);
    assert_eq!(evaluate(Evaluation::Centroid, linear, 4, 0, 0), 48.0);
    // Sample 1 of 4 is at (6, -2) sixteenths.
    assert_eq!(evaluate(Evaluation::Sample, linear, 4, 1, 0), 48.0 + 6.0 - 4.0);
    assert_eq!(evaluate(Evaluation::Snapped, Interpolation::Flat, 1, 4, 4), 48.0);
}

/// A quad's neighbours by swaps and by number.
#[test]
fn quads_exchange_values() {
    let mut k = kit();
    let x = input(&mut k, 0);
    for (component, axis) in [QuadAxis::X, QuadAxis::Y, QuadAxis::Diagonal].into_iter().enumerate() {
        let value = k.b.value(Op::QuadSwap, Attrs::default().with_detail(Detail::Swap(axis)), &[x]);
        output(&mut k, component as u8, value);
    }
    let two = k.word(2);
    let value = k.op(Op::QuadRead, &[x, two]);
    output(&mut k, 3, value);
    let program = k.program();
    let outcome = run(&program, &pixels(&program, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &[]));
    let [x, y, z, w] = &outcome.outputs[0].components;
    assert_eq!(*x, floats(&[1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0]));
    assert_eq!(*y, floats(&[2.0, 3.0, 0.0, 1.0, 6.0, 7.0, 4.0, 5.0]));
    assert_eq!(*z, floats(&[3.0, 2.0, 1.0, 0.0, 7.0, 6.0, 5.0, 4.0]));
    assert_eq!(*w, floats(&[2.0, 2.0, 2.0, 2.0, 6.0, 6.0, 6.0, 6.0]));
}
