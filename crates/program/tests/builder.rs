//! What the builder makes of structured code. Expected values come from interpreting the source with variables that are set in place, or from the same computation in
//! Rust; expected forms are written by hand.

mod common;

use common::{output, program, random_program, run};
use gpuproof_program::*;

/// Validates and runs an entry function, and gives its outputs.
fn check(outputs: usize, build: impl FnOnce(&mut FunctionBuilder)) -> Vec<Option<u32>> {
    let mut builder = FunctionBuilder::new("main", &[]);
    build(&mut builder);
    let program = program(vec![builder.finish()], outputs);
    validate(&program).unwrap_or_else(|error| panic!("{error}\n{}", text::print(&program)));
    run(&program)
}

/// The body that is built, as text.
fn form(build: impl FnOnce(&mut FunctionBuilder)) -> String {
    let mut builder = FunctionBuilder::new("main", &[]);
    build(&mut builder);
    let program = program(vec![builder.finish()], 2);
    validate(&program).unwrap_or_else(|error| panic!("{error}\n{}", text::print(&program)));
    let text = text::print(&program);
    let lines = text.lines().skip_while(|line| !line.starts_with("function")).skip(1);
    lines.take_while(|line| *line != "}").map(|line| format!("{}\n", line.trim_start())).collect()
}

fn op(builder: &mut FunctionBuilder, op: Op, a: Value, b: Value) -> Value {
    builder.value(op, Attrs::default(), &[a, b])
}

/// Counts `counter` up to `times` around `body`.
fn repeat(b: &mut FunctionBuilder, times: u32, body: impl FnOnce(&mut FunctionBuilder)) {
    let counter = b.local(Width::W32);
    let zero = b.word(0);
    b.set(counter, zero);
    let exit = b.begin_block();
    b.begin_loop();
    let (count, bound) = (b.get(counter), b.word(times));
    let done = op(b, Op::ULt, count, bound);
    b.begin_if(done);
    b.begin_else();
    b.br(exit);
    b.end();
    body(b);
    let (count, one) = (b.get(counter), b.word(1));
    let next = op(b, Op::IAdd, count, one);
    b.set(counter, next);
    b.end();
    b.end();
}

#[test]
fn random_functions_mean_what_their_source_does() {
    let mut runs = 0;
    for seed in 0..3000 {
        let (program, expected) = random_program(seed);
        validate(&program).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text::print(&program)));
        assert_eq!(run(&program), expected, "seed {seed}\n{}", text::print(&program));
        runs += 1;
    }
    assert_eq!(runs, 3000);
}

#[test]
fn variables_that_swap_in_nested_loops_are_copied_in_parallel() {
    let (mut x, mut y) = (3_u32, 5_u32);
    for _ in 0..4 {
        for _ in 0..3 {
            (x, y) = (y, x);
        }
        (x, y) = (y.wrapping_add(x), x);
    }
    let got = check(2, |b| {
        let (first, second) = (b.local(Width::W32), b.local(Width::W32));
        let (three, five) = (b.word(3), b.word(5));
        b.set(first, three);
        b.set(second, five);
        repeat(b, 4, |b| {
            repeat(b, 3, |b| {
                let (x, y) = (b.get(first), b.get(second));
                b.set(first, y);
                b.set(second, x);
            });
            let (x, y) = (b.get(first), b.get(second));
            let sum = op(b, Op::IAdd, y, x);
            b.set(first, sum);
            b.set(second, x);
        });
        let (x, y) = (b.get(first), b.get(second));
        output(b, 0, x);
        output(b, 1, y);
    });
    assert_eq!(got, [Some(x), Some(y)]);
}

#[test]
fn what_no_iteration_set_is_undefined() {
    let got = form(|b| {
        let local = b.local(Width::W32);
        let exit = b.begin_block();
        let again = b.begin_loop();
        let (value, one) = (b.get(local), b.word(1));
        let more = op(b, Op::ULt, value, one);
        b.set(local, one);
        b.begin_if(more);
        b.br(again);
        b.begin_else();
        b.br(exit);
        b.end();
        b.end();
        b.end();
        let value = b.get(local);
        output(b, 0, value);
    });
    assert_eq!(
        got,
        "%0:32 = const 0x1
%1:32 = undef
block @1 {
loop @2(%2:32 = %1) {
%3:1 = u32.lt %2, %0
if @3 %3 {
br @2(%0)
} else {
br @1
}
unreachable
}
unreachable
}
output out0.x %0
return
"
    );
}

#[test]
fn an_early_return_leaves_what_stands_around_it() {
    let got = check(2, |b| {
        let one = b.word(1);
        let zero = b.word(0);
        let truth = op(b, Op::INe, one, zero);
        b.begin_block();
        b.begin_if(truth);
        output(b, 0, one);
        b.ret(&[]);
        b.end_if();
        output(b, 0, zero);
        b.end();
        output(b, 1, one);
    });
    assert_eq!(got, [Some(1), None]);
}

#[test]
fn an_arm_that_does_not_break_falls_through() {
    // case 1: x += 1; case 2: x += 10; break; default: x += 100
    let falls = |selector: u32| {
        check(1, |b| {
            let local = b.local(Width::W32);
            let (on, zero) = (b.word(selector), b.word(0));
            b.set(local, zero);
            let label = b.begin_switch(on);
            for (selectors, is_default, amount) in [(&[1][..], false, 1), (&[2, 3], false, 10), (&[], true, 100)] {
                b.begin_arm(selectors, is_default);
                let (value, amount_value) = (b.get(local), b.word(amount));
                let sum = op(b, Op::IAdd, value, amount_value);
                b.set(local, sum);
                if amount == 10 {
                    b.br(label);
                }
            }
            b.end();
            let value = b.get(local);
            output(b, 0, value);
        })
    };
    assert_eq!([1, 2, 3, 7].map(falls), [11, 10, 10, 100].map(|sum| vec![Some(sum)]));
}

#[test]
fn code_behind_a_break_is_dropped() {
    let got = form(|b| {
        let one = b.word(1);
        let label = b.begin_block();
        b.br(label);
        assert!(!b.is_reachable());
        output(b, 0, one);
        b.begin_loop();
        output(b, 0, one);
        b.end();
        b.ret(&[]);
        b.end();
        assert!(b.is_reachable());
        output(b, 1, one);
    });
    assert_eq!(got, "%0:32 = const 0x1\nblock @1 {\nbr @1\n}\noutput out1.x %0\nreturn\n");
}

#[test]
fn what_is_set_in_a_block_leaves_it_with_the_branch() {
    let got = form(|b| {
        let local = b.local(Width::W32);
        let two = b.word(2);
        b.begin_block();
        let four = op(b, Op::IMul, two, two);
        b.set(local, four);
        b.end();
        let value = b.get(local);
        output(b, 0, value);
    });
    let expected = "%0:32 = const 0x2\nblock @1 -> (%2:32) {\n%1:32 = i32.mul %0, %0\nbr @1(%1)\n}\noutput out0.x %2\nreturn\n";
    assert_eq!(got, expected);
}

#[test]
fn a_constant_stands_once_however_often_it_is_asked_for() {
    let got = form(|b| {
        let (one, again, narrow) = (b.word(1), b.word(1), b.constant(Width::W16, 0xffff_0001));
        assert_eq!(one, again);
        assert_ne!(one, narrow);
        let sum = op(b, Op::IAdd, one, again);
        let narrow = op(b, Op::INe, narrow, narrow);
        let sum = b.value(Op::Select, Attrs::default(), &[narrow, sum, one]);
        output(b, 0, sum);
    });
    let expected = "%0:32 = const 0x1\n%1:16 = const 0x1\n%2:32 = i32.add %0, %0\n%3:1 = i16.ne %1, %1\n\
                    %4:32 = select %3, %2, %0\noutput out0.x %4\nreturn\n";
    assert_eq!(got, expected);
}

#[test]
fn a_loop_carries_only_what_its_iterations_change() {
    let got = form(|b| {
        let (kept, changed) = (b.local(Width::W32), b.local(Width::W32));
        let one = b.word(1);
        b.set(kept, one);
        b.set(changed, one);
        repeat(b, 2, |b| {
            let (kept, value) = (b.get(kept), b.get(changed));
            let sum = op(b, Op::IAdd, kept, value);
            b.set(changed, sum);
        });
        let value = b.get(changed);
        output(b, 0, value);
    });
    assert!(got.contains("loop @2(%3:32 = %0, %4:32 = %1) {"), "{got}");
}

/// Small enough for the stack of any thread, with debug builds in mind.
const STACK: usize = 2 << 20;

#[test]
fn nesting_is_bounded_and_what_is_allowed_fits_a_small_stack() {
    let nested = |depth: usize| {
        let mut b = FunctionBuilder::new("main", &[]);
        let local = b.local(Width::W32);
        for at in 0..depth {
            if at % 2 == 0 {
                b.begin_block()
            } else {
                b.begin_loop()
            };
        }
        let value = b.get(local);
        output(&mut b, 0, value);
        b.ret(&[]);
        (0..depth).for_each(|_| b.end());
        let refusal = b.refusal();
        (program(vec![b.finish()], 1), refusal)
    };
    let all = move || {
        let (program, refusal) = nested(validate::MAX_NESTING);
        assert_eq!(refusal, None);
        validate(&program).expect("a valid program");
        assert_eq!(text::parse(&text::print(&program)), Ok(program.clone()));
        float_made(&program);
        assert_eq!(run(&program), [Some(0)]);
        let (program, refusal) = nested(validate::MAX_NESTING + 1);
        assert_eq!(refusal, Some("constructs are nested too deep"));
        assert!(validate(&program).is_err());
        assert_eq!(nested(200_000).1, Some("constructs are nested too deep"));
    };
    std::thread::Builder::new().stack_size(STACK).spawn(all).expect("a thread").join().expect("no overflow");
}

#[test]
fn branches_times_variables_are_bounded() {
    let mut b = FunctionBuilder::new("main", &[]);
    let locals: Vec<Local> = (0..16_384).map(|_| b.local(Width::W32)).collect();
    let on = b.get(locals[0]);
    // Branches before which nothing changes carry nothing.
    let label = b.begin_switch(on);
    for selector in 0..200_000 {
        b.begin_arm(&[selector], selector == 0);
        b.br(label);
    }
    b.end();
    for _ in 0..100_000 {
        let exit = b.begin_block();
        b.begin_loop();
        b.br(exit);
        b.end();
        b.end();
    }
    assert_eq!(b.refusal(), None);
    let one = b.word(1);
    let condition = op(&mut b, Op::INe, on, one);
    let label = b.begin_block();
    locals.iter().for_each(|local| b.set(*local, one));
    for _ in 0..2_000 {
        b.begin_if(condition);
        b.br(label);
        b.end_if();
    }
    b.end();
    assert_eq!(b.refusal(), Some("a function has too many branches for the variables that change in it"));
    assert!(validate(&program(vec![b.finish()], 0)).is_err());
}
