//! Budgets, cases of the wrong shape, observers.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

/// A loop that never ends.
fn endless() -> Program {
    let mut k = Kit::new(8);
    let id = k.id();
    k.put(id, 1, 0, id);
    k.b.begin_loop();
    k.b.end();
    let mut program = k.program();
    program.source.kind = SourceKind::Text;
    program
}

#[test]
fn a_loop_without_end_exhausts_the_budget() {
    let program = endless();
    let options = Options { max_steps: 10_000, ..Options::default() };
    match Plan::compile(&program).unwrap().run(&case(&program, 1, 8), &options) {
        Err(RunError::StepLimit { steps, .. }) => assert!(steps > 10_000 && steps < 10_100),
        other => panic!("{other:?}"),
    }
}

/// The steps of a straight program: its operations times its lanes.
#[test]
fn steps_are_operations_of_lanes() {
    let mut k = Kit::new(10);
    let id = k.id();
    let three = k.word(3);
    let low = k.op(Op::ULt, &[id, three]);
    k.b.begin_if(low);
    k.op(Op::IAdd, &[id, three]);
    k.op(Op::IMul, &[id, three]);
    k.b.begin_else();
    k.op(Op::ISub, &[id, three]);
    k.b.end();
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 0));
    // Input, comparison and decision on 10 lanes, two operations on 3, one on 7.
    assert_eq!(outcome.steps, 30 + 6 + 7);
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let mut k = Kit::new(8);
    k.arrays.push(PrivateArray {
        name: "huge".into(),
        length: u32::MAX,
        width: Width::W64,
        initial: Vec::new(),
        constant: false,
    });
    let id = k.id();
    let value = k.b.value_of(Width::W64, Op::ArrayLoad, Attrs::target(Target::Array(ArrayId(0))), &[id]);
    let value = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[value]);
    k.put(id, 1, 0, value);
    let program = k.program();
    let result = Plan::compile(&program).unwrap().run(&case(&program, 1, 8), &Options::default());
    match result {
        Err(RunError::MemoryLimit { what, .. }) => assert_eq!(what, "array huge"),
        other => panic!("{other:?}"),
    }
    let mut wide = endless();
    wide.group_size = [u32::MAX, 1, 1];
    let result = Plan::compile(&wide).unwrap().run(&case(&endless(), 1, 8), &Options::default());
    assert!(matches!(result, Err(RunError::MemoryLimit { .. })), "{result:?}");
}

#[test]
fn cases_of_the_wrong_shape_are_refused_by_name() {
    let mut k = Kit::pixel();
    k.interface.inputs.push(variable("uv", Width::W32, None));
    let program = k.program();
    let good = Case::empty_for(&program, Launch::Pixels { quads: 2, helpers: Vec::new() }).unwrap();
    let message = |change: &dyn Fn(&mut Case)| {
        let mut case = good.clone();
        change(&mut case);
        match Plan::compile(&program).unwrap().run(&case, &Options::default()) {
            Err(RunError::BadCase(what)) => what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(message(&|case| case.inputs[0].components[1].truncate(3)), "3 values of input uv.y, expected 8");
    assert_eq!(message(&|case| case.inputs.clear()), "0 inputs, the program has 1");
    assert_eq!(message(&|case| case.resources[0].clear()), "0 elements of results, the program has 1");
    assert_eq!(message(&|case| case.launch = Launch::Vertices { count: 8 }), "a launch of vertices for a Pixel program");
    assert_eq!(message(&|case| case.wave_size = 24), "a wave size of 24, expected a power of two from 4 to 128");
    let helpers = Launch::Pixels { quads: 2, helpers: vec![true] };
    assert_eq!(message(&|case| case.launch = helpers.clone()), "1 helper flags for 8 pixels");
}

/// Everything that an observer saw: value, iterations, lane, bits.
#[derive(Default)]
struct Seen(Vec<(Value, Vec<u32>, u32, u32)>);

impl Observer for Seen {
    fn wants(&self, _: FunctionId, _: Value) -> bool {
        true
    }
    fn value(&mut self, observed: &Observed<'_>) {
        let RowBits::Words(bits) = observed.bits else { return };
        for (at, bits) in bits.iter().enumerate() {
            if observed.active[at / 64] >> (at % 64) & 1 != 0 {
                self.0.push((observed.value, observed.iterations.to_vec(), observed.first_lane + at as u32, *bits));
            }
        }
    }
}

/// A square in a loop that each lane runs id times: seen in each iteration on the lanes that are still there, truth values as 0 and 1.
#[test]
fn observers_see_values_with_their_iteration() {
    let mut k = Kit::new(3);
    let id = k.id();
    let n = k.b.local(Width::W32);
    let (zero, one) = (k.word(0), k.word(1));
    k.b.set(n, zero);
    let end = k.b.begin_block();
    k.b.begin_loop();
    let now = k.b.get(n);
    let done = k.op(Op::IEq, &[now, id]);
    k.b.begin_if(done);
    k.b.br(end);
    k.b.end_if();
    let next = k.op(Op::IAdd, &[now, one]);
    k.op(Op::IMul, &[next, next]);
    k.b.set(n, next);
    k.b.end();
    k.b.end();
    let program = k.program();
    let of = |op: Op| {
        let mut found = None;
        walk(&program.functions[0].body, &mut |node| {
            if let Node::Op(instruction) = node
                && instruction.op == op
            {
                found = Some(instruction.results[0]);
            }
        });
        found.unwrap()
    };
    let mut seen = Seen::default();
    let plan = Plan::compile(&program).unwrap();
    let outcome = plan.run_observed(&case(&program, 2, 0), &Options::default(), &mut seen).unwrap();
    assert_eq!(outcome, plan.run(&case(&program, 2, 0), &Options::default()).unwrap());
    let of_value = |value: Value| -> Vec<_> {
        seen.0.iter().filter(|entry| entry.0 == value).map(|(_, i, lane, bits)| (i[0], *lane, *bits)).collect()
    };
    let mut squares = of_value(of(Op::IMul));
    squares.sort_unstable();
    let mut expected: Vec<_> =
        (0..6u32).flat_map(|lane| (0..lane).map(move |round| (round, lane, (round + 1) * (round + 1)))).collect();
    expected.sort_unstable();
    assert_eq!(squares, expected);
    let mut conditions = of_value(of(Op::IEq));
    conditions.sort_unstable();
    let mut expected: Vec<_> =
        (0..6u32).flat_map(|lane| (0..=lane).map(move |round| (round, lane, u32::from(round == lane)))).collect();
    expected.sort_unstable();
    assert_eq!(conditions, expected);
}

/// A function of so many nested blocks that stores a word, or calls another function, in the innermost.
fn nested(depth: u32, callee: Option<FunctionId>) -> Function {
    let mut b = FunctionBuilder::new("nested", &[]);
    let (zero, seven) = (b.word(0), b.word(7));
    for _ in 0..depth {
        b.begin_block();
    }
    match callee {
        Some(callee) => b.effect(Op::Call, Attrs::target(Target::Function(callee)), &[]),
        None => b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(0))), &[zero, zero, seven]),
    }
    for _ in 0..depth {
        b.end();
    }
    b.finish()
}

/// As deep as the representation allows, twice over by a call; and deeper than the machine goes.
#[test]
fn deep_nesting_runs_or_is_refused() {
    let with = |depths: &[u32]| {
        let mut program = Kit::new(1).program();
        let last = depths.len() - 1;
        let callee = |at: usize| (at < last).then_some(FunctionId(at as u32 + 1));
        program.functions = depths.iter().enumerate().map(|(at, depth)| nested(*depth, callee(at))).collect();
        program
    };
    let deep = with(&[500, 500]);
    assert_eq!(results(&deep, 1, 1), [7]);
    let deeper = with(&[500, 500, 500]);
    assert!(matches!(Plan::compile(&deeper), Err(RunError::Unsupported { .. })));
}

/// Each function calls the next twice: 2^40 stores if inlined.
#[test]
fn calls_that_multiply_are_refused() {
    let mut program = Kit::new(1).program();
    program.functions = (0..40u32)
        .map(|at| {
            let mut b = FunctionBuilder::new("twice", &[]);
            if at < 39 {
                for _ in 0..2 {
                    b.effect(Op::Call, Attrs::target(Target::Function(FunctionId(at + 1))), &[]);
                }
            } else {
                let zero = b.word(0);
                b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(0))), &[zero, zero, zero]);
            }
            b.finish()
        })
        .collect();
    assert!(matches!(Plan::compile(&program), Err(RunError::Unsupported { .. })));
}

/// A loop that carries a thousand values in a circle, each round one place on.
#[test]
fn wide_circles_of_loop_values_are_copied() {
    const COUNT: u32 = 1000;
    let mut k = Kit::new(4);
    let id = k.id();
    let locals: Vec<Local> = (0..COUNT).map(|_| k.b.local(Width::W32)).collect();
    let n = k.b.local(Width::W32);
    for (at, local) in locals.iter().enumerate() {
        let value = k.word(at as u32);
        k.b.set(*local, value);
    }
    let (zero, one) = (k.word(0), k.word(1));
    k.b.set(n, zero);
    let end = k.b.begin_block();
    k.b.begin_loop();
    let now = k.b.get(n);
    let done = k.op(Op::IEq, &[now, id]);
    k.b.begin_if(done);
    k.b.br(end);
    k.b.end_if();
    let values: Vec<Value> = locals.iter().map(|local| k.b.get(*local)).collect();
    for (at, local) in locals.iter().enumerate() {
        k.b.set(*local, values[(at + 1) % COUNT as usize]);
    }
    let next = k.op(Op::IAdd, &[now, one]);
    k.b.set(n, next);
    k.b.end();
    k.b.end();
    for (slot, at) in [0, 1, 998, 999].into_iter().enumerate() {
        let value = k.b.get(locals[at]);
        k.put(id, 4, slot as u32, value);
    }
    let found = results(&k.program(), 1, 16);
    let expected: Vec<u32> = (0..4).flat_map(|lane| [0, 1, 998, 999].map(|at| (at + lane) % COUNT)).collect();
    assert_eq!(found, expected);
}
