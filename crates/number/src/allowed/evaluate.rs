//! From facts and operands to a set.

use super::bound::{by_absolute, by_relative, by_ulp, image};
use super::canonical;
use super::{Bound, Domain, Flushing, Format, Function, Interval, Operation, Row, Set, Specification, Type};
use crate::rules::Rounding;

const FINITE: &str = "an infinity, NaN or overflow, which WGSL's finite math assumption leaves open (15.7.2)";
const FINITE_VULKAN: &str =
    "an infinity, NaN or overflow, of which Vulkan promises nothing (Precision and Operation of SPIR-V Instructions)";
const OUT_OF_RANGE: &str = "a float that the integer type does not hold (OpConvertFToU, OpConvertFToS)";
const REFACTORED: &str = "an infinity or NaN in an operation that may be refactored (22.3.2)";
const OUTSIDE: &str = "an operand outside the function's domain (15.7.7)";
const NO_FACT: &str = "no fact about it";

/// A set that is one interval, or why nothing is promised.
type Part = Result<Interval, &'static str>;

/// The set for operands that are points if `bits` has their patterns, else its enclosure.
pub(super) fn evaluate(operation: &Operation, operands: &[Interval], bits: Option<&[u64]>) -> Set {
    let mut set = Set { result: operation.result, parts: Vec::new(), unbounded: None, sections: Vec::new() };
    if operands.len() != operation.function.arity() {
        set.leave_open(NO_FACT, Interval::EVERYTHING);
        return set;
    }
    let evaluation = Evaluation { operation, format: operation.format(), bits };
    for combination in evaluation.alternatives(operands) {
        evaluation.combine(&combination, &mut set);
    }
    set
}

struct Evaluation<'a> {
    operation: &'a Operation,
    format: Format,
    bits: Option<&'a [u64]>,
}

impl Set {
    fn add(&mut self, part: Interval) {
        if !part.is_empty() && !self.parts.contains(&part) {
            self.parts.push(part);
        }
    }

    fn leave_open(&mut self, reason: &'static str, within: Interval) {
        self.unbounded = Some(reason);
        // A truth value is one whatever decides it.
        self.add(if self.result == Type::Truth { within.within(0.0, 1.0) } else { within });
    }

    fn cite(&mut self, section: &'static str) {
        if !section.is_empty() && !self.sections.contains(&section) {
            self.sections.push(section);
        }
    }
}

impl Evaluation<'_> {
    /// Whether the specification speaks of finite numbers alone, and of zeros without their signs.
    fn is_of_numbers(&self) -> bool {
        matches!(self.operation.permission.specification, Specification::Wgsl | Specification::Vulkan)
    }

    fn finite(&self) -> &'static str {
        if self.operation.permission.specification == Specification::Vulkan { FINITE_VULKAN } else { FINITE }
    }

    fn flushing(&self) -> Flushing {
        self.operation.permission.flushing
    }

    fn may_refactor(&self) -> bool {
        !self.is_of_numbers() && self.operation.permission.refactor && self.operation.function.is_refactorable()
    }

    /// The operands as flushing may change them, in every combination (one combination of hulls where there are many).
    fn alternatives(&self, operands: &[Interval]) -> Vec<Vec<Interval>> {
        let mut combinations = vec![Vec::new()];
        let denormals = operands.iter().filter(|operand| self.has_denormal(operand)).count();
        for (at, operand) in operands.iter().enumerate() {
            let Type::Float(format) = self.operation.operand_type(at) else {
                combinations.iter_mut().for_each(|combination| combination.push(*operand));
                continue;
            };
            // Of several denormals, and of sets, the hull.
            let choices = match self.flushing() {
                _ if !has_denormal(format, operand) => vec![*operand],
                Flushing::Never => vec![*operand],
                Flushing::Always if self.is_literal() => vec![*operand],
                Flushing::Always => vec![hull(&flushed(format, *operand))],
                Flushing::Optional if self.bits.is_none() || denormals > 3 => {
                    vec![operand.hull(hull(&flushed(format, *operand)))]
                }
                Flushing::Optional => vec![*operand, hull(&flushed(format, *operand))],
            };
            let choices: Vec<Interval> = choices.into_iter().map(|choice| self.unsigned_zero(choice)).collect();
            combinations = combinations
                .into_iter()
                .flat_map(|combination| {
                    choices.iter().map(move |choice| combination.iter().copied().chain([*choice]).collect::<Vec<_>>())
                })
                .collect();
        }
        combinations
    }

    fn has_denormal(&self, operand: &Interval) -> bool {
        matches!(self.operation.operand, Type::Float(format) if has_denormal(format, operand))
    }

    /// Whether operands pass as they are: minimum and maximum flush for the comparison alone, and some operations are on bits.
    fn is_literal(&self) -> bool {
        matches!(self.operation.function, Function::Min | Function::Max | Function::Abs | Function::Neg)
    }

    /// Where zeros have no sign that counts, both for either.
    fn unsigned_zero(&self, set: Interval) -> Interval {
        if self.is_of_numbers() && set.has_zero() { Interval { negative_zero: true, positive_zero: true, ..set } } else { set }
    }

    fn combine(&self, operands: &[Interval], set: &mut Set) {
        let open = operands.iter().any(|operand| !operand.is_finite());
        if self.is_of_numbers() && open {
            return set.leave_open(self.finite(), Interval::EVERYTHING);
        }
        if open && self.may_refactor() {
            return set.leave_open(REFACTORED, Interval::EVERYTHING);
        }
        if !self.is_of_numbers()
            && self.is_special(operands)
            && let Some(value) = self.canonical()
        {
            self.operation.rows().for_each(|row| set.cite(row.section));
            if !value.is_finite() && self.may_refactor() {
                return set.leave_open(REFACTORED, Interval::EVERYTHING);
            }
            return set.add(value);
        }
        let mut remaining = vec![operands.to_vec()];
        for row in self.operation.rows() {
            for operands in core::mem::take(&mut remaining) {
                let Some(inside) = cut(row.domain, operands, &mut remaining) else { continue };
                set.cite(row.section);
                let within = match row.bound {
                    // Of infinities sine and cosine are NaN.
                    Bound::UnboundedInUnit(_) => {
                        Interval::new(-1.0, 1.0).or_nan(inside.iter().any(|operand| !operand.is_finite()))
                    }
                    _ => Interval::EVERYTHING,
                };
                match self.bounded(row, &inside) {
                    Ok(parts) => parts.into_iter().for_each(|part| self.finish(part, set)),
                    Err(reason) => set.leave_open(reason, within),
                }
            }
        }
        if !remaining.is_empty() {
            set.leave_open(NO_FACT, Interval::EVERYTHING);
        }
    }

    /// Whether a specification's table gives these points one result whatever the bound.
    fn is_special(&self, operands: &[Interval]) -> bool {
        if operands.iter().any(|operand| !operand.is_finite()) {
            return !matches!(self.operation.function, Function::Min | Function::Max | Function::Saturate);
        }
        let zero = |at: usize| operands.get(at).is_some_and(Interval::has_zero);
        let negative = operands.first().is_some_and(|operand| operand.low < 0.0);
        match self.operation.function {
            Function::Div => {
                zero(0) || zero(1) || operands.get(1).is_some_and(|divisor| divisor.magnitude() == 1.0 && divisor.is_point())
            }
            Function::Sqrt | Function::Rsqrt | Function::Log2 | Function::Log => zero(0) || negative,
            Function::Rcp | Function::Exp2 | Function::Exp | Function::Sin | Function::Cos => zero(0),
            _ => false,
        }
    }

    /// The results that a row's bound allows over operands in its domain, before flushing.
    fn bounded(&self, row: &Row, operands: &[Interval]) -> Result<Vec<Interval>, &'static str> {
        match row.bound {
            Bound::TwoStep(ulps) => Ok(self.two_step(operands, ulps)),
            Bound::Serial => Ok(self.serial(operands)),
            Bound::Exact if matches!(self.operation.function, Function::Min | Function::Max) => Ok(self.extreme(operands)),
            _ if self.operation.function == Function::Ldexp => {
                let part = self.bounded_by_one(row, operands)?;
                // WGSL 17.5: may be 0 where the exponent's bias does not lift the power above 0.
                let bias = if self.format == Format::F16 { 15.0 } else { 127.0 };
                let zero = if operands[1].low + bias <= 0.0 { Interval::ZEROS } else { Interval::EMPTY };
                Ok(vec![part, zero])
            }
            _ => self.bounded_by_one(row, operands).map(|part| vec![part]),
        }
    }

    fn bounded_by_one(&self, row: &Row, operands: &[Interval]) -> Part {
        let function = self.operation.function;
        match function {
            Function::Equal | Function::NotEqual | Function::Less | Function::LessEqual => {
                return Ok(compared(function, operands));
            }
            Function::ToInteger if self.operation.permission.specification == Specification::Vulkan => {
                let (low, high) = self.operation.result.range();
                let whole = operands[0].map(f64::trunc);
                let holds = !operands[0].nan && whole.low >= low && whole.high <= high;
                return if holds { Ok(self.to_integer(operands[0])) } else { Err(OUT_OF_RANGE) };
            }
            Function::ToInteger => return Ok(self.to_integer(operands[0])),
            Function::FrexpFraction | Function::FrexpExponent if row.bound == Bound::Exact => {
                return Ok(frexp(function, operands[0]));
            }
            Function::ToNormalized => return Ok(self.to_normalized(row.bound, operands[0])),
            _ => {}
        }
        if let Bound::Unbounded(reason) | Bound::UnboundedInUnit(reason) = row.bound {
            return Err(reason);
        }
        let exact = if function == Function::FromNormalized {
            self.normalized_value(operands[0])
        } else {
            image(function, operands).ok_or(NO_FACT)?
        };
        if self.is_of_numbers() && exact.nan {
            return Err(OUTSIDE);
        }
        let format = self.format;
        let nearest = || format.round_all(exact, Rounding::NearestEven);
        // The nearest value always belongs; a bound of less than half a unit cannot exclude it.
        let values = |set: Interval| format.inside(set).hull(nearest());
        Ok(match row.bound {
            Bound::Exact => exact,
            Bound::Nearest => self.nearest(exact),
            Bound::Faithful if self.operation.permission.directed => format.round_all(exact, self.operation.permission.rounding),
            Bound::Faithful => format.faithful(exact),
            Bound::Directed => format.round_all(exact, self.operation.permission.rounding),
            Bound::Ulp { base, slope } => {
                // 0 times an infinite operand is not 0.
                let growth = if slope == 0.0 { 0.0 } else { slope * operands[0].magnitude() };
                values(by_ulp(format, exact, base + growth))
            }
            Bound::Relative(error) => values(by_relative(exact, error)),
            Bound::Absolute(error) => values(by_absolute(exact, error)),
            Bound::AbsoluteInUnit(error) => values(by_absolute(exact, error).within(-1.0, 1.0)),
            Bound::Parts => self.parts(operands)?,
            Bound::Inherited(_) => self.inherited(operands)?,
            Bound::AbsoluteOrInherited(error, _) => values(by_absolute(exact, error)).hull(self.inherited(operands)?),
            Bound::TwoStep(_) | Bound::Serial | Bound::Integer(_) | Bound::Unbounded(_) | Bound::UnboundedInUnit(_) => {
                return Err(NO_FACT);
            }
        })
    }

    fn canonical(&self) -> Option<Interval> {
        let value = canonical::value(self.operation, self.bits?)?;
        Some(Interval::point(value))
    }

    /// Minimum and maximum: of two zeros, of two signs or flushed, either comes back, flushed or not.
    fn extreme(&self, operands: &[Interval]) -> Vec<Interval> {
        let function = self.operation.function;
        let mut parts: Vec<Interval> = image(function, operands).into_iter().collect();
        if operands.iter().any(|operand| self.has_denormal(operand)) {
            let flat: Vec<Interval> = operands.iter().map(|operand| hull(&flushed(self.format, *operand))).collect();
            parts.extend(image(function, &flat));
            if flat.iter().all(|operand| operand.low <= 0.0 && operand.high >= 0.0) {
                let least = self.format.min_normal();
                parts.extend(operands.iter().map(|operand| operand.within(-least, least)));
                parts.push(Interval::ZEROS);
            }
        }
        parts
    }

    fn nearest(&self, exact: Interval) -> Interval {
        let rounded = self.canonical().unwrap_or_else(|| self.format.round_all(exact, Rounding::NearestEven));
        if self.operation.function == Function::Fract && rounded.high == 1.0 {
            // The section's table keeps out the 1 that the subtraction rounds to.
            let below = self.format.round(1f64.next_down(), Rounding::Down);
            return rounded.hull(Interval::point(below));
        }
        rounded
    }

    /// a / b, or a times a value of the format near 1 / b, rounded; that value may be flushed.
    fn two_step(&self, operands: &[Interval], ulps: f64) -> Vec<Interval> {
        let (a, b) = (operands[0], operands[1]);
        if b.is_point() && b.magnitude() == 1.0 {
            // The section's table: x / 1 is x.
            return vec![a * b];
        }
        let times = |reciprocal: Interval| self.format.round_all(a * reciprocal, Rounding::NearestEven);
        let direct = self.nearest(a / b);
        let reciprocal = Interval::point(1.0) / b;
        let near = self.format.inside(by_ulp(self.format, reciprocal, ulps)).or_nan(reciprocal.nan);
        if self.flushing() == Flushing::Never || !has_denormal(self.format, &near) {
            return vec![times(near).hull(direct)];
        }
        flushed(self.format, near).into_iter().map(times).chain([direct]).collect()
    }

    /// No farther from the exact sum than the worst order of single steps.
    fn serial(&self, operands: &[Interval]) -> Vec<Interval> {
        let exact = image(self.operation.function, operands).unwrap_or(Interval::EVERYTHING);
        let (left, right) = products_of(self.operation.function, operands);
        let addend = (self.operation.function == Function::Mad).then(|| operands[2]);
        let rounded = self.format.round_all(exact, Rounding::NearestEven);
        let Some(canonical) = self.canonical() else {
            let error = self.worst_error(left, right, addend);
            return if error.is_finite() {
                vec![self.format.inside(by_absolute(exact, error)).hull(rounded)]
            } else {
                vec![Interval::EVERYTHING]
            };
        };
        let products = left.iter().zip(right).map(|(a, b)| canonical::step(self.operation, Function::Mul, a.low, b.low));
        let terms: Vec<f64> = products.chain(addend.map(|c| c.low)).collect();
        let mut sums = Vec::new();
        self.visit_orders(&terms, &mut Vec::new(), 0.0, &mut |sum| sums.push(sum));
        if sums.iter().any(|sum| !sum.is_finite()) {
            // A step that overflows gives what it gives in that order, or is kept in more bits.
            return sums.into_iter().map(Interval::point).chain([rounded]).collect();
        }
        let distance = |sum: &f64| (sum - exact.low).abs().max((sum - exact.high).abs());
        let worst = sums.iter().map(distance).fold(0.0, f64::max);
        let allowed = if worst == 0.0 { exact } else { by_absolute(exact, worst) };
        vec![self.format.inside(allowed).hull(canonical)]
    }

    /// Calls `visit` with the canonical sum of the terms in every serial order.
    fn visit_orders(&self, terms: &[f64], taken: &mut Vec<usize>, sum: f64, visit: &mut dyn FnMut(f64)) {
        if taken.len() == terms.len() {
            return visit(sum);
        }
        for (at, term) in terms.iter().enumerate() {
            if taken.contains(&at) {
                continue;
            }
            let next = if taken.is_empty() { *term } else { canonical::step(self.operation, Function::Add, sum, *term) };
            taken.push(at);
            self.visit_orders(terms, taken, next, visit);
            taken.pop();
        }
    }

    /// What the roundings and flushings of all steps come to at most.
    fn worst_error(&self, left: &[Interval], right: &[Interval], addend: Option<Interval>) -> f64 {
        let flush = if self.flushing() == Flushing::Never { 0.0 } else { self.format.min_normal() };
        let (mut total, mut error, mut steps) = (0.0, 0.0, 0.0);
        for magnitude in left.iter().zip(right).map(|(a, b)| a.magnitude() * b.magnitude()) {
            total += magnitude;
            error += self.format.ulp_above(magnitude) / 2.0 + flush;
            steps += 1.0;
        }
        if let Some(c) = addend {
            total += c.magnitude();
            steps += 1.0;
        }
        // Partial sums are no larger than the sum of the magnitudes and their errors.
        let partial = (total + error) * (1.0 + 4.0 * steps * self.format.ulp_above(1.0));
        let error = error + (steps - 1.0) * (self.format.ulp_above(partial) / 2.0 + flush);
        if partial < self.format.max() { error * (1.0 + 1e-9) } else { f64::INFINITY }
    }

    /// Every order of single steps, each with its own set; fusing stays among them.
    fn parts(&self, operands: &[Interval]) -> Part {
        let step = |function: Function, a: Interval, b: Interval| {
            self.operation.part(function).enclose(&[a, b]).bounded().ok_or(self.finite())
        };
        let (left, right) = products_of(self.operation.function, operands);
        let mut terms = Vec::new();
        for (a, b) in left.iter().zip(right) {
            terms.push(step(Function::Mul, *a, *b)?);
        }
        if matches!(self.operation.function, Function::Mad | Function::Fma) {
            terms.push(operands[2]);
        }
        sums(&terms, &|a, b| step(Function::Add, a, b))
    }

    fn inherited(&self, operands: &[Interval]) -> Part {
        let step =
            |function: Function, operands: &[Interval]| self.operation.part(function).enclose(operands).bounded().ok_or(OUTSIDE);
        let a = operands[0];
        let one = Interval::point(1.0);
        match self.operation.function {
            Function::Sqrt => step(Function::Div, &[one, step(Function::Rsqrt, &[a])?]),
            Function::Rcp => step(Function::Div, &[one, a]),
            _ => {
                let square = step(Function::Mul, &[a, a])?.hull(a * a).within(0.0, f64::INFINITY);
                let root = step(Function::Sqrt, &[step(Function::Sub, &[one, square])?.within(0.0, f64::INFINITY)])?;
                if self.operation.function == Function::Asin {
                    step(Function::Atan2, &[a, root])
                } else {
                    step(Function::Atan2, &[root, a])
                }
            }
        }
    }

    fn to_integer(&self, a: Interval) -> Interval {
        let (low, high) = self.operation.result.range();
        let (low, high) = if self.is_of_numbers() {
            (self.format.round(low, Rounding::TowardZero), self.format.round(high, Rounding::TowardZero))
        } else {
            (low, high)
        };
        let zero = if a.nan { Interval::ZEROS } else { Interval::EMPTY };
        Interval { nan: false, ..a }.map(|x| x.trunc().clamp(low, high)).hull(zero)
    }

    /// The least number of a normalised format (0 or -1) and its scale.
    fn normalized(&self, integer: Type) -> (f64, f64) {
        match integer {
            Type::Signed(bits) => (-1.0, Type::Signed(bits).range().1),
            other => (0.0, other.range().1),
        }
    }

    fn to_normalized(&self, bound: Bound, a: Interval) -> Interval {
        let (least, scale) = self.normalized(self.operation.result);
        let zero = if a.nan { Interval::ZEROS } else { Interval::EMPTY };
        let scaled = Interval { nan: false, ..a }.map(|x| x.clamp(least, 1.0)) * Interval::point(scale);
        if scaled.has_no_number() {
            return zero;
        }
        let near = match bound {
            Bound::Integer(tolerance) => by_absolute(scaled, tolerance).map_ends(f64::ceil, f64::floor),
            _ => self.format.faithful(scaled + Interval::point(0.5)).map_ends(f64::floor, f64::floor),
        };
        near.within(least * scale, scale).hull(zero)
    }

    fn normalized_value(&self, a: Interval) -> Interval {
        let (least, scale) = self.normalized(self.operation.operand);
        a.map(|x| x.max(least * scale)) / Interval::point(scale)
    }

    /// Flushes results and looks for what is not finite.
    fn finish(&self, part: Interval, set: &mut Set) {
        let Type::Float(format) = self.operation.result else {
            return set.add(part);
        };
        let overflows = part.nan || part.magnitude() > format.max();
        if overflows && self.is_of_numbers() {
            return set.leave_open(self.finite(), Interval::EVERYTHING);
        }
        if overflows && self.may_refactor() {
            return set.leave_open(REFACTORED, Interval::EVERYTHING);
        }
        let part = self.unsigned_zero(self.signed_zero(part));
        let converts_double = self.operation.function == Function::Convert && self.operation.operand != Type::Float(Format::F16);
        match self.flushing() {
            _ if !has_denormal(format, &part) => set.add(part),
            Flushing::Never => set.add(part),
            Flushing::Always if self.is_literal() || converts_double => {
                set.add(part);
                flushed(format, part).into_iter().for_each(|piece| set.add(piece));
            }
            Flushing::Always => flushed(format, part).into_iter().for_each(|piece| set.add(piece)),
            Flushing::Optional => {
                set.add(part);
                set.add(Interval::ZEROS);
            }
        }
    }

    /// Of a zero among the results of points, the sign that the canonical result has where it is fixed.
    fn signed_zero(&self, part: Interval) -> Interval {
        let Some(canonical) = self.canonical() else { return part };
        if self.is_of_numbers()
            || canonical.nan
            || self.is_literal()
            || self.operation.function == Function::Saturate
            || !part.has_zero()
        {
            return part;
        }
        // A range on both sides of 0 has both.
        let both = part.low < 0.0 && part.high > 0.0;
        let negative = canonical.low.is_sign_negative();
        Interval { negative_zero: both || negative, positive_zero: both || !negative, ..part }
    }
}

impl Interval {
    /// Each end mapped by its own function.
    fn map_ends(self, low: impl Fn(f64) -> f64, high: impl Fn(f64) -> f64) -> Interval {
        Interval::new(low(self.low), high(self.high))
    }
}

/// The factors of the products of a function.
fn products_of(function: Function, operands: &[Interval]) -> (&[Interval], &[Interval]) {
    if matches!(function, Function::Mad | Function::Fma) {
        (&operands[..1], &operands[1..2])
    } else {
        operands.split_at(operands.len() / 2)
    }
}

/// The hull of the sums of all terms over every way to bracket and order them.
///
/// Terms are combined by subsets: a sum's ends follow the ends of its two parts, which share no term, so hulls of parts lose nothing.
fn sums(terms: &[Interval], add: &dyn Fn(Interval, Interval) -> Part) -> Part {
    let all = (1usize << terms.len()) - 1;
    let mut sums = vec![Interval::EMPTY; all + 1];
    for subset in 1..=all {
        if subset.is_power_of_two() {
            sums[subset] = terms[subset.trailing_zeros() as usize];
            continue;
        }
        // Each split into two parts once: the first has the subset's lowest term.
        let mut part = (subset - 1) & subset;
        while part > 0 {
            if part & subset & subset.wrapping_neg() != 0 {
                sums[subset] = sums[subset].hull(add(sums[part], sums[subset ^ part])?);
            }
            part = (part - 1) & subset;
        }
    }
    Ok(sums[all])
}

/// The operands' part in a domain; what lies outside goes to `outside`.
fn cut(domain: Domain, operands: Vec<Interval>, outside: &mut Vec<Vec<Interval>>) -> Option<Vec<Interval>> {
    match domain {
        Domain::All => Some(operands),
        Domain::Magnitude(ranges) => {
            let holds = ranges.iter().all(|(at, low, high)| {
                operands
                    .get(*at)
                    .is_some_and(|operand| operand.mignitude() >= *low && operand.magnitude() <= *high && !operand.nan)
            });
            if !holds {
                outside.push(operands);
                return None;
            }
            Some(operands)
        }
        Domain::Range(at, low, high) => {
            let operand = *operands.get(at)?;
            let piece = |part: Interval| {
                let mut piece = operands.clone();
                piece[at] = part;
                piece
            };
            let inside = operand.within(low, high);
            if operand.low < low || operand.has_no_number() || operand.nan {
                let below = operand.within(f64::NEG_INFINITY, low).or_nan(operand.nan);
                outside.push(piece(below));
            }
            if operand.high > high {
                outside.push(piece(operand.within(high, f64::INFINITY)));
            }
            (!inside.has_no_number()).then(|| piece(inside))
        }
    }
}

fn compared(function: Function, operands: &[Interval]) -> Interval {
    let (a, b) = (operands[0], operands[1]);
    let empty = a.has_no_number() || b.has_no_number();
    let unordered = a.nan || b.nan;
    let (mut yes, mut no) = match function {
        Function::Less => (a.low < b.high, a.high >= b.low),
        Function::LessEqual => (a.low <= b.high, a.high > b.low),
        _ => (a.low <= b.high && b.low <= a.high, !(a.low == a.high && b.low == b.high && a.low == b.low)),
    };
    yes &= !empty;
    no = no && !empty || unordered;
    if function == Function::NotEqual {
        core::mem::swap(&mut yes, &mut no);
    }
    match (yes, no) {
        (true, false) => Interval::point(1.0),
        (false, true) => Interval::point(0.0),
        _ => Interval::new(0.0, 1.0),
    }
}

fn frexp(function: Function, a: Interval) -> Interval {
    let split = |x: f64| {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1022;
        (x / 2f64.powi(exponent), exponent)
    };
    if a.low == 0.0 && a.high == 0.0 {
        return if function == Function::FrexpFraction { a } else { Interval::point(0.0) };
    }
    if function == Function::FrexpExponent {
        return Interval::new(split(a.mignitude()).1.into(), split(a.magnitude()).1.into());
    }
    let (low, high) = (split(a.low), split(a.high));
    if low.1 == high.1 && (a.low > 0.0 || a.high < 0.0) {
        return Interval::new(low.0, high.0);
    }
    let unit = if a.low > 0.0 {
        (0.5, 1.0)
    } else if a.high < 0.0 {
        (-1.0, -0.5)
    } else {
        (-1.0, 1.0)
    };
    Interval::new(unit.0, unit.1)
}

fn has_denormal(format: Format, set: &Interval) -> bool {
    let least = format.min_normal();
    !set.has_no_number() && set.low < least && set.high > -least && !(set.low == 0.0 && set.high == 0.0)
}

/// The set with denormals made zeros of their sign: what is normal below 0, zeros, what is normal above 0.
fn flushed(format: Format, set: Interval) -> Vec<Interval> {
    let least = format.min_normal();
    let zero = Interval {
        low: 0.0,
        high: 0.0,
        negative_zero: set.low < 0.0 || set.has_zero() && set.negative_zero,
        positive_zero: set.high > 0.0 || set.has_zero() && set.positive_zero,
        nan: set.nan,
    };
    let normal = |low: f64, high: f64| set.within(low, high);
    [normal(f64::NEG_INFINITY, -least), zero, normal(least, f64::INFINITY)]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn hull(parts: &[Interval]) -> Interval {
    parts.iter().fold(Interval::EMPTY, |hull, part| hull.hull(*part))
}
