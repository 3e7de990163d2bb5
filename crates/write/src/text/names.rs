//! Identifiers that a language accepts and that tell things apart.

use gpuproof_program::{IoVariable, Program, RegisterClass, Resource, Slot};
use std::collections::{HashMap, HashSet};

/// Makes identifiers, each one but once.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    used: HashSet<String>,
    /// The last number behind each name that was taken.
    counts: HashMap<String, u32>,
}

impl Names {
    /// Names apart from these words.
    pub(super) fn apart_from(words: &[&str]) -> Names {
        let used = words.iter().flat_map(|list| list.split_whitespace()).map(str::to_string).collect();
        Names { used, counts: HashMap::new() }
    }

    /// The name as an identifier of ASCII letters, digits and single underscores; with a number behind it where it is taken.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut made = String::with_capacity(name.len());
        // No language lets others have names with two underscores in a row.
        for c in name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }) {
            if !(c == '_' && made.ends_with('_')) {
                made.push(c);
            }
        }
        let made = made.trim_matches('_');
        let mut made = if made.len() > MAX_LENGTH { made[..MAX_LENGTH].to_string() } else { made.to_string() };
        if made.is_empty() || made.starts_with(|c: char| c.is_ascii_digit()) || made.starts_with("gl_") {
            made = format!("n{made}");
        }
        let stem = made.clone();
        let count = self.counts.entry(stem.clone()).or_insert(1);
        while !self.used.insert(made.clone()) {
            *count += 1;
            let between = if stem.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
            made = format!("{stem}{between}{count}");
        }
        made
    }

    /// The next of the names of a local: a letter with a number.
    pub(super) fn local(&mut self, letter: char) -> String {
        let count = self.counts.entry(format!("{letter} ")).or_insert(0);
        loop {
            *count += 1;
            let made = format!("{letter}{count}");
            if self.used.insert(made.clone()) {
                return made;
            }
        }
    }
}

/// Identifiers of more letters are cut off: some compilers have a limit.
const MAX_LENGTH: usize = 200;

/// What everything that the program declares is called.
#[derive(Clone, Debug)]
pub(super) struct Idents {
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) resources: Vec<String>,
    /// By resource; empty where it has no counter.
    pub(super) counters: Vec<String>,
    pub(super) samplers: Vec<String>,
    pub(super) arrays: Vec<String>,
    pub(super) shared: Vec<String>,
    /// Names for what else there is.
    pub(super) rest: Names,
}

impl Idents {
    /// Names apart from the words that the language keeps. Whether outputs are members of a structure there.
    pub(super) fn of(program: &Program, reserved: &[&str], members: bool) -> Idents {
        let mut names = Names::apart_from(reserved);
        let interface = &program.interface;
        let resources: Vec<String> = interface.resources.iter().map(|resource| names.unique(&resource_name(resource))).collect();
        let counter = |(resource, ident): (&Resource, &String)| (resource.counter, format!("{ident}_counter"));
        let counters: Vec<(bool, String)> = interface.resources.iter().zip(&resources).map(counter).collect();
        let counters = counters.into_iter().map(|(has, name)| if has { names.unique(&name) } else { String::new() }).collect();
        let samplers = interface.samplers.iter().map(|sampler| names.unique(&slot_or(&sampler.name, sampler.slot))).collect();
        let inputs = side(&interface.inputs, &mut names);
        // Outputs are members of a structure, or begin with a word of their own.
        let outputs = match members {
            true => side(&interface.outputs, &mut Names::apart_from(reserved)),
            false => {
                let named = interface.outputs.iter().map(|output| names.unique(&format!("out_{}", variable_name(output))));
                named.collect()
            }
        };
        let arrays = program.arrays.iter().map(|array| names.unique(&array.name)).collect();
        let shared = program.shared.iter().map(|shared| names.unique(&shared.name)).collect();
        Idents { inputs, outputs, resources, counters, samplers, arrays, shared, rest: names }
    }
}

fn side(variables: &[IoVariable], names: &mut Names) -> Vec<String> {
    variables.iter().map(|variable| names.unique(&variable_name(variable))).collect()
}

/// A semantic's name with its number, as people write names of members.
fn variable_name(variable: &IoVariable) -> String {
    let upper = variable.name.chars().all(|c| !c.is_ascii_lowercase());
    let stem = variable.name.strip_prefix("SV_").or(variable.name.strip_prefix("sv_")).unwrap_or(&variable.name);
    let stem = if upper { stem.to_ascii_lowercase() } else { stem.to_string() };
    let stem = if variable.name.to_ascii_lowercase().starts_with("sv_") { stem.to_ascii_lowercase() } else { stem };
    if variable.semantic_index > 0 { format!("{stem}{}", variable.semantic_index) } else { stem }
}

fn resource_name(resource: &Resource) -> String {
    slot_or(&resource.name, resource.slot)
}

/// The name, or that of the slot where there is none.
fn slot_or(name: &str, slot: Slot) -> String {
    if !name.is_empty() {
        return name.into();
    }
    match slot {
        Slot::Register { class, index, .. } => {
            let class = match class {
                RegisterClass::B => "cb",
                RegisterClass::T => "t",
                RegisterClass::U => "u",
                RegisterClass::S => "s",
            };
            format!("{class}{index}")
        }
        Slot::Binding { group, binding } => format!("binding{group}_{binding}"),
    }
}
