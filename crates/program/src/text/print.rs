//! Program to text.

use super::words::{Word, family, of_detail, quote};
use crate::attrs::{Choice, Target};
use crate::function::*;
use crate::source::{Origin, Source};
use crate::{Dialect, Program, Stage};
use serde::Serialize;
use std::fmt::{Display, Write};

/// Writes a program in the text form that the module's head describes.
pub fn print(program: &Program) -> String {
    let Program {
        name,
        dialect,
        stage,
        group_size: [x, y, z],
        assembly,
        interface,
        arrays,
        shared,
        functions,
        entry,
        source,
        notes,
    } = program;
    let mut out = String::new();
    line(&mut out, format_args!("{}", header(name, *dialect, *stage, [*x, *y, *z], *entry)));
    if !assembly.is_none() {
        line(&mut out, format_args!("assembly {}", notation(assembly)));
    }
    declare(&mut out, "input", InputId, &interface.inputs);
    declare(&mut out, "output", OutputId, &interface.outputs);
    declare(&mut out, "resource", ResourceId, &interface.resources);
    declare(&mut out, "sampler", SamplerId, &interface.samplers);
    for one in &interface.overrides {
        line(&mut out, format_args!("override {}", notation(one)));
    }
    declare(&mut out, "array", ArrayId, arrays);
    declare(&mut out, "shared", SharedId, shared);
    line(&mut out, format_args!("source {}", source.kind.word()));
    for one in &source.lines {
        line(&mut out, format_args!("line {} {:#x} {}", one.number, one.offset, quote(&one.text)));
    }
    for note in notes {
        line(&mut out, format_args!("note {}", quote(note)));
    }
    for (index, function) in functions.iter().enumerate() {
        let mut printer = Printer { out, function, source, depth: 1, shown: None };
        printer.function(FunctionId(index as u32));
        out = printer.out;
    }
    out
}

fn header(name: &str, dialect: Dialect, stage: Stage, [x, y, z]: [u32; 3], entry: FunctionId) -> String {
    format!("program {} {} {} {x}x{y}x{z} entry {entry}", quote(name), dialect.word(), stage.word())
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    _ = writeln!(out, "{text}");
}

fn declare<I: Display, T: Serialize>(out: &mut String, keyword: &str, id: impl Fn(u32) -> I, items: &[T]) {
    for (index, item) in items.iter().enumerate() {
        line(out, format_args!("{keyword} {} {}", id(index as u32), notation(item)));
    }
}

fn notation<T: Serialize>(item: &T) -> String {
    ron::Options::default().without_recursion_limit().to_string(item).expect("plain data has a notation")
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// A list in parentheses, nothing if it is empty.
fn carried(values: &[Value]) -> String {
    if values.is_empty() { String::new() } else { format!("({})", list(values)) }
}

fn place(origin: Origin) -> String {
    let mut text = String::new();
    if origin != Origin::NONE {
        _ = write!(text, " !{}", origin.line);
        if origin.column != 0 {
            _ = write!(text, ":{}", origin.column);
        }
        match origin.component {
            0 => {}
            component @ 1..=3 => _ = write!(text, ".{}", ["x", "y", "z", "w"][usize::from(component)]),
            component => _ = write!(text, ".{component}"),
        }
    }
    text
}

fn target(target: Target) -> Option<String> {
    let component = |component: u8| match component {
        0..=3 => ["x", "y", "z", "w"][usize::from(component)].to_string(),
        _ => component.to_string(),
    };
    Some(match target {
        Target::None => return None,
        Target::Bits(bits) => format!("{bits:#x}"),
        Target::Input(id, at) => format!("{id}.{}", component(at)),
        Target::Output(id, at) => format!("{id}.{}", component(at)),
        Target::Array(id) => id.to_string(),
        Target::Shared(id) => id.to_string(),
        Target::Resource(id) => id.to_string(),
        Target::Sampled(resource, sampler) => format!("{resource} {sampler}"),
        Target::Function(id) => id.to_string(),
    })
}

struct Printer<'a> {
    out: String,
    function: &'a Function,
    source: &'a Source,
    depth: usize,
    /// The source line whose text was shown last.
    shown: Option<u32>,
}

impl Printer<'_> {
    fn function(&mut self, id: FunctionId) {
        let Function { name, params, results, body, .. } = self.function;
        let (name, params) = (quote(name), list(params.iter().map(|value| self.definition(*value))));
        let results = list(results.iter().map(|width| width.bits()));
        line(&mut self.out, format_args!("\nfunction {id} {name} ({params}) -> ({results}) {{"));
        self.region(body);
        line(&mut self.out, format_args!("}}"));
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        line(&mut self.out, format_args!("{:indent$}{text}", "", indent = self.depth * 2));
    }

    fn definition(&self, value: Value) -> String {
        match self.function.values.get(value.index()) {
            Some(width) => format!("{value}:{}", width.bits()),
            None => format!("{value}:?"),
        }
    }

    fn results(&self, values: &[Value]) -> String {
        if values.is_empty() {
            return String::new();
        }
        format!(" -> ({})", list(values.iter().map(|value| self.definition(*value))))
    }

    fn params(&self, params: &[Value], initial: &[Value]) -> String {
        if params.is_empty() {
            return String::new();
        }
        let params = params.iter().zip(initial).map(|(param, initial)| format!("{} = {initial}", self.definition(*param)));
        format!("({})", list(params))
    }

    /// The text of the source line, where it is another one than before.
    fn show(&mut self, origin: Origin) {
        if let Some(source) = self.source.line(origin)
            && self.shown != Some(origin.line)
        {
            self.shown = Some(origin.line);
            self.line(format_args!("; {}: {}", source.number, source.text.escape_debug()));
        }
    }

    fn region(&mut self, region: &Region) {
        region.iter().for_each(|node| self.node(node));
    }

    fn inner(&mut self, region: &Region) {
        self.depth += 1;
        self.region(region);
        self.depth -= 1;
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Op(instruction) => self.instruction(instruction),
            Node::Block { label, results, body } => {
                let results = self.results(results);
                self.line(format_args!("block {label}{results} {{"));
                self.inner(body);
                self.line(format_args!("}}"));
            }
            Node::If { label, condition, results, then, otherwise, origin } => {
                self.show(*origin);
                let results = self.results(results);
                self.line(format_args!("if {label} {condition}{results}{} {{", place(*origin)));
                self.inner(then);
                self.line(format_args!("}} else {{"));
                self.inner(otherwise);
                self.line(format_args!("}}"));
            }
            Node::Switch { label, selector, results, arms, origin } => {
                self.show(*origin);
                let results = self.results(results);
                self.line(format_args!("switch {label} {selector}{results}{} {{", place(*origin)));
                self.depth += 1;
                arms.iter().for_each(|arm| self.arm(arm));
                self.depth -= 1;
                self.line(format_args!("}}"));
            }
            Node::Loop { label, initial, params, body, origin } => {
                self.show(*origin);
                let params = self.params(params, initial);
                self.line(format_args!("loop {label}{params}{} {{", place(*origin)));
                self.inner(body);
                self.line(format_args!("}}"));
            }
            Node::Br { target, values } => self.line(format_args!("br {target}{}", carried(values))),
            Node::Return { values } if values.is_empty() => self.line(format_args!("return")),
            Node::Return { values } => self.line(format_args!("return {}", list(values))),
            Node::Unreachable => self.line(format_args!("unreachable")),
        }
    }

    fn arm(&mut self, arm: &Arm) {
        let mut selectors: Vec<String> = arm.selectors.iter().map(u32::to_string).collect();
        if arm.is_default {
            selectors.push("default".into());
        }
        let (selectors, params) = (list(selectors), self.params(&arm.params, &arm.initial));
        let space = if params.is_empty() { "" } else { " " };
        self.line(format_args!("case {} {selectors}{space}{params} {{", arm.label));
        self.inner(&arm.body);
        self.line(format_args!("}}"));
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let Instruction { op, attrs, args, results, origin } = instruction;
        self.show(*origin);
        let mut text = String::new();
        if !results.is_empty() {
            text = format!("{} = ", list(results.iter().map(|value| self.definition(*value))));
        }
        match (family(*op), args.first().and_then(|arg| self.function.values.get(arg.index()))) {
            (Some((letter, rest)), Some(width)) => _ = write!(text, "{letter}{}.{rest}", width.bits()),
            _ => text.push_str(op.row().name),
        }
        for word in Choice::ALL.iter().filter_map(|choice| attrs.rules.word(*choice)) {
            _ = write!(text, " {word}");
        }
        if let Some(target) = target(attrs.target) {
            _ = write!(text, " {target}");
        }
        if !args.is_empty() {
            _ = write!(text, " {}", list(args));
        }
        let detail = of_detail(attrs.detail);
        if !detail.is_empty() {
            _ = write!(text, " [{}]", detail.join(" "));
        }
        self.line(format_args!("{text}{}", place(*origin)));
    }
}
