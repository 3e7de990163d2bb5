//! Which operations make a small difference large: the same run with and without the port's values put in.

use super::evidence::{Amplifier, AmplifierKind};
use super::exact::number;
use super::trace::Makers;
use crate::locate::PartingLine;
use crate::locate::graph::{Maker, Point};
use crate::locate::record::Occurrence;
use gpuproof_program::{Op, Width};
use std::collections::{HashMap, HashSet};

/// By how much a relative difference has to grow to be worth a line.
const LARGE: f64 = 64.0;
/// The relative error of one rounding of an f32.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// How many lines are given.
const MOST: usize = 12;

/// A difference between two floats relative to the first; infinite where one is no number.
fn relative(a: u64, b: u64, width: Width) -> f64 {
    match (number(a, width), number(b, width)) {
        _ if a == b => 0.0,
        (Some(x), Some(y)) => (x - y).abs() / x.abs().max(y.abs()).max(f64::MIN_POSITIVE),
        _ => f64::INFINITY,
    }
}

/// The amplifiers of a run; `values` are those that were put in.
pub(super) fn amplifiers(
    makers: &Makers<'_>,
    before: &[Occurrence],
    after: &[Occurrence],
    values: &HashSet<Point>,
) -> Vec<Amplifier> {
    let key = |occurrence: &Occurrence| (occurrence.point, occurrence.iterations.clone(), occurrence.repeat);
    let by_key: HashMap<_, usize> = after.iter().enumerate().map(|(at, occurrence)| (key(occurrence), at)).collect();
    // The latest value of each point before a time, in both runs.
    let mut latest: HashMap<Point, (usize, usize)> = HashMap::new();
    let mut found: HashMap<(Point, AmplifierKind), (f64, u32)> = HashMap::new();
    for (at, occurrence) in before.iter().enumerate() {
        let Some(&other) = by_key.get(&key(occurrence)) else { continue };
        let point = occurrence.point;
        latest.insert(point, (at, other));
        let Some((instruction, _)) = makers.pure(point) else { continue };
        let (t, u) = makers.widths(point, instruction);
        if values.contains(&point) {
            // A value that was put in: in the sum itself nearly equal terms may have left little but their roundings.
            let sums = matches!(instruction.op, Op::FAdd | Op::FSub | Op::FMad | Op::FFma | Op::FDot2 | Op::FDot3 | Op::FDot4);
            let active = (0..occurrence.bits.len()).filter(|lane| occurrence.active & after[other].active >> lane & 1 == 1);
            for factor in active.map(|lane| relative(occurrence.bits[lane], after[other].bits[lane], u) / ROUNDING) {
                if sums && u == Width::W32 && factor.is_finite() && factor >= LARGE {
                    let entry = found.entry((point, AmplifierKind::Cancellation)).or_insert((0.0, 0));
                    *entry = (entry.0.max(factor), entry.1 + 1);
                }
            }
            continue;
        }
        if !instruction.op.row().name.starts_with("f.") {
            continue;
        }
        let (own, theirs) = (occurrence, &after[other]);
        for lane in (0..own.bits.len()).filter(|lane| own.active & theirs.active >> lane & 1 == 1) {
            if own.bits[lane] == theirs.bits[lane] {
                continue;
            }
            let site = &makers.graph.sites[point];
            let mut most = 0f64;
            for source in &site.data {
                if let Some((a, b)) = latest.get(source)
                    && before[*a].active & after[*b].active >> lane & 1 == 1
                {
                    most = most.max(relative(before[*a].bits[lane], after[*b].bits[lane], t));
                }
            }
            // A difference of one representable number is as small as there is.
            if most == 0.0 || most.is_infinite() {
                continue;
            }
            let (kind, factor) = match instruction.op {
                Op::FEq | Op::FNe | Op::FLt | Op::FLe => (AmplifierKind::Comparison, f64::INFINITY),
                Op::FToS | Op::FToU | Op::FToNorm => (AmplifierKind::ToInteger, f64::INFINITY),
                Op::FFloor | Op::FCeil | Op::FTrunc | Op::FRound => (AmplifierKind::ToInteger, f64::INFINITY),
                op => {
                    let factor = relative(own.bits[lane], theirs.bits[lane], u) / most;
                    let kind = match op {
                        Op::FFract => AmplifierKind::FractionOfLarge,
                        Op::FAdd | Op::FSub | Op::FMad | Op::FFma | Op::FDot2 | Op::FDot3 | Op::FDot4 | Op::FDiv => {
                            AmplifierKind::Cancellation
                        }
                        _ => AmplifierKind::Steep,
                    };
                    if factor < LARGE {
                        continue;
                    }
                    (kind, factor)
                }
            };
            let entry = found.entry((point, kind)).or_insert((0.0, 0));
            entry.0 = entry.0.max(factor);
            entry.1 += 1;
        }
    }
    let mut lines: Vec<(u32, Amplifier)> = Vec::new();
    for ((point, kind), (factor, lanes)) in found {
        let site = &makers.graph.sites[point];
        let line = makers.program.source.line(site.origin);
        let at = line.map(|line| PartingLine { number: line.number, text: line.text.clone() });
        let operation = if let Maker::Op(op) = site.maker { op.row().name.to_string() } else { String::new() };
        match lines.iter_mut().find(|(_, known)| known.at == at && known.kind == kind) {
            Some((_, known)) => {
                known.lanes = known.lanes.max(lanes);
                known.factor = known.factor.map(|known| known.max(factor)).filter(|factor| factor.is_finite());
            }
            None => {
                let factor = factor.is_finite().then_some(factor);
                lines.push((site.origin.line, Amplifier { at, operation, kind, factor, lanes }));
            }
        }
    }
    lines.sort_by_key(|line| (line.0, line.1.kind));
    lines.into_iter().map(|(_, amplifier)| amplifier).take(MOST).collect()
}
