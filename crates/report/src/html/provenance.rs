//! What was compared, how, and with what.

use super::Page;
use super::cases::command;
use super::numbers::Numbers;
use gpuproof_prove::Side;
use maud::{Markup, html};

pub(super) fn section(page: &Page<'_>, numbers: &Numbers<'_>) -> Option<Markup> {
    let evidence = page.evidence;
    let sides = [(Side::Original, &evidence.original), (Side::Port, &evidence.port)];
    Some(html! {
        dl .facts {
            @for (side, program) in sides {
                div {
                    dt { (side) }
                    dd {
                        (program.name) ", " (format!("{:?}", program.stage).to_lowercase()) " program " code { (program.entry) }
                        ", " (format!("{:?}", program.dialect)) br;
                        "SHA-256 " code .hash { (program.sha256) }
                        @for note in &program.notes { br; "Note: " (note) }
                    }
                }
            }
            @if let Some(machines) = &evidence.machines {
                @for (side, record) in [(Side::Original, &machines.original), (Side::Port, &machines.port)] {
                    div { dt { "Machine" } dd { @for known in crate::machine::lines(record) { (side) " on " (known) br; } } }
                }
            }
            div { dt { "Seed" } dd { (numbers.at("/seed")) } }
            div { dt { "Made by" } dd { (evidence.made_by) ", Evidence of form " (numbers.at("/version")) } }
            div { dt { "Command" } dd { (command(page.command)) } }
        }
        details {
            summary { "How inputs, outputs and resources were matched" }
            pre .map tabindex="0" { (evidence.map) }
        }
    })
}

/// A word of a command line, quoted where a shell would take it for something else.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
