//! Inputs that owe nothing to the prover's own generator but the shapes of what is bound: for judging by direct runs whether two programs with one
//! interface compute the same.

use gpuproof_program::{Kind, Program, ScalarType, Type, Width};
use gpuproof_prove::bind::Map;
use gpuproof_prove::cases::{Generator, UserInputs};
use gpuproof_run::{Binding, Case, Options, Outcome, Plan, RunError, Texture};
use std::sync::Arc;

/// Steps of one run.
const STEPS: u64 = 20_000_000;

/// How a case's floats are distributed.
#[derive(Clone, Copy)]
enum Floats {
    /// [0, 1).
    Unit,
    /// [-2, 2).
    Small,
    /// Multiples of 1/2 in [-4, 4].
    Halves,
    /// Either sign, exponents from -6 to 6.
    Wide,
}

const FLOATS: [Floats; 4] = [Floats::Unit, Floats::Small, Floats::Halves, Floats::Wide];

/// DXGI numbers of formats of 32-bit floats.
const FLOAT_FORMATS: [u32; 5] = [2, 6, 16, 40, 41];
/// Those of 16-bit and packed floats: finite and positive where each half word is below 0x4000.
const HALF_FORMATS: [u32; 4] = [10, 26, 34, 54];

struct Source {
    random: fastrand::Rng,
    floats: Floats,
}

impl Source {
    fn float(&mut self) -> f32 {
        match self.floats {
            Floats::Unit => self.random.f32(),
            Floats::Small => self.random.f32() * 4.0 - 2.0,
            Floats::Halves => (self.random.u32(0..17) as f32 - 8.0) / 2.0,
            Floats::Wide => (self.random.f32() * 2.0 - 1.0) * 2f32.powi(self.random.i32(-6..7)),
        }
    }

    fn integer(&mut self) -> u32 {
        match self.random.u32(0..8) {
            0 => self.random.u32(..),
            1 => self.random.u32(0..300),
            _ => self.random.u32(0..9),
        }
    }

    fn word(&mut self, kind: Kind) -> u32 {
        match kind {
            Kind::Float => self.float().to_bits(),
            Kind::Bool => self.random.u32(0..2),
            Kind::Sint => self.integer().wrapping_sub(self.random.u32(0..2) * 4),
            Kind::Uint => self.integer(),
            // Bytes that may be either.
            Kind::Unknown if self.random.bool() => self.float().to_bits(),
            Kind::Unknown => self.integer(),
        }
    }

    fn scalar(&mut self, scalar: ScalarType, at: usize, bytes: &mut [u8]) {
        let word = match scalar.width {
            Width::W16 if scalar.kind == Kind::Float => self.random.u32(0..0x4400),
            _ => self.word(scalar.kind),
        };
        let length = if scalar.width == Width::W16 { 2 } else { 4 };
        if let Some(to) = bytes.get_mut(at..at + length) {
            to.copy_from_slice(&word.to_le_bytes()[..length]);
        }
    }

    /// Fills what a layout describes from `at` on.
    fn fill(&mut self, layout: &Type, at: usize, bytes: &mut [u8]) {
        match layout {
            Type::Scalar(scalar) => self.scalar(*scalar, at, bytes),
            Type::Vector { size, scalar } => (0..*size as usize).for_each(|n| self.scalar(*scalar, at + 4 * n, bytes)),
            Type::Matrix { columns, rows, row_major, stride, scalar } => {
                let (vectors, size) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
                for vector in 0..vectors {
                    self.fill(&Type::Vector { size, scalar: *scalar }, at + (vector * stride) as usize, bytes);
                }
            }
            Type::Array { element, count, stride } => {
                let fits = bytes.len().saturating_sub(at) / (*stride as usize).max(1);
                for n in 0..count.map_or(fits, |count| fits.min(count as usize)) {
                    self.fill(element, at + n * *stride as usize, bytes);
                }
            }
            Type::Struct { members, .. } => {
                members.iter().for_each(|member| self.fill(&member.ty, at + member.offset as usize, bytes));
            }
        }
    }

    fn unformed(&mut self, bytes: &mut [u8]) {
        for word in bytes.chunks_exact_mut(4) {
            word.copy_from_slice(&self.word(Kind::Unknown).to_le_bytes());
        }
    }

    fn texture(&mut self, texture: &Texture) -> Texture {
        let mut texture = texture.clone();
        for level in &mut texture.levels {
            match texture.format.0 {
                format if FLOAT_FORMATS.contains(&format) => {
                    level.chunks_exact_mut(4).for_each(|word| word.copy_from_slice(&self.float().to_le_bytes()));
                }
                format if HALF_FORMATS.contains(&format) => {
                    level.chunks_exact_mut(2).for_each(|half| half.copy_from_slice(&self.random.u16(0..0x4000).to_le_bytes()));
                }
                _ => self.random.fill(level),
            }
        }
        texture
    }

    /// Other values in the shapes of a case.
    fn case(&mut self, program: &Program, shapes: &Case) -> Case {
        let mut case = shapes.clone();
        for (variable, values) in program.interface.inputs.iter().zip(&mut case.inputs) {
            if variable.builtin.is_some() {
                continue;
            }
            for words in &mut values.components {
                words.iter_mut().for_each(|word| *word = self.word(variable.kind));
            }
        }
        for (resource, elements) in program.interface.resources.iter().zip(&mut case.resources) {
            for element in elements {
                match element {
                    Binding::Unbound => {}
                    Binding::Buffer(buffer) => {
                        let mut bytes = buffer.bytes.to_vec();
                        match &resource.layout {
                            Some(layout) => self.fill(layout, 0, &mut bytes),
                            None => self.unformed(&mut bytes),
                        }
                        buffer.bytes = Arc::new(bytes);
                    }
                    Binding::Texture(texture) => *texture = Arc::new(self.texture(texture)),
                }
            }
        }
        case
    }
}

/// Whether two outcomes tell the programs apart: in what counting lanes wrote, in memory, or in which lanes count.
fn differ(a: &Outcome, b: &Outcome) -> bool {
    let counts = |lane: usize| a.live.get(lane).copied().unwrap_or(true);
    let output = |index: usize| {
        let (x, y) = (&a.outputs[index], &b.outputs[index]);
        (0..4).any(|component| {
            let (x, y) = (&x.components[component], &y.components[component]);
            x.len() != y.len() || (0..x.len()).any(|lane| counts(lane) && x[lane] != y[lane])
        })
    };
    a.live != b.live || a.resources != b.resources || a.outputs.len() != b.outputs.len() || (0..a.outputs.len()).any(output)
}

/// Runs two programs of one interface on `cases` cases of about `lanes` lanes each. Whether any tells them apart; that one ends and the other
/// does not counts too.
///
/// # Errors
/// Why they could not be run.
pub fn tell_apart(first: &Program, second: &Program, seed: u64, cases: usize, lanes: u64) -> Result<bool, String> {
    let map = Map::infer(first, first).map_err(|error| error.to_string())?;
    let binding = map.resolve(first, first).map_err(|error| error.to_string())?;
    let user = UserInputs::default();
    let shapes =
        Generator::new(first, first, &binding, &user, (seed, lanes * cases as u64, cases)).map_err(|error| error.to_string())?;
    let plans = [first, second].map(Plan::compile);
    let [Ok(left), Ok(right)] = plans else { return Err("does not compile".into()) };
    let options = Options { max_steps: STEPS, ..Options::default() };
    for number in 0..cases {
        let floats = FLOATS[number % FLOATS.len()];
        let mut source = Source { random: fastrand::Rng::with_seed(seed ^ (number as u64) << 32), floats };
        let case = source.case(first, &shapes.case(number % shapes.count()).case);
        match (left.run(&case, &options), right.run(&case, &options)) {
            (Ok(a), Ok(b)) if !differ(&a, &b) => {}
            (Err(RunError::StepLimit { .. }), Err(RunError::StepLimit { .. })) => {}
            (Ok(_), Ok(_)) | (Ok(_), Err(RunError::StepLimit { .. })) | (Err(RunError::StepLimit { .. }), Ok(_)) => {
                return Ok(true);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error.to_string()),
        }
    }
    Ok(false)
}
