//! Pairs of small programs built by hand, whose right verdicts follow from their construction.

use gpuproof_program::*;
use gpuproof_prove::bind::{Convert, CounterPlace, Map, Transfer};
use gpuproof_prove::cases::{UserInputs, check_case};
use gpuproof_prove::compare::Status;
use gpuproof_prove::evidence::{Known, OperationRecord};
use gpuproof_prove::{ProveError, Settings, Subject, Verification, verify};
use gpuproof_run::{LaneValues, Machine};

fn variable(name: &str, mask: u8, kind: Kind, width: Width, builtin: Option<Builtin>, location: Option<u32>) -> IoVariable {
    IoVariable {
        name: name.into(),
        semantic_index: 0,
        location,
        blend_source: None,
        mask,
        kind,
        width,
        builtin,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    }
}

fn program(dialect: Dialect, stage: Stage, interface: Interface, function: Function) -> Program {
    let program = Program {
        name: "main".into(),
        dialect,
        stage,
        group_size: [1; 3],
        assembly: Assembly::None,
        interface,
        arrays: Vec::new(),
        shared: Vec::new(),
        functions: vec![function],
        entry: FunctionId(0),
        source: Source {
            kind: SourceKind::Text,
            lines: (0..9).map(|at| SourceLine { number: at + 1, offset: 0, text: format!("line {}", at + 1) }).collect(),
        },
        notes: Vec::new(),
    };
    validate(&program).expect("a valid program");
    program
}

/// A vertex program with one input `V.xy` and one output `R.x`, that `build` makes of them.
fn vertex(dialect: Dialect, build: impl FnOnce(&mut FunctionBuilder, Value, Value) -> Value) -> Program {
    let interface = Interface {
        inputs: vec![variable("V", 3, Kind::Float, Width::W32, None, Some(0))],
        outputs: vec![variable("R", 1, Kind::Float, Width::W32, None, Some(0))],
        ..Interface::default()
    };
    let mut b = FunctionBuilder::new("main", &[]);
    b.set_origin(Origin::line(0));
    let input = |b: &mut FunctionBuilder, component| {
        b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), component)), &[])
    };
    let (x, y) = (input(&mut b, 0), input(&mut b, 1));
    let result = build(&mut b, x, y);
    b.set_origin(Origin::line(8));
    b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[result]);
    program(dialect, Stage::Vertex, interface, b.finish())
}

fn op(b: &mut FunctionBuilder, line: u32, op: Op, args: &[Value]) -> Value {
    b.set_origin(Origin::line(line));
    b.value(op, Attrs::default(), args)
}

fn run(original: &Program, port: &Program, settings: &Settings) -> Result<Verification, ProveError> {
    verify(&Subject::new(original, "a", b"a"), &Subject::new(port, "b", b"b"), settings, &mut |_| {})
}

fn small() -> Settings {
    Settings { lanes: 1400, ..Settings::default() }
}

/// (x + y) * x - y, with the operation on line 3 as given.
fn sum(dialect: Dialect, second: Op) -> Program {
    vertex(dialect, |b, x, y| {
        let sum = op(b, 1, Op::FAdd, &[x, y]);
        let product = op(b, 2, second, &[sum, x]);
        op(b, 3, Op::FSub, &[product, y])
    })
}

#[test]
fn equal_programs_hold_on_every_lane() {
    let evidence = run(&sum(Dialect::D3D11, Op::FMul), &sum(Dialect::Wgsl, Op::FMul), &small()).expect("evidence").evidence;
    assert_eq!(evidence.status, Status::Holds);
    let total = evidence.census.total();
    // One word a lane, and 14 cases of a hundred.
    assert_eq!((total.same, total.words(), evidence.census.lanes, evidence.cases.len()), (1400, 1400, 1400, 14));
    assert_eq!(
        evidence.original.sha256, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        "SHA-256 of a, FIPS 180"
    );
}

#[test]
fn a_wrong_operation_is_the_parting() {
    let evidence = run(&sum(Dialect::D3D11, Op::FMul), &sum(Dialect::Wgsl, Op::FSub), &small()).expect("evidence").evidence;
    assert_eq!(evidence.status, Status::Differs);
    let parting = evidence.parting.expect("a parting");
    assert_eq!((parting.original.operation.as_str(), parting.port.operation.as_str()), ("f.mul", "f.sub"));
    assert_eq!((parting.original.at.expect("a line").number, parting.port.at.expect("a line").number), (3, 3));
    let agreement = parting.agreement.expect("agreement");
    // Its operands are the same on every lane where they are not NaN in one form only; its results are not.
    assert_eq!((agreement.lanes, agreement.inputs), (1400, 1400));
    assert!(agreement.results < 700, "{}", agreement.results);
}

#[test]
fn a_wrong_operand_is_inside_the_region() {
    let wrong = vertex(Dialect::Wgsl, |b, x, y| {
        let sum = op(b, 1, Op::FAdd, &[x, y]);
        let product = op(b, 2, Op::FMul, &[sum, y]);
        op(b, 3, Op::FSub, &[product, y])
    });
    let evidence = run(&sum(Dialect::D3D11, Op::FMul), &wrong, &small()).expect("evidence").evidence;
    let parting = evidence.parting.expect("a parting");
    assert!(parting.port.contains(3) && !parting.port.contains(9), "{:?}", parting.port.spans);
    assert_eq!(parting.port.at.expect("a line").number, 3);
}

#[test]
fn one_ulp_is_a_difference_where_it_is_no_rounding() {
    // One nearest float up is 1 ulp by definition: half of the time that is more than 1 ulp (D3D11 22.10.21) from the root.
    let up = vertex(Dialect::Wgsl, |b, x, y| {
        let sum = op(b, 1, Op::FAdd, &[x, y]);
        let root = op(b, 2, Op::FSqrt, &[sum]);
        let one = b.word(1);
        let next = op(b, 3, Op::IAdd, &[root, one]);
        op(b, 4, Op::FNeg, &[next])
    });
    let plain = vertex(Dialect::D3D11, |b, x, y| {
        let sum = op(b, 1, Op::FAdd, &[x, y]);
        let root = op(b, 2, Op::FSqrt, &[sum]);
        op(b, 4, Op::FNeg, &[root])
    });
    let evidence = run(&plain, &up, &Settings { edges: false, ..small() }).expect("evidence").evidence;
    let total = evidence.census.total();
    assert!(total.different > 300 && total.allowed == 0, "{total:?}");
    assert_eq!(evidence.status, Status::Differs);
}

#[test]
fn what_the_original_leaves_undefined_excuses_the_port_but_not_the_other_way_round() {
    let undefined = || vertex(Dialect::D3D11, |b, _, _| b.undef(Width::W32));
    let defined = || vertex(Dialect::Wgsl, |b, x, y| op(b, 1, Op::FAdd, &[x, y]));
    let excused = run(&undefined(), &defined(), &small()).expect("evidence").evidence.census.total();
    assert!(excused.undefined > 0 && excused.different == 0, "{excused:?}");
    let not = run(&defined(), &undefined(), &small()).expect("evidence").evidence.census.total();
    assert!(not.undefined == 0 && not.different > 0, "{not:?}");
}

#[test]
fn what_cannot_be_matched_is_an_error_that_lists_both_sides() {
    let mut port = sum(Dialect::Wgsl, Op::FMul);
    port.interface.inputs[0].mask = 1;
    port.interface.inputs[0].name = "other".into();
    port.interface.inputs[0].kind = Kind::Uint;
    port.interface.inputs.push(variable("more", 15, Kind::Float, Width::W32, None, Some(1)));
    port.interface.inputs[0].mask = 3;
    let mut builder = FunctionBuilder::new("main", &[]);
    let a = builder.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    let b = builder.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(1), 2)), &[]);
    let sum_of = builder.value(Op::FAdd, Attrs::default(), &[a, b]);
    builder.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[sum_of]);
    port.functions[0] = builder.finish();
    let error = run(&sum(Dialect::D3D11, Op::FMul), &port, &small()).expect_err("no match").to_string();
    assert!(error.contains("inputs") && error.contains("V0") && error.contains("other, more"), "{error}");
}

#[test]
fn inputs_that_the_original_does_not_read_need_no_place_in_the_order() {
    // A signature lists all that the stage before gives; these names do not help. Reads the inputs at these positions.
    let reading = |dialect, names: &[&str], read: &[u32]| {
        let input = |(at, name): (usize, &&str)| variable(name, 1, Kind::Float, Width::W32, None, Some(at as u32));
        let interface = Interface {
            inputs: names.iter().enumerate().map(input).collect(),
            outputs: vec![variable("R", 1, Kind::Float, Width::W32, None, Some(0))],
            ..Interface::default()
        };
        let mut b = FunctionBuilder::new("main", &[]);
        b.set_origin(Origin::line(0));
        let mut get = |at: &u32| b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(*at), 0)), &[]);
        let values: Vec<Value> = read.iter().map(&mut get).collect();
        let result = b.value(Op::FSub, Attrs::default(), &values);
        b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[result]);
        program(dialect, Stage::Vertex, interface, b.finish())
    };
    let original = reading(Dialect::D3D11, &["TEXCOORD", "COLOR", "NORMAL"], &[1, 2]);
    let port = reading(Dialect::Wgsl, &["tint", "up"], &[0, 1]);
    let map = Map::infer(&original, &port).expect("a map");
    let pairs: Vec<(&str, &str)> = map.inputs.iter().map(|pair| (pair.original.as_str(), pair.port.as_str())).collect();
    assert_eq!(pairs, [("COLOR0.x", "tint.x"), ("NORMAL0.x", "up.x")]);
    assert_eq!(run(&original, &port, &small()).expect("evidence").evidence.status, Status::Holds);
}

#[test]
fn positions_and_faces_follow_the_conventions_of_both_sides() {
    let pixel = |dialect, width| {
        let interface = Interface {
            inputs: vec![
                variable("SV_Position", 15, Kind::Float, Width::W32, Some(Builtin::Position), None),
                variable("face", 1, Kind::Bool, width, Some(Builtin::FrontFacing), None),
            ],
            outputs: vec![variable("SV_Target", 1, Kind::Float, Width::W32, None, Some(0))],
            ..Interface::default()
        };
        let mut b = FunctionBuilder::new("main", &[]);
        let w = b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 3)), &[]);
        let w = if dialect == Dialect::Wgsl { b.value(Op::FRcp, Attrs::default(), &[w]) } else { w };
        let face = b.value_of(width, Op::Input, Attrs::target(Target::Input(InputId(1), 0)), &[]);
        let zero = b.word(0);
        let face = if width == Width::W1 { face } else { b.value(Op::INe, Attrs::default(), &[face, zero]) };
        let chosen = b.value(Op::Select, Attrs::default(), &[face, w, zero]);
        b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[chosen]);
        program(dialect, Stage::Pixel, interface, b.finish())
    };
    let (original, port) = (pixel(Dialect::D3D11, Width::W32), pixel(Dialect::Wgsl, Width::W1));
    let map = Map::infer(&original, &port).expect("a map");
    let converts: Vec<Convert> = map.inputs.iter().map(|pair| pair.convert).collect();
    assert_eq!(converts, [Convert::Same, Convert::Reciprocal, Convert::Truth]);
    assert_eq!(run(&original, &port, &small()).expect("evidence").evidence.status, Status::Holds);
    assert_eq!(run(&port, &original, &small()).expect("evidence").evidence.status, Status::Holds);
}

fn structured(name: &str, slot: Slot, shape: Shape, layout: Option<Type>, counter: bool) -> Resource {
    Resource { name: name.into(), slot, count: Some(1), shape, access: Access::ReadWrite, layout, counter }
}

const FLOAT: ScalarType = ScalarType { kind: Kind::Float, width: Width::W32 };

#[test]
fn structures_of_other_strides_and_counters_in_words_are_matched_by_member() {
    let u = |index| Slot::Register { class: RegisterClass::U, space: 0, index };
    let at = |binding| Slot::Binding { group: 0, binding };
    let member = |name: &str, offset, ty| Member { name: name.into(), offset, ty };
    let vector = Type::Vector { size: 3, scalar: FLOAT };
    let packed = Type::Struct {
        members: vec![
            member("position", 0, vector.clone()),
            member("mass", 12, Type::Scalar(FLOAT)),
            member("velocity", 16, vector.clone()),
        ],
        size: 28,
    };
    let wide = Type::Struct {
        members: vec![
            member("velocity", 0, vector.clone()),
            member("position", 16, vector),
            member("mass", 28, Type::Scalar(FLOAT)),
        ],
        size: 32,
    };
    let endless = Type::Struct {
        members: vec![member("items", 0, Type::Array { element: Box::new(wide), count: None, stride: 32 })],
        size: 0,
    };
    let touch = |b: &mut FunctionBuilder, resource| {
        let zero = b.word(0);
        b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(resource))), &[zero, zero, zero]);
    };
    let left = Interface {
        resources: vec![structured("particles", u(1), Shape::Structured { stride: 28 }, Some(packed), true)],
        ..Interface::default()
    };
    let right = Interface {
        resources: vec![
            structured(
                "particle_count",
                at(3),
                Shape::Buffer { bytes: 4 },
                Some(Type::Scalar(ScalarType { kind: Kind::Uint, width: Width::W32 })),
                false,
            ),
            structured("particles", at(1), Shape::Buffer { bytes: 32 }, Some(endless), false),
        ],
        ..Interface::default()
    };
    let mut b = FunctionBuilder::new("main", &[]);
    let zero = b.word(0);
    b.emit(Op::CounterAlloc, Attrs::target(Target::Resource(ResourceId(0))), &[zero], &[Width::W32]);
    let original = program(Dialect::D3D11, Stage::Compute, left, b.finish());
    let mut b = FunctionBuilder::new("main", &[]);
    touch(&mut b, 0);
    touch(&mut b, 1);
    let port = program(Dialect::Wgsl, Stage::Compute, right, b.finish());

    let map = Map::infer(&original, &port).expect("a map");
    assert_eq!(map.counters[0].port, CounterPlace::Word { resource: "particle_count".into(), offset: 0 });
    let Transfer::Bytes(runs) = &map.resources[0].transfer else { panic!("{:?}", map.resources) };
    let places: Vec<_> =
        runs.iter().map(|run| (run.original, run.port, run.bytes, run.repeat[0].original, run.repeat[0].port)).collect();
    // By hand, from the two layouts above.
    assert_eq!(places, [(0, 16, Some(12), 28, 32), (12, 28, Some(4), 28, 32), (16, 0, Some(12), 28, 32)]);
}

#[test]
fn inputs_of_another_shape_name_both_shapes() {
    let original = sum(Dialect::D3D11, Op::FMul);
    let mut values = LaneValues::default();
    values.components[0] = vec![0; 3];
    let user = UserInputs { inputs: vec![(InputId(0), values)], ..UserInputs::default() };
    let error = user.check(&original).expect_err("a misfit").to_string();
    assert_eq!(error, "V0: given components x, but the program takes components xy");

    let found = run(&original, &sum(Dialect::Wgsl, Op::FSub), &small()).expect("evidence");
    let mut case = found.case.expect("the case of the first difference");
    let replay = Settings { replay: Some(case.clone()), ..small() };
    let again = run(&original, &sum(Dialect::Wgsl, Op::FSub), &replay).expect("evidence").evidence;
    assert_eq!(again.first.expect("a difference").lane, found.evidence.first.expect("a difference").lane);
    case.case.inputs[0].components[1].pop();
    assert!(
        check_case(&original, &case.case)
            .expect_err("a misfit")
            .to_string()
            .starts_with("V0: given 99 lanes, but the program takes 100")
    );
}

#[test]
fn a_port_that_never_ends_is_an_error_that_says_so() {
    let endless = vertex(Dialect::Wgsl, |b, x, _| {
        let out = b.begin_block();
        b.begin_loop();
        let zero = b.word(0);
        let stop = b.value(Op::INe, Attrs::default(), &[zero, zero]);
        b.begin_if(stop);
        b.br(out);
        b.end_if();
        b.end();
        b.end();
        x
    });
    let error = run(&sum(Dialect::D3D11, Op::FMul), &endless, &small()).expect_err("no end").to_string();
    assert!(error.starts_with("the port: gave up after") && error.contains("may loop forever"), "{error}");
}

/// 2^x differs on an H200 from the correctly rounded result in about one of seventeen, so the same program on both sides differs when one
/// of them runs there, which is allowed but not asked here.
#[test]
fn each_program_runs_on_its_machine() {
    let program = vertex(Dialect::D3D11, |b, x, _| op(b, 2, Op::FExp2, &[x]));
    let on = |machines| run(&program, &program, &Settings { machines, explain: false, ..small() }).expect("evidence").evidence;
    let [exact, h200, lavapipe] = [Machine::Exact, Machine::NvidiaSm90, Machine::Lavapipe];
    let apart = [on([exact, h200]), on([h200, exact])];
    for evidence in &apart {
        assert_ne!(evidence.status, Status::Holds);
        let total = evidence.census.total();
        assert!(total.same > 0 && total.same < total.words());
    }
    let firsts = apart.each_ref().map(|evidence| evidence.first.as_ref().expect("a difference"));
    assert_eq!((firsts[0].original, firsts[0].port), (firsts[1].port, firsts[1].original));
    assert_eq!(on([h200, h200]).status, Status::Holds);
    // lavapipe's 2^x is known to 3 ulp only: the canonical result stands, and the evidence says so.
    let evidence = on([exact, lavapipe]);
    assert_eq!(evidence.status, Status::Holds);
    let machines = evidence.machines.expect("machines");
    assert_eq!((machines.original.name.as_str(), machines.original.operations.len()), ("exact", 0));
    let known = OperationRecord { operation: "f.exp2".into(), width: 32, places: 1, known: Known::Range };
    assert_eq!((machines.port.name.as_str(), machines.port.operations), ("lavapipe", vec![known]));
    assert_eq!(on([exact, exact]).machines, None);
}
