//! Looks for mistakes that a single program shows by itself.
//!
//! Each rule is a module, and the text at its head is the rule's manual page, which [`Rule::manual`] gives. A rule speaks of the source: the
//! instruction as the listing has it and its register, or the line of the text.
//!
//! Two views serve the rules. What values mean is asked of the [`Program`]. What Direct3D's registers hold is asked of the token stream
//! (`registers`), since a Program has neither registers nor moves, nor what its reader found to be unreachable.

mod accesses;
mod constant_out_of_range;
mod dead_code;
mod divergent_derivative;
mod linear;
mod live;
mod nan_mask;
mod never_written;
mod race_candidate;
mod registers;
mod uniformity;
mod unused_input;

use gpuproof_program::{Origin, Program, SourceKind, SourceLine};
use gpuproof_read::dxbc::{Shader, listing};
use serde::Serialize;
use std::cell::OnceCell;

/// How sure a finding is, and how bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// What the program computes is undefined, or hardly what was meant.
    Warning,
    /// It may be so; whether it is depends on what the rule cannot see.
    Candidate,
    /// It has no effect on results.
    Note,
}

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The instruction's number as the vendor's listing counts them, or the line's number from 1; none for what has no code.
    pub number: Option<u32>,
    /// The byte offset in the file, of an instruction.
    pub offset: Option<u32>,
    /// The instruction as listed, the line, or the declaration's name.
    pub text: String,
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// How sure it is, and how bad.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// The Program.
    Program,
    /// The Program, or else the token stream of what does not translate.
    Either,
    /// The token stream: the rule finds nothing in other languages.
    Tokens,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, as `--rule` takes it.
    pub name: &'static str,
    source: &'static str,
    needs: Needs,
    check: fn(&Subject<'_>) -> Vec<Finding>,
}

macro_rules! rules {
    ($($module:ident $name:literal $needs:ident;)*) => {
        /// Every rule, in the order in which findings at one place are given.
        pub const RULES: &[Rule] = &[$(Rule {
            name: $name,
            source: include_str!(concat!(stringify!($module), ".rs")),
            needs: Needs::$needs,
            check: $module::check,
        },)*];
    };
}

rules! {
    never_written "never-written" Tokens;
    nan_mask "nan-mask" Program;
    constant_out_of_range "constant-out-of-range" Program;
    divergent_derivative "divergent-derivative" Program;
    race_candidate "race-candidate" Program;
    dead_code "dead-code" Either;
    unused_input "unused-input" Program;
}

impl Rule {
    /// The rule of a name.
    pub fn named(name: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.name == name)
    }

    /// The manual page: the text at the head of the rule's module.
    pub fn manual(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
    }

    /// The first sentence of the manual page.
    pub fn summary(&self) -> String {
        let manual = self.manual();
        let first: Vec<&str> = manual.lines().take_while(|line| !line.is_empty()).collect();
        first.join(" ")
    }
}

/// A program to be looked at.
#[derive(Debug)]
pub struct Subject<'a> {
    program: Option<&'a Program>,
    shader: Option<&'a Shader>,
    kind: SourceKind,
    lines: Vec<SourceLine>,
    live: OnceCell<live::Live>,
}

impl<'a> Subject<'a> {
    /// A Program, with the token stream that it was read from if it was.
    pub fn new(program: &'a Program, shader: Option<&'a Shader>) -> Subject<'a> {
        let (kind, lines) = (program.source.kind, program.source.lines.clone());
        Subject { program: Some(program), shader, kind, lines, live: OnceCell::new() }
    }

    /// A token stream alone, of what does not translate.
    pub fn tokens(shader: &'a Shader) -> Subject<'a> {
        let numbered = listing(shader).into_iter().filter_map(|line| {
            let offset = line.offset as u32;
            line.number.map(|number| SourceLine { number, offset, text: line.text.trim().to_string() })
        });
        Subject {
            program: None,
            shader: Some(shader),
            kind: SourceKind::Instructions,
            lines: numbered.collect(),
            live: OnceCell::new(),
        }
    }

    /// What of the Program has an effect.
    fn live(&self, program: &Program) -> &live::Live {
        self.live.get_or_init(|| live::Live::of(program))
    }

    fn line_place(&self, line: &SourceLine) -> Place {
        let offset = (self.kind == SourceKind::Instructions).then_some(line.offset);
        Place { number: Some(line.number), offset, text: line.text.clone() }
    }

    /// The place of an operation; a place without a number for what the reader made itself.
    fn place(&self, origin: Origin) -> Place {
        match self.lines.get(origin.line as usize) {
            Some(line) => self.line_place(line),
            None => Place { number: None, offset: None, text: "the program".into() },
        }
    }

    /// The place of an instruction of the token stream.
    fn instruction_place(&self, offset: usize) -> Place {
        let found = self.lines.binary_search_by_key(&(offset as u32), |line| line.offset);
        match found.ok().and_then(|at| self.lines.get(at)) {
            Some(line) => self.line_place(line),
            None => Place { number: None, offset: Some(offset as u32), text: "an instruction".into() },
        }
    }

    /// A place in a sentence: `#12 add r0.x, r1.y, r2.z`, `line 12`.
    fn named(&self, origin: Origin) -> String {
        match (self.lines.get(origin.line as usize), self.kind) {
            (Some(line), SourceKind::Instructions) => format!("#{} `{}`", line.number, line.text),
            (Some(line), SourceKind::Text) => format!("line {}", line.number),
            (None, _) => "the start of the program".into(),
        }
    }
}

/// What was found in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What the rules found, in the order of the source.
    pub findings: Vec<Finding>,
    /// The rules that were asked for and could not look, since the program is not translated.
    pub skipped: Vec<&'static str>,
}

/// Asks these rules about a program.
pub fn lint(subject: &Subject<'_>, rules: &[&'static Rule]) -> Report {
    let mut report = Report::default();
    for rule in rules {
        let looks = match rule.needs {
            Needs::Program => subject.program.is_some(),
            Needs::Either | Needs::Tokens => true,
        };
        if looks {
            report.findings.extend((rule.check)(subject));
        } else {
            report.skipped.push(rule.name);
        }
    }
    report.findings.sort_by_key(|finding| (finding.place.number.unwrap_or(u32::MAX), finding.place.clone()));
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_manual_page_with_each_part() {
        for rule in RULES {
            let manual = rule.manual();
            for part in ["## Why", "## Example", "## What to do", "## What it does not see"] {
                assert!(manual.contains(part), "{} lacks {part}", rule.name);
            }
            assert!(rule.summary().ends_with('.'), "{}: {}", rule.name, rule.summary());
            assert_eq!(Rule::named(rule.name).map(|found| found.name), Some(rule.name));
        }
    }
}
