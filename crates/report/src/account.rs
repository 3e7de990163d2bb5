//! What is undefined, laid out as compilers lay out errors.

use gpuproof_run::{Account, AccountPlace};
use std::fmt::Write;

const RED: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Red)));
const BLUE: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Blue)));

fn place(place: &AccountPlace, sign: &str) -> String {
    place.line.map_or_else(|| place.text.clone(), |line| format!("{sign}{line}  {}", place.text))
}

/// One event: what, where, the lanes, what the API promises, and help. `sign` stands before line numbers, `more` are further facts.
pub fn text(out: &mut String, account: &Account, sign: &str, more: &[String]) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{RED}undefined{RED:#}: {}", account.title);
    let _ = writeln!(out, "  {BLUE}-->{BLUE:#} {}", place(&account.place, sign));
    for lane in &account.lanes {
        let _ = writeln!(out, "   {BLUE}|{BLUE:#}  {}", lane.text);
        if let Some(at) = &lane.place {
            let _ = writeln!(out, "   {BLUE}|{BLUE:#}    at {}", place(at, sign));
        }
    }
    for (first, text) in more.iter().map(|text| ("", text)).chain([("note: ", &account.note), ("help: ", &account.help)]) {
        if !text.is_empty() {
            let _ = writeln!(out, "   {BLUE}={BLUE:#} {first}{text}");
        }
    }
}
