//! Facts about a valid program that several passes ask for: where each value is defined, what flows into joins, and which values a
//! float operation made.

use crate::attrs::{Detail, Target};
use crate::function::*;
use crate::interface::{Kind, Shape, Type};
use crate::op::{Op, Slot};
use crate::{Program, Resource};
use std::collections::HashMap;

/// Where a value is defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Site<'a> {
    /// A parameter of the function, by its position.
    Param(usize),
    /// A result of an operation.
    Op {
        /// The operation.
        instruction: &'a Instruction,
        /// The position among its results.
        result: usize,
    },
    /// A result of a [`Node::Block`], [`Node::If`] or [`Node::Switch`], or a parameter of a [`Node::Loop`].
    Construct {
        /// The construct.
        node: &'a Node,
        /// The position among its results or parameters.
        position: usize,
    },
    /// A parameter of an arm of a switch.
    Arm {
        /// The arm.
        arm: &'a Arm,
        /// The position among its parameters.
        position: usize,
    },
}

impl Function {
    /// For each value where it is defined; none for a number that nothing defines.
    pub fn definitions(&self) -> Vec<Option<Site<'_>>> {
        let mut sites = vec![None; self.values.len()];
        let mut define = |value: Value, site| {
            if let Some(slot) = sites.get_mut(value.index()) {
                *slot = Some(site);
            }
        };
        for (position, value) in self.params.iter().enumerate() {
            define(*value, Site::Param(position));
        }
        walk(&self.body, &mut |node| match node {
            Node::Op(instruction) => {
                for (result, value) in instruction.results.iter().enumerate() {
                    define(*value, Site::Op { instruction, result });
                }
            }
            Node::Block { results: targets, .. } | Node::If { results: targets, .. } | Node::Loop { params: targets, .. } => {
                for (position, value) in targets.iter().enumerate() {
                    define(*value, Site::Construct { node, position });
                }
            }
            Node::Switch { results, arms, .. } => {
                for (position, value) in results.iter().enumerate() {
                    define(*value, Site::Construct { node, position });
                }
                for arm in arms {
                    for (position, value) in arm.params.iter().enumerate() {
                        define(*value, Site::Arm { arm, position });
                    }
                }
            }
            Node::Br { .. } | Node::Return { .. } | Node::Unreachable => {}
        });
        sites
    }

    /// For each value that is a result of a construct or a parameter of a loop or arm, the values that branches and the entry bring
    /// to it, in source order; empty for others.
    pub fn incoming(&self) -> Vec<Vec<Value>> {
        let mut targets: HashMap<Label, &[Value]> = HashMap::new();
        walk(&self.body, &mut |node| match node {
            Node::Block { label, results, .. } | Node::If { label, results, .. } => _ = targets.insert(*label, results),
            Node::Loop { label, params, .. } => _ = targets.insert(*label, params),
            Node::Switch { label, results, arms, .. } => {
                targets.insert(*label, results);
                targets.extend(arms.iter().map(|arm| (arm.label, &arm.params[..])));
            }
            Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => {}
        });
        let mut incoming = vec![Vec::new(); self.values.len()];
        let mut bring = |to: &[Value], from: &[Value]| {
            for (to, from) in to.iter().zip(from) {
                if let Some(slot) = incoming.get_mut(to.index()) {
                    slot.push(*from);
                }
            }
        };
        walk(&self.body, &mut |node| match node {
            Node::Loop { initial, params, .. } => bring(params, initial),
            Node::Switch { arms, .. } => arms.iter().for_each(|arm| bring(&arm.params, &arm.initial)),
            Node::Br { target, values } => bring(targets.get(target).copied().unwrap_or(&[]), values),
            _ => {}
        });
        incoming
    }
}

/// What made a value. A join takes the greatest of what comes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Maker {
    /// Nothing tells: a constant, `undef`, memory whose layout is not known.
    Unknown,
    /// A float operation.
    Float,
    /// Something that gives bits with a meaning of their own.
    Integer,
}

impl From<Kind> for Maker {
    fn from(kind: Kind) -> Maker {
        match kind {
            Kind::Float => Maker::Float,
            Kind::Sint | Kind::Uint | Kind::Bool => Maker::Integer,
            Kind::Unknown => Maker::Unknown,
        }
    }
}

/// For each function and each of its values, whether a float operation made it last: whether a NaN in it stands for any NaN.
///
/// Float arithmetic (`f.neg` and `f.abs` among it), conversions to float and sampled levels make floats; inputs, outputs of earlier phases, texels and memory with a layout are what their
/// [`Kind`] says; everything else makes integers. `select`, results of constructs, parameters, calls, reads of other lanes and
/// memories pass on what comes to them: a float if anything that comes is one and nothing is an integer. Constants, `undef` and
/// memory of unknown layout have no say in that, and are no floats by themselves. A memory counts as one: an array is float if all
/// that is stored to it is. The program must be valid.
pub fn float_made(program: &Program) -> Vec<Vec<bool>> {
    let mut flow = Flow::new(program);
    for (function, offset) in program.functions.iter().zip(flow.offsets.clone()) {
        flow.function(program, function, offset);
    }
    let makers = flow.solve();
    let made = |function: &Function, offset: usize| {
        makers[offset..offset + function.values.len()].iter().map(|maker| *maker == Maker::Float).collect()
    };
    program.functions.iter().zip(&flow.offsets).map(|(function, offset)| made(function, *offset)).collect()
}

/// A graph whose points are the values of all functions, their results, and the memories.
struct Flow {
    /// Where each function's values begin; its results follow them.
    offsets: Vec<usize>,
    arrays: usize,
    shared: usize,
    resources: usize,
    makers: Vec<Maker>,
    edges: Vec<Vec<usize>>,
}

impl Flow {
    fn new(program: &Program) -> Flow {
        let mut next = 0;
        let mut take = |count: usize| {
            next += count;
            next - count
        };
        let offsets = program.functions.iter().map(|function| take(function.values.len() + function.results.len())).collect();
        let (arrays, shared) = (take(program.arrays.len()), take(program.shared.len()));
        let resources = take(program.interface.resources.len());
        let mut makers = vec![Maker::Unknown; next];
        for (slot, resource) in makers[resources..].iter_mut().zip(&program.interface.resources) {
            *slot = contents(resource).into();
        }
        Flow { offsets, arrays, shared, resources, makers, edges: vec![Vec::new(); next] }
    }

    fn make(&mut self, point: usize, maker: Maker) {
        self.makers[point] = self.makers[point].max(maker);
    }

    fn function(&mut self, program: &Program, function: &Function, offset: usize) {
        for (to, sources) in function.incoming().iter().enumerate() {
            for from in sources {
                self.edges[offset + from.index()].push(offset + to);
            }
        }
        walk(&function.body, &mut |node| match node {
            Node::Op(instruction) => self.instruction(program, instruction, offset),
            Node::Return { values } => {
                for (position, value) in values.iter().enumerate() {
                    self.edges[offset + value.index()].push(offset + function.values.len() + position);
                }
            }
            _ => {}
        });
    }

    fn instruction(&mut self, program: &Program, instruction: &Instruction, offset: usize) {
        let arg = |at: usize| offset + instruction.args[at].index();
        let results = || instruction.results.iter().map(|value| offset + value.index());
        match (instruction.op, instruction.attrs.target, instruction.attrs.detail) {
            (Op::Const | Op::Undef, ..) => {}
            (Op::Select, ..) => {
                results().for_each(|result| [1, 2].map(arg).iter().for_each(|from| self.edges[*from].push(result)))
            }
            (Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane, ..) => {
                results().for_each(|result| self.edges[arg(0)].push(result));
            }
            (Op::Call, Target::Function(callee), _) => {
                let (start, callee) = (self.offsets[callee.index()], program.function(callee));
                for (at, param) in callee.params.iter().enumerate() {
                    self.edges[arg(at)].push(start + param.index());
                }
                results().enumerate().for_each(|(at, result)| self.edges[start + callee.values.len() + at].push(result));
            }
            (Op::Input | Op::InputAt | Op::InputVertex, Target::Input(id, _), _) => {
                results().for_each(|result| self.make(result, program.interface.input(id).kind.into()));
            }
            (Op::OutputVertex | Op::OutputPatch, Target::Output(id, _), _) => {
                results().for_each(|result| self.make(result, program.interface.output(id).kind.into()));
            }
            (Op::WaveReduce, _, Detail::Reduction(reduction)) => {
                results().for_each(|result| self.make(result, reduction.kind.into()));
            }
            (op, target, _) => {
                let Some(memory) = self.memory(target) else {
                    return results().enumerate().for_each(|(at, result)| self.make(result, maker(op, at)));
                };
                match op {
                    Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => {
                        results().for_each(|result| self.edges[memory].push(result));
                    }
                    // Four components, then a status word.
                    Op::TexelLoad | Op::Sample | Op::Gather => {
                        results().take(4).for_each(|result| self.edges[memory].push(result));
                        results().skip(4).for_each(|result| self.make(result, Maker::Integer));
                    }
                    Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => {
                        self.edges[arg(instruction.args.len() - 1)].push(memory);
                    }
                    Op::TexelStore => (4..instruction.args.len()).for_each(|at| self.edges[arg(at)].push(memory)),
                    Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic | Op::TexelAtomic => {
                        self.make(memory, Maker::Integer);
                        results().for_each(|result| self.make(result, Maker::Integer));
                    }
                    _ => results().enumerate().for_each(|(at, result)| self.make(result, maker(op, at))),
                }
            }
        }
    }

    fn memory(&self, target: Target) -> Option<usize> {
        match target {
            Target::Array(id) => Some(self.arrays + id.index()),
            Target::Shared(id) => Some(self.shared + id.index()),
            Target::Resource(id) | Target::Sampled(id, _) => Some(self.resources + id.index()),
            _ => None,
        }
    }

    fn solve(&mut self) -> Vec<Maker> {
        let mut makers = std::mem::take(&mut self.makers);
        let mut pending: Vec<usize> = (0..makers.len()).collect();
        while let Some(from) = pending.pop() {
            for &to in &self.edges[from] {
                if makers[to] < makers[from] {
                    makers[to] = makers[from];
                    pending.push(to);
                }
            }
        }
        makers
    }
}

/// What makes a result of an operation that passes nothing on.
fn maker(op: Op, result: usize) -> Maker {
    let row = op.row();
    let float = match op {
        Op::FToS | Op::FToU | Op::FToNorm => false,
        Op::SToF | Op::UToF | Op::NormToF | Op::RasterSamplePosition | Op::TextureSamplePosition | Op::SampleLevel => true,
        _ => row.name.starts_with("f.") && row.results.get(result).is_some_and(|slot| matches!(slot, Slot::T | Slot::U)),
    };
    if float { Maker::Float } else { Maker::Integer }
}

/// How the contents of a resource are meant: the one kind of all its numbers, or unknown.
fn contents(resource: &Resource) -> Kind {
    fn visit(ty: &Type, kinds: &mut Vec<Kind>) {
        match ty {
            Type::Scalar(scalar) | Type::Vector { scalar, .. } | Type::Matrix { scalar, .. } => kinds.push(scalar.kind),
            Type::Array { element, .. } => visit(element, kinds),
            Type::Struct { members, .. } => members.iter().for_each(|member| visit(&member.ty, kinds)),
        }
    }
    let mut kinds = Vec::new();
    match (&resource.shape, &resource.layout) {
        (Shape::Texture(texture), _) => kinds.push(texture.kind),
        (_, Some(layout)) => visit(layout, &mut kinds),
        _ => {}
    }
    match kinds.split_first() {
        Some((first, rest)) if rest.iter().all(|kind| kind == first) => *first,
        _ => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attrs, Dialect, FunctionBuilder, Interface, Source, Stage};

    fn program(functions: Vec<Function>, arrays: Vec<PrivateArray>) -> Program {
        let program = Program {
            name: "main".into(),
            dialect: Dialect::D3D11,
            stage: Stage::Compute,
            group_size: [1; 3],
            assembly: crate::Assembly::None,
            interface: Interface::default(),
            arrays,
            shared: Vec::new(),
            entry: FunctionId(functions.len() as u32 - 1),
            functions,
            source: Source::default(),
            notes: Vec::new(),
        };
        crate::validate(&program).expect("a valid program");
        program
    }

    /// The floats among the values that `build` names in its function.
    fn floats(build: impl FnOnce(&mut FunctionBuilder)) -> Vec<String> {
        let mut builder = FunctionBuilder::new("main", &[]);
        build(&mut builder);
        let array = PrivateArray { name: "a".into(), length: 2, width: Width::W32, initial: Vec::new(), constant: false };
        let program = program(vec![builder.finish()], vec![array]);
        let made = &float_made(&program)[0];
        let name = |(at, site): (usize, &Option<Site<'_>>)| match site {
            _ if !made[at] => None,
            Some(Site::Op { instruction, .. }) => Some(instruction.op.row().name.to_string()),
            Some(Site::Construct { .. }) => Some("join".to_string()),
            _ => Some("other".to_string()),
        };
        program.functions[0].definitions().iter().enumerate().filter_map(name).collect()
    }

    // What is expected below follows from the rules that the documentation of `float_made` states.

    #[test]
    fn a_constant_alone_is_no_float_but_takes_no_floatness_away() {
        let got = floats(|b| {
            let (one, two) = (b.word(0x3f80_0000), b.word(2));
            let truth = b.value(Op::IEq, Attrs::default(), &[one, two]);
            let sum = b.value(Op::FAdd, Attrs::default(), &[one, two]);
            b.value(Op::Select, Attrs::default(), &[truth, sum, one]);
        });
        assert_eq!(got, ["f.add", "select"]);
    }

    #[test]
    fn an_integer_on_any_way_makes_a_join_an_integer() {
        for integer in [false, true] {
            let got = floats(|b| {
                let one = b.word(1);
                let truth = b.value(Op::IEq, Attrs::default(), &[one, one]);
                let local = b.local(Width::W32);
                b.begin_if(truth);
                let root = b.value(Op::FSqrt, Attrs::default(), &[one]);
                b.set(local, root);
                b.begin_else();
                let other = b.value(if integer { Op::INot } else { Op::FNeg }, Attrs::default(), &[one]);
                b.set(local, other);
                b.end();
                let joined = b.get(local);
                b.effect(Op::ArrayStore, Attrs::target(Target::Array(ArrayId(0))), &[one, joined]);
                b.value_of(Width::W32, Op::ArrayLoad, Attrs::target(Target::Array(ArrayId(0))), &[one]);
            });
            let expected: &[&str] = if integer { &["f.sqrt"] } else { &["f.sqrt", "f.neg", "join", "array.load"] };
            assert_eq!(got, expected);
        }
    }

    #[test]
    fn only_the_fraction_of_frexp_is_a_float_and_a_comparison_is_none() {
        let got = floats(|b| {
            let one = b.word(1);
            b.emit(Op::FFrexp, Attrs::default(), &[one], &[Width::W32, Width::W32]);
            b.value(Op::FLt, Attrs::default(), &[one, one]);
            b.value_of(Width::W32, Op::FToU, Attrs::default(), &[one]);
            b.value_of(Width::W32, Op::UToF, Attrs::default(), &[one]);
        });
        assert_eq!(got, ["f.frexp", "u.to_f"]);
    }

    #[test]
    fn calls_pass_floats_in_and_out() {
        let mut callee = FunctionBuilder::new("twice", &[Width::W32]);
        let x = callee.param(Width::W32);
        callee.ret(&[x]);
        let mut main = FunctionBuilder::new("main", &[]);
        let one = main.word(1);
        let root = main.value(Op::FSqrt, Attrs::default(), &[one]);
        main.emit(Op::Call, Attrs::target(Target::Function(FunctionId(0))), &[root], &[Width::W32]);
        let program = program(vec![callee.finish(), main.finish()], Vec::new());
        assert_eq!(float_made(&program), [vec![true], vec![false, true, true]]);
    }
}
