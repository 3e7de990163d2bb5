//! Cases in which a value is what a mutant has to see: NaN, an infinity, zero. A wish goes from an operation to its operands until it comes to what is
//! read. Running the mutant tells whether it came true and shows.

use super::equivalent::SPREAD;
use super::mutate::{Mutant, Patch};
use super::places::{Known, Place, Places, node, put};
use super::record::MutantKind;
use super::search::Start;
use crate::cases::CaseClass;
use gpuproof_program::*;

/// What a value should be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wish {
    Nan,
    Infinity,
    Bits(u32),
}

/// Words that are put where the program reads them.
type Way = Vec<(Place, u32)>;

/// Ways that are followed at most.
const WAYS: usize = 6;
/// Operations that a wish goes through at most.
const DEPTH: u32 = 24;
/// Values that are looked at for a wish at most.
const FUEL: u32 = 2000;

impl Places<'_> {
    /// Cases like these in which the mutant may give something else. Where `edges` is not set, only finite ones.
    pub(super) fn wished(&self, mutant: &Mutant, starts: &[Start], edges: bool) -> Vec<Start> {
        let known = &self.functions[mutant.function.index()];
        let Some((value, wish)) = known.wish(mutant).filter(|(_, wish)| edges || matches!(wish, Wish::Bits(_))) else {
            return Vec::new();
        };
        self.fuel.set(FUEL);
        let ways = self.ways(known, value, wish, DEPTH);
        // What else is read is best finite, so that it hides nothing.
        let finite = starts.iter().filter(|start| start.class == CaseClass::Finite);
        finite.flat_map(|start| ways.iter().filter_map(|way| self.put(start, way, wish))).collect()
    }

    fn put(&self, start: &Start, way: &Way, wish: Wish) -> Option<Start> {
        let mut next = start.clone();
        for (place, word) in way {
            put(&mut next.case, *place, *word)?;
        }
        if !matches!(wish, Wish::Bits(_)) {
            next.class = CaseClass::Edge;
        }
        Some(next)
    }

    /// Ways to make a wish come true.
    fn ways(&self, known: &Known<'_>, value: Value, wish: Wish, depth: u32) -> Vec<Way> {
        let fuel = self.fuel.get();
        if depth == 0 || fuel == 0 || known.function.width(value) != Width::W32 {
            return Vec::new();
        }
        self.fuel.set(fuel - 1);
        let Some(&(made, result)) = known.made.get(&value) else {
            return self.any(known, &known.incoming[value.index()], wish, depth);
        };
        let args = &made.args[..];
        if let Some(place) = self.place(known, made, result) {
            return vec![vec![(place, wish.word())]];
        }
        match (made.op, made.attrs.target) {
            (Op::Const, Target::Bits(bits)) if wish.holds(bits as u32) => vec![Way::new()],
            (Op::Select, _) => self.any(known, &args[1..3], wish, depth),
            _ => self.through(known, made, wish, depth),
        }
    }

    /// Ways through an operation.
    fn through(&self, known: &Known<'_>, made: &Instruction, wish: Wish, depth: u32) -> Vec<Way> {
        let args = &made.args[..];
        let literal = made.attrs.rules.order == Order::Literal;
        let one = |at: usize, wish: Wish| self.ways(known, args[at], wish, depth - 1);
        let constant = |at: usize| args.get(at).and_then(|arg| known.constant(*arg));
        match (made.op, wish) {
            (Op::FMin | Op::FMax, Wish::Nan) if !literal => self.all(known, args, wish, depth),
            (Op::FMin | Op::FMax | Op::FNeg | Op::FAbs, Wish::Nan) => one(0, wish),
            (op, Wish::Nan) if SPREAD.contains(&op) => self.any(known, args, wish, depth),
            (Op::FAdd | Op::FSub | Op::FMul | Op::FMad | Op::FDiv | Op::FMax | Op::FAbs, Wish::Infinity) => {
                self.any(known, args, wish, depth)
            }
            (Op::FFloor | Op::FCeil | Op::FRound | Op::FTrunc | Op::FSqrt | Op::FExp2 | Op::FExp, Wish::Infinity) => one(0, wish),
            (Op::IAnd | Op::IMul | Op::UMin, Wish::Bits(0)) => self.any(known, args, wish, depth),
            (Op::IAnd, Wish::Bits(bits)) => match (constant(0), constant(1)) {
                (Some(mask), _) if bits & !mask == 0 => one(1, wish),
                (_, Some(mask)) if bits & !mask == 0 => one(0, wish),
                _ => Vec::new(),
            },
            (Op::IAdd, Wish::Bits(bits)) => match (constant(0), constant(1)) {
                (Some(term), _) => one(1, Wish::Bits(bits.wrapping_sub(term))),
                (_, Some(term)) => one(0, Wish::Bits(bits.wrapping_sub(term))),
                _ if bits == 0 => self.all(known, args, wish, depth),
                _ => Vec::new(),
            },
            (Op::ISub, Wish::Bits(bits)) => match (constant(0), constant(1)) {
                (Some(term), _) => one(1, Wish::Bits(term.wrapping_sub(bits))),
                (_, Some(term)) => one(0, Wish::Bits(bits.wrapping_add(term))),
                _ if bits == 0 => self.all(known, args, wish, depth),
                _ => Vec::new(),
            },
            (Op::IOr | Op::IXor, Wish::Bits(0)) | (Op::SMin | Op::SMax | Op::UMin | Op::UMax, Wish::Bits(_)) => {
                self.all(known, args, wish, depth)
            }
            (Op::IShl, Wish::Bits(bits)) => match constant(1).map(|count| count & 31) {
                Some(count) if bits >> count << count == bits => one(0, Wish::Bits(bits >> count)),
                _ => Vec::new(),
            },
            (Op::UShr, Wish::Bits(bits)) => match constant(1).map(|count| count & 31) {
                Some(count) if bits << count >> count == bits => one(0, Wish::Bits(bits << count)),
                _ => Vec::new(),
            },
            // Whole numbers of 24 bits are floats.
            (Op::FToS | Op::FToU, Wish::Bits(bits @ 0..=0x00ff_ffff)) => one(0, Wish::Bits((bits as f32).to_bits())),
            _ => Vec::new(),
        }
    }

    /// One of these values as wished.
    fn any(&self, known: &Known<'_>, values: &[Value], wish: Wish, depth: u32) -> Vec<Way> {
        let mut found: Vec<Way> = Vec::new();
        for value in values {
            if found.len() >= WAYS {
                break;
            }
            for way in self.ways(known, *value, wish, depth - 1) {
                if !found.contains(&way) {
                    found.push(way);
                }
            }
        }
        found
    }

    /// All of these values as wished.
    fn all(&self, known: &Known<'_>, values: &[Value], wish: Wish, depth: u32) -> Vec<Way> {
        let mut found = vec![Way::new()];
        for value in values {
            let more = self.ways(known, *value, wish, depth - 1);
            let pairs = found.iter().flat_map(|way| more.iter().filter_map(|other| joined(way, other)));
            found = pairs.take(WAYS).collect();
        }
        found
    }
}

/// Both ways together; none where one place would have two words.
fn joined(way: &Way, other: &Way) -> Option<Way> {
    let clash = |(place, word): &(Place, u32)| way.iter().any(|known| known.0 == *place && known.1 != *word);
    (!other.iter().any(clash)).then(|| way.iter().chain(other.iter().filter(|put| !way.contains(put))).copied().collect())
}

impl Wish {
    fn word(self) -> u32 {
        match self {
            Wish::Nan => 0x7fc0_0000,
            Wish::Infinity => 0x7f80_0000,
            Wish::Bits(bits) => bits,
        }
    }

    fn holds(self, bits: u32) -> bool {
        match self {
            Wish::Nan => f32::from_bits(bits).is_nan(),
            other => bits == other.word(),
        }
    }
}

impl Known<'_> {
    /// What makes a mutant that breaks a rule differ.
    fn wish(&self, mutant: &Mutant) -> Option<(Value, Wish)> {
        if mutant.kind != MutantKind::Rule || !matches!(mutant.patch, Patch::Nodes(..)) {
            return None;
        }
        let Node::Op(instruction) = node(self.function, mutant.node)? else { return None };
        let args = &instruction.args;
        match instruction.op {
            Op::FMin | Op::FMax => Some((args[0], Wish::Nan)),
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => Some((args[1], Wish::Bits(0))),
            Op::FToS | Op::FToU => Some((args[0], Wish::Infinity)),
            _ => None,
        }
    }
}
