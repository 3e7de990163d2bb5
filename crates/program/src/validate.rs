//! Holds a program to the rules that the crate's head states.

use crate::attrs::{Rules, Target};
use crate::function::*;
use crate::op::{Class, Op, Slot, TargetKind};
use crate::{Access, Detail, Dimension, IoVariable, Program, Resource, Shape, Stage, Type, validate_stage};
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

/// Layouts of memory nested deeper than this are refused.
pub const MAX_TYPE_NESTING: usize = 64;

/// Chains of calls longer than this are refused.
pub const MAX_CALL_DEPTH: usize = 256;

/// Holds a program to every rule: widths and counts as the table says, choices only where it lists them, every value defined just once and used
/// only where it is visible, branches to enclosing constructs with the right values, handles in range and of the right shape, no recursion, and
/// no nesting that is too deep to recurse over; and of each stage only what it has.
pub fn validate(program: &Program) -> Result<(), ValidationError> {
    let fail = |what: String| Err(ValidationError { function: program.name.clone(), what });
    match program.functions.get(program.entry.index()) {
        None => return fail(format!("the entry {} is not a function of the program", program.entry)),
        Some(entry) if !entry.params.is_empty() || !entry.results.is_empty() => {
            return fail("the entry function has parameters or results".into());
        }
        Some(_) => {}
    }
    let groups = program.group_size;
    if groups.contains(&0) || (program.stage != Stage::Compute && groups != [1; 3]) {
        return fail(format!("a {:?} program has groups of {groups:?}", program.stage));
    }
    validate_stage::declarations(program).or_else(fail)?;
    for array in &program.arrays {
        if !array.initial.is_empty() && array.initial.len() != array.length as usize {
            return fail(format!("array {} of {} has {} initial elements", array.name, array.length, array.initial.len()));
        }
        if let Some(bits) = array.initial.iter().find(|bits| **bits & !array.width.mask() != 0) {
            return fail(format!("array {} of {:?} starts with {bits:#x}", array.name, array.width));
        }
    }
    for resource in &program.interface.resources {
        if resource.layout.as_ref().is_some_and(|layout| is_deeper(layout, MAX_TYPE_NESTING)) {
            return fail(format!("the layout of {} is nested deeper than {MAX_TYPE_NESTING}", resource.name));
        }
    }
    for function in &program.functions {
        FunctionCheck::new(program, function).run().map_err(|what| ValidationError { function: function.name.clone(), what })?;
    }
    call_depths(program).or_else(fail)?;
    validate_stage::functions(program)
}

fn is_deeper(ty: &Type, limit: usize) -> bool {
    let Some(limit) = limit.checked_sub(1) else { return true };
    match ty {
        Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } => false,
        Type::Array { element, .. } => is_deeper(element, limit),
        Type::Struct { members, .. } => members.iter().any(|member| is_deeper(&member.ty, limit)),
    }
}

/// Refuses recursion and chains of calls that are too long, without recursing itself.
fn call_depths(program: &Program) -> Result<(), String> {
    let callees: Vec<Vec<usize>> = program.functions.iter().map(callees).collect();
    let name = |at: usize| &program.functions[at].name;
    // The longest chain of calls below each function that is done.
    let mut depths: Vec<Option<usize>> = vec![None; callees.len()];
    let mut on_path = vec![false; callees.len()];
    for start in 0..callees.len() {
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if depths[at].is_some() {
                path.pop();
                continue;
            }
            on_path[at] = true;
            match callees[at].get(*next) {
                Some(callee) if on_path[*callee] => return Err(format!("function {} calls itself", name(*callee))),
                Some(callee) => {
                    *next += 1;
                    path.push((*callee, 0));
                }
                None => {
                    let depth = callees[at].iter().filter_map(|callee| depths[*callee]).max().map_or(0, |depth| depth + 1);
                    if depth > MAX_CALL_DEPTH {
                        return Err(format!("calls below function {} are nested deeper than {MAX_CALL_DEPTH}", name(at)));
                    }
                    (depths[at], on_path[at]) = (Some(depth), false);
                    path.pop();
                }
            }
        }
    }
    Ok(())
}

fn callees(function: &Function) -> Vec<usize> {
    let mut callees = Vec::new();
    walk(&function.body, &mut |node| {
        if let Node::Op(Instruction { attrs, .. }) = node
            && let Target::Function(callee) = attrs.target
        {
            callees.push(callee.index());
        }
    });
    callees
}

struct FunctionCheck<'a> {
    program: &'a Program,
    function: &'a Function,
    visible: Vec<bool>,
    /// The visible values, in order of definition: what a region adds is taken away at its end.
    scope: Vec<Value>,
    defined: Vec<bool>,
    labels: HashSet<Label>,
    /// Open constructs and the widths that a branch to each carries.
    open: Vec<(Label, Vec<Width>)>,
}

impl<'a> FunctionCheck<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let count = function.values.len();
        let (visible, defined) = (vec![false; count], vec![false; count]);
        FunctionCheck { program, function, visible, scope: Vec::new(), defined, labels: HashSet::new(), open: Vec::new() }
    }

    fn run(mut self) -> Result<(), String> {
        for param in &self.function.params {
            self.define(*param)?;
        }
        self.region(&self.function.body)?;
        match self.defined.iter().position(|defined| !defined) {
            Some(at) => Err(format!("{} is defined nowhere", Value(at as u32))),
            None => Ok(()),
        }
    }

    /// Ends the visibility of what was defined since the scope had this length.
    fn leave(&mut self, length: usize) {
        for value in self.scope.drain(length..) {
            self.visible[value.index()] = false;
        }
    }

    fn define(&mut self, value: Value) -> Result<(), String> {
        match self.defined.get_mut(value.index()) {
            None => Err(format!("{value} is not a value of the function")),
            Some(true) => Err(format!("{value} is defined twice")),
            Some(slot) => {
                *slot = true;
                self.visible[value.index()] = true;
                self.scope.push(value);
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
        let before = self.scope.len();
        for node in region {
            self.node(node)?;
        }
        self.leave(before);
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
                let before = self.scope.len();
                params.iter().try_for_each(|value| self.define(*value))?;
                self.construct(*label, carried, &[body])?;
                self.leave(before);
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
            let before = self.scope.len();
            arm.params.iter().try_for_each(|value| self.define(*value))?;
            // Only the next arm may be fallen through to.
            if let Some(next) = arms.get(at + 1) {
                self.open.push((next.label, self.declared(&next.params)?));
            }
            self.region(&arm.body)?;
            if at + 1 < arms.len() {
                self.open.pop();
            }
            self.leave(before);
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
        match attrs.detail {
            Detail::Norm(norm) if !(1..=16).contains(&norm.bits) => {
                return Err(format!("{name} has {norm:?}, expected 1 to 16 bits"));
            }
            Detail::Register(register) if register.component > 3 => {
                return Err(format!("{name} is component {} of a register", register.component));
            }
            Detail::Sampling(sampling) if sampling.component > 3 => {
                return Err(format!("{name} gathers component {}", sampling.component));
            }
            _ => {}
        }
        let args = self.widths(&instruction.args)?;
        let results = self.declared(&instruction.results)?;
        match (instruction.op, attrs.target, attrs.detail) {
            (Op::Call, Target::Function(callee), _) => {
                let callee = self.program.function(callee);
                let params = callee.params.iter().filter_map(|param| callee.values.get(param.index()).copied());
                if !params.eq(args.iter().copied()) || results != callee.results {
                    return Err(format!("a call of {} has {args:?} and {results:?}", callee.name));
                }
            }
            (Op::Emit, _, Detail::Stream(stream)) => {
                let interface = &self.program.interface;
                let vertex: Vec<Width> = interface.vertex_of(stream).map(|(id, _)| interface.output(id).width).collect();
                if args != vertex || !results.is_empty() {
                    return Err(format!("{name} has {args:?}, expected a vertex of stream {stream}, {vertex:?}"));
                }
            }
            (_, _, Detail::Sampling(sampling)) => {
                if args != vec![Width::W32; sampling.operands().count] || results.len() != row.results.len() {
                    return Err(format!("{name} has {args:?}, expected {} words", sampling.operands().count));
                }
            }
            _ => {
                let width = self.signature(instruction.op, &args, &results)?;
                self.memory(instruction.op, attrs.target, width)?;
            }
        }
        if let Target::Resource(id) | Target::Sampled(id, _) = attrs.target {
            let resource = self.program.interface.resource(id);
            if let Some(expected) = unfit(instruction.op, resource) {
                return Err(format!("{name} names {}, which is {:?}, expected {expected}", resource.name, resource.shape));
            }
            if row.class == Class::Writes && resource.access == Access::Read {
                return Err(format!("{name} writes {}, which is only read", resource.name));
            }
        }
        instruction.results.iter().try_for_each(|value| self.define(*value))
    }

    /// The width that T stands for.
    fn signature(&self, op: Op, args: &[Width], results: &[Width]) -> Result<Option<Width>, String> {
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
        if ordered { Ok(t) } else { Err(format!("{} from {t:?} to {u:?}", row.name)) }
    }

    /// What an operation of this width may ask of a constant, an input, an output or an array.
    fn memory(&self, op: Op, target: Target, width: Option<Width>) -> Result<(), String> {
        let name = op.row().name;
        let interface = &self.program.interface;
        let component = |variable: &IoVariable, component: u8| {
            if variable.mask >> component & 1 == 0 {
                return Err(format!("{name} names component {component} of {}, which does not exist", variable.name));
            }
            if Some(variable.width) != width {
                return Err(format!("{name} of {width:?} names {}, which has {:?}", variable.name, variable.width));
            }
            Ok(())
        };
        match target {
            Target::Bits(bits) if width.is_some_and(|width| bits & !width.mask() != 0) => {
                Err(format!("the constant {bits:#x} is wider than {width:?}"))
            }
            Target::Input(id, at) => component(interface.input(id), at),
            Target::Output(id, at) => component(interface.output(id), at),
            Target::Array(id) => match &self.program.arrays[id.index()] {
                array if Some(array.width) != width => {
                    Err(format!("{name} of {width:?} names {}, which has {:?}", array.name, array.width))
                }
                array if array.constant && op == Op::ArrayStore => Err(format!("{name} sets {}, which is constant", array.name)),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
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

/// The shape that an operation needs where this resource has another one.
fn unfit(op: Op, resource: &Resource) -> Option<&'static str> {
    let texture = match resource.shape {
        Shape::Texture(texture) => Some(texture),
        _ => None,
    };
    let (fits, expected) = match op {
        Op::BufferLoad => (
            matches!(resource.shape, Shape::ConstantBuffer { .. } | Shape::Buffer { .. }),
            "a constant buffer or a buffer of bytes",
        ),
        Op::BufferStore | Op::BufferAtomic => (matches!(resource.shape, Shape::Buffer { .. }), "a buffer of bytes"),
        Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic => {
            (matches!(resource.shape, Shape::Structured { .. }), "a structured buffer")
        }
        Op::BufferSize => (texture.is_none_or(|texture| texture.dimension == Dimension::Buffer), "a buffer"),
        Op::CounterAlloc | Op::CounterConsume => (resource.counter, "a buffer with a counter"),
        Op::Sample | Op::Gather | Op::SampleLevel => {
            let fits = |texture: crate::TextureShape| texture.dimension != Dimension::Buffer && !texture.multisampled;
            (texture.is_some_and(fits), "a texture that can be sampled")
        }
        Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => (texture.is_some(), "a texture or typed buffer"),
        Op::TextureSize | Op::TextureSamples | Op::TextureSamplePosition => {
            (texture.is_some_and(|texture| texture.dimension != Dimension::Buffer), "a texture")
        }
        _ => (true, ""),
    };
    (!fits).then_some(expected)
}
