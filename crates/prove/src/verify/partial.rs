//! Comparisons of a part of what the original writes.

use crate::bind::Binding;
use crate::compare::{Comparison, Difference, Place, ulps};
use crate::formula::Tolerance;
use gpuproof_program::{OutputId, Program};
use gpuproof_run::{Event, MemoryKind, Outcome};
use std::collections::BTreeMap;

/// A comparison with a port that is only meant to compute what the map has, as formulas do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partial {
    /// Whether the port says which lanes are discarded. Where it does not, lanes that the original discards are left out.
    pub discards: bool,
    /// How far components of outputs may be from the original's.
    pub tolerances: Vec<((OutputId, u8), Tolerance)>,
}

/// Whether the port leaves nothing undefined that the original does not leave undefined too, in the same memory: formulas are a part of their program, and what it
/// leaves open they may.
pub(super) fn leaves_no_more(outcome: &Outcome, port: &Outcome) -> bool {
    // Registers and variables have other names.
    let of_lane = |kind: MemoryKind| matches!(kind, MemoryKind::Register | MemoryKind::Array);
    let what = |event: &Event| {
        let memory = event.memory.as_ref().filter(|memory| !of_lane(memory.kind));
        (event.kind, memory.map(|memory| (memory.kind, memory.name.clone(), memory.element)))
    };
    let own: Vec<_> = outcome.events.iter().map(what).collect();
    port.events.iter().all(|event| own.contains(&what(event)))
}

/// Words of an output that differ within its tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Within {
    words: u64,
    worst: f64,
}

impl Partial {
    /// Takes out of a comparison what is no difference here.
    pub(super) fn apply(
        &self,
        comparison: &mut Comparison,
        original: &Program,
        binding: &Binding,
        within: &mut BTreeMap<String, Within>,
    ) {
        let Comparison { same, differences, .. } = comparison;
        differences.retain(|difference| match difference.place {
            Place::Live { .. } => self.discards,
            Place::Output { original: place, .. } => {
                let tolerance = self.tolerances.iter().find(|(of, _)| *of == place).map(|(_, tolerance)| *tolerance);
                // A word that only one side wrote is not near anything.
                let both = difference.written && difference.port_written;
                let Some(distance) = tolerance.filter(|_| both).and_then(|tolerance| tolerance.distance(difference)) else {
                    return true;
                };
                let output = difference.place.output(original, binding);
                *same.entry(output.clone()).or_default() += 1;
                let kept = within.entry(output).or_default();
                kept.words += 1;
                kept.worst = kept.worst.max(distance);
                false
            }
            _ => true,
        });
    }

    /// What is said of words that differ within a tolerance.
    pub(super) fn notes(within: &BTreeMap<String, Within>) -> Vec<String> {
        let note = |(output, within): (&String, &Within)| {
            let worst = if within.worst.fract() == 0.0 { within.worst.to_string() } else { format!("{:.3e}", within.worst) };
            format!("{output}: {} words differ within the tolerance, by {worst} at most", within.words)
        };
        within.iter().map(note).collect()
    }
}

impl Tolerance {
    /// How far two words are apart, if that is within the tolerance: in ulp or as values. An infinity or NaN is never within one.
    fn distance(self, difference: &Difference) -> Option<f64> {
        let (a, b) = (difference.original, difference.port);
        match self {
            Tolerance::Ulps(most) => ulps(a, b).filter(|distance| *distance <= most).map(|distance| distance as f64),
            Tolerance::Absolute(most) => {
                let (a, b) = (f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b)));
                let distance = (a - b).abs();
                (distance <= most).then_some(distance)
            }
        }
    }
}
