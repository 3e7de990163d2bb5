//! What people and machines see: descriptions of programs, outcomes of runs and Evidence, each as one value that serialises to
//! JSON and prints as text. Nothing here computes a verdict; what is shown is what `prove`, `run` and `read` gave.
//!
//! Text for terminals carries ANSI styles; whoever writes it to something else strips them (`anstream` does).

pub mod account;
pub mod evidence;
pub mod explanation;
pub mod formulas;
pub mod html;
pub mod info;
pub mod lint;
pub mod listing;
mod machine;
pub mod numbers;
pub mod outcome;
pub mod values;
pub mod written;

use serde::Serialize;

/// A value as JSON text, indented, ending in a line break.
pub fn json<T: Serialize>(value: &T) -> String {
    match serde_json::to_string_pretty(value) {
        Ok(text) => text + "\n",
        // Only maps with keys that are no strings fail, and there are none.
        Err(error) => format!("{{\"error\": \"{error}\"}}\n"),
    }
}
