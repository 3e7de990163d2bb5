//! Small programs by hand, of which a mutant is the same and one beside it is not.

use super::super::mutate::mutants;
use super::*;
use crate::adequacy::record::MutantKind;
use gpuproof_read::wgsl;

/// A pixel shader with a place, two colours and an array, which writes `out0.x`.
fn program(body: &str) -> Program {
    let input = |at: u32, name: &str, kind: &str, builtin: &str| {
        format!(
            "input in{at} (name:\"{name}\",semantic_index:0,location:Some({at}),blend_source:None,mask:15,kind:{kind},width:W32,builtin:{builtin},interpolation:Linear)\n"
        )
    };
    let mut text = String::from("program \"main\" d3d11 pixel 1x1x1 entry fn0\n");
    text += &input(0, "SV_Position", "Float", "Some(Position)");
    text += &input(1, "COLOR", "Float", "None");
    text += &input(2, "ID", "Uint", "None");
    text += "output out0 (name:\"SV_Target\",semantic_index:0,location:Some(0),blend_source:None,mask:15,kind:Float,width:W32,builtin:None,interpolation:Linear)\n";
    text += "array array0 (name:\"x0\",length:8,width:W32,initial:[],constant:false)\nsource instructions\n\n";
    text += &format!("function fn0 \"main\" () -> () {{\n{body}\n  return\n}}\n");
    gpuproof_program::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Whether the mutants with this change are shown to be equivalent; all of them are, or none.
fn shows(body: &str, change: &str) -> bool {
    let program = program(body);
    let all = mutants(&program);
    let named: Vec<&Mutant> = all.iter().filter(|mutant| mutant.change.starts_with(change)).collect();
    let shown = equivalent(&program, &named);
    assert!(!named.is_empty() && shown.iter().all(|first| *first == shown[0]), "{change} of {all:#?}");
    shown[0]
}

#[test]
fn a_conversion_is_in_range_where_its_operand_is() {
    let converted = |x: &str| format!("  %0:32 = {x}\n  %1:32 = f32.to_u flush %0\n  output out0.x %1");
    // No viewport reaches beyond 32767 (D3D11_VIEWPORT_BOUNDS_MAX); a colour and the reciprocal of w may be any number.
    assert!(shows(&converted("input in0.x"), "another rule of range"));
    assert!(!shows(&converted("input in0.w"), "another rule of range"));
    assert!(!shows(&converted("input in1.x"), "another rule of range"));
    // The greatest integer of 32 bits is a double and no float.
    let double = "  %0:32 = input in1.x\n  %1:64 = f32.convert %0\n  %2:32 = f64.to_u %1\n  output out0.x %2";
    assert!(shows(double, "another rule of range"));
}

#[test]
fn a_nan_is_kept_unseen_where_all_is_nan() {
    let kept = "a NaN in the first place kept";
    let largest = |after: &str| {
        format!(
            "  %0:32 = const 0x3f800000\n  %1:32 = input in1.x\n  %2:32 = f32.abs %1\n  %3:32 = f32.max flush %2, %0\n{after}\n  output out0.x %5"
        )
    };
    // The sum has what was NaN as a term of its own.
    assert!(shows(&largest("  %4:32 = f32.mul flush %1, %0\n  %5:32 = f32.add flush %3, %4"), kept));
    assert!(!shows(&largest("  %4:32 = input in1.y\n  %5:32 = f32.add flush %3, %4"), kept));
    // Of a maximum that loses NaN both operands are NaN where it is, so the first is.
    let twice = |term: &str| {
        format!(
            "  %0:32 = input in1.x\n  %1:32 = input in1.y\n  %2:32 = input in1.z\n  %3:32 = f32.max flush %0, %1\n  %4:32 = f32.min flush %3, %2\n  %5:32 = f32.add flush %4, {term}\n  output out0.x %5"
        )
    };
    let of_minimum = |text: &str| {
        let program = program(text);
        let all = mutants(&program);
        let named: Vec<&Mutant> = all.iter().filter(|mutant| mutant.change.starts_with(kept)).collect();
        // The maximum's comes first, then the minimum's.
        equivalent(&program, &named)[1]
    };
    assert!(of_minimum(&twice("%1")));
    assert!(!of_minimum(&twice("%2")));
}

#[test]
fn what_only_unread_elements_keep_is_lost() {
    let stored = |at: u32| {
        format!(
            "  %0:32 = const 0x3\n  %1:32 = const 0x{at}\n  %2:32 = const 0x3f000000\n  array.store array0 %1, %2\n  %3:32 = input in2.x\n  %4:32 = i32.and %3, %0\n  %5:32 = array.load array0 %4\n  output out0.x %5"
        )
    };
    assert!(shows(&stored(5), "0.5 to"));
    assert!(!shows(&stored(2), "0.5 to"));
}

#[test]
fn bits_below_what_is_asked_for_are_cut_off() {
    let sum = |mask: &str| {
        format!(
            "  %0:32 = const {mask}\n  %1:32 = const 0xc1000000\n  %2:32 = const 0x17\n  %3:32 = input in2.x\n  %4:32 = i32.and %3, %0\n  %5:32 = i32.add %4, %1\n  %6:32 = s32.shr %5, %2\n  output out0.x %6"
        )
    };
    // Without low bits in the other term nothing is carried.
    assert!(shows(&sum("0x7f800000"), "3238002688 to"));
    assert!(!shows(&sum("0x7fffffff"), "3238002688 to"));
    let field = |offset: u32| {
        format!(
            "  %0:32 = const 0x8\n  %1:32 = const 0x{offset}\n  %2:32 = const 0x3\n  %3:32 = input in2.x\n  %4:32 = i32.insert %0, %3, %1, %2\n  output out0.x %4"
        )
    };
    assert!(shows(&field(0), "8 to"));
    assert!(!shows(&field(1), "8 to"));
}

#[test]
fn a_limit_that_is_never_reached_may_be_another() {
    let limited = |x: &str| {
        format!(
            "  %0:32 = const 0x40000000\n  %1:32 = input in1.x\n  %2:32 = {x} %1\n  %3:32 = f32.min flush %2, %0\n  output out0.x %3"
        )
    };
    assert!(shows(&limited("f32.saturate flush"), "2.0 to 4.0"));
    assert!(!shows(&limited("f32.abs"), "2.0 to 4.0"));
}

#[test]
fn nothing_is_divided_by_zero_behind_a_check() {
    let divided = |condition: &str| {
        format!(
            "  %0:32 = const 0x0\n  %1:32 = input in2.x\n  %2:32 = input in2.y\n  %3:1 = {condition}\n  if @1 %3 -> (%4:32) {{\n    %5:32 = u32.div %1, %2\n    br @1(%5)\n  }} else {{\n    br @1(%0)\n  }}\n  output out0.x %4"
        )
    };
    assert!(shows(&divided("i32.ne %2, %0"), "another rule of division"));
    assert!(!shows(&divided("i32.ne %1, %0"), "another rule of division"));
}

/// A compute program of 8 threads a group whose body this builds. Constant words and the thread's number are at hand; `out` is the only buffer.
fn compute(arrays: &[u32], build: impl FnOnce(&mut FunctionBuilder, Value)) -> Program {
    let mut b = FunctionBuilder::new("main", &[]);
    let thread = b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    build(&mut b, thread);
    let text = "struct Out { words: array<u32> }
        @group(0) @binding(0) var<storage, read_write> out: Out;
        var<workgroup> cell: array<u32, 4>;
        @compute @workgroup_size(8)
        fn main(@builtin(local_invocation_index) thread: u32) { out.words[thread] = cell[thread & 3]; }";
    let frame = wgsl::read(text, &wgsl::Options::default()).expect("a program");
    let array = |length: &u32| PrivateArray {
        name: "a".into(),
        length: *length,
        width: Width::W32,
        initial: Vec::new(),
        constant: false,
    };
    let program = Program {
        dialect: Dialect::D3D11,
        arrays: arrays.iter().map(array).collect(),
        functions: vec![b.finish()],
        entry: FunctionId(0),
        source: Source::default(),
        ..frame
    };
    validate(&program).expect("a valid program");
    program
}

fn array_store(b: &mut FunctionBuilder, at: Value, value: Value) {
    b.effect(Op::ArrayStore, Attrs::target(Target::Array(ArrayId(0))), &[at, value]);
}

/// Stores to the buffer at the thread's place.
fn show(b: &mut FunctionBuilder, thread: Value, value: Value) {
    let (element, two) = (b.word(0), b.word(2));
    let offset = b.value(Op::IShl, Attrs::default(), &[thread, two]);
    b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(0))), &[element, offset, value]);
}

fn show_element(b: &mut FunctionBuilder, thread: Value, at: Value) {
    let value = b.value_of(Width::W32, Op::ArrayLoad, Attrs::target(Target::Array(ArrayId(0))), &[at]);
    show(b, thread, value);
}

/// Of the mutants of a kind, in order, whether each is shown to be equivalent.
fn told(program: &Program, wanted: impl Fn(&Mutant, &Node) -> bool) -> Vec<bool> {
    let all = mutants(program);
    let mut nodes = Vec::new();
    walk(&program.functions[0].body, &mut |node| nodes.push(node));
    let of: Vec<&Mutant> = all.iter().filter(|mutant| wanted(mutant, nodes[mutant.node])).collect();
    equivalent(program, &of)
}

fn stores(program: &Program, kind: MutantKind) -> Vec<bool> {
    told(program, |mutant, node| mutant.kind == kind && matches!(node, Node::Op(Instruction { op: Op::ArrayStore, .. })))
}

#[test]
fn a_store_to_an_array_is_dead_where_nothing_reads_the_element() {
    // Elements 0 to 3 are read.
    let program = compute(&[8], |b, thread| {
        let (three, five, seven) = (b.word(3), b.word(5), b.word(7));
        array_store(b, three, thread);
        array_store(b, five, thread);
        let at = b.value(Op::IAnd, Attrs::default(), &[thread, seven]);
        array_store(b, at, thread);
        let at = b.value(Op::IAnd, Attrs::default(), &[thread, three]);
        show_element(b, thread, at);
    });
    assert_eq!(stores(&program, MutantKind::Store), [false, true, false]);
    // One that is dead may as well be done to another that is: 6, but not 4 instead of 3, which leaves 3 unwritten.
    assert_eq!(stores(&program, MutantKind::Index), [false, true, false]);
}

#[test]
fn a_store_to_an_array_is_dead_where_it_is_stored_again_first() {
    let program = compute(&[8], |b, thread| {
        let (zero, one, two) = (b.word(0), b.word(1), b.word(2));
        // Element 0: stored again on every way, element 1: on one alone, element 2: only after it is read in the next round of a loop.
        [zero, one, two].into_iter().for_each(|at| array_store(b, at, thread));
        let odd = b.value(Op::IAnd, Attrs::default(), &[thread, one]);
        let odd = b.value(Op::IEq, Attrs::default(), &[odd, one]);
        b.begin_if(odd);
        [zero, one].into_iter().for_each(|at| array_store(b, at, two));
        b.begin_else();
        array_store(b, zero, one);
        b.end_if();
        let out = b.begin_block();
        let again = b.begin_loop();
        show_element(b, thread, two);
        array_store(b, two, one);
        b.begin_if(odd);
        b.br(out);
        b.end_if();
        b.br(again);
        b.end();
        b.end();
        show_element(b, thread, zero);
        show_element(b, thread, one);
    });
    assert_eq!(stores(&program, MutantKind::Store), [true, false, false, false, false, false, false]);
}

#[test]
fn a_selection_is_lost_where_what_follows_gives_the_same_at_the_one_number() {
    let selection = |mask: u32| {
        compute(&[], |b, thread| {
            // As DXBC's reader makes firstbit_hi of it, and a compiler goes on: 31 - n, and -1 where the operand is 0.
            let found = b.value(Op::UFindHigh, Attrs::default(), &[thread]);
            let (none, top, zero) = (b.word(u32::MAX), b.word(31), b.word(0));
            let is_none = b.value(Op::IEq, Attrs::default(), &[found, none]);
            let turned = b.value(Op::ISub, Attrs::default(), &[top, found]);
            let first = b.value(Op::Select, Attrs::default(), &[is_none, none, turned]);
            let back = b.value(Op::ISub, Attrs::default(), &[top, first]);
            let mask = b.word(mask);
            let masked = b.value(Op::IAnd, Attrs::default(), &[thread, mask]);
            let is_zero = b.value(Op::IEq, Attrs::default(), &[masked, zero]);
            let made = b.value(Op::Select, Attrs::default(), &[is_zero, none, back]);
            show(b, thread, made);
        })
    };
    let always_second = |program: &Program| {
        told(program, |mutant, node| {
            let selects = matches!(node, Node::Op(Instruction { op: Op::Select, .. }));
            selects && mutant.change.starts_with("select always takes the second")
        })
    };
    // The outer one covers 0 itself: then the inner one is lost. The outer one gives what the inner one gave, 31 - -1, without itself.
    assert_eq!(always_second(&selection(u32::MAX)), [true, false]);
    // 0 with another bit than those that are asked for: 32 would come through where nothing stands for it.
    let open = compute(&[], |b, thread| {
        let found = b.value(Op::UFindHigh, Attrs::default(), &[thread]);
        let (none, top) = (b.word(u32::MAX), b.word(31));
        let is_none = b.value(Op::IEq, Attrs::default(), &[found, none]);
        let turned = b.value(Op::ISub, Attrs::default(), &[top, found]);
        let first = b.value(Op::Select, Attrs::default(), &[is_none, none, turned]);
        show(b, thread, first);
    });
    assert_eq!(always_second(&open), [false]);
}

/// A group's first thread stores to shared memory, and after a barrier all read it.
fn first_thread(value: Option<u32>, waits: bool, reads_before: bool) -> Program {
    let shared = Attrs::target(Target::Shared(SharedId(0)));
    compute(&[], |b, thread| {
        let zero = b.word(0);
        let value = value.map_or(thread, |value| b.word(value));
        if reads_before {
            let before = b.value_of(Width::W32, Op::SharedLoad, shared, &[zero]);
            show(b, thread, before);
        }
        let is_first = b.value(Op::IEq, Attrs::default(), &[thread, zero]);
        b.begin_if(is_first);
        b.effect(Op::SharedStore, shared, &[zero, value]);
        b.end_if();
        if waits {
            let barrier = Barrier { group: true, shared: true, resources: None };
            b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(barrier)), &[]);
        }
        let found = b.value_of(Width::W32, Op::SharedLoad, shared, &[zero]);
        show(b, thread, found);
    })
}

#[test]
fn other_threads_may_store_the_same_constant_before_all_wait() {
    // The comparison inverted, the branch's condition inverted, always, never taken.
    let of_branch = |program: &Program| {
        told(program, |mutant, node| {
            let compares =
                matches!(node, Node::Op(Instruction { op: Op::IEq, .. })) && mutant.change.starts_with("condition inverted");
            matches!(mutant.patch, Patch::Condition(..)) || compares
        })
    };
    let mut same = of_branch(&first_thread(Some(7), true, false));
    same.sort_unstable();
    assert_eq!(same, [false, true, true, true], "never taken is another program");
    for program in [first_thread(None, true, false), first_thread(Some(7), false, false), first_thread(Some(7), true, true)] {
        assert_eq!(of_branch(&program), [false; 4]);
    }
}

#[test]
fn a_fence_is_idle_where_no_atomics_tell_threads_of_each_other() {
    let program = |group: bool, atomics: bool| {
        compute(&[], |b, thread| {
            let zero = b.word(0);
            let barrier = Barrier { group, shared: true, resources: None };
            b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(barrier)), &[]);
            if atomics {
                let add = Attrs::target(Target::Shared(SharedId(0))).with_detail(Detail::Atomic(AtomicOp::Add));
                b.value_of(Width::W32, Op::SharedAtomic, add, &[zero, thread, zero]);
            }
            show(b, thread, thread);
        })
    };
    let fences = |program: &Program| {
        told(program, |mutant, node| {
            mutant.kind == MutantKind::Store && matches!(node, Node::Op(Instruction { op: Op::Barrier, .. }))
        })
    };
    assert_eq!(fences(&program(false, false)), [true]);
    assert_eq!(fences(&program(true, false)), [false]);
    assert_eq!(fences(&program(false, true)), [false]);
}
