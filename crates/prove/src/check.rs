//! Holds formulas against a program: every output that they set, on every lane of the cases.

use crate::bind::{How, IoPair, Map, letters, output_names, resource_names};
use crate::compare::{Status, Tally};
use crate::formula::vocabulary::Vocabulary;
use crate::formula::{self, FormulaError, Formulas, Tolerance};
use crate::verify::{Partial, Progress, ProveError, Settings, Subject, Verification, verify};
use gpuproof_program::{Node, OutputId, Program, ResourceId, Target, walk};
use serde::Serialize;
use std::collections::HashSet;

/// What holding formulas against a program gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// What it comes to.
    pub status: Status,
    /// Each output that the formulas set.
    pub formulas: Vec<CheckedFormula>,
    /// The comparison that it rests on. Its port is the formulas.
    pub evidence: crate::Evidence,
}

/// One output that formulas set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedFormula {
    /// The output: `o0.x`, `particles`.
    pub output: String,
    /// How far it may be from the program's, as the formulas state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Its words, by verdict.
    pub words: Tally,
}

/// Why formulas could not be held against a program.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// They are not formulas for this program.
    #[error(transparent)]
    Formulas(#[from] FormulaError),
    /// The comparison failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

/// Holds a text of formulas against a program on the cases of the settings, whose map is not used.
///
/// # Errors
/// [`CheckError::Formulas`] with the line for a text that is no formulas of this program; [`CheckError::Prove`] when the program cannot be run.
pub fn check(
    original: &Subject<'_>,
    name: &str,
    text: &str,
    settings: &Settings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Check, CheckError> {
    let program = original.program;
    let vocabulary = Vocabulary::of(program);
    let formulas = formula::read(program, &vocabulary, text)?;
    let settings = Settings {
        map: Some(map(program, &vocabulary, &formulas).map_err(ProveError::from)?),
        partial: Some(partial(&vocabulary, &formulas)),
        // What the program's language allows beside its results is no more right here than anything else that formulas do not state.
        explain: false,
        ..settings.clone()
    };
    let port = Subject::new(&formulas.program, name, text.as_bytes());
    let Verification { evidence, .. } = verify(original, &port, &settings, progress)?;
    let tally = |name: &str| {
        let found = evidence.census.outputs.iter().find(|output| output.name == name);
        found.map_or_else(Tally::default, |output| output.finite.with(&output.edge))
    };
    let mut checked = Vec::new();
    for ((word, component), tolerance) in &formulas.assigned.outputs {
        let Some(id) = vocabulary.outputs[*word].components[usize::from(*component)] else { continue };
        let output = crate::bind::output_place(program, id, *component);
        checked.push(CheckedFormula { words: tally(&output), output, within: tolerance.map(|tolerance| tolerance.to_string()) });
    }
    let names = resource_names(&program.interface);
    let mut stores: Vec<usize> = formulas.assigned.stores.iter().copied().collect();
    stores.sort_unstable();
    for at in stores {
        checked.push(CheckedFormula { output: names[at].clone(), within: None, words: tally(&names[at]) });
    }
    Ok(Check { status: evidence.status, formulas: checked, evidence })
}

fn partial(vocabulary: &Vocabulary, formulas: &Formulas) -> Partial {
    let tolerances = formulas.assigned.outputs.iter().filter_map(|((word, component), tolerance)| {
        let id: OutputId = vocabulary.outputs[*word].components[usize::from(*component)]?;
        Some(((id, *component), (*tolerance)?))
    });
    Partial { discards: formulas.assigned.discards, tolerances: tolerances.collect() }
}

/// The map of a program to itself, with the outputs that formulas set and the memory that they set or read.
fn map(program: &Program, vocabulary: &Vocabulary, formulas: &Formulas) -> Result<Map, crate::bind::BindError> {
    let mut map = Map::infer(program, program)?;
    map.outputs.clear();
    let names = output_names(program);
    for (word, component) in formulas.assigned.outputs.keys() {
        let Some(id) = vocabulary.outputs[*word].components[usize::from(*component)] else { continue };
        let place = format!("{}.{}", names[id.index()], letters(&[*component]));
        map.outputs.push(IoPair { original: place.clone(), port: place, convert: Default::default(), how: How::Name });
    }
    let named: HashSet<ResourceId> = resources(&formulas.program);
    let all = resource_names(&program.interface);
    let keeps = |name: &String| {
        let Some(at) = all.iter().position(|known| known == name) else { return true };
        let written = program.interface.resources[at].access != gpuproof_program::Access::Read;
        !written || named.contains(&ResourceId(at as u32)) || formulas.assigned.stores.contains(&at)
    };
    map.resources.retain(|pair| keeps(&pair.original));
    map.counters.retain(|pair| match &pair.original {
        crate::bind::CounterPlace::Hidden(name) => {
            let counted = |at: usize| counts(&formulas.program, ResourceId(at as u32));
            all.iter().position(|known| known == name).is_none_or(counted)
        }
        crate::bind::CounterPlace::Word { .. } => true,
    });
    Ok(map)
}

fn resources(program: &Program) -> HashSet<ResourceId> {
    let mut found = HashSet::new();
    for function in &program.functions {
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node {
                match instruction.attrs.target {
                    Target::Resource(id) | Target::Sampled(id, _) => _ = found.insert(id),
                    _ => {}
                }
            }
        });
    }
    found
}

fn counts(program: &Program, resource: ResourceId) -> bool {
    use gpuproof_program::Op;
    let mut found = false;
    for function in &program.functions {
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node {
                let counter = matches!(instruction.op, Op::CounterAlloc | Op::CounterConsume);
                found |= counter && instruction.attrs.target == Target::Resource(resource);
            }
        });
    }
    found
}

impl std::fmt::Display for Tolerance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tolerance::Ulps(count) => write!(f, "{count} ulp"),
            Tolerance::Absolute(value) => write!(f, "{value}"),
        }
    }
}
