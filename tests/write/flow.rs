//! Control flow drawn at random: branches to any enclosing construct, out of several loops at once, and arms that fall through come back from SPIR-V as they were.

use fastrand::Rng;
use gpuproof_program::*;
use gpuproof_prove::Settings;
use gpuproof_prove::compare::Status;
use gpuproof_tests::programs::compare;
use gpuproof_write::spirv;

const W: Width = Width::W32;

/// A program being drawn.
struct Draw {
    b: FunctionBuilder,
    rng: Rng,
    /// What is computed.
    sum: Local,
    /// Rounds of loops that are left.
    fuel: Local,
    /// The constructs that are open.
    open: Vec<Label>,
    /// Statements that may still be drawn.
    left: u32,
}

impl Draw {
    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.b.value(op, Attrs::default(), args)
    }

    /// Changes the sum in a way of its own, so that each path through the program gives another number.
    fn count(&mut self) {
        let (factor, term) = (self.b.word(self.rng.u32(..) | 1), self.b.word(self.rng.u32(..)));
        let now = self.b.get(self.sum);
        let product = self.op(Op::IMul, &[now, factor]);
        let next = self.op(Op::IAdd, &[product, term]);
        self.b.set(self.sum, next);
    }

    /// Some high bits of the sum.
    fn bits(&mut self, mask: u32) -> Value {
        let (count, mask) = (self.b.word(self.rng.u32(16..28)), self.b.word(mask));
        let now = self.b.get(self.sum);
        let high = self.op(Op::UShr, &[now, count]);
        self.op(Op::IAnd, &[high, mask])
    }

    fn condition(&mut self) -> Value {
        let (bit, zero) = (self.bits(1), self.b.word(0));
        self.op(Op::INe, &[bit, zero])
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..4) {
            if self.left == 0 || !self.b.is_reachable() {
                return;
            }
            self.left -= 1;
            match if depth == 0 { 0 } else { self.rng.u32(0..10) } {
                0..=2 => self.count(),
                3..=4 => self.choose(depth),
                5 => self.switch(depth),
                6 => {
                    let label = self.b.begin_block();
                    self.inside(label, depth);
                    self.b.end();
                }
                7..=8 => self.repeat(depth),
                _ => {
                    if let Some(label) = self.rng.choice(&self.open).copied() {
                        self.b.br(label);
                    }
                }
            }
        }
    }

    fn inside(&mut self, label: Label, depth: u32) {
        self.open.push(label);
        self.count();
        self.statements(depth - 1);
        self.open.pop();
    }

    fn choose(&mut self, depth: u32) {
        let condition = self.condition();
        let label = self.b.begin_if(condition);
        self.inside(label, depth);
        self.b.begin_else();
        if self.rng.bool() {
            self.inside(label, depth);
        }
        self.b.end();
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.bits(3);
        let label = self.b.begin_switch(selector);
        for arm in 0..3 {
            self.b.begin_arm(&[arm], arm == 2);
            self.inside(label, depth);
            // An arm whose end is reached falls through to the next.
            if arm == 2 || self.rng.u32(0..3) > 0 {
                self.b.br(label);
            }
        }
        self.b.end();
    }

    fn repeat(&mut self, depth: u32) {
        let out = self.b.begin_block();
        let next = self.b.begin_loop();
        let (now, one, zero) = (self.b.get(self.fuel), self.b.word(1), self.b.word(0));
        let left = self.op(Op::ISub, &[now, one]);
        self.b.set(self.fuel, left);
        let spent = self.op(Op::SLt, &[left, zero]);
        self.b.begin_if(spent);
        self.b.br(out);
        self.b.end_if();
        self.open.push(out);
        self.inside(next, depth);
        self.open.pop();
        self.b.end();
        self.b.end();
    }
}

fn variable(name: &str) -> IoVariable {
    IoVariable {
        name: name.into(),
        semantic_index: 0,
        location: Some(0),
        blend_source: None,
        mask: 1,
        kind: Kind::Uint,
        width: W,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    }
}

fn program(seed: u64) -> Program {
    let mut b = FunctionBuilder::new("main", &[]);
    b.set_origin(Origin::line(0));
    let (sum, fuel) = (b.local(W), b.local(W));
    let input = b.value_of(W, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    b.set(sum, input);
    let rounds = b.word(24);
    b.set(fuel, rounds);
    let mut draw = Draw { b, rng: Rng::with_seed(seed), sum, fuel, open: Vec::new(), left: 40 };
    draw.count();
    // Whatever leaves the whole goes to its end.
    let all = draw.b.begin_block();
    draw.open.push(all);
    draw.statements(6);
    draw.b.end();
    let result = draw.b.get(sum);
    draw.b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[result]);
    draw.b.ret(&[]);
    let lines = vec![SourceLine { number: 1, offset: 0, text: format!("drawn from {seed}") }];
    let program = Program {
        name: "main".into(),
        dialect: Dialect::D3D11,
        stage: Stage::Vertex,
        group_size: [1; 3],
        assembly: Assembly::None,
        interface: Interface { inputs: vec![variable("V")], outputs: vec![variable("R")], ..Interface::default() },
        arrays: Vec::new(),
        shared: Vec::new(),
        functions: vec![draw.b.finish()],
        entry: FunctionId(0),
        source: Source { kind: SourceKind::Text, lines },
        notes: Vec::new(),
    };
    validate(&program).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    program
}

#[test]
fn control_flow_at_random_comes_back_from_spirv_as_it_was() {
    let folder = std::env::var_os("GPUPROOF_MODULES");
    let mut loops = 0;
    for seed in 0..300 {
        let original = program(seed);
        walk(&original.functions[0].body, &mut |node| loops += u32::from(matches!(node, Node::Loop { .. })));
        let module = spirv::write(&original).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        if let Some(folder) = &folder {
            let path = std::path::Path::new(folder).join(format!("flow-{seed}.spv"));
            std::fs::write(path, module.bytes()).expect("the module can be written");
        }
        let back = gpuproof_read::spirv::read(&module.bytes(), &gpuproof_read::spirv::Options::default());
        let back = back.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let settings = Settings { adequacy: None, locate: false, lanes: 256, cases: 3, ..Settings::default() };
        let evidence = compare(&original, &back, &settings).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let total = evidence.census.total();
        assert!(evidence.status == Status::Holds && total.same > 0, "seed {seed}: {total:?} {:?}", evidence.first);
    }
    assert!(loops > 100, "{loops} loops in all");
}
