//! Numbers of the page, each with the places of the JSON that it comes from.

use maud::{Markup, html};
use serde_json::Value;

/// The verdicts as they are listed, worst first.
const VERDICTS: [&str; 6] = ["different", "unspecified", "undefined", "schedule", "allowed", "same"];

/// The numbers of an Evidence.
pub(super) struct Numbers<'a> {
    json: &'a Value,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(json: &'a Value) -> Numbers<'a> {
        Numbers { json }
    }

    /// The sum of the numbers at these JSON pointers.
    pub(super) fn sum<S: AsRef<str>>(&self, pointers: &[S]) -> u64 {
        pointers.iter().filter_map(|pointer| self.json.pointer(pointer.as_ref())?.as_u64()).sum()
    }

    /// That sum as it is shown.
    pub(super) fn show<S: AsRef<str>>(&self, pointers: &[S]) -> Markup {
        let sum = self.sum(pointers);
        let from = pointers.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        html! { data value=(sum) data-from=(from) { (grouped(sum)) } }
    }

    /// The number at a JSON pointer.
    pub(super) fn at(&self, pointer: &str) -> Markup {
        self.show(&[pointer])
    }

    /// The names and numbers of a tally, but for those that are part of others.
    pub(super) fn tally(&self, pointers: &[String]) -> Vec<(String, Vec<String>)> {
        let Some(Value::Object(tally)) = pointers.first().and_then(|pointer| self.json.pointer(pointer)) else {
            return Vec::new();
        };
        let mut names: Vec<&String> = tally.keys().filter(|name| *name != "reordered").collect();
        names.sort_by_key(|name| VERDICTS.iter().position(|verdict| verdict == name).unwrap_or(VERDICTS.len()));
        names
            .into_iter()
            .map(|name| (name.clone(), pointers.iter().map(|pointer| format!("{pointer}/{name}")).collect()))
            .collect()
    }
}

/// A number with its thousands apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What people call a verdict or a kind of finding by its name in the JSON.
pub(super) fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        assert_eq!(cases.map(|case| grouped(case.0)), cases.map(|case| case.1));
    }
}
