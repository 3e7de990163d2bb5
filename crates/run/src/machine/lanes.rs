//! Operations that look at other lanes: quads, waves, barriers.

use super::execute::Machine;
use super::scalar::Pure;
use super::step::{Effect, Sized};
use crate::event::{EventKind, Facts, LISTED};
use gpuproof_program::{
    Attrs, Derivative, Detail, Kind, Op, Order, QuadAxis, Reduction, ReductionMode, ReductionOp, Rules, Width,
};

/// One wave of a batch: the row's lanes that it is.
#[derive(Clone, Copy)]
struct Wave {
    first: usize,
    count: usize,
    active: u128,
}

fn bits(mask: u128) -> impl Iterator<Item = usize> {
    std::iter::successors((mask != 0).then_some(mask), |mask| {
        let rest = mask & (mask - 1);
        (rest != 0).then_some(rest)
    })
    .map(|mask| mask.trailing_zeros() as usize)
}

impl Machine<'_> {
    /// The quads with active lanes: the first lane of each and which of the four are active.
    pub(super) fn quads(&self) -> Vec<(usize, u128)> {
        let quads = (0..self.rows.lanes() / 4).map(|quad| (4 * quad, self.active.stretch(4 * quad, 4)));
        quads.filter(|(_, active)| *active != 0).collect()
    }

    /// Records a quad operation where lanes of the quad are not active; helpers are active.
    pub(super) fn divergent_quad(&mut self, first: usize, active: u128) {
        let slot = first + active.trailing_zeros() as usize;
        self.event(EventKind::DivergentDerivative, slot, None, |machine| {
            let inactive = (0..4).filter(|at| active >> at & 1 == 0);
            Facts::InactiveQuad { lanes: inactive.map(|at| machine.lane(slot) / 4 * 4 + at).collect() }
        });
    }

    pub(super) fn derivative(&mut self, effect: &Effect) {
        let Detail::Derivative(kind) = effect.attrs.detail else { return };
        let (from, to) = (effect.args[0], effect.results[0]);
        let pure = Pure { op: Op::FSub, attrs: effect.attrs, t: from.width, u: to.width };
        let step = if effect.op == Op::FDdx { 1 } else { 2 };
        for (first, active) in self.quads() {
            if active != 0xf {
                self.divergent_quad(first, active);
            }
            let values = [0, 1, 2, 3].map(|at| self.value(from, first + at));
            for at in bits(active) {
                let start = match kind {
                    Derivative::Coarse | Derivative::Any => 0,
                    Derivative::Fine => at & !step,
                };
                let value = if active == 0xf {
                    pure.sub(values[start + step], values[start])
                } else {
                    self.undefined(first + at, to.width)
                };
                self.set_value(to, first + at, value);
            }
        }
    }

    pub(super) fn quad_read(&mut self, effect: &Effect) {
        let (from, to) = (effect.args[0], effect.results[0]);
        for (first, active) in self.quads() {
            let values = [0, 1, 2, 3].map(|at| self.value(from, first + at));
            let sources = [0, 1, 2, 3].map(|at: usize| match effect.attrs.detail {
                Detail::Swap(QuadAxis::X) => at ^ 1,
                Detail::Swap(QuadAxis::Y) => at ^ 2,
                Detail::Swap(QuadAxis::Diagonal) => at ^ 3,
                _ => self.value(effect.args[1], first + at) as usize & 3,
            });
            for at in bits(active) {
                let source = sources[at];
                let value = if active >> source & 1 != 0 {
                    values[source]
                } else {
                    self.event(EventKind::InactiveLane, first + at, None, |machine| {
                        let lane = Some(machine.lane(first + source));
                        Facts::Inactive { index: source as u32, of: 4, lane }
                    });
                    self.undefined(first + at, to.width)
                };
                self.set_value(to, first + at, value);
            }
        }
    }

    /// The waves that have active lanes.
    fn waves(&self) -> Vec<Wave> {
        let size = self.case.wave_size as usize;
        let threads = self.shape.threads as usize;
        let mut waves = Vec::new();
        for local in 0..self.groups.len() {
            for start in (0..threads).step_by(size) {
                let first = local * self.stride + start;
                let count = size.min(threads - start);
                let active = self.active.stretch(first, count);
                if active != 0 {
                    waves.push(Wave { first, count, active });
                }
            }
        }
        waves
    }

    pub(super) fn wave(&mut self, effect: &Effect) {
        for wave in self.waves() {
            let lowest = wave.active.trailing_zeros() as usize;
            let holds = |machine: &Self, arg: Sized| {
                bits(wave.active).filter(|at| machine.value(arg, wave.first + at) != 0).fold(0u128, |mask, at| mask | 1 << at)
            };
            match effect.op {
                Op::WaveBallot => {
                    let ballot = holds(self, effect.args[0]);
                    for at in bits(wave.active) {
                        for (word, result) in effect.results.iter().enumerate() {
                            self.set_value(*result, wave.first + at, u64::from((ballot >> (32 * word)) as u32));
                        }
                    }
                }
                Op::WaveAll => self.spread(wave, effect, u64::from(holds(self, effect.args[0]) == wave.active)),
                Op::WaveAny => self.spread(wave, effect, u64::from(holds(self, effect.args[0]) != 0)),
                Op::WaveElect => {
                    for at in bits(wave.active) {
                        self.set_value(effect.results[0], wave.first + at, u64::from(at == lowest));
                    }
                }
                Op::WaveReadFirst => {
                    let value = self.value(effect.args[0], wave.first + lowest);
                    self.spread(wave, effect, value);
                }
                Op::WaveReadLane => self.read_lane(wave, effect),
                Op::WaveReduce => self.reduce(wave, effect),
                _ => {}
            }
        }
    }

    fn spread(&mut self, wave: Wave, effect: &Effect, value: u64) {
        for at in bits(wave.active) {
            self.set_value(effect.results[0], wave.first + at, value);
        }
    }

    fn read_lane(&mut self, wave: Wave, effect: &Effect) {
        let to = effect.results[0];
        let values: Vec<u64> = (0..wave.count).map(|at| self.value(effect.args[0], wave.first + at)).collect();
        for at in bits(wave.active) {
            let source = self.value(effect.args[1], wave.first + at) as usize;
            let value = match values.get(source) {
                Some(value) if wave.active >> source & 1 != 0 => *value,
                _ => {
                    self.event(EventKind::InactiveLane, wave.first + at, None, |machine| {
                        let lane = (source < wave.count).then(|| machine.lane(wave.first + source));
                        Facts::Inactive { index: source as u32, of: wave.count as u32, lane }
                    });
                    self.undefined(wave.first + at, to.width)
                }
            };
            self.set_value(to, wave.first + at, value);
        }
    }

    fn reduce(&mut self, wave: Wave, effect: &Effect) {
        let Detail::Reduction(reduction) = effect.attrs.detail else { return };
        let (from, to) = (effect.args[0], effect.results[0]);
        let combine = combination(reduction, from.width);
        let mut sum: Option<u64> = None;
        let mut results = [0u64; 128];
        for at in bits(wave.active) {
            let value = self.value(from, wave.first + at);
            let before = sum;
            let after = sum.map_or(value, |sum| combine.evaluate(&[sum, value])[0]);
            sum = Some(after);
            results[at] = match reduction.mode {
                ReductionMode::Exclusive => before.unwrap_or_else(|| identity(reduction, from.width)),
                ReductionMode::All | ReductionMode::Inclusive => after,
            };
        }
        for at in bits(wave.active) {
            let value = match reduction.mode {
                ReductionMode::All => sum.unwrap_or(0),
                _ => results[at],
            };
            self.set_value(to, wave.first + at, value);
        }
    }

    /// A barrier. A group runs in lockstep and the lowest place first, so all its lanes are here unless some have gone elsewhere.
    pub(super) fn barrier(&mut self, effect: &Effect) {
        let Detail::Barrier(barrier) = effect.attrs.detail else { return };
        if !barrier.group {
            return;
        }
        if self.is_full {
            for epochs in &mut self.epochs {
                epochs[0] += u32::from(barrier.shared);
                epochs[1] += u32::from(barrier.resources.is_some());
            }
            return;
        }
        let end = self.plan.end_place();
        let threads = self.shape.threads as usize;
        for local in 0..self.groups.len() {
            let lanes = local * self.stride..local * self.stride + threads;
            let here = lanes.clone().filter(|slot| self.active.contains(*slot)).count();
            if here == 0 {
                continue;
            }
            let waits = |slot: &usize| self.waiting.iter().any(|(place, waiting)| *place != end && waiting.contains(*slot));
            let missing: Vec<usize> = lanes.clone().filter(waits).collect();
            if !missing.is_empty()
                && let Some(first) = lanes.clone().find(|slot| self.active.contains(*slot))
            {
                self.event(EventKind::DivergentBarrier, first, None, |machine| Facts::Missing {
                    lanes: missing.iter().take(LISTED).map(|slot| machine.lane(*slot)).collect(),
                    count: missing.len() as u32,
                    here: here as u32,
                });
            }
            self.epochs[local][0] += u32::from(barrier.shared);
            self.epochs[local][1] += u32::from(barrier.resources.is_some());
        }
    }
}

/// What combines two lanes. Floats keep subnormals, and minima and maxima are as WGSL writes them: only WGSL has these operations so far.
fn combination(reduction: Reduction, width: Width) -> Pure {
    let op = match (reduction.op, reduction.kind) {
        (ReductionOp::Add, Kind::Float) => Op::FAdd,
        (ReductionOp::Mul, Kind::Float) => Op::FMul,
        (ReductionOp::Min, Kind::Float) => Op::FMin,
        (ReductionOp::Max, Kind::Float) => Op::FMax,
        (ReductionOp::Add, _) => Op::IAdd,
        (ReductionOp::Mul, _) => Op::IMul,
        (ReductionOp::Min, Kind::Sint) => Op::SMin,
        (ReductionOp::Max, Kind::Sint) => Op::SMax,
        (ReductionOp::Min, _) => Op::UMin,
        (ReductionOp::Max, _) => Op::UMax,
        (ReductionOp::And, _) => Op::IAnd,
        (ReductionOp::Or, _) => Op::IOr,
        (ReductionOp::Xor, _) => Op::IXor,
    };
    let attrs = Attrs::rules(Rules { order: Order::Literal, ..Rules::default() });
    Pure { op, attrs, t: width, u: width }
}

/// What the first lane of an exclusive combination gets.
fn identity(reduction: Reduction, width: Width) -> u64 {
    let float = |value: f64| {
        let attrs = Attrs::default();
        Pure { op: Op::FConvert, attrs, t: Width::W64, u: width }.evaluate(&[value.to_bits()])[0]
    };
    let mask = width.mask();
    match (reduction.op, reduction.kind) {
        (ReductionOp::Add | ReductionOp::Or | ReductionOp::Xor, _) => 0,
        (ReductionOp::Mul, Kind::Float) => float(1.0),
        (ReductionOp::Mul, _) => 1,
        (ReductionOp::And, _) => mask,
        (ReductionOp::Min, Kind::Float) => float(f64::INFINITY),
        (ReductionOp::Max, Kind::Float) => float(f64::NEG_INFINITY),
        (ReductionOp::Min, Kind::Sint) => mask >> 1,
        (ReductionOp::Max, Kind::Sint) => mask ^ (mask >> 1),
        (ReductionOp::Min, _) => mask,
        (ReductionOp::Max, _) => 0,
    }
}
