//! Cases near a case: one lane's inputs with one of them changed, another constant, another texture.

use super::search::Start;
use super::slice::slice;
use crate::cases::uses::{self, Use, Uses};
use crate::cases::values::{FLOAT_EDGES, INTEGER_EDGES};
use crate::cases::{CaseClass, lanes};
use crate::random::Random;
use gpuproof_program::{Builtin, Program, Shape, Stage};
use gpuproof_run::{Binding, Case, Launch, Texture};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Lanes of a varied case.
const LANES: u32 = 256;

/// Varies the cases of one program.
pub(super) struct Vary<'a> {
    original: &'a Program,
    uses: Uses,
    random: Random,
    /// Whether infinities, NaNs and subnormals may be put in.
    edges: bool,
    /// Whether any were put in since it was asked for.
    pub(super) strange: bool,
}

impl<'a> Vary<'a> {
    pub(super) fn new(original: &'a Program, random: Random, edges: bool) -> Vary<'a> {
        Vary { original, uses: uses::uses(original), random, edges, strange: false }
    }

    /// A case near one: the inputs of one of its lanes, some of what is bound as another case has it, and one of these changed.
    pub(super) fn near(&mut self, start: &Start, others: &[Start]) -> Start {
        let mut next = start.clone();
        let lane = self.random.below(lanes(self.original, &next.case.launch) as u32);
        self.spread(&mut next.case, lane);
        let may = |other: &&Start| self.edges || other.class == CaseClass::Finite;
        let others: Vec<&Start> = others.iter().filter(may).collect();
        if let (true, Some(other)) = (self.random.one_in(2), self.random.pick(&others)) {
            let mut mixed = false;
            for (mine, theirs) in next.case.resources.iter_mut().zip(&other.case.resources) {
                if self.random.one_in(2) {
                    (*mine, mixed) = (theirs.clone(), true);
                }
            }
            if self.random.one_in(2) {
                next.case.samplers = other.case.samplers.clone();
            }
            if mixed && other.class == CaseClass::Edge {
                next.class = CaseClass::Edge;
            }
        } else {
            self.change_resource(&mut next.case);
        }
        if std::mem::take(&mut self.strange) {
            next.class = CaseClass::Edge;
        }
        next
    }

    /// Puts the inputs of a lane on all lanes, with one of them changed on each but the first.
    pub(super) fn spread(&mut self, case: &mut Case, lane: u32) {
        let Some((copied, unit)) = copies(self.original, case, lane, LANES) else { return };
        *case = copied;
        let copies = LANES / unit;
        let places: Vec<(usize, usize)> = case
            .inputs
            .iter()
            .enumerate()
            .flat_map(|(input, values)| (0..4).filter(|at| !values.components[*at].is_empty()).map(move |at| (input, at)))
            // An index stays where it hits: out of range, programs show nothing but the rules for that.
            .filter(|(input, at)| !self.uses.inputs[*input][*at].has(Use::INDEX) && !self.is_place(*input, *at))
            .collect();
        for copy in 1..copies {
            for _ in 0..1 + self.random.below(2) {
                let Some(&(input, component)) = self.random.pick(&places) else { break };
                let variable = &self.original.interface.inputs[input];
                let words = &mut case.inputs[input].components[component];
                // A quad keeps its gradients, mostly; what is flat stays flat.
                let one = self.random.one_in(4) && variable.interpolation != gpuproof_program::Interpolation::Flat;
                let old = words[(copy * unit + lane % unit) as usize];
                let new = self.changed(old) & variable.width.mask() as u32;
                replace(&mut words[(copy * unit) as usize..((copy + 1) * unit) as usize], lane % unit, new, one);
            }
        }
    }

    /// Whether a component of an input is a pixel's place, which a rasteriser gives.
    fn is_place(&self, input: usize, component: usize) -> bool {
        let builtin = self.original.interface.inputs[input].builtin;
        self.original.stage == Stage::Pixel && builtin == Some(Builtin::Position) && component < 2
    }

    /// Changes a few words of a buffer that the program reads, or of a texture.
    pub(super) fn change_resource(&mut self, case: &mut Case) {
        let interface = &self.original.interface;
        if interface.resources.is_empty() {
            return;
        }
        let at = self.random.below(interface.resources.len() as u32) as usize;
        let Some(bound) = case.resources[at].first_mut() else { return };
        match bound {
            Binding::Buffer(buffer) => {
                let bytes = Arc::make_mut(&mut buffer.bytes);
                let words = (bytes.len() / 4) as u32;
                if words == 0 {
                    return;
                }
                let mut known: Vec<u32> = self.uses.words[at].keys().copied().collect();
                known.sort_unstable();
                let constants = matches!(interface.resources[at].shape, Shape::ConstantBuffer { .. });
                let count = if constants { 1 + self.random.below(2) } else { (words / 4).max(1) };
                for _ in 0..count {
                    let offset = match self.random.pick(&known) {
                        Some(offset) if constants => *offset as usize,
                        _ => self.random.below(words) as usize * 4,
                    };
                    let used = self.uses.words[at].get(&(offset as u32)).copied().unwrap_or(self.uses.dynamic[at]);
                    let Some(place) = bytes.get_mut(offset..offset + 4).filter(|_| !used.has(Use::INDEX)) else { continue };
                    let old = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
                    place.copy_from_slice(&self.changed(old).to_le_bytes());
                }
            }
            Binding::Texture(texture) => {
                // Texels of 32-bit channels alone are numbers of their own.
                if matches!(texture.format.0, 2 | 41) {
                    let new = self.changed(0x3f00_0000);
                    let texture: &mut Texture = Arc::make_mut(texture);
                    for level in &mut texture.levels {
                        for word in level.chunks_exact_mut(4) {
                            if self.random.one_in(4) {
                                word.copy_from_slice(&new.to_le_bytes());
                            }
                        }
                    }
                }
            }
            Binding::Unbound => {}
        }
    }

    /// Another word near one, or an edge.
    fn changed(&mut self, old: u32) -> u32 {
        let random = &mut self.random;
        let value = f32::from_bits(old);
        let new = match random.below(10) {
            0..=2 => old.wrapping_add(1 << random.below(24)),
            3..=5 => old.wrapping_sub(1 << random.below(24)),
            6 => (value * [0.5, 2.0, -1.0, 1.5, 0.75, 10.0, 0.1][random.below(7) as usize]).to_bits(),
            7 => (value + random.signed()).to_bits(),
            8 => random.pick(FLOAT_EDGES).copied().unwrap_or(0),
            _ => random.pick(INTEGER_EDGES).copied().unwrap_or(0),
        };
        let is_strange = |float: f32| !float.is_finite() || float.is_subnormal();
        // Small integers look like subnormals.
        let strange = is_strange(f32::from_bits(new)) && (value.is_normal() || new >> 23 & 0xff == 0xff);
        if strange && !self.edges {
            return old ^ 1;
        }
        self.strange |= strange;
        new
    }
}

/// About so many lanes with the inputs of one, quad by quad where they come in quads, and how many come together. None where lanes have no inputs of
/// their own.
pub(super) fn copies(program: &Program, case: &Case, lane: u32, count: u32) -> Option<(Case, u32)> {
    if matches!(case.launch, Launch::Groups { .. }) {
        return None;
    }
    let part = slice(program, case, &BTreeSet::from([lane]));
    let unit = lanes(program, &part.launch).max(1) as u32;
    let copies = count / unit;
    let launch = match &part.launch {
        Launch::Pixels { .. } => Launch::Pixels { quads: copies, helpers: Vec::new() },
        _ => Launch::Vertices { count },
    };
    let mut copied = Case { launch, ..part };
    for values in &mut copied.inputs {
        for component in values.components.iter_mut().filter(|component| !component.is_empty()) {
            *component = component.repeat(copies as usize);
        }
    }
    Some((copied, unit))
}

/// Gives one lane of a quad another word, and the others as much more, unless it is for one alone.
pub(super) fn replace(quad: &mut [u32], lane: u32, new: u32, one: bool) {
    let old = quad[lane as usize];
    for (at, word) in quad.iter_mut().enumerate() {
        let moved = f32::from_bits(new) + (f32::from_bits(*word) - f32::from_bits(old));
        if at == lane as usize || !one {
            *word = if moved.is_finite() && at != lane as usize { moved.to_bits() } else { new };
        }
    }
}
