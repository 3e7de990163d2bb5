//! What rules found in programs, as text and JSON.

use gpuproof_prove::lint::{Finding, RULES, Report, Severity};
use serde::Serialize;
use std::fmt::Write;

const BOLD: anstyle::Style = anstyle::Style::new().bold();
const YELLOW: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));
const CYAN: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Cyan)));
const GREEN: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Green)));

/// What was found in one program of a file.
#[derive(Debug, Serialize)]
pub struct Linted {
    /// The file.
    pub file: String,
    /// The entry point, of a file with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// What was found.
    #[serde(flatten)]
    pub report: Report,
}

/// A rule, for a list of them.
#[derive(Debug, Serialize)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// The first sentence of its manual page.
    pub summary: String,
    /// Its manual page.
    pub manual: String,
}

/// Every rule.
pub fn list() -> Vec<Described> {
    RULES.iter().map(|rule| Described { name: rule.name, summary: rule.summary(), manual: rule.manual() }).collect()
}

/// The names of the rules with their summaries.
pub fn rules() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    RULES.iter().map(|rule| format!("{:width$}  {}\n", rule.name, rule.summary())).collect()
}

/// Findings as text: the place, then what is wrong there and what to do.
pub fn text(programs: &[Linted]) -> String {
    let mut out = String::new();
    let mut count = 0;
    for program in programs {
        let entry = program.entry.as_ref().map_or_else(String::new, |entry| format!(" ({entry})"));
        for finding in &program.report.findings {
            one(&mut out, &format!("{}{entry}", program.file), finding);
            count += 1;
        }
        if !program.report.skipped.is_empty() {
            let skipped = program.report.skipped.join(", ");
            let _ = writeln!(out, "{}{entry}: not asked, since the program is not translated: {skipped}", program.file);
        }
    }
    let _ = match count {
        0 => writeln!(out, "{GREEN}nothing found{GREEN:#}"),
        1 => writeln!(out, "1 finding"),
        count => writeln!(out, "{count} findings"),
    };
    out
}

fn one(out: &mut String, file: &str, finding: &Finding) {
    let place = &finding.place;
    let at = match (place.number, place.offset) {
        (Some(number), Some(_)) => format!("#{number} {}", place.text),
        (Some(number), None) => format!("line {number}: {}", place.text),
        (None, _) => place.text.clone(),
    };
    let (style, word) = match finding.severity {
        Severity::Warning => (YELLOW, "warning"),
        Severity::Candidate => (YELLOW, "candidate"),
        Severity::Note => (CYAN, "note"),
    };
    // Writing to a string does not fail.
    let _ = writeln!(out, "{BOLD}{file}: {at}{BOLD:#}");
    let _ = writeln!(out, "  {style}{word}{style:#}: {} [{}]", finding.message, finding.rule);
    let _ = writeln!(out, "  help: {}", finding.help);
}
