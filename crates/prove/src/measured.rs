//! Results that operations really gave on some machine, put in as the original runs: do they alone account for what that machine computed?

use crate::bind::output_names;
use crate::explain::Makers;
use crate::locate::graph::{Graph, Maker, Point};
use crate::locate::record::{element, is_active};
use gpuproof_number::Rounding;
use gpuproof_number::allowed::{Set, Type};
use gpuproof_program::{FunctionId, Op, Program, Value, permission};
use gpuproof_read::dxbc::opcode::{Info, TABLE};
use gpuproof_run::{Case, Observed, Observer, Options, Outcome, Plan, RowBits, RunError};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// A result that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredResult {
    /// The operation.
    pub op: Op,
    /// The number of the only instruction or line that it holds for; all where there is none.
    pub line: Option<u32>,
    /// The bits of its operands.
    pub operands: Vec<u64>,
    /// The bits of its first result.
    pub result: u64,
}

/// What a register held on some machine after an instruction of a binary, on the lanes of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredRegister {
    /// The register: `r3`, `o0`.
    pub register: String,
    /// Its component, 0 for x to 3 for w.
    pub component: u8,
    /// The instruction's number.
    pub line: u32,
    /// For each lane the bits after each time that it ran the instruction; what is missing is not known.
    pub lanes: Vec<Vec<u64>>,
}

impl MeasuredRegister {
    /// The values of a program that the instruction writes there.
    ///
    /// # Errors
    /// In words: no such instruction, one that does not write there, or that only moves a value.
    pub fn check(&self, program: &Program) -> Result<(), String> {
        self.points(program, &Graph::new(program)).map(|_| ())
    }

    fn points(&self, program: &Program, graph: &Graph) -> Result<Vec<Point>, String> {
        let letter = ['x', 'y', 'z', 'w'][usize::from(self.component & 3)];
        let line = program.source.lines.iter().position(|line| line.number == self.line);
        let line = line.ok_or_else(|| format!("there is no instruction {}", self.line))?;
        let text = &program.source.lines[line].text;
        let written: Vec<(&str, &str)> = destinations(text).into_iter().filter(|(_, mask)| mask.contains(letter)).collect();
        let place = written.iter().position(|(name, _)| *name == self.register);
        let place = place.ok_or_else(|| format!("it does not write {}.{letter}: {text}", self.register))?;
        // The results of the instruction are values that it does not itself go on to use.
        let own = |point: Point| {
            let origin = graph.sites[point].origin;
            let made = matches!(graph.sites[point].maker, Maker::Op(op) if op != Op::Const);
            made && origin.line == line as u32 && origin.component == self.component
        };
        let last: Vec<Point> =
            (0..graph.sites.len()).filter(|point| own(*point) && !graph.users[*point].iter().any(|user| own(*user))).collect();
        // An instruction that writes two registers there makes two results, each time that it stands in the program.
        let points: Vec<Point> = last.chunks_exact(written.len()).map(|results| results[place]).collect();
        if points.is_empty() || !last.len().is_multiple_of(written.len()) {
            return Err(format!("it makes no value of its own that could be put in: {text}"));
        }
        Ok(points)
    }
}

/// The registers that an instruction's listing names as destinations, with their masks.
fn destinations(text: &str) -> Vec<(&str, &str)> {
    let Some((name, mut operands)) = text.split_once(' ') else { return Vec::new() };
    if operands.starts_with('[') {
        operands = operands.split_once("] ").map_or("", |(_, rest)| rest);
    }
    // `sample_l_s` is a row of its own, `add_sat` is `add` with a control.
    let is_of = |row: &&Info| name.strip_prefix(row.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '(']));
    let row = TABLE.iter().filter(is_of).max_by_key(|row| row.name.len());
    let count = row.map_or(0, |row| row.operands().filter(|(write, _)| *write).count());
    operands.split(", ").take(count).filter_map(|operand| operand.split_once('.')).collect()
}

/// The outputs of a run that was made elsewhere, by the ids of the original's interface; none for what is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenOutputs {
    /// For each output and component the words of all lanes.
    pub outputs: Vec<[Option<Vec<u32>>; 4]>,
    /// For each resource and element its words.
    pub resources: Vec<Vec<Option<Vec<u32>>>>,
}

impl GivenOutputs {
    /// An outcome with these words in place of its own.
    ///
    /// # Errors
    /// When words are missing, or more than there are: what is missing is not compared silently.
    pub(crate) fn over(&self, outcome: &Outcome, program: &Program) -> Result<Outcome, String> {
        let mut outcome = Outcome { events: Vec::new(), event_count: 0, ..outcome.clone() };
        let length = |name: &str, given: usize, own: usize| match given == own {
            true => Ok(()),
            false => Err(format!("{given} words of {name}, the run has {own}")),
        };
        for (at, (own, name)) in outcome.outputs.iter_mut().zip(output_names(program)).enumerate() {
            for (component, own) in own.components.iter_mut().enumerate() {
                let given = self.outputs.get(at).and_then(|given| given[component].as_ref());
                let name = || format!("{name}.{}", ["x", "y", "z", "w"][component]);
                match given {
                    Some(given) => {
                        length(&name(), given.len(), own.len())?;
                        own.clone_from(given);
                    }
                    None if own.is_empty() => {}
                    None => return Err(format!("nothing of {}", name())),
                }
            }
        }
        for (at, (own, resource)) in outcome.resources.iter_mut().zip(&program.interface.resources).enumerate() {
            for (element, own) in own.iter_mut().enumerate() {
                let gpuproof_run::Binding::Buffer(buffer) = own else {
                    return Err(format!("{} is no buffer, and of others no words are taken", resource.name));
                };
                let given = self.resources.get(at).and_then(|given| given.get(element)).and_then(Option::as_ref);
                let Some(given) = given else { return Err(format!("nothing of {}", resource.name)) };
                length(&resource.name, given.len(), buffer.bytes.len().div_ceil(4))?;
                let mut bytes: Vec<u8> = given.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.truncate(buffer.bytes.len());
                buffer.bytes = bytes.into();
            }
        }
        Ok(outcome)
    }
}

/// What measured results came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredRecord {
    /// How many were given.
    pub given: u64,
    /// How often one was put in in place of another result.
    pub replaced: u64,
    /// How often of these it lies in the set that the specification fixes.
    pub in_set: u64,
    /// How often the specification promises nothing there.
    pub unbounded: u64,
    /// Results outside their sets, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<OutsideResult>,
    /// Words that differ without them; the census counts those that differ with them.
    pub different_without: u64,
}

/// A measured result that the specification does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideResult {
    /// The number of the line or instruction.
    pub line: u32,
    /// The operation: `f.sin`.
    pub operation: String,
    /// The bits of its operands.
    pub operands: Vec<u64>,
    /// The bits of the result.
    pub result: u64,
    /// The bits of the least and the greatest result that are allowed; none where the only one is a NaN.
    pub allowed: Option<(u64, u64)>,
}

/// Results outside their sets that are listed.
pub(crate) const MOST_OUTSIDE: usize = 16;

/// The original with measured results.
pub(crate) struct Measured<'a> {
    program: &'a Program,
    graph: Graph,
    plan: Plan,
    results: HashMap<(Op, Option<u32>, Vec<u64>), u64>,
    /// What registers held, by what is written to them.
    registers: HashMap<Point, &'a MeasuredRegister>,
    /// What they came to so far; the runs of cases are told apart from repetitions by whoever asks.
    pub record: RefCell<MeasuredRecord>,
}

impl<'a> Measured<'a> {
    /// # Errors
    /// When the program cannot be made ready, or a register's instruction does not write it.
    pub fn new(
        program: &'a Program,
        results: &[MeasuredResult],
        registers: &'a [MeasuredRegister],
    ) -> Result<Measured<'a>, RunError> {
        let graph = Graph::new(program);
        let held = registers.iter().flat_map(|one| &one.lanes).map(Vec::len).sum::<usize>();
        let record = MeasuredRecord { given: (results.len() + held) as u64, ..MeasuredRecord::default() };
        let mut points = HashMap::new();
        for register in registers {
            let written = register.points(program, &graph).map_err(RunError::BadCase)?;
            points.extend(written.into_iter().map(|point| (point, register)));
        }
        let results = results.iter().map(|one| ((one.op, one.line, one.operands.clone()), one.result)).collect();
        let plan = Plan::compile_for_substitution(program)?;
        Ok(Measured { program, graph, plan, results, registers: points, record: RefCell::new(record) })
    }

    /// Runs the original with the results put in, `inner` looking on. `counts` tells whether what they come to is recorded.
    ///
    /// # Errors
    /// Those of the run.
    pub fn run(&self, case: &Case, options: &Options, inner: &mut dyn Observer, counts: bool) -> Result<Outcome, RunError> {
        let makers = Makers::new(self.program, &self.graph);
        let ops: std::collections::HashSet<Op> = self.results.keys().map(|key| key.0).collect();
        let mut sites: HashMap<Point, Vec<Point>> = HashMap::new();
        let mut current: HashMap<Point, Vec<u64>> = HashMap::new();
        let lanes = crate::cases::lanes(self.program, &case.launch) as usize;
        for point in 0..self.graph.sites.len() {
            let of_results = makers.pure(point).is_some_and(|(instruction, result)| result == 0 && ops.contains(&instruction.op));
            if of_results || self.registers.contains_key(&point) {
                for arg in &self.graph.sites[point].data {
                    if makers.constant(*arg).is_none() {
                        current.entry(*arg).or_insert_with(|| vec![0; lanes]);
                    }
                }
                sites.insert(point, self.graph.sites[point].data.clone());
            }
        }
        let record = MeasuredRecord::default();
        let (times, outside) = (HashMap::new(), BTreeMap::new());
        let mut observer = Measuring { measured: self, makers, sites, current, times, inner, record, outside };
        // Steps of a plan in which nothing is done in advance.
        let options = Options { max_steps: options.max_steps.saturating_mul(8), ..options.clone() };
        let outcome = self.plan.run_observed(case, &options, &mut observer)?;
        if counts {
            let (new, outside) = (observer.record, observer.outside);
            let mut record = self.record.borrow_mut();
            record.replaced += new.replaced;
            record.in_set += new.in_set;
            record.unbounded += new.unbounded;
            for one in outside.into_values() {
                if record.outside.len() < MOST_OUTSIDE && !record.outside.contains(&one) {
                    record.outside.push(one);
                }
            }
        }
        Ok(outcome)
    }
}

struct Measuring<'a> {
    measured: &'a Measured<'a>,
    makers: Makers<'a>,
    /// The operands of each operation that results are given for.
    sites: HashMap<Point, Vec<Point>>,
    /// The latest value of each operand on each lane.
    current: HashMap<Point, Vec<u64>>,
    /// How often each lane has made a register's value.
    times: HashMap<(Point, usize), usize>,
    inner: &'a mut dyn Observer,
    record: MeasuredRecord,
    outside: BTreeMap<(u32, Op, Vec<u64>), OutsideResult>,
}

impl Observer for Measuring<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        let point = self.measured.graph.point(function, value);
        self.sites.contains_key(&point) || self.current.contains_key(&point) || self.inner.wants(function, value)
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let point = self.measured.graph.point(observed.function, observed.value);
        if let Some(current) = self.current.get_mut(&point) {
            let count = match observed.bits {
                RowBits::Words(words) => words.len(),
                RowBits::Doubles(low, _) => low.len(),
            };
            for at in (0..count).filter(|at| is_active(observed.active, *at)) {
                if let Some(now) = current.get_mut(observed.first_lane as usize + at) {
                    *now = element(&observed.bits, at);
                }
            }
        }
        if self.inner.wants(observed.function, observed.value) {
            self.inner.value(observed);
        }
    }

    fn replaces(&self, function: FunctionId, value: Value) -> bool {
        self.sites.contains_key(&self.measured.graph.point(function, value))
    }

    fn replace(&mut self, observed: &Observed<'_>, bits: &mut [u64]) -> bool {
        let point = self.measured.graph.point(observed.function, observed.value);
        let (Some(operands), Some((instruction, result_at))) = (self.sites.get(&point), self.makers.instruction(point)) else {
            return false;
        };
        let line = self.measured.program.source.line(instruction.origin).map(|line| line.number);
        let (t, u) = self.makers.widths(point, instruction);
        let allowed = permission::operations(instruction.op, &instruction.attrs, t, u, self.measured.program.dialect);
        let mut changed = false;
        for (at, bits) in bits.iter_mut().enumerate().filter(|(at, _)| is_active(observed.active, *at)) {
            let lane = observed.first_lane as usize + at;
            let operand = |point: &Point| match self.makers.constant(*point) {
                Some(bits) => bits,
                None => self.current.get(point).and_then(|current| current.get(lane)).copied().unwrap_or(0),
            };
            let operands: Vec<u64> = operands.iter().map(operand).collect();
            let of = |line| self.measured.results.get(&(instruction.op, line, operands.clone()));
            let held = self.measured.registers.get(&point).and_then(|register| {
                let times = self.times.entry((point, lane)).or_default();
                *times += 1;
                register.lanes.get(lane)?.get(*times - 1)
            });
            let of_operands = || if result_at == 0 { line.and_then(|line| of(Some(line))).or_else(|| of(None)) } else { None };
            let Some(result) = held.or_else(of_operands).copied() else { continue };
            if result == *bits {
                continue;
            }
            self.record.replaced += 1;
            let canonical = *bits;
            let set = allowed.as_ref().and_then(|all| all.get(result_at)).map(|allowed| allowed.allowed(&operands));
            match &set {
                // What still holds where nothing else is promised has to hold too.
                Some(set) if set.contains(result) && set.is_bounded() => self.record.in_set += 1,
                Some(set) if set.contains(result) => self.record.unbounded += 1,
                _ if self.outside.len() < MOST_OUTSIDE => {
                    let allowed = set.as_ref().map_or(Some((canonical, canonical)), ends);
                    let (line, operation) = (line.unwrap_or(0), instruction.op.row().name.to_string());
                    let one = OutsideResult { line, operation, operands: operands.clone(), result, allowed };
                    self.outside.insert((line, instruction.op, operands), one);
                }
                _ => {}
            }
            *bits = result;
            changed = true;
        }
        changed
    }
}

/// The bits of the ends of a set.
fn ends(set: &Set) -> Option<(u64, u64)> {
    let bounds = set.bounds();
    let bits = |x: f64, rounding| match set.result {
        Type::Float(format) => format.pattern(x, rounding),
        _ => x as i64 as u64 & u64::from(u32::MAX),
    };
    (!bounds.has_no_number()).then(|| (bits(bounds.low, Rounding::Up), bits(bounds.high, Rounding::Down)))
}

#[cfg(test)]
mod tests {
    use super::destinations;

    /// As the operands of each opcode are specified (22 and 7.17 of the functional specification).
    #[test]
    fn destinations_are_those_of_the_opcode() {
        let of = [
            ("add_sat r0.xy, v0.xyxx, l(1.0, 1.0, 0, 0)", vec![("r0", "xy")]),
            ("mad [precise(x)] r1.x, r0.x, r0.y, r0.z", vec![("r1", "x")]),
            ("sincos null, r2.x, r0.x", vec![("r2", "x")]),
            ("udiv r0.x, r1.y, r2.x, r3.x", vec![("r0", "x"), ("r1", "y")]),
            ("swapc r0.x, r1.x, r2.x, r3.x, r4.x", vec![("r0", "x"), ("r1", "x")]),
            (
                "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0)",
                vec![("r0", "xyzw")],
            ),
            (
                "sample_cl_s(texture2d)(float,float,float,float) r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, r2.x",
                vec![("r0", "xyzw"), ("r1", "x")],
            ),
            ("discard_nz r0.x", vec![]),
            ("ret", vec![]),
        ];
        for (text, expected) in of {
            assert_eq!(destinations(text), expected, "{text}");
        }
    }
}
