//! The lane machine. The crate's head tells what running means; here is how it is done.
//!
//! [`Plan::compile`] turns a program into flat steps over rows: calls are inlined, constructs become places and copies, values share rows
//! where their lives allow. [`Plan::run`] runs the steps on batches of lanes. A strand is a place and the set of lanes that are there; the strand
//! with the lowest place runs, the others wait, and strands that meet at a place become one. Since places follow the structure of the source,
//! that is maximal reconvergence: lanes that left a construct wait at its end, and lanes that go round a loop wait at its latch.

mod allocate;
mod bind;
mod compile;
mod effect;
mod events;
mod execute;
mod facts;
mod hoist;
mod inputs;
mod lanes;
mod mask;
mod memory;
mod races;
mod rows;
pub mod scalar;
mod select;
mod step;
#[cfg(test)]
mod tests;
mod texel;
mod uniform;

use crate::case::Case;
use crate::event::Site;
use crate::outcome::{Observer, Options, OrderSite, Outcome, RunError};
use gpuproof_program::{FunctionId, Op, Origin, Program, SourceKind, Value};
use std::collections::BTreeMap;

pub use bind::check_stage;
pub use rows::Isa;

/// A program made ready to run.
pub struct Plan {
    program: Program,
    facts: facts::Facts,
    steps: Vec<step::Step>,
    origins: Vec<Origin>,
    around: Vec<Option<usize>>,
    /// Operations before each step, and the effort that they are.
    cost: Vec<[u64; 2]>,
    loops: Vec<allocate::Loop>,
    /// In order of step.
    definitions: Vec<Definition>,
    constants: Vec<u32>,
    uniforms: Vec<uniform::Uniform>,
    registers: usize,
    taints: usize,
    /// What each effect is, by its site.
    sites: Vec<events::SiteInfo>,
    /// The names of values that nothing wrote, by site.
    unwritten: BTreeMap<Site, String>,
    /// Whether each value is computed where the program has it, so that it can be replaced there.
    is_literal: bool,
}

/// A value that a step makes.
struct Definition {
    step: usize,
    function: FunctionId,
    value: Value,
    sized: step::Sized,
}

impl Plan {
    /// Makes the plan of a program.
    ///
    /// # Errors
    /// [`RunError::Fault`] if the program is not valid, [`RunError::Unsupported`] for what the machine does not do: more than a million steps
    /// with calls inlined, constructs and calls nested more than a thousand deep, an f64 `rsqrt`, 64-bit inputs and outputs.
    pub fn compile(program: &Program) -> Result<Plan, RunError> {
        compile::compile(program, false)
    }

    /// Makes a plan whose values an observer may replace as they are made ([`Observer::replaces`]): each value is computed where the program has it and for
    /// its own uses, so such a plan runs slower. It gives the same outcome.
    ///
    /// # Errors
    /// As [`Plan::compile`].
    pub fn compile_for_substitution(program: &Program) -> Result<Plan, RunError> {
        compile::compile(program, true)
    }

    /// The place where lanes wait that have returned.
    fn end_place(&self) -> u32 {
        // The join before the last step.
        self.steps.len().saturating_sub(2) as u32
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The operations whose result depends on the order of lanes, or of groups: counters, atomics, stores.
    pub fn order_sites(&self) -> Vec<OrderSite> {
        let site = |(at, step): (usize, &step::Step)| match step {
            step::Step::Effect(effect) if depends_on_order(effect.op) => {
                Some(OrderSite { site: effect.site, origin: self.origins[at], op: effect.op })
            }
            _ => None,
        };
        self.steps.iter().enumerate().filter_map(site).collect()
    }

    /// Runs the program on a case.
    ///
    /// # Errors
    /// See [`RunError`]. The same case, options and program give the same outcome everywhere.
    pub fn run(&self, case: &Case, options: &Options) -> Result<Outcome, RunError> {
        execute::run(self, case, options, Isa::best(), None)
    }

    /// Runs the program on a case and shows values as they are made.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run_observed(&self, case: &Case, options: &Options, observer: &mut dyn Observer) -> Result<Outcome, RunError> {
        execute::run(self, case, options, Isa::best(), Some(observer))
    }
}

/// Whether the result of an operation, or what it leaves in memory, depends on the order of lanes.
pub fn depends_on_order(op: Op) -> bool {
    matches!(
        op,
        Op::CounterAlloc
            | Op::CounterConsume
            | Op::BufferAtomic
            | Op::StructuredAtomic
            | Op::TexelAtomic
            | Op::SharedAtomic
            | Op::BufferStore
            | Op::StructuredStore
            | Op::TexelStore
            | Op::SharedStore
    )
}

/// A place of the source, for people.
fn place_name(program: &Program, origin: Origin) -> String {
    match program.source.line(origin) {
        Some(line) if program.source.kind == SourceKind::Instructions => format!("#{} {}", line.number, line.text),
        Some(line) => format!("line {} {}", line.number, line.text),
        None => "a place of no source".into(),
    }
}
