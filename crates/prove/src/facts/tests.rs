//! Facts of results are held to results: of every pure operation with every choice, on operands of which all kinds of things are known; and
//! facts of programs to runs of them.

use super::*;
use crate::fixture;
use crate::locate::record::{element, is_active};
use crate::random::Random;
use gpuproof_program::FunctionId;
use gpuproof_program::op::{DetailKind, Slot, TABLE};
use gpuproof_program::{Choice, Denormals, Detail, Division, Field, Norm, Order, Range, Rounding, Rules};
use gpuproof_run::{Observed, Observer, Options, Plan, RowBits};

/// Whether a value is among those of which a fact speaks.
fn holds(fact: Fact, width: Width, bits: u64) -> bool {
    if bits & !fact.may != 0 || bits < fact.lo || bits > fact.hi {
        return false;
    }
    if !matches!(width, Width::W16 | Width::W32 | Width::W64) {
        return true;
    }
    let (value, number) = (float::decoded(width, bits), fact.number);
    let small = value.abs() < float::least(width);
    if value.is_nan() {
        let canonical = [0x7e00, 0x7fc0_0000, 0x7ff8_0000_0000_0000].contains(&bits);
        return number.nan == Nan::Any || number.nan == Nan::Canonical && canonical;
    }
    number.lo <= value
        && value <= number.hi
        && (number.negative_zero || !(small && value.is_sign_negative()))
        && (number.subnormal || !small || value == 0.0)
        && (!number.integral || value.is_infinite() || value.fract() == 0.0)
}

/// Bits of a width, more often such as show something.
fn word(random: &mut Random, width: Width) -> u64 {
    let mask = width.mask();
    let float = |value: f64| match width {
        Width::W64 => value.to_bits(),
        Width::W32 => u64::from((value as f32).to_bits()),
        _ => Pure { op: Op::FConvert, attrs: Attrs::default(), t: Width::W64, u: Width::W16 }.evaluate(&[value.to_bits()])[0],
    };
    let bits = match random.below(8) {
        0 => random.bits(),
        1 => u64::from(random.below(70)),
        2 => mask.wrapping_sub(u64::from(random.below(5))),
        3 => 1 << random.below(64),
        4 => float(f64::from(random.signed()) * [1.0, 8.0, 300.0, 1e9][random.below(4) as usize]),
        5 => float([0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN][random.below(8) as usize]),
        6 => float(f64::from(random.below(9)) - 4.0),
        _ => float(float::least(width) * [0.5, -0.5, 1.0, -1.0, 0.25][random.below(5) as usize]),
    };
    bits & mask
}

/// Something that is known, and a value of it.
fn known(random: &mut Random, width: Width) -> (Fact, u64) {
    loop {
        let (a, b, c) = (word(random, width), word(random, width), word(random, width));
        let constant = |bits| Fact::constant(width, bits);
        let fact = match random.below(5) {
            0 => constant(a),
            1 => constant(a).join(constant(b)),
            2 => Fact::bits(width, random.bits() | a, a.min(b), a.max(b)),
            3 => Fact::float(width, constant(a).number.join(constant(b).number)),
            _ => Fact::any(width),
        };
        let between = |random: &mut Random| {
            let (x, y) = (float::decoded(width, a), float::decoded(width, b));
            let part = x + (y - x) * f64::from(random.unit());
            Pure { op: Op::FConvert, attrs: Attrs::default(), t: Width::W64, u: width }.evaluate(&[part.to_bits()])[0]
        };
        let is_float = matches!(width, Width::W16 | Width::W32 | Width::W64);
        let value = match random.below(4) {
            0 => a,
            1 => c,
            2 if is_float => between(random),
            _ => b & fact.may,
        };
        if holds(fact, width, value) {
            return (fact, value);
        }
    }
}

/// Every setting of the choices of an operation.
fn settings(choices: &[Choice]) -> Vec<Rules> {
    let mut all = vec![Rules::default()];
    for choice in choices {
        let other: fn(Rules) -> Rules = match choice {
            Choice::Denormals => |rules| Rules { denormals: Denormals::Flush, ..rules },
            Choice::Order => |rules| Rules { order: Order::Literal, ..rules },
            Choice::Rounding => |rules| Rules { rounding: Rounding::TowardZero, ..rules },
            Choice::Division => |rules| Rules { division: Division::Identity, ..rules },
            Choice::Range => |rules| Rules { range: Range::ClampToFloat, ..rules },
            Choice::Field => |rules| Rules { field: Field::Clamp, ..rules },
            _ => continue,
        };
        all.extend(all.clone().into_iter().map(other));
    }
    all
}

fn details(kind: DetailKind) -> Vec<Detail> {
    match kind {
        DetailKind::Norm => [true, false].into_iter().map(|signed| Detail::Norm(Norm { bits: 8, signed })).collect(),
        _ => vec![Detail::None],
    }
}

#[test]
fn results_are_among_those_that_facts_speak_of() {
    const TRIALS: usize = 2000;
    let mut random = Random::new(1);
    let mut operations = 0;
    for row in TABLE.iter().filter(|row| row.class == Class::Pure && row.scope == Scope::Lane && row.results.len() == 1) {
        if matches!(row.op, Op::Const | Op::Undef) {
            continue;
        }
        let all = [Width::W1, Width::W8, Width::W16, Width::W32, Width::W64];
        let uses = |slot| row.operands.iter().chain(row.results).any(|used| *used == slot);
        let firsts: &[Width] = if uses(Slot::T) { row.widths } else { &[Width::W32] };
        let seconds: &[Width] = if uses(Slot::U) { &all } else { &[Width::W32] };
        for (&t, &u) in firsts.iter().flat_map(|t| seconds.iter().map(move |u| (t, u))) {
            let fits = match row.op {
                Op::UExtend | Op::SExtend => t.bits() < u.bits(),
                Op::ITruncate => t.bits() > u.bits(),
                Op::FConvert | Op::SToF | Op::UToF => matches!(u, Width::W16 | Width::W32 | Width::W64),
                Op::FToS | Op::FToU => u.bits() >= 8,
                _ => true,
            };
            let of = |slot: &Slot| match slot {
                Slot::T => t,
                Slot::U => u,
                Slot::B => Width::W1,
                Slot::W => Width::W32,
            };
            let width = of(&row.results[0]);
            let from = row.operands.first().map_or(width, of);
            if !fits || !(Pure { op: row.op, attrs: Attrs::default(), t, u }.is_supported()) {
                continue;
            }
            operations += 1;
            for (rules, detail) in settings(row.choices)
                .into_iter()
                .flat_map(|rules| details(row.detail).into_iter().map(move |detail| (rules, detail)))
            {
                let attrs = Attrs { rules, detail, ..Attrs::default() };
                for trial in 0..TRIALS {
                    let mut values: Vec<Value> = (0..row.operands.len() as u32).map(Value).collect();
                    let mut args: Vec<(Fact, u64)> = row.operands.iter().map(|slot| known(&mut random, of(slot))).collect();
                    // One value may stand in two places.
                    if trial % 5 == 0 && args.len() > 1 && of(&row.operands[0]) == of(&row.operands[1]) {
                        (values[1], args[1]) = (values[0], args[0]);
                    }
                    let step = Step { op: row.op, attrs, args: &values, from, width };
                    let (facts, bits): (Vec<Fact>, Vec<u64>) = args.iter().copied().unzip();
                    let (fact, right) = (step.result(&facts), step.evaluate(&bits));
                    assert!(
                        holds(fact, width, right),
                        "{} {t:?} {u:?} {attrs:?}\n{args:#x?}\n{fact:?} {values:?} without {right:#x}",
                        row.name
                    );
                }
            }
        }
    }
    assert!(operations > 200, "{operations}");
}

/// Holds every value that a run makes to what is known of it.
struct Held<'a> {
    program: &'a Program,
    facts: &'a [Vec<Fact>],
    seen: u64,
    wrong: Option<String>,
}

impl Observer for Held<'_> {
    fn wants(&self, _: FunctionId, _: Value) -> bool {
        true
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let (function, value) = (observed.function, observed.value);
        let fact = self.facts[function.index()][value.index()];
        let width = self.program.function(function).width(value);
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        for at in (0..words.len()).filter(|at| is_active(observed.active, *at)) {
            let bits = element(&observed.bits, at);
            self.seen += 1;
            if !holds(fact, width, bits) {
                self.wrong.get_or_insert_with(|| format!("{function:?} {value:?} {width:?}: {bits:#x} is not of {fact:x?}"));
            }
        }
    }
}

#[test]
fn values_of_runs_are_among_those_that_facts_speak_of() {
    for name in fixture::NAMES {
        let (program, _, cases) = fixture::program(name);
        let facts: Vec<Vec<Fact>> = program.functions.iter().map(|function| facts(&program, function)).collect();
        let plan = Plan::compile_for_substitution(&program).expect("a plan");
        let mut held = Held { program: &program, facts: &facts, seen: 0, wrong: None };
        for case in &cases {
            // Loops of some do not end in all cases.
            let options = Options { max_steps: 5_000_000, ..Options::default() };
            let _ = plan.run_observed(case, &options, &mut held);
        }
        assert_eq!(held.wrong, None, "{name}");
        assert!(held.seen > 10_000, "{name}: {}", held.seen);
    }
}
