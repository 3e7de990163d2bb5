//! What the tests build programs with: a compute program whose lanes store words to one buffer.

use gpuproof_program::*;
use gpuproof_run::*;
use std::sync::Arc;

/// A program under construction: raw buffer 0 is for results, input 0 the lane's global id.
pub struct Kit {
    pub b: FunctionBuilder,
    pub stage: Stage,
    pub group_size: [u32; 3],
    pub interface: Interface,
    pub arrays: Vec<PrivateArray>,
    pub shared: Vec<SharedMemory>,
}

pub fn resource(name: &str, shape: Shape, access: Access) -> Resource {
    let slot = Slot::Binding { group: 0, binding: 0 };
    Resource { name: name.into(), slot, count: Some(1), shape, access, layout: None, counter: false }
}

pub fn variable(name: &str, width: Width, builtin: Option<Builtin>) -> IoVariable {
    IoVariable {
        name: name.into(),
        semantic_index: 0,
        location: Some(0),
        blend_source: None,
        mask: 0xf,
        kind: Kind::Unknown,
        width,
        builtin,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    }
}

impl Kit {
    pub fn new(threads: u32) -> Kit {
        let mut interface = Interface::default();
        interface.resources.push(resource("results", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
        interface.inputs.push(variable("id", Width::W32, Some(Builtin::GlobalInvocationId)));
        Kit {
            b: FunctionBuilder::new("main", &[]),
            stage: Stage::Compute,
            group_size: [threads, 1, 1],
            interface,
            arrays: Vec::new(),
            shared: Vec::new(),
        }
    }

    pub fn pixel() -> Kit {
        let mut kit = Kit::new(1);
        kit.stage = Stage::Pixel;
        kit.interface.inputs.clear();
        kit
    }

    /// The global id along x.
    pub fn id(&mut self) -> Value {
        self.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[])
    }

    pub fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.b.value(op, Attrs::default(), args)
    }

    pub fn word(&mut self, bits: u32) -> Value {
        self.b.word(bits)
    }

    /// Stores a word to results at 4 * (index * stride + at).
    pub fn put(&mut self, index: Value, stride: u32, at: u32, value: Value) {
        let scale = self.word(4 * stride);
        let offset = self.op(Op::IMul, &[index, scale]);
        let at = self.word(4 * at);
        let offset = self.op(Op::IAdd, &[offset, at]);
        let zero = self.word(0);
        self.b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(0))), &[zero, offset, value]);
    }

    pub fn program(self) -> Program {
        self.with_functions(Vec::new())
    }

    /// With other functions, numbered from 1.
    pub fn with_functions(self, more: Vec<Function>) -> Program {
        let mut functions = vec![self.b.finish()];
        functions.extend(more);
        let program = Program {
            name: "main".into(),
            dialect: Dialect::D3D11,
            stage: self.stage,
            group_size: self.group_size,
            assembly: Assembly::None,
            interface: self.interface,
            arrays: self.arrays,
            shared: self.shared,
            functions,
            entry: FunctionId(0),
            source: Source::default(),
            notes: Vec::new(),
        };
        validate(&program).expect("a valid program");
        program
    }
}

pub fn buffer(words: &[u32]) -> Binding {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Binding::Buffer(BufferBinding { bytes: Arc::new(bytes), format: None, counter: 0 })
}

pub fn words(binding: &Binding) -> Vec<u32> {
    let Binding::Buffer(buffer) = binding else { panic!("a buffer") };
    buffer.bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// A case with `words` words of results, all ones.
pub fn case(program: &Program, groups: u32, words: usize) -> Case {
    let mut case = Case::empty_for(program, Launch::Groups { count: [groups, 1, 1] }).expect("a case");
    case.resources[0] = vec![buffer(&vec![u32::MAX; words])];
    case
}

/// Runs a program, and holds the plan whose values may be replaced to the same outcome.
pub fn run(program: &Program, case: &Case) -> Outcome {
    let outcome = Plan::compile(program).expect("a plan").run(case, &Options::default()).expect("an outcome");
    let literal = Plan::compile_for_substitution(program).expect("a plan").run(case, &Options::default()).expect("an outcome");
    assert_eq!((&literal.outputs, &literal.resources, &literal.live), (&outcome.outputs, &outcome.resources, &outcome.live));
    outcome
}

/// Runs so many groups and gives the words of results.
pub fn results(program: &Program, groups: u32, count: usize) -> Vec<u32> {
    words(&run(program, &case(program, groups, count)).resources[0][0])
}

pub fn kinds(outcome: &Outcome) -> Vec<EventKind> {
    outcome.events.iter().map(|event| event.kind).collect()
}
