//! Constructs and effects as statements.

use super::expression::{Text, place_text, steps_with_values};
use super::group::Groups;
use super::operand::operands;
use super::pack::Packs;
use super::{Context, TraceError};
use crate::formula::names::Names;
use crate::formula::ty::Ty;
use gpuproof_program::{AtomicOp, Class, Detail, Function, Instruction, Label, Node, Op, Region, Target, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Expressions longer than this get a name.
const LONGEST: usize = 100;

/// A construct that is open.
struct Frame {
    label: Label,
    /// The variables that branches to it set, and how many values each takes.
    variables: Vec<(String, usize)>,
    /// Whether `break` leaves it, and where that leads.
    breaks: Option<Vec<Label>>,
    is_loop: bool,
    /// Branches that leave it for a construct further out, with the variable that says so.
    leaves: Vec<(Label, String)>,
}

/// Writes the statements of a function.
pub(super) struct Writer<'a, 'f> {
    pub(super) context: &'a Context<'f>,
    pub(super) groups: Groups<'f>,
    packs: Packs,
    /// Names of expressions that are too long to stand inside others, and are used once.
    long: HashSet<String>,
    /// What branches bring to each result and parameter.
    incoming: Vec<Vec<Value>>,
    /// Expressions that are written where they are used, by group.
    pub(super) waiting: HashMap<usize, Text>,
    /// What values are called.
    named: HashMap<Value, (String, Option<u8>)>,
    /// How many components names have.
    pub(super) sizes: HashMap<String, usize>,
    /// Names that may be set again.
    pub(super) variables: HashMap<String, Ty>,
    names: Names,
    lines: Vec<String>,
    indent: usize,
    frames: Vec<Frame>,
}

impl<'a, 'f> Writer<'a, 'f> {
    pub(super) fn new(context: &'a Context<'f>, function: &'f Function) -> Writer<'a, 'f> {
        let vocabulary = context.vocabulary;
        let mut sizes: HashMap<String, usize> = vocabulary.inputs.iter().map(|word| (word.ident.clone(), word.size)).collect();
        for constant in &vocabulary.constants {
            sizes.insert(constant.ident.clone(), constant.leaf.size as usize);
        }
        let groups = Groups::of(context, function);
        Writer {
            context,
            packs: Packs::of(context, function, &groups),
            incoming: function.incoming(),
            long: HashSet::new(),
            groups,
            waiting: HashMap::new(),
            named: HashMap::new(),
            sizes,
            variables: HashMap::new(),
            names: vocabulary.names.clone(),
            lines: Vec::new(),
            indent: 0,
            frames: Vec::new(),
        }
    }

    /// The statements of a function, a line each.
    pub(super) fn write(mut self, function: &Function) -> Result<Vec<String>, TraceError> {
        self.region(&function.body, &[])?;
        self.lines.pop_if(|line| line == "return;");
        Ok(self.lines)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.indent), text.as_ref()));
    }

    /// What a value is called, and which component of that it is.
    pub(super) fn name(&self, value: Value) -> Option<(String, Option<u8>)> {
        if let Some(name) = self.named.get(&value) {
            return Some(name.clone());
        }
        let instruction = self.context.definitions.get(value)?;
        match (instruction.op, instruction.attrs.target) {
            (Op::Input, Target::Input(id, component)) => {
                let word = self.context.vocabulary.input(id);
                Some((word.ident.clone(), super::operand::input_component(word, component)))
            }
            (Op::BufferLoad, Target::Resource(id)) => {
                let offset = self.context.fixed_row(instruction)?;
                if let Some((constant, name)) = self.context.constant(instruction) {
                    let first = if constant.leaf.vectors.is_some() { offset / 16 * 16 } else { constant.leaf.offset };
                    let component = ((offset - first) / 4) as u8;
                    let single = constant.leaf.vectors.is_none() && constant.leaf.size == 1;
                    return Some((name, (!single).then_some(component)));
                }
                let ident = &self.context.vocabulary.resource(id).ident;
                Some((format!("{ident}[{}]", offset / 16), Some((offset / 4 % 4) as u8)))
            }
            _ => None,
        }
    }

    /// What a name stands for where the line before gave it to an expression that is used here alone, else the name.
    fn unnamed(&mut self, name: String) -> String {
        let head = format!("{}let {name} = ", "    ".repeat(self.indent));
        let line = self.lines.last().filter(|line| self.long.contains(&name) && line.starts_with(&head));
        match line.and_then(|line| line[head.len()..].strip_suffix(';')).map(str::to_string) {
            Some(value) => {
                self.lines.pop();
                value
            }
            None => name,
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names.unique(stem)
    }

    /// Variables for values that branches give.
    fn declare(&mut self, values: &[Value], stem: &str) -> Vec<(String, usize)> {
        self.declare_but(values, stem, &HashMap::new())
    }

    /// Variables for all but those that have others already: an empty name stands for each of these.
    fn declare_but(&mut self, values: &[Value], stem: &str, kept: &HashMap<Value, Value>) -> Vec<(String, usize)> {
        let mut made = Vec::new();
        let mut rest = values;
        while let Some(first) = rest.first() {
            if kept.contains_key(first) {
                made.push((String::new(), 1));
                rest = &rest[1..];
                continue;
            }
            let run = rest.iter().take(self.packs.run(rest)).take_while(|value| !kept.contains_key(value)).count();
            let (pack, after) = rest.split_at(run);
            let name = self.fresh(stem);
            for (at, value) in pack.iter().enumerate() {
                self.named.insert(*value, (name.clone(), (pack.len() > 1).then_some(at as u8)));
            }
            self.variables.insert(name.clone(), self.type_of(*first));
            self.sizes.insert(name.clone(), pack.len());
            made.push((name, pack.len()));
            rest = after;
        }
        made
    }

    /// Variables with the texts that they start with, where they have them.
    fn write_declarations(&mut self, variables: &[(String, usize)], texts: &[Text]) {
        for (at, (name, count)) in variables.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
            let ty = self.variables.get(name).copied().unwrap_or(Ty::U32);
            let ty = super::expression::short(ty, *count);
            match texts.get(at) {
                Some(text) => self.line(format!("var {name}: {ty} = {};", text.text)),
                None => self.line(format!("var {name}: {ty};")),
            }
        }
    }

    /// Values as the variables of what they are brought to hold them.
    fn packed(&mut self, values: &[Value], to: &[Value]) -> Vec<Text> {
        let mut texts = Vec::new();
        let mut at = 0;
        while at < to.len() {
            let count = self.packs.run(&to[at..]);
            let ty = self.type_of(to[at]);
            texts.push(self.vector(&values[at..at + count], ty).widened(count));
            at += count;
        }
        texts
    }

    fn type_of(&self, value: Value) -> Ty {
        self.context.types[value.index()]
    }

    fn region(&mut self, region: &Region, after: &[Label]) -> Result<(), TraceError> {
        for (at, node) in region.iter().enumerate() {
            let follows = follows(&region[at + 1..], after);
            match node {
                Node::Op(instruction) => self.instruction(instruction)?,
                Node::Br { target, values } => self.branch(*target, values, after)?,
                Node::Return { .. } => self.line("return;"),
                Node::Unreachable => {}
                Node::Block { label, results, body } => {
                    let kept = self.kept(node, *label, results, body, &follows);
                    let variables = self.declare_but(results, "r", &kept);
                    self.write_declarations(&variables, &[]);
                    self.wrapped(*label, variables, node, &follows, |this, after| this.region(body, after))?;
                    for (result, param) in kept {
                        if let Some(name) = self.named.get(&param).cloned() {
                            self.named.insert(result, name);
                        }
                    }
                }
                Node::If { label, condition, results, then, otherwise, .. } => {
                    self.choice(node, (*label, *condition, results), (then, otherwise), &follows)?;
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    self.switch(*label, *selector, results, arms, &follows)?;
                }
                Node::Loop { label, initial, params, body, .. } => self.repeat(*label, initial, params, body, &follows)?,
            }
        }
        Ok(())
    }

    /// Results of a block that are what a loop in it has for its round when it is left: its variables hold that still, where nothing is around the loop.
    fn kept(&self, node: &Node, label: Label, results: &[Value], body: &Region, follows: &[Label]) -> HashMap<Value, Value> {
        if leaves_from_its_middle(node, label, follows) {
            return HashMap::new();
        }
        let params: Vec<Value> = body
            .iter()
            .filter_map(|node| match node {
                Node::Loop { params, .. } => Some(params),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        let source = |result: &Value| match self.incoming[result.index()].as_slice() {
            [first, rest @ ..]
                if rest.iter().all(|other| other == first)
                    && params.contains(first)
                    && self.type_of(*first) == self.type_of(*result) =>
            {
                Some((*result, *first))
            }
            _ => None,
        };
        results.iter().filter_map(source).collect()
    }

    /// Declares the variables that a construct's branches set.
    fn results(&mut self, results: &[Value]) -> Vec<(String, usize)> {
        let variables = self.declare(results, "r");
        self.write_declarations(&variables, &[]);
        variables
    }

    /// A construct that nothing but its end is left by, or, where branches leave it from its middle, a `switch` with one arm around it.
    fn wrapped(
        &mut self,
        label: Label,
        variables: Vec<(String, usize)>,
        node: &Node,
        follows: &[Label],
        write: impl FnOnce(&mut Self, &[Label]) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        let after: Vec<Label> = std::iter::once(label).chain(follows.iter().copied()).collect();
        let wraps = leaves_from_its_middle(node, label, follows);
        let breaks = wraps.then(|| after.clone());
        self.frames.push(Frame { label, variables, breaks, is_loop: false, leaves: Vec::new() });
        if !wraps {
            write(self, &after)?;
            self.frames.pop();
            return Ok(());
        }
        let outer = std::mem::take(&mut self.lines);
        self.indent += 2;
        write(self, &after)?;
        self.indent -= 2;
        self.close("switch 0 {", Some("default: {"), outer, follows)
    }

    /// Writes a construct that `break` leaves around the lines that were written for it.
    fn close(&mut self, head: &str, inner: Option<&str>, outer: Vec<String>, follows: &[Label]) -> Result<(), TraceError> {
        let body = std::mem::replace(&mut self.lines, outer);
        let frame = self.frames.pop();
        let leaves = frame.map_or_else(Vec::new, |frame| frame.leaves);
        for (_, flag) in &leaves {
            self.line(format!("var {flag} = false;"));
        }
        self.line(head);
        if let Some(inner) = inner {
            self.indent += 1;
            self.line(inner);
            self.indent -= 1;
        }
        self.lines.extend(body);
        if inner.is_some() {
            self.indent += 1;
            self.line("}");
            self.indent -= 1;
        }
        self.line("}");
        for (target, flag) in leaves {
            self.line(format!("if {flag} {{"));
            self.indent += 1;
            self.jump(target, follows)?;
            self.indent -= 1;
            self.line("}");
        }
        Ok(())
    }

    fn choice(
        &mut self,
        node: &Node,
        (label, condition, results): (Label, Value, &[Value]),
        (then, otherwise): (&Region, &Region),
        follows: &[Label],
    ) -> Result<(), TraceError> {
        let condition = self.vector(&[condition], Ty::Bool);
        // An arm that only brings values is what the variables hold at first.
        let brought = |arm: &Region| match arm.as_slice() {
            [Node::Br { target, values }] if *target == label => Some(values.clone()),
            _ => None,
        };
        let initial = brought(otherwise);
        let texts = initial.as_ref().map_or_else(Vec::new, |values| self.packed(values, results));
        let variables = self.declare(results, "r");
        self.write_declarations(&variables, &texts);
        let bare = initial.is_some();
        self.wrapped(label, variables, node, follows, |this, after| {
            this.line(format!("if {} {{", condition.text));
            this.indent += 1;
            this.region(then, after)?;
            this.indent -= 1;
            if !bare {
                let held = std::mem::take(&mut this.lines);
                this.indent += 1;
                this.region(otherwise, after)?;
                this.indent -= 1;
                let written = std::mem::replace(&mut this.lines, held);
                if !written.is_empty() {
                    this.line("} else {");
                    this.lines.extend(written);
                }
            }
            this.line("}");
            Ok(())
        })
    }

    fn switch(
        &mut self,
        label: Label,
        selector: Value,
        results: &[Value],
        arms: &[gpuproof_program::Arm],
        follows: &[Label],
    ) -> Result<(), TraceError> {
        let ty = match self.type_of(selector) {
            Ty::I32 => Ty::I32,
            _ => Ty::U32,
        };
        let chosen = self.vector(&[selector], ty);
        let variables = self.results(results);
        let after: Vec<Label> = std::iter::once(label).chain(follows.iter().copied()).collect();
        let outer = std::mem::take(&mut self.lines);
        self.frames.push(Frame { label, variables, breaks: Some(after.clone()), is_loop: false, leaves: Vec::new() });
        for arm in arms {
            let mut selectors: Vec<String> = arm.selectors.iter().map(|bits| ty.literal(u64::from(*bits))).collect();
            if arm.is_default {
                selectors.push("default".into());
            }
            self.indent += 1;
            if selectors == ["default"] {
                self.line("default: {");
            } else {
                self.line(format!("case {}: {{", selectors.join(", ")));
            }
            self.indent += 1;
            for (param, initial) in arm.params.iter().zip(&arm.initial) {
                let ty = self.type_of(*param);
                let text = self.vector(&[*initial], ty);
                let name = self.fresh("r");
                self.line(format!("let {name} = {};", text.text));
                self.named.insert(*param, (name, None));
            }
            self.region(&arm.body, &after)?;
            self.indent -= 1;
            self.line("}");
            self.indent -= 1;
        }
        self.close(&format!("switch {} {{", chosen.text), None, outer, follows)
    }

    fn repeat(
        &mut self,
        label: Label,
        initial: &[Value],
        params: &[Value],
        body: &Region,
        follows: &[Label],
    ) -> Result<(), TraceError> {
        let texts = self.packed(initial, params);
        let variables = self.declare(params, "i");
        self.write_declarations(&variables, &texts);
        let outer = std::mem::take(&mut self.lines);
        self.frames.push(Frame { label, variables, breaks: Some(follows.to_vec()), is_loop: true, leaves: Vec::new() });
        self.indent += 1;
        self.region(body, &[label])?;
        self.indent -= 1;
        self.close("loop {", None, outer, follows)
    }

    /// A branch: its values, then the way there.
    fn branch(&mut self, target: Label, values: &[Value], after: &[Label]) -> Result<(), TraceError> {
        let frame = self.frames.iter().rfind(|frame| frame.label == target);
        let variables = frame.map(|frame| frame.variables.clone()).unwrap_or_default();
        let mut pairs = Vec::new();
        let mut rest = values;
        for (name, count) in variables {
            let (pack, after) = rest.split_at(count.min(rest.len()));
            rest = after;
            let Some(first) = pack.first().filter(|_| !name.is_empty()) else { continue };
            let ty = self.variables.get(&name).copied().unwrap_or_else(|| self.type_of(*first));
            let text = self.vector(pack, ty).widened(count);
            if text.text != name {
                pairs.push((name, text));
            }
        }
        // All are read before the first is set.
        for at in 1..pairs.len() {
            let (set, rest) = pairs.split_at_mut(at);
            if set.iter().any(|(name, _)| rest[0].1.reads.contains(name)) {
                let name = self.names.unique("next");
                let line = format!("{}let {name} = {};", "    ".repeat(self.indent), rest[0].1.text);
                self.lines.push(line);
                rest[0].1 = Text { reads: BTreeSet::new(), text: name, ..rest[0].1.clone() };
            }
        }
        // What the line before names for one of them alone is set first, if no other reads what it sets.
        let is_free = |(name, text): &(String, Text)| {
            self.long.contains(&text.text) && pairs.iter().all(|(other, text)| other == name || !text.reads.contains(name))
        };
        if let Some(at) = pairs.iter().position(is_free) {
            let (name, text) = pairs.remove(at);
            let value = self.unnamed(text.text);
            self.line(format!("{name} = {value};"));
        }
        for (name, text) in pairs {
            self.line(format!("{name} = {};", text.text));
        }
        self.jump(target, after)
    }

    /// Goes to a construct's end or a loop's next round.
    fn jump(&mut self, target: Label, after: &[Label]) -> Result<(), TraceError> {
        if after.contains(&target) {
            return Ok(());
        }
        let innermost_loop = self.frames.iter().rfind(|frame| frame.is_loop).map(|frame| frame.label);
        if innermost_loop == Some(target) {
            self.line("continue;");
            return Ok(());
        }
        let Some(at) = self.frames.iter().rposition(|frame| frame.breaks.is_some()) else {
            return Err(TraceError::unsupported("a branch out of a construct that WGSL cannot leave there"));
        };
        let leads = self.frames[at].breaks.as_ref().is_some_and(|labels| labels.contains(&target));
        if !leads {
            let known = self.frames[at].leaves.iter().find(|(to, _)| *to == target).map(|(_, flag)| flag.clone());
            let flag = match known {
                Some(flag) => flag,
                None => {
                    let flag = self.fresh("leave");
                    self.frames[at].leaves.push((target, flag.clone()));
                    flag
                }
            };
            self.line(format!("{flag} = true;"));
        }
        self.line("break;");
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), TraceError> {
        let Some(at) = self.groups.at.get(&std::ptr::from_ref(instruction)).copied() else { return Ok(()) };
        let group = self.groups.all[at].clone();
        if !group.needed {
            return Ok(());
        }
        let first = group.members[0];
        let used = group.uses > 0;
        if first.op.row().class == Class::Writes && (!used || first.results.is_empty()) {
            return self.effect(&group.members);
        }
        match first.op {
            Op::TextureSize | Op::UAddCarry | Op::USubBorrow => return self.several(first),
            _ => {}
        }
        let status = self.status(first);
        if status.is_some() && self.is_typed(first) {
            return Err(self.context.unsupported(first, "whether a typed buffer that atomics change was mapped"));
        }
        let text = self.expression(&group)?;
        if status.is_none() && group.inline(self.context) && text.text.len() <= LONGEST {
            self.waiting.insert(at, text);
            return Ok(());
        }
        let stem = self.stem(first);
        let name = self.fresh(&stem);
        self.line(format!("let {name} = {};", text.text));
        if group.inline(self.context) {
            self.long.insert(name.clone());
        }
        let size = text.size;
        self.sizes.insert(name.clone(), size);
        for (component, value) in group.results.iter().enumerate() {
            // A number may stand for all components.
            let component = (size > 1).then_some(component as u8);
            self.named.insert(*value, (name.clone(), component));
        }
        if let Some(status) = status {
            let number = Text::tight(if size > 1 { format!("{name}.x") } else { name }, 1, text.ty).cast(Ty::F32).text;
            let name = self.fresh("status");
            self.line(format!("let {name} = read_status({number});"));
            self.named.insert(status, (name, None));
        }
        Ok(())
    }

    /// What a value is named after.
    fn stem(&self, instruction: &Instruction) -> String {
        let line = self.context.program.source.line(instruction.origin).map_or_else(String::new, |line| line.number.to_string());
        match (instruction.op, instruction.attrs.target) {
            (Op::Sample | Op::Gather, Target::Sampled(id, _)) => format!("{}_{line}", self.context.vocabulary.resource(id).ident),
            _ => format!("e{line}"),
        }
    }

    /// The status of a texture read, where something uses it.
    fn status(&self, instruction: &Instruction) -> Option<Value> {
        let reads = crate::formula::helper::has_status(instruction.op);
        instruction.results.get(4).copied().filter(|status| reads && self.context.used.contains(status))
    }

    /// An operation of several results that are separate expressions.
    fn several(&mut self, first: &Instruction) -> Result<(), TraceError> {
        let mut texts = Vec::new();
        for operand in operands(self.context, &[first]) {
            texts.push(self.vector(&operand.values, Ty::U32));
        }
        if first.op == Op::TextureSize {
            for (at, count, text) in self.size_parts(first, &texts)? {
                let results = &first.results[at..at + count];
                if !results.iter().any(|result| self.context.used.contains(result)) {
                    continue;
                }
                let stem = self.stem(first);
                let name = self.fresh(&stem);
                self.line(format!("let {name} = {text};"));
                self.sizes.insert(name.clone(), count);
                for (component, result) in results.iter().enumerate() {
                    self.named.insert(*result, (name.clone(), (count > 1).then_some(component as u8)));
                }
            }
            return Ok(());
        }
        for (at, result) in first.results.iter().enumerate() {
            if !self.context.used.contains(result) {
                continue;
            }
            let text = match first.op {
                Op::UAddCarry | Op::USubBorrow => {
                    let [a, b] = [0, 1].map(|at| texts[at].text.clone());
                    match (first.op, at) {
                        (Op::UAddCarry, 0) => format!("({a}) + ({b})"),
                        (Op::UAddCarry, _) => format!("({a}) + ({b}) < ({a})"),
                        (_, 0) => format!("({a}) - ({b})"),
                        (_, _) => format!("({a}) < ({b})"),
                    }
                }
                op => return Err(self.context.unsupported(first, &format!("{} has no counterpart in WGSL", op.row().name))),
            };
            let stem = self.stem(first);
            let name = self.fresh(&stem);
            self.line(format!("let {name} = {text};"));
            self.named.insert(*result, (name, None));
        }
        Ok(())
    }

    /// An operation that writes.
    fn effect(&mut self, members: &[&Instruction]) -> Result<(), TraceError> {
        let first = members[0];
        let context = self.context;
        let mut texts = Vec::new();
        for operand in operands(context, members) {
            let ty = operand.ty.unwrap_or_else(|| match self.type_of(context.unsigned(operand.values[0])) {
                Ty::I32 => Ty::I32,
                _ if matches!(first.op, Op::TexelStore | Op::TexelAtomic) && operand.values.len() < 4 => Ty::I32,
                _ => Ty::U32,
            });
            texts.push(self.vector(&operand.values, ty));
        }
        match first.op {
            Op::Output => self.output(members, &texts),
            Op::Demote => {
                let condition = texts.first().map_or("true", |text| &text.text);
                self.line(format!("if {condition} {{"));
                self.line("    discard;");
                self.line("}");
                Ok(())
            }
            Op::Barrier => {
                if let Detail::Barrier(barrier) = first.attrs.detail
                    && barrier.group
                {
                    if barrier.shared || barrier.resources.is_none() {
                        self.line("workgroupBarrier();");
                    }
                    if barrier.resources.is_some() {
                        self.line("storageBarrier();");
                    }
                }
                Ok(())
            }
            Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => {
                let place = context.place(first)?;
                let (at, value) = texts.split_at(steps_with_values(&place).min(texts.len()));
                let (at, value) = (place_text(&place, at), value.first().map_or("", |text| &text.text));
                self.line(if place.atomic.is_some() {
                    format!("atomicStore(&{at}, {value});")
                } else {
                    format!("{at} = {value};")
                });
                Ok(())
            }
            Op::TexelStore if self.is_typed(first) => {
                let place = context.place(first)?;
                let (at, value) = texts.split_at(steps_with_values(&place).min(texts.len()));
                self.line(format!("atomicStore(&{}, {});", place_text(&place, at), value.first().map_or("", |text| &text.text)));
                Ok(())
            }
            Op::TexelStore | Op::TexelAtomic if !self.is_typed(first) => {
                let text = self.texel_statement(first, &texts)?;
                self.line(format!("{text};"));
                Ok(())
            }
            Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic
                if matches!(first.attrs.detail, Detail::Atomic(AtomicOp::Store)) =>
            {
                let place = context.place(first)?;
                let (at, value) = texts.split_at(steps_with_values(&place).min(texts.len()));
                self.line(format!("atomicStore(&{}, {});", place_text(&place, at), value.first().map_or("", |text| &text.text)));
                Ok(())
            }
            _ => {
                let group = self.groups.at.get(&std::ptr::from_ref(first)).map(|at| self.groups.all[*at].clone());
                let group = group.ok_or_else(|| context.unsupported(first, "this effect"))?;
                let text = self.expression(&group)?.text;
                let call = text.strip_suffix(" - 1u").unwrap_or(&text);
                // The result of an exchange that compares is a structure, which has to go somewhere.
                let call = call.strip_suffix(".old_value").map_or_else(|| call.to_string(), |call| format!("_ = {call}"));
                self.line(format!("{call};"));
                Ok(())
            }
        }
    }

    /// `o0.xy = ...`
    fn output(&mut self, members: &[&Instruction], texts: &[Text]) -> Result<(), TraceError> {
        let mut components = Vec::new();
        let mut word = None;
        for member in members {
            if let Target::Output(id, component) = member.attrs.target
                && let Some((found, component)) = self.context.vocabulary.output(id, component)
            {
                word = Some(found);
                components.push(component);
            }
        }
        let Some(word) = word else { return Err(self.context.unsupported(members[0], "this output")) };
        let text = texts[0].clone();
        let whole = word.size == components.len();
        let target = if whole { word.ident.clone() } else { format!("{}.{}", word.ident, crate::bind::letters(&components)) };
        let value = if text.size < components.len() {
            format!("{}({})", super::expression::short(text.ty, components.len()), text.text)
        } else {
            self.unnamed(text.text)
        };
        self.line(format!("{target} = {value};"));
        Ok(())
    }
}

/// Where falling off the end of a construct leads, by what follows it in its region.
fn follows(rest: &[Node], after: &[Label]) -> Vec<Label> {
    match rest {
        [] | [Node::Unreachable] => after.to_vec(),
        [Node::Br { target, values }] if values.is_empty() && after.contains(target) => after.to_vec(),
        _ => Vec::new(),
    }
}

/// Whether a construct is left by a branch that is neither at its end nor the `break` of a construct at its end.
fn leaves_from_its_middle(node: &Node, label: Label, follow: &[Label]) -> bool {
    fn region(nodes: &[Node], label: Label, after: &[Label], breaks: Option<&[Label]>) -> bool {
        nodes.iter().enumerate().any(|(at, node)| {
            let next = follows(&nodes[at + 1..], after);
            let with = |own: &Label| std::iter::once(*own).chain(next.iter().copied()).collect::<Vec<_>>();
            match node {
                Node::Br { target, .. } if *target == label => {
                    !after.contains(&label) && !breaks.is_some_and(|breaks| breaks.contains(&label))
                }
                Node::Block { label: own, body, .. } => region(body, label, &with(own), breaks),
                Node::If { label: own, then, otherwise, .. } => {
                    let after = with(own);
                    region(then, label, &after, breaks) || region(otherwise, label, &after, breaks)
                }
                Node::Switch { label: own, arms, .. } => {
                    let after = with(own);
                    arms.iter().any(|arm| region(&arm.body, label, &after, Some(&after)))
                }
                Node::Loop { label: own, body, .. } => region(body, label, &[*own], Some(&next)),
                _ => false,
            }
        })
    }
    let after: Vec<Label> = std::iter::once(label).chain(follow.iter().copied()).collect();
    match node {
        Node::Block { body, .. } => region(body, label, &after, None),
        Node::If { then, otherwise, .. } => region(then, label, &after, None) || region(otherwise, label, &after, None),
        _ => false,
    }
}
