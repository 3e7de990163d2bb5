//! Inputs and outputs of lanes.

use super::execute::Machine;
use super::step::Effect;
use crate::outcome::RunError;
use gpuproof_number::Denormals;
use gpuproof_number::float32;
use gpuproof_program::{Builtin, Detail, Evaluation, InputId, Interpolation, Kind, OutputId, Target, Width};

/// Direct3D's standard sample positions in sixteenths of a pixel from its centre (D3D11.3 §19.2.4.1).
fn sample_positions(samples: u32) -> &'static [[i8; 2]] {
    match samples {
        1 => &[[0, 0]],
        2 => &[[4, 4], [-4, -4]],
        4 => &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
        8 => &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
        16 => &[
            [1, 1],
            [-1, -3],
            [-3, 2],
            [4, -1],
            [-5, -2],
            [2, 5],
            [5, 3],
            [3, -5],
            [-2, 6],
            [0, -7],
            [-4, -6],
            [-6, 4],
            [-8, 0],
            [7, -4],
            [6, 7],
            [-7, -8],
        ],
        _ => &[],
    }
}

/// The position of a sample from the pixel's centre, x and y as f32; zeros for one that has none.
pub(super) fn sample_position(samples: u32, sample: u32) -> [u32; 2] {
    let position = sample_positions(samples).get(sample as usize).copied().unwrap_or([0, 0]);
    position.map(|sixteenths| (f32::from(sixteenths) / 16.0).to_bits())
}

impl Machine<'_> {
    pub(super) fn input(&mut self, effect: &Effect) -> Result<(), RunError> {
        let Target::Input(id, component) = effect.attrs.target else { return Ok(()) };
        let variable = self.plan.program.interface.input(id);
        let to = effect.results[0];
        if super::bind::is_supplied(variable.builtin) {
            for slot in 0..self.rows.lanes() {
                if self.valid.contains(slot) {
                    let word = self.supplied(variable.builtin, component, slot);
                    self.set_value(to, slot, word.into());
                }
            }
            return Ok(());
        }
        let case = self.case;
        let words = &case.inputs[id.index()].components[usize::from(component)];
        if let Some((first, lanes)) = self.contiguous()
            && to.width != Width::W1
            && let Some(words) = words.get(first..first + lanes)
        {
            self.rows.row_mut(to.at)[..lanes].copy_from_slice(words);
            return Ok(());
        }
        for slot in 0..self.rows.lanes() {
            if self.valid.contains(slot) {
                // A component that the variable lacks reads as 0.
                let word = words.get(self.lane(slot) as usize).copied().unwrap_or(0);
                self.set_value(to, slot, word.into());
            }
        }
        Ok(())
    }

    /// What the launch alone says of a lane.
    fn supplied(&self, builtin: Option<Builtin>, component: u8, slot: usize) -> u32 {
        let (local, thread) = (slot / self.stride, (slot % self.stride) as u32);
        let group = self.groups[local];
        let axis = usize::from(component.min(2));
        let coordinate = |index: u32, [x, y, _]: [u32; 3]| {
            let (x, y) = (x.max(1), y.max(1));
            [index % x, index / x % y, index / x / y][axis]
        };
        let size = self.plan.program.group_size;
        let wave = self.case.wave_size;
        match builtin {
            Some(Builtin::LocalInvocationId) => coordinate(thread, size),
            Some(Builtin::LocalInvocationIndex) => thread,
            Some(Builtin::WorkgroupId) => coordinate(group, self.shape.group_count),
            Some(Builtin::GlobalInvocationId) => {
                coordinate(group, self.shape.group_count).wrapping_mul(size[axis]).wrapping_add(coordinate(thread, size))
            }
            Some(Builtin::NumWorkgroups) => self.shape.group_count[axis],
            Some(Builtin::SubgroupSize) => wave,
            Some(Builtin::SubgroupInvocationId) => thread % wave,
            Some(Builtin::SubgroupId) => thread / wave,
            Some(Builtin::NumSubgroups) => self.shape.threads.div_ceil(wave),
            _ => 0,
        }
    }

    /// A pixel input elsewhere than at the pixel's centre. The case gives values at centres, so the value is extended over the quad by its
    /// coarse derivatives, as f32: `(value + ddx * x) + ddy * y`, flushing. The centroid is taken to be the centre.
    pub(super) fn input_at(&mut self, effect: &Effect) -> Result<(), RunError> {
        let (Target::Input(id, component), Detail::Evaluation(evaluation)) = (effect.attrs.target, effect.attrs.detail) else {
            return Ok(());
        };
        for slot in self.active.clone().iter() {
            let offset = match evaluation {
                Evaluation::Centroid => [0, 0],
                Evaluation::Sample => sample_position(self.case.samples, self.value(effect.args[0], slot) as u32),
                Evaluation::Snapped => [0, 1].map(|at| {
                    let sixteenths = ((self.value(effect.args[at], slot) as i32) << 28) >> 28;
                    (sixteenths as f32 / 16.0).to_bits()
                }),
            };
            let bits = self.extended(id, component, slot, offset);
            self.set_value(effect.results[0], slot, bits.into());
        }
        Ok(())
    }

    fn extended(&self, id: InputId, component: u8, slot: usize, [x, y]: [u32; 2]) -> u32 {
        let variable = self.plan.program.interface.input(id);
        let words = &self.case.inputs[id.index()].components[usize::from(component)];
        let at = |slot: usize| words.get(self.lane(slot) as usize).copied().unwrap_or(0);
        let is_float = matches!(variable.kind, Kind::Float | Kind::Unknown);
        if variable.interpolation == Interpolation::Flat || !is_float || (x == 0 && y == 0) {
            return at(slot);
        }
        let quad = slot & !3;
        let rule = Denormals::Flush;
        let along = |other: usize| float32::sub(at(quad + other), at(quad), rule);
        let right = float32::mul(along(1), x, rule);
        let down = float32::mul(along(2), y, rule);
        float32::add(float32::add(at(slot), right, rule), down, rule)
    }

    pub(super) fn output(&mut self, effect: &Effect) {
        let Target::Output(id, component) = effect.attrs.target else { return };
        let value = effect.args[0];
        if self.is_full
            && self.helpers.is_empty()
            && value.width != Width::W1
            && let Some((first, lanes)) = self.contiguous()
        {
            self.output_all(id, component, effect, first, lanes);
            return;
        }
        let component = usize::from(component);
        for slot in self.active.iter() {
            if self.helpers.contains(slot) {
                continue;
            }
            let (word, lane) = (self.value(value, slot) as u32, self.lane(slot) as usize);
            let output = &mut self.outputs[id.index()];
            if let Some(place) = output.components[component].get_mut(lane) {
                *place = word;
                mark_written(&mut output.written[lane], component, effect.float_made);
            }
        }
    }

    fn output_all(&mut self, id: OutputId, component: u8, effect: &Effect, first: usize, lanes: usize) {
        let component = usize::from(component);
        let output = &mut self.outputs[id.index()];
        let Some(words) = output.components[component].get_mut(first..first + lanes) else { return };
        let at = effect.args[0].at;
        if at.is_constant() {
            words.fill(self.rows.get(at, 0));
        } else {
            words.copy_from_slice(&self.rows.row(at)[..lanes]);
        }
        output.written[first..first + lanes].iter_mut().for_each(|flags| mark_written(flags, component, effect.float_made));
    }
}

fn mark_written(flags: &mut u8, component: usize, float_made: bool) {
    *flags = *flags & !(0x10 << component) | 1 << component | u8::from(float_made) << (component + 4);
}
