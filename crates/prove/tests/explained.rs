//! Small programs built by hand that differ as the specifications allow, and ones that do not: which is which follows from the specifications.

use gpuproof_number::machine::Function as MachineFunction;
use gpuproof_program::*;
use gpuproof_prove::compare::Status;
use gpuproof_prove::explain::{AmplifierKind, CarrierKind};
use gpuproof_prove::measured::{GivenOutputs, MeasuredRegister, MeasuredResult};
use gpuproof_prove::{Evidence, Partial, ProveError, Settings, Subject, Tolerance, case, verify};
use gpuproof_run::Machine;

fn variable(name: &str, mask: u8) -> IoVariable {
    IoVariable {
        name: name.into(),
        semantic_index: 0,
        location: Some(0),
        blend_source: None,
        mask,
        kind: Kind::Float,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    }
}

/// A vertex program with the input `V.xyzw` and the output `R.x`, which `build` makes of its components.
fn vertex(dialect: Dialect, build: impl FnOnce(&mut Lines, [Value; 4]) -> Value) -> Program {
    let mut b = FunctionBuilder::new("main", &[]);
    b.set_origin(Origin::line(0));
    let inputs = [0, 1, 2, 3].map(|at| b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), at)), &[]));
    let mut lines = Lines { b, line: 0, dialect, refactor: Refactor::Allowed };
    let result = build(&mut lines, inputs);
    let last = lines.line + 1;
    let mut b = lines.b;
    b.set_origin(Origin::line(last));
    b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[result]);
    let program = Program {
        name: "main".into(),
        dialect,
        stage: Stage::Vertex,
        group_size: [1; 3],
        assembly: Assembly::None,
        interface: Interface { inputs: vec![variable("V", 15)], outputs: vec![variable("R", 1)], ..Interface::default() },
        arrays: Vec::new(),
        shared: Vec::new(),
        functions: vec![b.finish()],
        entry: FunctionId(0),
        source: Source {
            kind: SourceKind::Text,
            lines: (0..=last).map(|at| SourceLine { number: at + 1, offset: 0, text: format!("line {}", at + 1) }).collect(),
        },
        notes: Vec::new(),
    };
    validate(&program).expect("a valid program");
    program
}

/// Builds operations, a line each.
struct Lines {
    b: FunctionBuilder,
    line: u32,
    dialect: Dialect,
    refactor: Refactor,
}

impl Lines {
    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.line += 1;
        self.b.set_origin(Origin::line(self.line));
        let mut rules = Rules::default();
        if self.dialect == Dialect::D3D11 && op.choices().contains(&Choice::Denormals) {
            rules.denormals = Denormals::Flush;
        }
        if op.choices().contains(&Choice::Refactor) {
            rules.refactor = self.refactor;
        }
        self.b.value(op, Attrs::rules(rules), args)
    }
    fn constant(&mut self, x: f32) -> Value {
        self.b.word(x.to_bits())
    }
    /// a * b + c * d + e * f, one after another.
    fn dot(&mut self, a: [Value; 3], b: [Value; 3]) -> Value {
        let mut sum = self.op(Op::FMul, &[a[0], b[0]]);
        for at in 1..3 {
            let product = self.op(Op::FMul, &[a[at], b[at]]);
            sum = self.op(Op::FAdd, &[sum, product]);
        }
        sum
    }
}

fn d3d(build: impl FnOnce(&mut Lines, [Value; 4]) -> Value) -> Program {
    vertex(Dialect::D3D11, build)
}

fn wgsl(build: impl FnOnce(&mut Lines, [Value; 4]) -> Value) -> Program {
    vertex(Dialect::Wgsl, build)
}

fn evidence(original: &Program, port: &Program, edges: bool) -> Evidence {
    let settings = Settings { lanes: 2800, edges, ..Settings::default() };
    let (original, port) = (Subject::new(original, "a", b"a"), Subject::new(port, "b", b"b"));
    verify(&original, &port, &settings, &mut |_| {}).expect("evidence").evidence
}

/// Holds that finite cases come out the same or allowed, and gives the evidence.
#[track_caller]
fn allowed(original: &Program, port: &Program) -> Evidence {
    let evidence = evidence(original, port, false);
    let tally = evidence.census.finite;
    assert!(tally.allowed > 0 && tally.different == 0 && tally.unspecified == 0, "{tally:?} {:?}", evidence.parting);
    assert_eq!(evidence.status, Status::Holds);
    evidence
}

/// Holds that words differ.
#[track_caller]
fn different(original: &Program, port: &Program) -> Evidence {
    let evidence = evidence(original, port, false);
    assert!(evidence.census.finite.different > 0, "{:?} {:?}", evidence.census.finite, evidence.explanation);
    evidence
}

/// x / length(xyz) by rsq, as compilers write it.
fn normalised(l: &mut Lines, [x, y, z, _]: [Value; 4]) -> Value {
    let square = l.op(Op::FDot3, &[x, y, z, x, y, z]);
    let r = l.op(Op::FRsqrt, &[square]);
    l.op(Op::FMul, &[x, r])
}

#[test]
fn a_reciprocal_root_against_a_division_by_the_length_is_allowed() {
    // D3D11 22.10.19: rsq within 2^-21.
    let port = wgsl(|l, [x, y, z, _]| {
        let square = l.dot([x, y, z], [x, y, z]);
        let length = l.op(Op::FSqrt, &[square]);
        l.op(Op::FDiv, &[x, length])
    });
    let evidence = allowed(&d3d(normalised), &port);
    let explanation = evidence.explanation.expect("an explanation");
    let first = &explanation.operations[0];
    assert_eq!((first.operation.as_str(), first.port_operation.as_str()), ("f.mul", "f.div"));
    assert_eq!(first.kind, CarrierKind::Accuracy);
    assert!(first.ulps >= 1 && first.ulps < 8, "{first:?}");
    assert_eq!(explanation.outputs[0].name, evidence.census.outputs[0].name);
    assert_eq!(explanation.outputs[0].allowed, evidence.census.finite.allowed);
}

#[test]
fn sums_of_products_in_another_order_are_allowed() {
    // D3D11 22.3.2: reassociation, where nothing is precise.
    let original = d3d(|l, [x, y, z, w]| {
        let square = l.op(Op::FDot3, &[x, y, z, w, x, y]);
        l.op(Op::FAdd, &[square, w])
    });
    let port = wgsl(|l, [x, y, z, w]| {
        let first = l.op(Op::FMul, &[z, y]);
        let second = l.op(Op::FMad, &[y, x, first]);
        let third = l.op(Op::FMad, &[x, w, second]);
        l.op(Op::FAdd, &[third, w])
    });
    allowed(&original, &port);
}

#[test]
fn an_exponential_by_a_shortened_constant_is_allowed_and_one_that_is_off_by_one_is_not() {
    let original = d3d(|l, [x, ..]| {
        let log2e = l.constant(std::f32::consts::LOG2_E);
        let scaled = l.op(Op::FMul, &[x, log2e]);
        l.op(Op::FExp2, &[scaled])
    });
    let port = wgsl(|l, [x, ..]| l.op(Op::FExp, &[x]));
    let evidence = allowed(&original, &port);
    assert_eq!(evidence.explanation.expect("an explanation").operations[0].kind, CarrierKind::Constant);
    let nudged = d3d(|l, [x, ..]| {
        let constant = l.constant(std::f32::consts::LOG2_E.next_up());
        let scaled = l.op(Op::FMul, &[x, constant]);
        l.op(Op::FExp2, &[scaled])
    });
    different(&nudged, &port);
    different(
        &original,
        &wgsl(|l, [x, ..]| {
            let constant = l.constant(std::f32::consts::LOG2_E.next_down());
            let scaled = l.op(Op::FMul, &[x, constant]);
            l.op(Op::FExp2, &[scaled])
        }),
    );
}

#[test]
fn a_division_by_a_reciprocal_is_allowed() {
    // D3D11 3.1.3.2.
    let original = d3d(|l, [x, y, z, _]| {
        let quotient = l.op(Op::FDiv, &[x, y]);
        l.op(Op::FAdd, &[quotient, z])
    });
    let port = wgsl(|l, [x, y, z, _]| {
        let one = l.constant(1.0);
        let reciprocal = l.op(Op::FDiv, &[one, y]);
        let quotient = l.op(Op::FMul, &[x, reciprocal]);
        l.op(Op::FAdd, &[quotient, z])
    });
    allowed(&original, &port);
}

#[test]
fn a_conversion_to_the_other_neighbour_is_allowed() {
    // D3D11 22.13.6: to nearest even is recommended, not required. The port truncates to 24 bits.
    let original = d3d(|l, [x, ..]| l.op(Op::UToF, &[x]));
    let port = wgsl(|l, [x, ..]| {
        let high = l.op(Op::UFindHigh, &[x]);
        let twenty_three = l.b.word(23);
        let more = l.op(Op::SLt, &[twenty_three, high]);
        let surplus = l.op(Op::ISub, &[high, twenty_three]);
        let zero = l.b.word(0);
        let surplus = l.op(Op::Select, &[more, surplus, zero]);
        let cut = l.op(Op::UShr, &[x, surplus]);
        let cut = l.op(Op::IShl, &[cut, surplus]);
        l.op(Op::UToF, &[cut])
    });
    let evidence = allowed(&original, &port);
    assert_eq!(evidence.explanation.expect("an explanation").operations[0].kind, CarrierKind::Neighbour);
    // Two off is not a neighbour.
    let wrong = wgsl(|l, [x, ..]| {
        let float = l.op(Op::UToF, &[x]);
        let two = l.b.word(2);
        l.op(Op::IAdd, &[float, two])
    });
    different(&original, &wrong);
}

#[test]
fn precise_operations_may_not_be_fused() {
    // D3D11 22.19.2. The port's fused operation rounds once.
    let precise = d3d(|l, [x, y, z, _]| {
        l.refactor = Refactor::Precise;
        let product = l.op(Op::FMul, &[x, y]);
        l.op(Op::FAdd, &[product, z])
    });
    let free = d3d(|l, [x, y, z, _]| {
        let product = l.op(Op::FMul, &[x, y]);
        l.op(Op::FAdd, &[product, z])
    });
    let port = d3d(|l, [x, y, z, _]| l.op(Op::FFma, &[x, y, z]));
    different(&precise, &port);
    allowed(&free, &port);
}

#[test]
fn a_hash_that_makes_a_small_difference_large_is_allowed_and_named() {
    let hash = |l: &mut Lines, angle: Value| {
        let sine = l.op(Op::FSin, &[angle]);
        let large = l.constant(43758.547);
        let product = l.op(Op::FMul, &[sine, large]);
        l.op(Op::FFract, &[product])
    };
    let original = d3d(|l, [x, y, z, _]| {
        let (a, b) = (l.constant(12.9898), l.constant(78.233));
        let first = l.op(Op::FMul, &[x, a]);
        let sum = l.op(Op::FMad, &[y, b, first]);
        let sum = l.op(Op::FMad, &[z, a, sum]);
        hash(l, sum)
    });
    let port = wgsl(|l, [x, y, z, _]| {
        let (a, b) = (l.constant(12.9898), l.constant(78.233));
        let first = l.op(Op::FMul, &[z, a]);
        let sum = l.op(Op::FMad, &[y, b, first]);
        let sum = l.op(Op::FMad, &[x, a, sum]);
        hash(l, sum)
    });
    let explanation = allowed(&original, &port).explanation.expect("an explanation");
    let kinds: Vec<AmplifierKind> = explanation.amplifiers.iter().map(|amplifier| amplifier.kind).collect();
    assert!(kinds.contains(&AmplifierKind::FractionOfLarge), "{:?}", explanation.amplifiers);
    assert!(explanation.outputs[0].absolute > 1e-3);
}

#[test]
fn a_mistake_behind_an_allowed_difference_is_found_where_it_is() {
    let original = d3d(|l, v| {
        let unit = normalised(l, v);
        let scaled = l.op(Op::FMul, &[unit, v[3]]);
        let more = l.op(Op::FAdd, &[scaled, v[1]]);
        l.op(Op::FMul, &[more, v[2]])
    });
    let port = |wrong: bool| {
        wgsl(move |l, [x, y, z, w]| {
            let square = l.dot([x, y, z], [x, y, z]);
            let length = l.op(Op::FSqrt, &[square]);
            let unit = l.op(Op::FDiv, &[x, length]);
            let scaled = l.op(Op::FMul, &[unit, w]);
            let more = l.op(Op::FAdd, &[scaled, if wrong { z } else { y }]);
            l.op(Op::FMul, &[more, z])
        })
    };
    allowed(&original, &port(false));
    let parting = different(&original, &port(true)).parting.expect("a parting");
    // By the construction: the addition is on line 6 of the original and line 10 of the port, the division on line 8.
    assert!(parting.port.contains(10) && !parting.port.contains(8), "{:?}", parting.port.spans);
    assert_eq!(parting.original.at.expect("a line").number, 6);
    assert_eq!(parting.port.at.expect("a line").number, 10);
}

#[test]
fn a_sine_of_large_numbers_excuses_nothing() {
    let large = |l: &mut Lines, x: Value| {
        let (million, one) = (l.constant(1e6), l.constant(1.0));
        let magnitude = l.op(Op::FAbs, &[x]);
        l.op(Op::FMad, &[magnitude, one, million])
    };
    let original = d3d(|l, [x, ..]| {
        let angle = large(l, x);
        l.op(Op::FSin, &[angle])
    });
    // The same function by another way: sin(2 a) = 2 sin(a) cos(a).
    let same = wgsl(|l, [x, ..]| {
        let angle = large(l, x);
        let half = l.constant(0.5);
        let half = l.op(Op::FMul, &[angle, half]);
        let (sine, cosine) = (l.op(Op::FSin, &[half]), l.op(Op::FCos, &[half]));
        let product = l.op(Op::FMul, &[sine, cosine]);
        l.op(Op::FAdd, &[product, product])
    });
    let tally = evidence(&original, &same, false).census.finite;
    assert!(tally.unspecified > 0 && tally.different == 0 && tally.allowed == 0, "{tally:?}");
    assert_eq!(evidence(&original, &same, false).status, Status::Inconclusive);
    let wrong = wgsl(|l, [x, ..]| {
        let angle = large(l, x);
        l.op(Op::FCos, &[angle])
    });
    let tally = different(&original, &wrong).census.finite;
    assert!(tally.unspecified == 0 && tally.allowed == 0, "{tally:?}");
}

#[test]
fn where_nothing_is_promised_another_function_is_excused_no_more_than_elsewhere() {
    // WGSL 15.7.4 promises nothing of a sine beyond pi. The port is sin(2 (x / 2)) up to 100, and sin(14) beyond.
    let original = wgsl(|l, [x, ..]| l.op(Op::FSin, &[x]));
    let port = |limit: f32| {
        wgsl(move |l, [x, ..]| {
            let (half, seven, limit) = (l.constant(0.5), l.constant(7.0), l.constant(limit));
            let half = l.op(Op::FMul, &[x, half]);
            let magnitude = l.op(Op::FAbs, &[x]);
            let near = l.op(Op::FLe, &[magnitude, limit]);
            let half = l.op(Op::Select, &[near, half, seven]);
            let (sine, cosine) = (l.op(Op::FSin, &[half]), l.op(Op::FCos, &[half]));
            let product = l.op(Op::FMul, &[sine, cosine]);
            l.op(Op::FAdd, &[product, product])
        })
    };
    different(&original, &port(100.0));
    // By the same form of the same function nothing is different.
    let tally = evidence(&original, &port(f32::INFINITY), false).census.finite;
    assert!(tally.unspecified > 0 && tally.different == 0, "{tally:?}");
}

#[test]
fn a_conversion_to_half_that_is_left_out_is_different() {
    // A number of 24 bits is not one of 11: no rounding allows it.
    let half = |l: &mut Lines, x: Value| {
        l.line += 1;
        l.b.set_origin(Origin::line(l.line));
        let narrow = l.b.value_of(Width::W16, Op::FConvert, Attrs::rules(Rules::default()), &[x]);
        l.b.value_of(Width::W32, Op::FConvert, Attrs::rules(Rules::default()), &[narrow])
    };
    let original = wgsl(move |l, [x, y, ..]| {
        let x = half(l, x);
        l.op(Op::FAdd, &[x, y])
    });
    let port = wgsl(|l, [x, y, ..]| l.op(Op::FAdd, &[x, y]));
    let tally = different(&original, &port).census.finite;
    assert_eq!((tally.allowed, tally.unspecified), (0, 0), "{tally:?}");
}

#[test]
fn a_search_that_leaves_cases_out_says_so() {
    let original = d3d(|l, [x, y, ..]| l.op(Op::FAdd, &[x, y]));
    let port = wgsl(|l, [x, y, ..]| l.op(Op::FMul, &[x, y]));
    let evidence = different(&original, &port);
    let differ = evidence.cases.iter().filter(|case| case.different > 0).count();
    // Four cases are searched in vain.
    assert!(differ > 4, "{differ}");
    assert!(evidence.explanation.expect("an explanation").stopped.is_some());
}

#[test]
fn outputs_that_are_given_have_to_be_whole() {
    let program = hash_of_sine(Dialect::D3D11);
    let subject = Subject::new(&program, "a", b"a");
    let mut settings = Settings { lanes: 70, edges: false, ..Settings::default() };
    settings.replay = Some(case(&program, &program, &settings, 0).expect("cases").expect("a case"));
    let lanes = settings.replay.as_ref().expect("a case").case.inputs[0].components[0].len();
    let mut run = |words: Option<Vec<u32>>| {
        settings.given = Some(GivenOutputs { outputs: vec![[words, None, None, None]], resources: Vec::new() });
        verify(&subject, &subject, &settings, &mut |_| {})
    };
    for words in [None, Some(vec![0; lanes - 1]), Some(vec![0; lanes + 1])] {
        match run(words) {
            Err(ProveError::Given(error)) => assert!(error.contains("R0.x"), "{error}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(run(Some(vec![0; lanes])).expect("evidence").evidence.census.total().words(), lanes as u64);
}

#[test]
fn a_tolerance_is_for_words_that_both_wrote() {
    // The port writes R only where x > 0; the original's 0.25 is within 1 of what stands there unwritten, 0.
    let original = wgsl(|l, _| l.constant(0.25));
    let mut b = FunctionBuilder::new("main", &[]);
    b.set_origin(Origin::line(1));
    let x = b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    let zero = b.word(0);
    let above = b.value(Op::FLt, Attrs::default(), &[zero, x]);
    b.begin_if(above);
    let half = b.word(0.5f32.to_bits());
    b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[half]);
    b.end_if();
    let port = Program { functions: vec![b.finish()], ..original.clone() };
    validate(&port).expect("a valid program");
    let tolerances = vec![((OutputId(0), 0), Tolerance::Absolute(1.0))];
    let partial = Some(Partial { discards: true, tolerances });
    let settings = Settings { lanes: 700, edges: false, explain: false, partial, ..Settings::default() };
    let subjects = (Subject::new(&original, "a", b"a"), Subject::new(&port, "b", b"b"));
    let tally = verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence.census.finite;
    assert!(tally.same > 100 && tally.different > 100, "{tally:?}");
}

#[test]
fn a_difference_of_equal_infinities_is_unspecified_where_it_may_be_ignored() {
    // D3D11 22.3.2 lets compilers take x - x for 0; NaN and infinities are ignored.
    let original = |refactor| {
        d3d(move |l, [x, y, ..]| {
            l.refactor = refactor;
            let nothing = l.op(Op::FSub, &[x, x]);
            l.op(Op::FAdd, &[nothing, y])
        })
    };
    let port = wgsl(|l, [_, y, ..]| {
        let zero = l.constant(0.0);
        l.op(Op::FAdd, &[y, zero])
    });
    let free = evidence(&original(Refactor::Allowed), &port, true);
    assert!(free.census.edge.unspecified > 0 && free.census.edge.different == 0, "{:?}", free.census.edge);
    assert_eq!(free.census.finite.different, 0);
    // Cases of edge values alone leave nothing open.
    assert_eq!(free.status, Status::Holds);
    let precise = evidence(&original(Refactor::Precise), &port, true);
    assert!(precise.census.edge.different > 0 && precise.census.edge.unspecified == 0, "{:?}", precise.census.edge);
}

#[test]
fn what_a_compiler_regrouped_is_named_where_the_original_may_not_be_refactored() {
    // x (x (3 - 2x)) of the source became (x x) (3 - 2x): D3D11 22.3.2 lets compilers do so, and a program without its flag does not.
    let original = |refactor| {
        d3d(move |l, [x, ..]| {
            l.refactor = refactor;
            let (two, three) = (l.constant(-2.0), l.constant(3.0));
            let slope = l.op(Op::FMad, &[x, two, three]);
            let inner = l.op(Op::FMul, &[x, slope]);
            l.op(Op::FMul, &[x, inner])
        })
    };
    let port = |factor: f32| {
        wgsl(move |l, [x, ..]| {
            let (two, three) = (l.constant(factor), l.constant(3.0));
            let double = l.op(Op::FMul, &[x, two]);
            let slope = l.op(Op::FAdd, &[double, three]);
            let square = l.op(Op::FMul, &[x, x]);
            l.op(Op::FMul, &[square, slope])
        })
    };
    let precise = original(Refactor::Precise);
    let found = evidence(&precise, &port(-2.0), false);
    assert_eq!(found.status, Status::Differs);
    let refactored = found.refactored.as_ref().expect("a refactoring");
    assert_eq!((refactored.finite.allowed, refactored.finite.different), (found.census.finite.different, 0));
    let lines: Vec<_> = refactored.operations.iter().map(|found| found.original.as_ref().map(|line| line.number)).collect();
    assert_eq!(lines, [Some(4)], "{:?}", refactored.operations);
    // By command it is allowed; another function is not, and is not said to be.
    let refactor = |port: &Program, refactor| {
        let settings = Settings { lanes: 2800, edges: false, refactor, ..Settings::default() };
        let subjects = (Subject::new(&precise, "a", b"a"), Subject::new(port, "b", b"b"));
        verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence
    };
    let taken = refactor(&port(-2.0), true);
    assert_eq!((taken.status, taken.census.finite.different), (Status::Holds, 0));
    assert!(taken.census.finite.allowed > 0 && taken.refactored.is_none() && !taken.notes.is_empty());
    let wrong = [refactor(&port(-2.000001), true), refactor(&port(-2.000001), false)];
    assert!(wrong.iter().all(|found| found.census.finite.different > 100 && found.refactored.is_none()));
    // What may be refactored is not asked for.
    assert_eq!(evidence(&original(Refactor::Allowed), &port(-2.0), false).refactored, None);
}

#[test]
fn operations_in_a_loop_are_excused_in_every_round() {
    // Sum of x / (y + i) over four rounds: in the original unrolled and by reciprocals, in the port by divisions.
    let original = d3d(|l, [x, y, ..]| {
        let mut sum = l.constant(0.0);
        for round in 0..4 {
            let count = l.constant(round as f32 + 1.0);
            let below = l.op(Op::FAdd, &[y, count]);
            let reciprocal = l.op(Op::FRcp, &[below]);
            let part = l.op(Op::FMul, &[x, reciprocal]);
            sum = l.op(Op::FAdd, &[sum, part]);
        }
        sum
    });
    let port = wgsl(|l, [x, y, ..]| {
        let mut sum = l.constant(0.0);
        for round in 0..4 {
            let count = l.constant(round as f32 + 1.0);
            let below = l.op(Op::FAdd, &[y, count]);
            let part = l.op(Op::FDiv, &[x, below]);
            sum = l.op(Op::FAdd, &[sum, part]);
        }
        sum
    });
    let evidence = allowed(&original, &port);
    assert!(evidence.explanation.expect("an explanation").operations.len() >= 4);
}

/// fract(sin(x) * 43758.547), which makes much of a sine's error.
fn hash_of_sine(dialect: Dialect) -> Program {
    vertex(dialect, |l, [x, ..]| {
        let sine = l.op(Op::FSin, &[x]);
        let large = l.constant(43758.547);
        let product = l.op(Op::FMul, &[sine, large]);
        l.op(Op::FFract, &[product])
    })
}

#[test]
fn a_machine_within_the_accuracy_is_allowed() {
    // The H200's model gives its very bits, within 4e-7 inside +-pi; D3D11 22.10.20 asks for 0.0008.
    let program = hash_of_sine(Dialect::D3D11);
    let settings =
        Settings { machines: [Machine::Exact, Machine::NvidiaSm90], lanes: 1400, cases: 3, edges: false, ..Settings::default() };
    let subject = Subject::new(&program, "a", b"a");
    let evidence = verify(&subject, &subject, &settings, &mut |_| {}).expect("evidence").evidence;
    let tally = evidence.census.finite;
    assert!(tally.allowed > 100 && tally.different == 0, "{tally:?} {:?}", evidence.explanation);
    let explanation = evidence.explanation.expect("an explanation");
    assert_eq!((explanation.operations.len(), explanation.operations[0].operation.as_str()), (1, "f.sin"));
}

#[test]
fn results_measured_on_a_machine_account_for_what_it_computes() {
    // The other machine is the H200 by its model; the results are asked of the model one by one, as a person would measure them.
    let program = hash_of_sine(Dialect::D3D11);
    let subject = Subject::new(&program, "a", b"a");
    let mut settings =
        Settings { machines: [Machine::Exact, Machine::NvidiaSm90], lanes: 700, edges: false, ..Settings::default() };
    let replay = case(&program, &program, &settings, 0).expect("cases").expect("a case");
    let flush = gpuproof_number::Denormals::Flush;
    let measure = |x: &u32| MeasuredResult {
        op: Op::FSin,
        line: None,
        operands: vec![u64::from(*x)],
        result: Machine::NvidiaSm90.result(MachineFunction::Sin, *x, flush).into(),
    };
    let all: Vec<MeasuredResult> = replay.case.inputs[0].components[0].iter().map(measure).collect();
    settings.replay = Some(replay);
    settings.measured = all.clone();
    let run = |settings: &Settings| verify(&subject, &subject, settings, &mut |_| {}).expect("evidence").evidence;
    let whole = run(&settings);
    let record = whole.measured.expect("a record");
    assert!(record.different_without > 10 && record.replaced > 10, "{record:?}");
    assert_eq!((whole.census.total().different, record.outside.len()), (0, 0));
    assert_eq!(record.in_set + record.unbounded, record.replaced);
    // The first half alone does not account for the others.
    settings.measured = all[..all.len() / 2].to_vec();
    let half = run(&settings);
    assert!(half.census.total().different > 0 && half.census.total().different < record.different_without);
}

#[test]
fn a_measured_result_outside_its_set_is_told() {
    // By hand: the sine of 1 is 0.8415; 0.75 is farther away than 0.0008. WARP's sine of -0.00016117 was -0.00016334653, which is not.
    let program = vertex(Dialect::D3D11, |l, [x, ..]| l.op(Op::FSin, &[x]));
    let subject = Subject::new(&program, "a", b"a");
    let mut settings = Settings { lanes: 70, edges: false, ..Settings::default() };
    let mut replay = case(&program, &program, &settings, 0).expect("cases").expect("a case");
    let small = (-0.00016117f32).to_bits();
    replay.case.inputs[0].components[0][0] = 1f32.to_bits();
    replay.case.inputs[0].components[0][1] = small;
    settings.replay = Some(replay);
    let one = |x: u32, y: f32| MeasuredResult { op: Op::FSin, line: None, operands: vec![x.into()], result: y.to_bits().into() };
    settings.measured = vec![one(1f32.to_bits(), 0.75), one(small, -0.00016334653)];
    let evidence = verify(&subject, &subject, &settings, &mut |_| {}).expect("evidence").evidence;
    let record = evidence.measured.expect("a record");
    assert_eq!((record.replaced, record.in_set, record.outside.len()), (2, 1, 1));
    let outside = &record.outside[0];
    assert_eq!(outside.result, u64::from(0.75f32.to_bits()));
    let (low, high) = outside.allowed.expect("ends");
    let off = |bits: u64| (f64::from(f32::from_bits(bits as u32)) - 1f64.sin()).abs();
    assert!((off(low) - 0.0008).abs() < 1e-6 && (off(high) - 0.0008).abs() < 1e-6, "{low:x} {high:x}");
    assert!(evidence.limits.iter().any(|limit| limit.contains("captured")), "{:?}", evidence.limits);
}

#[test]
fn what_a_register_held_is_put_in_on_its_lanes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/allowed/floats/hash_noise.dxbc");
    let container = gpuproof_read::dxbc::Container::parse(&std::fs::read(path).expect("a file")).expect("a container");
    let program = gpuproof_read::dxbc::program(&container).expect("a program");
    let subject = Subject::new(&program, "a", b"a");
    let sine = program.source.lines.iter().find(|line| line.text.starts_with("sincos ")).expect("a sine");
    // sincos r0.x, null, r0.x: the sine alone.
    assert!(sine.text.starts_with("sincos r0.x, null, "), "{}", sine.text);
    let held = |register: &str, line: u32, lanes: Vec<Vec<u64>>| MeasuredRegister {
        register: register.into(),
        component: 0,
        line,
        lanes,
    };
    let mut settings =
        Settings { machines: [Machine::Exact, Machine::NvidiaSm90], lanes: 700, edges: false, ..Settings::default() };
    let replay = case(&program, &program, &settings, 0).expect("cases").expect("a case");
    // What the other machine's register held, as a person would capture it there: the sine's value on every lane of a run of its own.
    struct Sines {
        value: gpuproof_program::Value,
        lanes: Vec<Vec<u64>>,
    }
    impl gpuproof_run::Observer for Sines {
        fn wants(&self, _: gpuproof_program::FunctionId, value: gpuproof_program::Value) -> bool {
            value == self.value
        }
        fn value(&mut self, observed: &gpuproof_run::Observed<'_>) {
            let gpuproof_run::RowBits::Words(words) = observed.bits else { return };
            for (to, word) in self.lanes[observed.first_lane as usize..].iter_mut().zip(words) {
                *to = vec![u64::from(*word)];
            }
        }
    }
    let mut value = None;
    gpuproof_program::walk(&program.functions[0].body, &mut |node| {
        if let gpuproof_program::Node::Op(instruction) = node
            && instruction.op == Op::FSin
        {
            value = instruction.results.first().copied();
        }
    });
    let lanes = vec![Vec::new(); replay.case.inputs[0].components[0].len()];
    let mut sines = Sines { value: value.expect("a sine"), lanes };
    let options = gpuproof_run::Options { machine: Machine::NvidiaSm90, ..gpuproof_run::Options::default() };
    gpuproof_run::Plan::compile(&program).expect("a plan").run_observed(&replay.case, &options, &mut sines).expect("a run");
    settings.replay = Some(replay);
    settings.measured_registers = vec![held("r0", sine.number, sines.lanes)];
    let run = |settings: &Settings| verify(&subject, &subject, settings, &mut |_| {}).expect("evidence").evidence;
    let whole = run(&settings);
    let record = whole.measured.expect("a record");
    assert!(record.different_without > 10 && record.replaced > 10, "{record:?}");
    assert_eq!((whole.census.total().different, record.outside.len()), (0, 0));
    // Exchanged between lanes they account for nothing.
    settings.measured_registers[0].lanes.reverse();
    assert!(run(&settings).census.total().different > 10);
    // What the instruction does not write, or does not make, is refused.
    assert!(held("r1", sine.number, Vec::new()).check(&program).is_err());
    assert!(held("r0", 999, Vec::new()).check(&program).is_err());
}
