//! Holds a program to the rules that the crate's head states.

use crate::attrs::{Rules, Target};
use crate::function::*;
use crate::op::{Op, Slot, TargetKind};
use crate::{Detail, Program};
use std::collections::HashSet;

/// A rule that a program breaks. It is a fault of whoever made the program, not of its user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function}: {what}")]
pub struct ValidationError {
    /// The function.
    pub function: String,
    /// What was found, and what the rule is.
    pub what: String,
}

/// Constructs nested deeper than this are refused, so that passes may recurse.
pub const MAX_NESTING: usize = 512;

/// Holds a program to every rule: widths and counts as the table says, choices only where it lists them, values defined once and used
/// where they are visible, branches to enclosing constructs with the right values, handles in range, and no recursion.
pub fn validate(program: &Program) -> Result<(), ValidationError> {
    let fail = |what: String| Err(ValidationError { function: program.name.clone(), what });
    match program.functions.get(program.entry.index()) {
        None => return fail(format!("the entry {} is not a function of the program", program.entry)),
        Some(entry) if !entry.params.is_empty() || !entry.results.is_empty() => {
            return fail("the entry function has parameters or results".into());
        }
        Some(_) => {}
    }
    for array in &program.arrays {
        if !array.initial.is_empty() && array.initial.len() != array.length as usize {
            return fail(format!("array {} of {} has {} initial elements", array.name, array.length, array.initial.len()));
        }
    }
    for function in &program.functions {
        FunctionCheck::new(program, function).run().map_err(|what| ValidationError { function: function.name.clone(), what })?;
    }
    if let Some(function) = recursive(program) {
        return fail(format!("function {function} calls itself"));
    }
    Ok(())
}

fn recursive(program: &Program) -> Option<&str> {
    // 0: unseen, 1: on the path, 2: done
    fn visit(program: &Program, at: usize, marks: &mut [u8]) -> Option<usize> {
        match marks[at] {
            1 => return Some(at),
            2 => return None,
            _ => marks[at] = 1,
        }
        let mut callees = Vec::new();
        walk(&program.functions[at].body, &mut |node| {
            if let Node::Op(Instruction { attrs, .. }) = node
                && let Target::Function(callee) = attrs.target
            {
                callees.push(callee.index());
            }
        });
        for callee in callees {
            if let Some(found) = visit(program, callee, marks) {
                return Some(found);
            }
        }
        marks[at] = 2;
        None
    }
    let mut marks = vec![0; program.functions.len()];
    (0..program.functions.len()).find_map(|at| visit(program, at, &mut marks)).map(|at| program.functions[at].name.as_str())
}

struct FunctionCheck<'a> {
    program: &'a Program,
    function: &'a Function,
    visible: Vec<bool>,
    defined: Vec<bool>,
    labels: HashSet<Label>,
    /// Open constructs and the widths that a branch to each carries.
    open: Vec<(Label, Vec<Width>)>,
}

impl<'a> FunctionCheck<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let count = function.values.len();
        let (visible, defined) = (vec![false; count], vec![false; count]);
        FunctionCheck { program, function, visible, defined, labels: HashSet::new(), open: Vec::new() }
    }

    fn run(mut self) -> Result<(), String> {
        for param in &self.function.params {
            self.define(*param)?;
        }
        self.region(&self.function.body)
    }

    fn define(&mut self, value: Value) -> Result<(), String> {
        match self.defined.get_mut(value.index()) {
            None => Err(format!("{value} is not a value of the function")),
            Some(true) => Err(format!("{value} is defined twice")),
            Some(slot) => {
                *slot = true;
                self.visible[value.index()] = true;
                Ok(())
            }
        }
    }

    fn width(&self, value: Value) -> Result<Width, String> {
        match self.visible.get(value.index()) {
            Some(true) => Ok(self.function.width(value)),
            Some(false) => Err(format!("{value} is used where it is not visible")),
            None => Err(format!("{value} is not a value of the function")),
        }
    }

    fn widths(&self, values: &[Value]) -> Result<Vec<Width>, String> {
        values.iter().map(|value| self.width(*value)).collect()
    }

    fn expect(&self, what: &str, values: &[Value], expected: &[Width]) -> Result<(), String> {
        let found = self.widths(values)?;
        if found == expected { Ok(()) } else { Err(format!("{what} carries {found:?}, expected {expected:?}")) }
    }

    fn declared(&self, values: &[Value]) -> Result<Vec<Width>, String> {
        let missing = |value: &Value| format!("{value} is not a value of the function");
        values.iter().map(|value| self.function.values.get(value.index()).copied().ok_or_else(|| missing(value))).collect()
    }

    fn region(&mut self, region: &'a Region) -> Result<(), String> {
        if self.open.len() > MAX_NESTING {
            return Err(format!("constructs are nested deeper than {MAX_NESTING}"));
        }
        let Some((last, rest)) = region.split_last() else {
            return Err("a region is empty, expected a terminator at its end".into());
        };
        if !last.is_terminator() || rest.iter().any(Node::is_terminator) {
            return Err("a region does not end in its only terminator".into());
        }
        let before = self.visible.clone();
        for node in region {
            self.node(node)?;
        }
        self.visible = before;
        Ok(())
    }

    fn construct(&mut self, label: Label, carried: Vec<Width>, regions: &[&'a Region]) -> Result<(), String> {
        if !self.labels.insert(label) {
            return Err(format!("{label} names two constructs"));
        }
        self.open.push((label, carried));
        for region in regions {
            self.region(region)?;
        }
        self.open.pop();
        Ok(())
    }

    fn node(&mut self, node: &'a Node) -> Result<(), String> {
        match node {
            Node::Op(instruction) => self.instruction(instruction),
            Node::Block { label, results, body } => {
                self.construct(*label, self.declared(results)?, &[body])?;
                results.iter().try_for_each(|value| self.define(*value))
            }
            Node::If { label, condition, results, then, otherwise, .. } => {
                self.expect("the condition of an if", &[*condition], &[Width::W1])?;
                self.construct(*label, self.declared(results)?, &[then, otherwise])?;
                results.iter().try_for_each(|value| self.define(*value))
            }
            Node::Switch { label, selector, results, arms, .. } => {
                self.expect("the selector of a switch", &[*selector], &[Width::W32])?;
                self.switch(*label, results, arms)?;
                results.iter().try_for_each(|value| self.define(*value))
            }
            Node::Loop { label, initial, params, body, .. } => {
                let carried = self.declared(params)?;
                self.expect("the start of a loop", initial, &carried)?;
                let before = self.visible.clone();
                params.iter().try_for_each(|value| self.define(*value))?;
                self.construct(*label, carried, &[body])?;
                self.visible = before;
                Ok(())
            }
            Node::Br { target, values } => {
                let carried = self.open.iter().rev().find(|(label, _)| label == target).map(|(_, carried)| carried.clone());
                let Some(carried) = carried else { return Err(format!("a branch names {target}, which does not enclose it")) };
                self.expect(&format!("a branch to {target}"), values, &carried)
            }
            Node::Return { values } => self.expect("a return", values, &self.function.results.clone()),
            Node::Unreachable => Ok(()),
        }
    }

    fn switch(&mut self, label: Label, results: &[Value], arms: &'a [Arm]) -> Result<(), String> {
        let mut selectors = HashSet::new();
        if let Some(twice) = arms.iter().flat_map(|arm| &arm.selectors).find(|selector| !selectors.insert(**selector)) {
            return Err(format!("the selector {twice} stands twice in a switch"));
        }
        if arms.iter().filter(|arm| arm.is_default).count() != 1 {
            return Err("a switch has no default arm, or several".into());
        }
        if !self.labels.insert(label) {
            return Err(format!("{label} names two constructs"));
        }
        self.open.push((label, self.declared(results)?));
        for (at, arm) in arms.iter().enumerate() {
            let params = self.declared(&arm.params)?;
            self.expect("the start of an arm", &arm.initial, &params)?;
            if !self.labels.insert(arm.label) {
                return Err(format!("{} names two constructs", arm.label));
            }
            let before = self.visible.clone();
            arm.params.iter().try_for_each(|value| self.define(*value))?;
            // Only the next arm may be fallen through to.
            if let Some(next) = arms.get(at + 1) {
                self.open.push((next.label, self.declared(&next.params)?));
            }
            self.region(&arm.body)?;
            if at + 1 < arms.len() {
                self.open.pop();
            }
            self.visible = before;
        }
        self.open.pop();
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), String> {
        let row = instruction.op.row();
        let name = row.name;
        let attrs = &instruction.attrs;
        if !row.target.admits(attrs.target) || !row.detail.admits(attrs.detail) {
            return Err(format!(
                "{name} has {:?} and {:?}, expected {:?} and {:?}",
                attrs.target, attrs.detail, row.target, row.detail
            ));
        }
        let mut taken = Rules::default();
        for word in row.choices.iter().filter_map(|choice| attrs.rules.word(*choice)) {
            taken.set_word(word);
        }
        if taken != attrs.rules {
            return Err(format!("{name} makes choices that it does not have"));
        }
        self.target(name, row.target, attrs.target)?;
        let args = self.widths(&instruction.args)?;
        let results = self.declared(&instruction.results)?;
        match (instruction.op, attrs.target, attrs.detail) {
            (Op::Call, Target::Function(callee), _) => {
                let callee = self.program.function(callee);
                let params: Vec<Width> = callee.params.iter().map(|param| callee.width(*param)).collect();
                if args != params || results != callee.results {
                    return Err(format!("a call of {} has {args:?} and {results:?}", callee.name));
                }
            }
            (_, _, Detail::Sampling(sampling)) => {
                if args != vec![Width::W32; sampling.operands().count] || results.len() != row.results.len() {
                    return Err(format!("{name} has {args:?}, expected {} words", sampling.operands().count));
                }
            }
            _ => self.signature(instruction.op, &args, &results)?,
        }
        instruction.results.iter().try_for_each(|value| self.define(*value))
    }

    fn signature(&self, op: Op, args: &[Width], results: &[Width]) -> Result<(), String> {
        let row = op.row();
        if args.len() != row.operands.len() || results.len() != row.results.len() {
            let (n, m) = (row.operands.len(), row.results.len());
            return Err(format!("{} has {} operands and {} results, expected {n} and {m}", row.name, args.len(), results.len()));
        }
        let (mut t, mut u) = (None, None);
        for (slot, width) in row.operands.iter().zip(args).chain(row.results.iter().zip(results)) {
            let fits = match slot {
                Slot::B => *width == Width::W1,
                Slot::W => *width == Width::W32,
                Slot::T => *t.get_or_insert(*width) == *width && row.widths.contains(width),
                Slot::U => *u.get_or_insert(*width) == *width,
            };
            if !fits {
                return Err(format!("{} has widths {args:?} and {results:?}, against its signature", row.name));
            }
        }
        let ordered = match (op, t, u) {
            (Op::UExtend | Op::SExtend, Some(t), Some(u)) => t < u,
            (Op::ITruncate, Some(t), Some(u)) => t > u,
            (Op::FConvert | Op::SToF | Op::UToF, _, Some(u)) => u >= Width::W16,
            (Op::FToS | Op::FToU, _, Some(u)) => u >= Width::W8,
            _ => true,
        };
        if ordered { Ok(()) } else { Err(format!("{} from {t:?} to {u:?}", row.name)) }
    }

    fn target(&self, name: &str, kind: TargetKind, target: Target) -> Result<(), String> {
        let interface = &self.program.interface;
        let found = match target {
            Target::None | Target::Bits(_) => true,
            Target::Input(id, component) => component < 4 && interface.inputs.get(id.index()).is_some(),
            Target::Output(id, component) => component < 4 && interface.outputs.get(id.index()).is_some(),
            Target::Array(id) => self.program.arrays.get(id.index()).is_some(),
            Target::Shared(id) => self.program.shared.get(id.index()).is_some(),
            Target::Resource(id) => interface.resources.get(id.index()).is_some(),
            Target::Sampled(resource, sampler) => {
                interface.resources.get(resource.index()).is_some() && interface.samplers.get(sampler.index()).is_some()
            }
            Target::Function(id) => self.program.functions.get(id.index()).is_some(),
        };
        if found { Ok(()) } else { Err(format!("{name} names {target:?}, which is not a {kind:?} of the program")) }
    }
}
