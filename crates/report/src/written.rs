//! What `write` wrote, and what the check of it came to, as text.

use gpuproof_prove::Evidence;
use serde::Serialize;
use std::fmt::Write;

/// A program that was written, with the evidence for it.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// What was written.
    #[serde(flatten)]
    pub record: Record,
    /// What holding it against the original gave; none where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The language: `spirv`, `wgsl`, `hlsl`, `glsl`.
    pub language: String,
    /// The file; none where it was not handed out.
    pub output: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// The compiler that it was read back through; none where a reader of gpuproof's took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Where resources, hidden counters and samplers are bound.
    pub bindings: Vec<Bound>,
    /// What whoever runs it has to know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Where a resource is bound in what was written.
#[derive(Clone, Debug, Serialize)]
pub struct Bound {
    /// Its name in the original.
    pub name: String,
    /// Whether it is the hidden counter of that resource.
    pub counter: bool,
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
}

/// The record as text: what the check came to first, then where things are bound.
pub fn text(written: &Written) -> String {
    let mut out = String::new();
    match &written.evidence {
        Some(evidence) => out.push_str(&crate::evidence::text(evidence, false)),
        None => out.push_str("unchecked  nothing was run: the check was left out\n"),
    }
    let record = &written.record;
    if let Some(path) = &record.output {
        let _ = writeln!(out, "wrote      {path}    ({}, {} bytes)", record.language, record.bytes);
    }
    if let Some(through) = &record.through {
        let _ = writeln!(out, "through    {through}    (what it made of the text is what was compared)");
    }
    for bound in &record.bindings {
        let counter = if bound.counter { " (its counter)" } else { "" };
        let _ = writeln!(out, "bound      {}{counter} at set {}, binding {}", bound.name, bound.set, bound.binding);
    }
    for note in &record.notes {
        let _ = writeln!(out, "note       {note}");
    }
    out
}
