//! Divergence, merges, loops, switches, calls.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

/// Nested loops with breaks and continues that depend on the lane, against the same code in Rust.
#[test]
fn nested_loops_with_break_and_continue_go_by_lane() {
    let mut k = Kit::new(64);
    let id = k.id();
    let (i, j, sum) = (k.b.local(Width::W32), k.b.local(Width::W32), k.b.local(Width::W32));
    let (zero, one, three, seven) = (k.word(0), k.word(1), k.word(3), k.word(7));
    k.b.set(i, zero);
    k.b.set(sum, zero);
    let outer_end = k.b.begin_block();
    let outer = k.b.begin_loop();
    {
        // if i >= id & 7: break
        let limit = k.op(Op::IAnd, &[id, seven]);
        let now = k.b.get(i);
        let done = k.op(Op::ULe, &[limit, now]);
        k.b.begin_if(done);
        k.b.br(outer_end);
        k.b.end_if();
        let next = k.op(Op::IAdd, &[now, one]);
        k.b.set(i, next);
        // if (i & 3) == (id & 3): continue
        let (a, b) = (k.op(Op::IAnd, &[next, three]), k.op(Op::IAnd, &[id, three]));
        let skip = k.op(Op::IEq, &[a, b]);
        k.b.begin_if(skip);
        k.b.br(outer);
        k.b.end_if();
        k.b.set(j, zero);
        let inner_end = k.b.begin_block();
        k.b.begin_loop();
        {
            let j0 = k.b.get(j);
            let total = k.op(Op::IAdd, &[j0, next]);
            let stop = k.op(Op::ULe, &[seven, total]);
            k.b.begin_if(stop);
            k.b.br(inner_end);
            k.b.end_if();
            let s = k.b.get(sum);
            let s = k.op(Op::IMul, &[s, three]);
            let s = k.op(Op::IAdd, &[s, j0]);
            k.b.set(sum, s);
            // Some lanes leave both loops at once.
            let all = k.op(Op::IAdd, &[total, id]);
            let limit = k.word(60);
            let out = k.op(Op::IEq, &[all, limit]);
            k.b.begin_if(out);
            k.b.br(outer_end);
            k.b.end_if();
            let j1 = k.op(Op::IAdd, &[j0, one]);
            k.b.set(j, j1);
        }
        k.b.end();
        k.b.end();
    }
    k.b.end();
    k.b.end();
    let s = k.b.get(sum);
    k.put(id, 2, 0, s);
    let n = k.b.get(i);
    k.put(id, 2, 1, n);
    let found = results(&k.program(), 2, 256);

    for id in 0..128u32 {
        let (mut i, mut sum) = (0u32, 0u32);
        'outer: loop {
            if i >= id & 7 {
                break;
            }
            i += 1;
            if i & 3 == id & 3 {
                continue;
            }
            let mut j = 0;
            while j + i < 7 {
                sum = sum.wrapping_mul(3).wrapping_add(j);
                if j + i + id == 60 {
                    break 'outer;
                }
                j += 1;
            }
        }
        assert_eq!((found[2 * id as usize], found[2 * id as usize + 1]), (sum, i), "lane {id}");
    }
}

/// a, b = b, a for a number of rounds that depends on the lane.
#[test]
fn loop_values_that_swap_are_copied_all_at_once() {
    let mut k = Kit::new(32);
    let id = k.id();
    let (a, b, c, n) = (k.b.local(Width::W32), k.b.local(Width::W64), k.b.local(Width::W32), k.b.local(Width::W32));
    let d = k.b.local(Width::W64);
    let (ten, twenty, zero) = (k.word(10), k.word(20), k.word(0));
    let (wide1, wide2) = (k.b.constant(Width::W64, 0x1_0000_0002), k.b.constant(Width::W64, 0x3_0000_0004));
    k.b.set(a, ten);
    k.b.set(c, twenty);
    k.b.set(b, wide1);
    k.b.set(d, wide2);
    k.b.set(n, zero);
    let end = k.b.begin_block();
    k.b.begin_loop();
    let now = k.b.get(n);
    let done = k.op(Op::ULe, &[id, now]);
    k.b.begin_if(done);
    k.b.br(end);
    k.b.end_if();
    let (x, y) = (k.b.get(a), k.b.get(c));
    k.b.set(a, y);
    k.b.set(c, x);
    let (x, y) = (k.b.get(b), k.b.get(d));
    k.b.set(b, y);
    k.b.set(d, x);
    let one = k.word(1);
    let next = k.op(Op::IAdd, &[now, one]);
    k.b.set(n, next);
    k.b.end();
    k.b.end();
    let (x, y) = (k.b.get(a), k.b.get(c));
    k.put(id, 4, 0, x);
    k.put(id, 4, 1, y);
    let (x, y) = (k.b.get(b), k.b.get(d));
    let low = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[x]);
    let amount = k.word(32);
    let high = k.op(Op::UShr, &[y, amount]);
    let high = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[high]);
    k.put(id, 4, 2, low);
    k.put(id, 4, 3, high);
    let found = results(&k.program(), 1, 128);
    for id in 0..32usize {
        let expected = if id % 2 == 0 { [10, 20, 2, 3] } else { [20, 10, 4, 1] };
        assert_eq!(found[4 * id..4 * id + 4], expected, "lane {id}");
    }
}

/// Selectors of several values, a default in the middle, fall-through, and an arm that breaks.
#[test]
fn switches_go_by_lane_and_fall_through() {
    let mut k = Kit::new(32);
    let id = k.id();
    let value = k.b.local(Width::W32);
    let hundred = k.word(100);
    k.b.set(value, hundred);
    let selector = k.op(Op::IAdd, &[id, id]);
    let label = k.b.begin_switch(selector);
    let add = |k: &mut Kit, amount: u32| {
        let (now, amount) = (k.b.get(value), k.word(amount));
        let next = k.op(Op::IAdd, &[now, amount]);
        k.b.set(value, next);
    };
    k.b.begin_arm(&[2, 6], false);
    add(&mut k, 1);
    k.b.begin_arm(&[4], true);
    add(&mut k, 10);
    k.b.begin_arm(&[8], false);
    add(&mut k, 1000);
    k.b.br(label);
    k.b.begin_arm(&[10], false);
    add(&mut k, 5000);
    k.b.end();
    let now = k.b.get(value);
    k.put(id, 1, 0, now);
    let found = results(&k.program(), 1, 32);
    for id in 0..32u32 {
        let expected = match 2 * id {
            2 | 6 => 1111,
            8 => 1100,
            10 => 5100,
            _ => 1110,
        };
        assert_eq!(found[id as usize], expected, "lane {id}");
    }
}

/// A function that returns early for some lanes, called in divergent flow.
#[test]
fn calls_return_by_lane() {
    let mut f = FunctionBuilder::new("collatz", &[Width::W32, Width::W32]);
    let x = f.param(Width::W32);
    let (n, steps) = (f.local(Width::W32), f.local(Width::W32));
    let (zero, one, three) = (f.word(0), f.word(1), f.word(3));
    f.set(n, x);
    f.set(steps, zero);
    f.begin_loop();
    let now = f.get(n);
    let count = f.get(steps);
    let stop = f.value(Op::ULe, Attrs::default(), &[now, one]);
    f.begin_if(stop);
    f.ret(&[count, now]);
    f.end_if();
    let bit = f.value(Op::IAnd, Attrs::default(), &[now, one]);
    let odd = f.value(Op::INe, Attrs::default(), &[bit, zero]);
    let half = f.value(Op::UShr, Attrs::default(), &[now, one]);
    let triple = f.value(Op::IMul, Attrs::default(), &[now, three]);
    let triple = f.value(Op::IAdd, Attrs::default(), &[triple, one]);
    let next = f.value(Op::Select, Attrs::default(), &[odd, triple, half]);
    f.set(n, next);
    let more = f.value(Op::IAdd, Attrs::default(), &[count, one]);
    f.set(steps, more);
    f.end();
    let function = f.finish();

    let mut k = Kit::new(64);
    let id = k.id();
    let result = k.b.local(Width::W32);
    let limit = k.word(40);
    let low = k.op(Op::ULt, &[id, limit]);
    k.b.begin_if(low);
    let returned = k.b.emit(Op::Call, Attrs::target(Target::Function(FunctionId(1))), &[id], &[Width::W32, Width::W32]);
    let sum = k.op(Op::IAdd, &[returned[0], returned[1]]);
    k.b.set(result, sum);
    k.b.begin_else();
    k.b.set(result, limit);
    k.b.end();
    let value = k.b.get(result);
    k.put(id, 1, 0, value);
    let found = results(&k.with_functions(vec![function]), 1, 64);
    for id in 0..64u32 {
        let (mut n, mut steps) = (id, 0);
        while n > 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        assert_eq!(found[id as usize], if id < 40 { steps + n } else { 40 }, "lane {id}");
    }
}

/// A value that only some lanes set is an event where it is used, for those that did not.
#[test]
fn use_of_what_was_never_set_is_an_event() {
    let mut k = Kit::new(8);
    let id = k.id();
    let value = k.b.local(Width::W32);
    let three = k.word(3);
    let low = k.op(Op::ULt, &[id, three]);
    k.b.begin_if(low);
    k.b.set(value, id);
    k.b.end_if();
    let v = k.b.get(value);
    let doubled = k.op(Op::IAdd, &[v, v]);
    k.put(id, 1, 0, doubled);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 8));
    let lanes: Vec<u32> = outcome.events.iter().map(|event| event.lane).collect();
    // Two operands of one addition.
    assert_eq!(lanes, [3, 4, 5, 6, 7, 3, 4, 5, 6, 7]);
    assert!(kinds(&outcome).iter().all(|kind| *kind == EventKind::NeverWritten));
    let other = Options { undefined: UndefinedChoice::Seeded(9), ..Options::default() };
    let seeded = Plan::compile(&program).unwrap().run(&case(&program, 1, 8), &other).unwrap();
    let (zero, seeded) = (words(&outcome.resources[0][0]), words(&seeded.resources[0][0]));
    assert_eq!(zero, [0, 2, 4, 0, 0, 0, 0, 0]);
    assert_eq!(seeded[..3], zero[..3]);
    assert!(seeded[3..].iter().all(|word| *word != 0));
}
