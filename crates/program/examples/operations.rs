//! Prints the table of operations as Markdown: `cargo run -p gpuproof-program --example operations > crates/program/OPERATIONS.md`.

use gpuproof_program::op::{DetailKind, Row, Scope, Slot, TABLE, TargetKind};
use gpuproof_program::{Class, Width};

fn main() {
    print!("{}", page());
}

/// The whole page.
pub(crate) fn page() -> String {
    let mut page = String::from(HEAD);
    TABLE.iter().for_each(|row| page.push_str(&line(row)));
    page
}

const HEAD: &str = "# Operations

Made from the table in `src/op.rs` by `cargo run -p gpuproof-program --example operations > crates/program/OPERATIONS.md`; a test holds them equal.

* **Signature**: T and U are widths that the instruction decides, each the same throughout; 1 and 32 are bits. T is one of the widths listed.
* **Does**: `reads` what others may write or the case supplies; `writes` memory or outputs, or ends lanes; else the results depend on the operands alone.
  `quad`, `wave` and `group` look at other lanes, so they are convergent.
* **Choices**: the numeric choices that an instruction makes, and with them what it names and which detail picks its variant.
* Sections are those of the Direct3D 11.3 functional specification 1.16; of the WGSL specification the names of its built-in functions and sections are
  given, because its numbers change.

| operation | signature | T | does | choices | meaning |
|---|---|---|---|---|---|
";

fn line(row: &Row) -> String {
    let signature = match (row.target, row.detail) {
        (TargetKind::Function, _) => "the function's".into(),
        (_, DetailKind::Sampling) => format!("(by its detail) → {}", letters(row.results)),
        _ => format!("{} → {}", letters(row.operands), letters(row.results)),
    };
    let widths: Vec<String> = row.widths.iter().map(|width| Width::bits(*width).to_string()).collect();
    let class = match row.class {
        Class::Pure => None,
        Class::Reads => Some("reads"),
        Class::Writes => Some("writes"),
    };
    let scope = match row.scope {
        Scope::Lane => None,
        Scope::Quad => Some("quad"),
        Scope::Wave => Some("wave"),
        Scope::Group => Some("group"),
    };
    let does: Vec<&str> = class.into_iter().chain(scope).collect();
    let mut choices: Vec<String> = row.choices.iter().map(|choice| format!("{choice:?}").to_lowercase()).collect();
    choices.extend((row.target != TargetKind::Nothing).then(|| format!("{:?}", row.target).to_lowercase()));
    choices.extend((row.detail != DetailKind::Plain).then(|| format!("{:?}", row.detail).to_lowercase()));
    let meaning = row
        .doc
        .trim()
        .replace('|', "\\|")
        .replace('*', "\\*")
        .replace("[`", "`")
        .replace("`]", "`")
        .replace("(crate::Sampling::operands)", "");
    format!(
        "| `{}` | {signature} | {} | {} | {} | {meaning} |\n",
        row.name,
        widths.join(" "),
        does.join(", "),
        choices.join(", ")
    )
}

fn letters(slots: &[Slot]) -> String {
    let letters: Vec<&str> = slots
        .iter()
        .map(|slot| match slot {
            Slot::T => "T",
            Slot::U => "U",
            Slot::B => "1",
            Slot::W => "32",
        })
        .collect();
    format!("({})", letters.join(" "))
}
