//! Cases: what both programs are run on.
//!
//! A [`Generator`] makes them from the two programs' interfaces and from what the original does with each word that it reads
//! ([`mod@uses`]). Cases with finite values come first, then those with edge values; they are counted apart. What the user gives
//! ([`UserInputs`]) stands in every case.

mod inputs;
mod literals;
mod matrices;
mod resources;
mod user;
pub mod uses;
pub mod values;

pub use user::{UserInputs, UserInputsError, check_case};
pub use values::Spread;

use crate::bind::Binding;
use crate::random::Random;
use gpuproof_program::{Program, Stage};
use gpuproof_run::{Case, Launch};
use serde::{Deserialize, Serialize};

/// Whether a case holds finite values alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseClass {
    /// Finite normal floats and zeros.
    Finite,
    /// Edge values among them: infinities, NaNs, subnormals.
    Edge,
}

/// A case with what tells it from others. It replays alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedCase {
    /// Its number in the comparison.
    pub number: u32,
    /// What its values are like.
    pub name: String,
    /// Finite or edge.
    pub class: CaseClass,
    /// The seed that made it.
    pub seed: u64,
    /// What the original reads.
    pub case: Case,
}

/// How many lanes a launch of a program has.
pub fn lanes(program: &Program, launch: &Launch) -> u64 {
    match launch {
        Launch::Vertices { count } => u64::from(*count),
        Launch::Pixels { quads, .. } => u64::from(*quads) * 4,
        Launch::Groups { count } => {
            count.iter().chain(&program.group_size).fold(1u64, |product, n| product.saturating_mul(u64::from(*n)))
        }
    }
}

/// The distributions of the cases, in order.
const SPREADS: &[(&str, Spread)] = &[
    ("unit", Spread::Unit),
    ("signed", Spread::Signed),
    ("mixed", Spread::Mixed),
    ("tens", Spread::Tens),
    ("halves", Spread::Halves),
    ("wide", Spread::Wide),
    ("unit", Spread::Unit),
    // With point sampling, so that texels come as they are.
    ("few", Spread::Few),
    ("tens", Spread::Tens),
    ("mixed", Spread::Mixed),
    ("some edges", Spread::SomeEdges),
    ("edges", Spread::Edges),
    ("some edges", Spread::SomeEdges),
    ("random bits", Spread::Bits),
];

/// The wave sizes of the cases of programs that look at waves: WGSL leaves the size to the device (subgroup_size is 4 to 128).
const WAVE_SIZES: [u32; 6] = [32, 64, 16, 8, 4, 128];

/// The samples of the render target in the cases of programs that tell them apart.
const SAMPLES: [u32; 5] = [4, 1, 8, 2, 16];

/// Makes cases.
pub struct Generator<'a> {
    original: &'a Program,
    port: &'a Program,
    binding: &'a Binding,
    uses: uses::Uses,
    user: &'a UserInputs,
    seed: u64,
    lanes: u64,
    count: usize,
    /// Whether one of the programs looks at waves.
    waves: bool,
}

impl<'a> Generator<'a> {
    /// A generator of `count` cases with about `lanes` lanes in all.
    ///
    /// # Errors
    /// When what the user gives does not fit the original.
    pub fn new(
        original: &'a Program,
        port: &'a Program,
        binding: &'a Binding,
        user: &'a UserInputs,
        (seed, lanes, count): (u64, u64, usize),
    ) -> Result<Generator<'a>, UserInputsError> {
        user.check(original)?;
        let waves = uses::looks_at_waves(original) || uses::looks_at_waves(port);
        Ok(Generator { original, port, binding, uses: uses::uses(original), user, seed, lanes, count, waves })
    }

    /// How many cases there are: one when the user gives all that the original reads.
    pub fn count(&self) -> usize {
        if self.user.is_complete(self.original) { 1 } else { self.count }
    }

    /// Takes another number of lanes, for programs that are slow.
    pub fn set_lanes(&mut self, lanes: u64) {
        self.lanes = lanes;
    }

    /// The name and class of a case.
    pub fn describe(&self, number: usize) -> (&'static str, CaseClass) {
        if self.user.is_complete(self.original) {
            return ("given", CaseClass::Finite);
        }
        let (name, spread) = SPREADS[self.spread_at(number)];
        (name, if spread.is_finite() { CaseClass::Finite } else { CaseClass::Edge })
    }

    fn spread(&self, number: usize) -> Spread {
        SPREADS[self.spread_at(number)].1
    }

    fn spread_at(&self, number: usize) -> usize {
        // Fewer cases keep both classes.
        if number < self.count && self.count < SPREADS.len() {
            number * SPREADS.len() / self.count
        } else {
            number % SPREADS.len()
        }
    }

    /// Cases beyond those that are compared: small ones, to try mutants on.
    pub(crate) fn small(&mut self, more: usize, lanes: u64) -> impl Iterator<Item = NamedCase> + '_ {
        self.lanes = lanes * self.count.max(1) as u64;
        (self.count..self.count + more).map(|number| self.case(number))
    }

    /// The case with this number; past [`Generator::count`] they go on.
    pub fn case(&self, number: usize) -> NamedCase {
        let (name, class) = self.describe(number);
        let spread = self.spread(number);
        let launch = self.launch(number);
        let mut case = Case {
            launch,
            wave_size: if self.waves { WAVE_SIZES[number % WAVE_SIZES.len()] } else { 32 },
            samples: if self.uses.samples { SAMPLES[number % SAMPLES.len()] } else { 1 },
            inputs: Vec::new(),
            resources: Vec::new(),
            samplers: Vec::new(),
        };
        let extent = self.extent(&case.launch);
        case.inputs = self.inputs(number, spread, &case, extent);
        case.resources = self.resources(number, spread, extent);
        case.samplers = self.samplers(number);
        self.user.apply(&mut case);
        NamedCase { number: number as u32, name: name.into(), class, seed: self.seed, case }
    }

    fn random(&self, purpose: &str, number: usize) -> Random {
        Random::stream(self.seed, purpose, number as u64)
    }

    /// What this case runs: its share of the lanes.
    pub(crate) fn launch(&self, number: usize) -> Launch {
        if let Some(launch) = self.user.launch(self.original) {
            return launch;
        }
        let group: u64 = self.original.group_size.iter().map(|n| u64::from(*n)).product();
        let unit = match self.original.stage {
            // Of the last three no case is run.
            Stage::Vertex | Stage::Hull | Stage::Domain | Stage::Geometry => 1,
            Stage::Pixel => 4,
            Stage::Compute => group.max(1),
        };
        let (units, cases) = ((self.lanes / unit).max(1), self.count as u64);
        let share = match self.original.stage {
            // The last case takes what is left over.
            Stage::Vertex | Stage::Pixel if number + 1 == self.count => units - units / cases * (cases - 1),
            _ => units / cases,
        };
        let share = share.max(1);
        match self.original.stage {
            Stage::Vertex | Stage::Hull | Stage::Domain | Stage::Geometry => Launch::Vertices { count: share as u32 },
            Stage::Pixel => Launch::Pixels { quads: share as u32, helpers: self.helpers(number, share as usize) },
            Stage::Compute => Launch::Groups { count: grid(share as u32, self.uses.grid, number) },
        }
    }

    fn helpers(&self, number: usize, quads: usize) -> Vec<bool> {
        if number.is_multiple_of(2) {
            return Vec::new();
        }
        let mut random = self.random("helpers", number);
        let mut helpers = vec![false; quads * 4];
        for quad in helpers.chunks_exact_mut(4) {
            if random.one_in(8) {
                // At least one lane of a quad is covered.
                let covered = random.below(4) as usize;
                quad.iter_mut().enumerate().for_each(|(at, helper)| *helper = at != covered && random.one_in(2));
            }
        }
        helpers
    }

    /// How far positions and thread ids reach in x, y and z.
    fn extent(&self, launch: &Launch) -> [u32; 3] {
        match launch {
            Launch::Vertices { .. } => [uses::TEXELS; 3],
            Launch::Pixels { .. } => [64, 64, 1],
            Launch::Groups { count } => [0, 1, 2].map(|axis| count[axis].saturating_mul(self.original.group_size[axis]).max(1)),
        }
    }
}

/// About `groups` groups along the axes that the program looks at: as many along each, or most along one of them.
fn grid(groups: u32, axes: [bool; 3], number: usize) -> [u32; 3] {
    let used: Vec<usize> = (0..3).filter(|axis| *axis == 0 || axes[*axis]).collect();
    let mut found = [1; 3];
    let long = used[number % used.len()];
    for axis in used.iter().copied().filter(|axis| *axis != long) {
        let side = (1..).take_while(|side: &u32| side.pow(used.len() as u32) <= groups).last().unwrap_or(1);
        found[axis] = if number % 4 < 2 { side } else { side.min(2) };
    }
    found[long] = (groups / found.iter().product::<u32>()).max(1);
    found
}
