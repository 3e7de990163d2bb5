//! Constructs and effects as statements.

use super::expression::{Text, place_text, steps_with_values};
use super::group::Groups;
use super::operand::operands;
use super::{Context, TraceError};
use crate::formula::names::Names;
use crate::formula::ty::Ty;
use gpuproof_program::{AtomicOp, Class, Detail, Function, Instruction, Label, Node, Op, Region, Target, Value};
use std::collections::{BTreeSet, HashMap};

/// Expressions longer than this get a name.
const LONGEST: usize = 100;

/// A construct that is open.
struct Frame {
    label: Label,
    /// The variables that branches to it set.
    variables: Vec<String>,
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
        Writer {
            context,
            groups: Groups::of(context, function),
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

    fn fresh(&mut self, stem: &str) -> String {
        self.names.unique(stem)
    }

    /// Variables for values that branches give.
    fn declare(&mut self, values: &[Value], stem: &str) -> Vec<String> {
        let mut made = Vec::new();
        for value in values {
            let name = self.fresh(stem);
            self.named.insert(*value, (name.clone(), None));
            self.variables.insert(name.clone(), self.type_of(*value));
            made.push(name);
        }
        made
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
                    let variables = self.results(results);
                    self.wrapped(*label, variables, node, &follows, |this, after| this.region(body, after))?;
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

    /// Declares the variables that a construct's branches set.
    fn results(&mut self, results: &[Value]) -> Vec<String> {
        let variables = self.declare(results, "r");
        for (value, name) in results.iter().zip(&variables) {
            let ty = self.type_of(*value).name();
            self.line(format!("var {name}: {ty};"));
        }
        variables
    }

    /// A construct that nothing but its end is left by, or, where branches leave it from its middle, a `switch` with one arm around it.
    fn wrapped(
        &mut self,
        label: Label,
        variables: Vec<String>,
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
        let texts: Vec<Option<Text>> = match &initial {
            Some(values) => {
                let pairs: Vec<(Value, Ty)> =
                    values.iter().zip(results).map(|(value, result)| (*value, self.type_of(*result))).collect();
                pairs.into_iter().map(|(value, ty)| Some(self.vector(&[value], ty))).collect()
            }
            None => results.iter().map(|_| None).collect(),
        };
        let variables = self.declare(results, "r");
        for ((value, name), text) in results.iter().zip(&variables).zip(texts) {
            let ty = self.type_of(*value).name();
            match text {
                Some(text) => self.line(format!("var {name}: {ty} = {};", text.text)),
                None => self.line(format!("var {name}: {ty};")),
            }
        }
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
        for (at, arm) in arms.iter().enumerate() {
            let falls = at > 0 && branches_to(&arms[at - 1].body, arm.label);
            if falls {
                return Err(TraceError::unsupported(
                    "a switch that falls through from one arm to the next, which WGSL does not have",
                ));
            }
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
        let mut texts = Vec::new();
        for (value, param) in initial.iter().zip(params) {
            let ty = self.type_of(*param);
            texts.push(self.vector(&[*value], ty));
        }
        let variables = self.declare(params, "i");
        for ((param, name), text) in params.iter().zip(&variables).zip(texts) {
            let ty = self.type_of(*param).name();
            self.line(format!("var {name}: {ty} = {};", text.text));
        }
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
        for (name, value) in variables.iter().zip(values) {
            let ty = self.variables.get(name).copied().unwrap_or_else(|| self.type_of(*value));
            let text = self.vector(&[*value], ty);
            if text.text != *name {
                pairs.push((name.clone(), text));
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
            Op::TextureSize | Op::UAddCarry | Op::USubBorrow | Op::RasterSamplePosition | Op::TextureSamplePosition => {
                return self.several(first);
            }
            Op::TexelAtomic if !self.is_typed(first) => {
                return Err(self
                    .context
                    .unsupported(first, "the old value of an atomic on a texture, which WGSL's textures do not give"));
            }
            _ => {}
        }
        if matches!(first.op, Op::Sample | Op::Gather | Op::TexelLoad) && self.uses_status(first) {
            return Err(self.context.unsupported(first, "whether a texture read was mapped, which WGSL does not tell"));
        }
        let text = self.expression(&group)?;
        if group.inline(self.context) && text.text.len() <= LONGEST {
            self.waiting.insert(at, text);
            return Ok(());
        }
        let stem = self.stem(first);
        let name = self.fresh(&stem);
        self.line(format!("let {name} = {};", text.text));
        let size = text.size;
        self.sizes.insert(name.clone(), size);
        for (component, value) in group.results.iter().enumerate() {
            // A number may stand for all components.
            let component = (size > 1).then_some(component as u8);
            self.named.insert(*value, (name.clone(), component));
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

    fn uses_status(&self, instruction: &Instruction) -> bool {
        instruction.results.get(4).is_some_and(|status| self.context.used.contains(status))
    }

    /// An operation of several results that are separate expressions.
    fn several(&mut self, first: &Instruction) -> Result<(), TraceError> {
        let mut texts = Vec::new();
        for operand in operands(self.context, &[first]) {
            texts.push(self.vector(&operand.values, Ty::U32));
        }
        for (at, result) in first.results.iter().enumerate() {
            if !self.context.used.contains(result) {
                continue;
            }
            let text = match first.op {
                Op::TextureSize => self.size_component(first, &texts, at)?.text,
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
            text.text
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

/// Whether a region branches to a label.
fn branches_to(region: &Region, label: Label) -> bool {
    let mut found = false;
    gpuproof_program::walk(region, &mut |node| found |= matches!(node, Node::Br { target, .. } if *target == label));
    found
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
