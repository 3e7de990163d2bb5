//! The text form: nothing is lost, and what is wrong is told with its place.

mod common;

use common::{Random, program, random_program};
use gpuproof_program::op::{Slot as Letter, TABLE, TargetKind};
use gpuproof_program::*;

#[track_caller]
fn round_trip(program: &Program) -> String {
    let text = text::print(program);
    let parsed = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(parsed == *program, "{text}");
    assert_eq!(text::print(&parsed), text);
    text
}

#[test]
fn random_programs_come_back() {
    let mut lines = 0;
    for seed in 0..500 {
        let (program, _) = random_program(seed);
        validate(&program).expect("a valid program");
        lines += round_trip(&program).lines().count();
    }
    assert!(lines > 20_000, "random programs are of some size: {lines} lines");
}

/// The stage of which [`everything`] has an operation.
fn stage_of(op: Op) -> Stage {
    match op {
        Op::InputVertex | Op::Emit | Op::Cut => Stage::Geometry,
        Op::OutputVertex | Op::OutputPatch => Stage::Hull,
        _ => Stage::Pixel,
    }
}

/// A program in which every operation of a stage stands in every width, with every choice and every detail.
fn everything(stage: Stage) -> Program {
    let mut program = program(Vec::new(), 1);
    program.stage = stage;
    let variable = program.interface.outputs.remove(0);
    const WIDTHS: [Width; 5] = [Width::W1, Width::W8, Width::W16, Width::W32, Width::W64];
    let io =
        |rate| WIDTHS.map(|width| IoVariable { mask: 15, width, builtin: Some(Builtin::Position), rate, ..variable.clone() });
    (program.interface.inputs, program.interface.outputs) = match stage {
        Stage::Geometry => (io(Rate::Vertex).into(), io(Rate::Stream(2)).into()),
        Stage::Hull => (io(Rate::Vertex).into(), [io(Rate::Vertex), io(Rate::Patch)].concat()),
        _ => (io(Rate::Lane).into(), io(Rate::Lane).into()),
    };
    let array =
        |width: Width| PrivateArray { name: "a\"\\\n\u{1f600}\0'".into(), length: 1, width, initial: vec![1], constant: false };
    program.arrays = WIDTHS.map(array).into();
    program.shared = vec![SharedMemory { name: "shared".into(), bytes: 64, stride: 4, zeroed: true }];
    let texture = TextureShape {
        dimension: Dimension::D2,
        arrayed: true,
        multisampled: false,
        kind: Kind::Float,
        depth: false,
        format: None,
    };
    let scalar = ScalarType { kind: Kind::Uint, width: Width::W32 };
    let member = |ty: Type| Member { name: "m".into(), offset: 4, ty };
    let layout = Type::Struct {
        members: vec![
            member(Type::Vector { size: 3, scalar }),
            member(Type::Array { element: Box::new(Type::Scalar(scalar)), count: None, stride: 4 }),
            member(Type::Matrix { columns: 4, rows: 3, row_major: true, stride: 16, scalar }),
        ],
        size: 64,
    };
    let shapes = [Shape::Buffer { bytes: 4 }, Shape::Structured { stride: 16 }, Shape::Texture(texture)];
    let resource = |shape| Resource {
        name: "r".into(),
        slot: Slot::Binding { group: 1, binding: 2 },
        count: None,
        shape,
        access: Access::ReadWrite,
        layout: Some(layout.clone()),
        counter: true,
    };
    program.interface.resources = shapes.map(resource).into();
    let slot = Slot::Register { class: RegisterClass::S, space: 0, index: 3 };
    program.interface.samplers = vec![Sampler { name: "s".into(), slot, count: Some(1), comparison: true }];
    program.interface.overrides = vec![Override { name: "o".into(), id: Some(3), bits: 9 }];
    program.notes = vec!["a ; note \"quoted\" \\ \n over \u{2028} lines".into()];
    program.source.kind = SourceKind::Text;
    program.source.lines = vec![
        SourceLine { number: 1, offset: 0, text: "let a = b; // \"c\"".into() },
        SourceLine { number: 2, offset: u32::MAX, text: "}\n} else { \u{7f}".into() },
    ];

    let mut callee = FunctionBuilder::new("callee \"f\"", &[Width::W32, Width::W1]);
    let (x, y) = (callee.param(Width::W32), callee.param(Width::W1));
    callee.ret(&[x, y]);
    let mut b = FunctionBuilder::new("main", &[]);
    for row in TABLE.iter().filter(|row| stage_of(row.op) == stage) {
        let widths: &[Width] = if row.widths.is_empty() { &[Width::W32] } else { row.widths };
        for (at, &t) in widths.iter().enumerate() {
            b.set_origin([Origin::line(0), Origin { line: 1, column: 7, component: 3 }, Origin::NONE][at % 3]);
            for (rules, detail) in variants(row) {
                emit(&mut b, row, t, rules, detail);
            }
        }
    }
    let mut points = FunctionBuilder::new("points", &[]);
    points.ret(&[]);
    program.functions = vec![callee.finish(), b.finish(), points.finish()];
    program.entry = FunctionId(1);
    program.assembly = match stage {
        Stage::Geometry => Assembly::Geometry(Geometry {
            input: Primitive::Patch(7),
            max_vertices: 12,
            instances: 3,
            streams: vec![Stream { number: 2, topology: Topology::LineStrip }],
        }),
        Stage::Hull => {
            program.entry = FunctionId(2);
            let phase = |kind, function, lanes| Phase { kind, function: FunctionId(function), lanes };
            Assembly::Hull(Hull {
                input_points: 3,
                output_points: 4,
                domain: PatchDomain::Triangle,
                partitioning: Partitioning::FractionalOdd,
                output: TessellatorOutput::TriangleClockwise,
                max_factor: Some(0x4180_0000),
                phases: vec![phase(PhaseKind::ControlPoint, 2, 4), phase(PhaseKind::Join, 1, 5)],
            })
        }
        _ => Assembly::None,
    };
    program
}

/// Every word of every choice, and every detail, one after another.
fn variants(row: &op::Row) -> Vec<(Rules, Detail)> {
    const WORDS: [&str; 9] =
        ["flush", "literal", "to_zero", "div_identity", "clamp_to_float", "field_clamp", "precise", "unbounded", "clamped"];
    let mut variants: Vec<(Rules, Detail)> = details(row.op).into_iter().map(|detail| (Rules::default(), detail)).collect();
    for word in WORDS {
        let mut rules = Rules::default();
        assert!(rules.set_word(word), "{word}");
        if row.choices.iter().any(|choice| rules.word(*choice).is_some()) {
            variants.push((rules, variants[0].1));
        }
    }
    variants
}

fn details(op: Op) -> Vec<Detail> {
    use op::DetailKind as D;
    let plain = Sampling::at(Level::Implicit);
    match op.row().detail {
        D::Plain => vec![Detail::None],
        D::Atomic => [AtomicOp::Add, AtomicOp::SMin, AtomicOp::CompareExchange, AtomicOp::Store].map(Detail::Atomic).into(),
        D::Sampling => [
            plain,
            Sampling { level: Level::Bias, offset: true, ..plain },
            Sampling { level: Level::Explicit, compare: true, ..plain },
            Sampling { level: Level::Zero, base_clamp_to_edge: true, component: 3, ..plain },
            Sampling { level: Level::Gradient, compare: true, clamp: true, offset: true, ..plain },
        ]
        .map(Detail::Sampling)
        .into(),
        D::Derivative => [Derivative::Coarse, Derivative::Fine, Derivative::Any].map(Detail::Derivative).into(),
        D::Evaluation => [Evaluation::Centroid, Evaluation::Sample, Evaluation::Snapped].map(Detail::Evaluation).into(),
        D::Barrier => {
            let barrier = |group, shared, resources| Detail::Barrier(Barrier { group, shared, resources });
            vec![
                barrier(true, true, None),
                barrier(false, false, None),
                barrier(true, false, Some(BarrierScope::Device)),
                barrier(false, true, Some(BarrierScope::Group)),
                barrier(false, false, Some(BarrierScope::Wave)),
            ]
        }
        D::Reduction => [
            Reduction { op: ReductionOp::Add, mode: ReductionMode::All, kind: Kind::Float },
            Reduction { op: ReductionOp::Xor, mode: ReductionMode::Exclusive, kind: Kind::Uint },
            Reduction { op: ReductionOp::Min, mode: ReductionMode::Inclusive, kind: Kind::Sint },
        ]
        .map(Detail::Reduction)
        .into(),
        D::Norm => [Norm { signed: true, bits: 8 }, Norm { signed: false, bits: 16 }].map(Detail::Norm).into(),
        D::Swap => [QuadAxis::X, QuadAxis::Y, QuadAxis::Diagonal].map(Detail::Swap).into(),
        D::Stream => vec![Detail::Stream(2)],
        D::Register => {
            vec![
                Detail::None,
                Detail::Register(Register { number: 0, component: 3 }),
                Detail::Register(Register { number: 4095, component: 0 }),
            ]
        }
    }
}

fn emit(b: &mut FunctionBuilder, row: &op::Row, t: Width, rules: Rules, detail: Detail) {
    let at =
        [Width::W1, Width::W8, Width::W16, Width::W32, Width::W64].iter().position(|width| *width == t).expect("a width") as u32;
    let name = row.name.split('.').next().unwrap_or("");
    let target = match row.target {
        TargetKind::Nothing => Target::None,
        TargetKind::Bits => Target::Bits(t.mask()),
        TargetKind::Input => Target::Input(InputId(at), 2),
        TargetKind::Output if row.op == Op::OutputPatch => Target::Output(OutputId(at + 5), 0),
        TargetKind::Output => Target::Output(OutputId(at), 0),
        TargetKind::Array => Target::Array(ArrayId(at)),
        TargetKind::Shared => Target::Shared(SharedId(0)),
        TargetKind::Resource => Target::Resource(ResourceId(match name {
            "structured" => 1,
            "texel" | "texture" => 2,
            _ => 0,
        })),
        TargetKind::Sampled => Target::Sampled(ResourceId(2), SamplerId(0)),
        TargetKind::Function => Target::Function(FunctionId(0)),
    };
    let u = match row.op {
        Op::UExtend | Op::SExtend if t == Width::W64 => return,
        Op::ITruncate if t == Width::W1 => return,
        Op::UExtend | Op::SExtend => Width::W64,
        Op::ITruncate => Width::W1,
        _ => Width::W16,
    };
    let width = |letter: &Letter| match letter {
        Letter::T => t,
        Letter::U => u,
        Letter::B => Width::W1,
        Letter::W => Width::W32,
    };
    let mut operands: Vec<Width> = row.operands.iter().map(width).collect();
    let mut results: Vec<Width> = row.results.iter().map(width).collect();
    if let Detail::Sampling(sampling) = detail {
        operands = vec![Width::W32; sampling.operands().count];
    }
    if row.op == Op::Emit {
        operands = [Width::W1, Width::W8, Width::W16, Width::W32, Width::W64].iter().flat_map(|width| [*width; 4]).collect();
    }
    if row.op == Op::Call {
        (operands, results) = (vec![Width::W32, Width::W1], vec![Width::W32, Width::W1]);
    }
    let args: Vec<Value> = operands.iter().map(|width| b.constant(*width, 1)).collect();
    b.emit(row.op, Attrs { rules, target, detail }, &args, &results);
}

#[test]
fn every_operation_is_accepted_and_comes_back() {
    let mut seen = std::collections::HashSet::new();
    for stage in [Stage::Pixel, Stage::Hull, Stage::Geometry] {
        let program = everything(stage);
        validate(&program).unwrap_or_else(|error| panic!("{error}"));
        round_trip(&program);
        walk(&program.functions[1].body, &mut |node| {
            if let Node::Op(op) = node {
                seen.insert(op.op);
            }
        });
    }
    assert_eq!(seen.len(), TABLE.len());
}

#[test]
fn the_form_reads_as_documented() {
    // Written by hand after the module's documentation.
    let text = r#"program "main" d3d11 pixel 1x1x1 entry fn0
output out0 (name:"SV_Target",semantic_index:0,location:Some(0),blend_source:None,mask:1,kind:Float,width:W32,builtin:None,interpolation:Linear)
source instructions
line 0 0x38 "add o0.x, l(1.0), l(1.0)"
note "assumed that the file is complete"

function fn0 "main" () -> () {
  %0:32 = const 0x3f800000
  %1:1 = f32.lt flush %0, %0
  ; 0: add o0.x, l(1.0), l(1.0)
  if @1 %1 -> (%3:32) !0 {
    %2:32 = f32.add flush precise %0, %0 !0:3.y
    br @1(%2)
  } else {
    br @1(%0)
  }
  switch @2 %0 {
    case @3 1, 2 {
      br @4(%3)
    }
    case @4 default (%4:32 = %0) {
      br @2
    }
  }
  output out0.x %3 !0
  return
}
"#;
    let program = text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    validate(&program).expect("a valid program");
    assert_eq!(text::print(&program), text);
    let Node::If { then, origin, .. } = &program.functions[0].body[2] else { panic!("an if") };
    assert_eq!(*origin, Origin::line(0));
    let Node::Op(add) = &then[0] else { panic!("an operation") };
    assert_eq!(add.origin, Origin { line: 0, column: 3, component: 1 });
    let rules = Rules { denormals: Denormals::Flush, refactor: Refactor::Precise, ..Rules::default() };
    assert_eq!(add.attrs, Attrs::rules(rules));
    // Blanks, comments and the order of declarations are free.
    let loose = text.replace("  ", "\t").replace(" {\n", "   {   ; opens\n\n").replace("source instructions\n", "");
    assert_eq!(text::parse(&loose), Ok(program));
}

#[test]
fn errors_tell_the_place_and_what_was_expected() {
    let head = "program \"main\" d3d11 pixel 1x1x1 entry fn0\n";
    let in_function = |line: &str| format!("{head}function fn0 \"main\" () -> () {{\n  {line}\nreturn\n}}\n");
    let cases = [
        (String::new(), "line 1, column 1: expected a line that begins with `program`, found the end of the text"),
        ("module".into(), "line 1, column 1: expected `program`, found `module`"),
        (head.replace("d3d11", "d3d12"), "line 1, column 16: expected one of d3d11, wgsl, vulkan, found `d3d12`"),
        (head.replace("1x1x1", "1x1x4294967296"), "line 1, column 32: expected a number of at most 32 bits, found `4294967296`"),
        (format!("{head}inputs"), "line 2, column 1: expected a declaration or a function, found `inputs`"),
        (format!("{head}input in1 ()"), "line 2, column 7: expected `in0`, found `in1`"),
        (format!("{head}note \"x"), "line 2, column 6: expected a string that ends on its line, found `\"x`"),
        (
            format!("{head}shared shared0 (name:3)"),
            "line 2, column 22: expected the fields of the declaration, found Expected string",
        ),
        (format!("{head}function fn0 \"f\" () -> () {{\n"), "line 3, column 1: expected `}`, found the end of the text"),
        (in_function("f32.frob"), "line 3, column 3: expected an operation, a construct or a branch, found `f32.frob`"),
        (in_function("%0:7 = const 0x1"), "line 3, column 6: expected one of 1, 8, 16, 32, 64, found `7`"),
        (in_function("%0:32 = const"), "line 3, column 16: expected a number of at most 64 bits, found the end of the line"),
        (
            in_function("%9:32 = const 0x1"),
            "line 3, column 3: expected a value below %1, as many as the function defines, found `%9:32`",
        ),
        (in_function("%0:32 = const 0x1\n%0:32 = const 0x1"), "line 4, column 1: expected a value that is not defined before"),
        (
            in_function("%0:32 = const 0x1\n%1:1 = f16.eq %0, %0"),
            "expected an operand of 16 bits for f16.eq, found %0 of 32 bits",
        ),
        (in_function("barrier [group group]"), "line 3, column 11: expected a detail of barrier, found `[group`"),
        (in_function("if @0 %0 {\nbr @0\n}"), "line 5, column 2: expected `else`, found the end of the line"),
        (in_function("br @1(%0 %1)"), "line 3, column 12: expected `,` or `)`, found `%1)`"),
    ];
    for (text, expected) in cases {
        let error = text::parse(&text).expect_err(&text).to_string();
        assert!(error.contains(expected), "found `{error}`, expected `{expected}`");
    }
}

#[test]
fn nesting_in_a_text_is_bounded() {
    let nested = |open: &str, count: usize| format!("program \"\" wgsl vertex 1x1x1 entry fn0\n{}", open.repeat(count));
    let text = nested("", 0) + "function fn0 \"\" () -> () {\n" + &"block @0 {\n".repeat(100_000);
    let error = text::parse(&text).expect_err("too deep").to_string();
    assert!(error.contains("expected constructs nested at most 512 deep, found one deeper"), "{error}");
    for open in ["[", "(", "(layout:Some(Array(element:", "(x:[", "Some("] {
        let text = nested("", 0) + "resource res0 (layout:Some(Array(element:" + &open.repeat(100_000);
        text::parse(&text).expect_err("too deep");
        let text = nested("", 0) + "resource res0 (unknown:" + &open.repeat(100_000);
        text::parse(&text).expect_err("too deep");
    }
}

#[test]
fn damaged_texts_give_an_error_or_a_program_but_no_panic() {
    let text = text::print(&everything(Stage::Pixel));
    let mut random = Random(7);
    let (mut errors, mut programs) = (0, 0);
    let mut take = |text: &str| match text::parse(text) {
        Ok(program) => {
            programs += 1;
            _ = validate(&program);
            text::print(&program);
        }
        Err(_) => errors += 1,
    };
    let pieces = [
        "%",
        "@",
        "{",
        "}",
        "(",
        ")",
        "!",
        ".",
        "0",
        "9",
        "4294967295",
        "\"",
        "\\",
        ";",
        "\n",
        "in0",
        "é",
        "[",
        "]",
        "=",
        ",",
        " ",
    ];
    for _ in 0..1000 {
        // A window around the change, so that the text stays small; the header stays whole.
        let mut at = random.below(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let mut end = (at + random.below(12)).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        take(&format!("{}{}{}", &text[..at], pieces[random.below(pieces.len())], &text[end.max(at)..]));
    }
    for (at, _) in text.char_indices().step_by(text.len() / 200) {
        take(&text[..at]);
    }
    assert!(errors > 300 && programs > 20, "{errors} errors, {programs} programs");
}
