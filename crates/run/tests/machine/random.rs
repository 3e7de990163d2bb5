//! Random structured programs against an interpreter of one lane at a time that walks the tree.
//!
//! Ballots on the way show which lanes are together. Under maximal reconvergence those are the lanes of the wave that come to the same place in the same iterations of
//! the loops around it, so the interpreter notes places and iterations, and the sets follow when all lanes are through.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;
use std::collections::HashMap;

struct Random(u64);

impl Random {
    fn next(&mut self, below: u32) -> u32 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % u64::from(below)) as u32
    }
}

/// A construct that code inside may branch to: its label, and the counter of a loop.
#[derive(Clone, Copy)]
struct Open {
    label: Label,
    counter: Option<Local>,
}

struct Generator {
    k: Kit,
    random: Random,
    locals: Vec<Local>,
    wide: Local,
    /// What the ballots were; nothing depends on it.
    trace: Local,
    open: Vec<Open>,
    functions: u32,
}

impl Generator {
    fn pick(&mut self) -> Value {
        let local = self.locals[self.random.next(self.locals.len() as u32) as usize];
        self.k.b.get(local)
    }

    fn condition(&mut self) -> Value {
        let (a, b) = (self.pick(), self.pick());
        match self.random.next(3) {
            0 => self.k.op(Op::ULt, &[a, b]),
            1 => {
                let (mask, zero) = (self.k.word(1 << self.random.next(4)), self.k.word(0));
                let bit = self.k.op(Op::IAnd, &[a, mask]);
                self.k.op(Op::INe, &[bit, zero])
            }
            _ => self.k.op(Op::IEq, &[a, b]),
        }
    }

    fn ballot(&mut self) {
        let one = self.k.b.constant(Width::W1, 1);
        let ballot = self.k.b.emit(Op::WaveBallot, Attrs::default(), &[one], &[Width::W32; 4])[0];
        let (now, scale) = (self.k.b.get(self.trace), self.k.word(31));
        let next = self.k.op(Op::IMul, &[now, scale]);
        let next = self.k.op(Op::IAdd, &[next, ballot]);
        self.k.b.set(self.trace, next);
    }

    fn assign(&mut self) {
        if self.random.next(3) == 0 {
            self.ballot();
        }
        let (a, b) = (self.pick(), self.pick());
        let value = match self.random.next(7) {
            0 => self.k.op(Op::IAdd, &[a, b]),
            1 => self.k.op(Op::IMul, &[a, b]),
            2 => self.k.op(Op::IXor, &[a, b]),
            3 => {
                let condition = self.condition();
                self.k.op(Op::Select, &[condition, a, b])
            }
            4 => {
                let low = self.k.b.value_of(Width::W64, Op::UExtend, Attrs::default(), &[a]);
                let wide = self.k.b.get(self.wide);
                let product = self.k.op(Op::IMul, &[low, wide]);
                let sum = self.k.op(Op::IAdd, &[product, low]);
                self.k.b.set(self.wide, sum);
                self.k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[sum])
            }
            5 if self.functions > 0 => {
                let attrs = Attrs::target(Target::Function(FunctionId(1 + self.random.next(self.functions))));
                self.k.b.emit(Op::Call, attrs, &[a, b], &[Width::W32])[0]
            }
            // Moves alone make swaps and cycles of values that loops carry.
            _ => a,
        };
        let to = self.random.next(self.locals.len() as u32) as usize;
        self.k.b.set(self.locals[to], value);
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.next(4) {
            if !self.k.b.is_reachable() {
                return;
            }
            match self.random.next(if depth == 0 { 4 } else { 9 }) {
                0..3 => self.assign(),
                3 => self.leave(),
                4 => {
                    let condition = self.condition();
                    let label = self.k.b.begin_if(condition);
                    self.open.push(Open { label, counter: None });
                    self.statements(depth - 1);
                    if self.random.next(2) == 0 {
                        self.k.b.begin_else();
                        self.statements(depth - 1);
                    }
                    self.open.pop();
                    self.k.b.end_if();
                }
                5 => {
                    let label = self.k.b.begin_block();
                    self.open.push(Open { label, counter: None });
                    self.statements(depth - 1);
                    self.open.pop();
                    self.k.b.end();
                }
                6 => self.switch(depth),
                _ => self.repeat(depth),
            }
        }
    }

    /// A branch, taken by some lanes, to something open.
    fn leave(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let condition = self.condition();
        self.k.b.begin_if(condition);
        let to = self.open[self.random.next(self.open.len() as u32) as usize];
        if let Some(counter) = to.counter {
            self.count(counter);
        }
        self.k.b.br(to.label);
        self.k.b.end_if();
    }

    fn count(&mut self, counter: Local) {
        let (now, one) = (self.k.b.get(counter), self.k.word(1));
        let next = self.k.op(Op::IAdd, &[now, one]);
        self.k.b.set(counter, next);
    }

    fn switch(&mut self, depth: u32) {
        let (selector, mask) = (self.pick(), self.k.word(3));
        let selector = self.k.op(Op::IAnd, &[selector, mask]);
        let label = self.k.b.begin_switch(selector);
        self.open.push(Open { label, counter: None });
        for (selectors, is_default) in [(&[0, 2][..], false), (&[1][..], true), (&[7][..], false)] {
            self.k.b.begin_arm(selectors, is_default);
            self.statements(depth - 1);
            if self.random.next(2) == 0 {
                self.k.b.br(label);
            }
        }
        self.open.pop();
        self.k.b.end();
    }

    /// A loop whose rounds each lane counts; no more than six.
    fn repeat(&mut self, depth: u32) {
        let counter = self.k.b.local(Width::W32);
        let zero = self.k.word(0);
        self.k.b.set(counter, zero);
        let end = self.k.b.begin_block();
        self.open.push(Open { label: end, counter: None });
        let label = self.k.b.begin_loop();
        let (now, six) = (self.k.b.get(counter), self.k.word(6));
        let (limit, mask) = (self.pick(), self.k.word(7));
        let limit = self.k.op(Op::IAnd, &[limit, mask]);
        let limit = self.k.op(Op::UMin, &[limit, six]);
        let done = self.k.op(Op::ULe, &[limit, now]);
        self.k.b.begin_if(done);
        self.k.b.br(end);
        self.k.b.end_if();
        self.open.push(Open { label, counter: Some(counter) });
        self.statements(depth - 1);
        self.count(counter);
        self.open.pop();
        self.k.b.end();
        self.open.pop();
        self.k.b.end();
    }
}

/// One lane, by walking the tree.
struct Walker<'a> {
    program: &'a Program,
    id: u32,
    stored: HashMap<u64, u64>,
    /// Iterations of the loops around, outermost first.
    path: Vec<u32>,
    /// The ballots that the lane took part in.
    ballots: Vec<(Value, Vec<u32>)>,
    /// What they were, once all lanes are through.
    sets: HashMap<(Value, Vec<u32>), u32>,
}

enum Flow {
    Branch(Label, Vec<u64>),
    Return(Vec<u64>),
}

impl<'a> Walker<'a> {
    fn new(program: &'a Program, id: u32, sets: HashMap<(Value, Vec<u32>), u32>) -> Walker<'a> {
        Walker { program, id, stored: HashMap::new(), path: Vec::new(), ballots: Vec::new(), sets }
    }

    /// The ballots that the lane takes part in.
    fn ballots(mut self) -> Vec<(Value, Vec<u32>)> {
        self.function(self.program.entry, &[]);
        self.ballots
    }

    fn function(&mut self, id: FunctionId, args: &[u64]) -> Vec<u64> {
        let function = self.program.function(id);
        let mut values: HashMap<Value, u64> = function.params.iter().copied().zip(args.iter().copied()).collect();
        match self.region(function, &function.body, &mut values) {
            Flow::Return(values) => values,
            Flow::Branch(label, _) => panic!("a branch to {label} left the function"),
        }
    }

    fn region(&mut self, function: &Function, region: &Region, values: &mut HashMap<Value, u64>) -> Flow {
        for node in region {
            let (results, label, flow) = match node {
                Node::Op(instruction) => {
                    self.instruction(function, instruction, values);
                    continue;
                }
                Node::Br { target, values: brought } => {
                    return Flow::Branch(*target, brought.iter().map(|value| values[value]).collect());
                }
                Node::Return { values: brought } => return Flow::Return(brought.iter().map(|value| values[value]).collect()),
                Node::Unreachable => panic!("unreachable"),
                Node::Block { label, results, body } => (results, *label, self.region(function, body, values)),
                Node::If { label, condition, results, then, otherwise, .. } => {
                    let taken = if values[condition] != 0 { then } else { otherwise };
                    (results, *label, self.region(function, taken, values))
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    let selector = values[selector] as u32;
                    let found = arms.iter().position(|arm| arm.selectors.contains(&selector));
                    let mut at = found.or_else(|| arms.iter().position(|arm| arm.is_default)).unwrap();
                    let initial: Vec<u64> = arms[at].initial.iter().map(|value| values[value]).collect();
                    values.extend(arms[at].params.iter().copied().zip(initial));
                    let flow = loop {
                        match self.region(function, &arms[at].body, values) {
                            Flow::Branch(to, brought) if arms.get(at + 1).is_some_and(|arm| arm.label == to) => {
                                at += 1;
                                values.extend(arms[at].params.iter().copied().zip(brought));
                            }
                            flow => break flow,
                        }
                    };
                    (results, *label, flow)
                }
                Node::Loop { label, initial, params, body, .. } => {
                    let first: Vec<u64> = initial.iter().map(|value| values[value]).collect();
                    values.extend(params.iter().copied().zip(first));
                    self.path.push(0);
                    let flow = loop {
                        match self.region(function, body, values) {
                            Flow::Branch(to, brought) if to == *label => values.extend(params.iter().copied().zip(brought)),
                            flow => break flow,
                        }
                        *self.path.last_mut().unwrap() += 1;
                    };
                    self.path.pop();
                    return flow;
                }
            };
            match flow {
                Flow::Branch(to, brought) if to == label => values.extend(results.iter().copied().zip(brought)),
                flow => return flow,
            }
        }
        panic!("a region without end")
    }

    fn instruction(&mut self, function: &Function, instruction: &Instruction, values: &mut HashMap<Value, u64>) {
        let args: Vec<u64> = instruction.args.iter().map(|value| values[value]).collect();
        let mask = instruction.results.first().map_or(u64::MAX, |value| function.width(*value).mask());
        let results = match (instruction.op, instruction.attrs.target) {
            (Op::Const, Target::Bits(bits)) => vec![bits],
            (Op::Undef, _) => vec![0],
            (Op::WaveBallot, _) => {
                let place = (instruction.results[0], self.path.clone());
                let set = self.sets.get(&place).copied().unwrap_or(0);
                self.ballots.push(place);
                vec![u64::from(set), 0, 0, 0]
            }
            (Op::Input, _) => vec![u64::from(self.id)],
            (Op::Select, _) => vec![if args[0] != 0 { args[1] } else { args[2] }],
            (Op::IAdd, _) => vec![args[0].wrapping_add(args[1])],
            (Op::IMul, _) => vec![args[0].wrapping_mul(args[1])],
            (Op::IXor, _) => vec![args[0] ^ args[1]],
            (Op::IAnd, _) => vec![args[0] & args[1]],
            (Op::UMin, _) => vec![args[0].min(args[1])],
            (Op::ULt, _) => vec![u64::from(args[0] < args[1])],
            (Op::ULe, _) => vec![u64::from(args[0] <= args[1])],
            (Op::IEq, _) => vec![u64::from(args[0] == args[1])],
            (Op::INe, _) => vec![u64::from(args[0] != args[1])],
            (Op::UExtend | Op::ITruncate, _) => vec![args[0]],
            (Op::Call, Target::Function(callee)) => self.function(callee, &args),
            (Op::BufferStore, _) => {
                self.stored.insert(args[1], args[2]);
                vec![]
            }
            (op, _) => panic!("{op:?}"),
        };
        for (result, bits) in instruction.results.iter().zip(results) {
            values.insert(*result, bits & mask);
        }
    }
}

/// A function of two words with a loop that returns from inside.
fn helper(seed: u32) -> Function {
    let mut f = FunctionBuilder::new(format!("helper{seed}"), &[Width::W32]);
    let (a, b) = (f.param(Width::W32), f.param(Width::W32));
    let (n, x) = (f.local(Width::W32), f.local(Width::W32));
    let (zero, one, scale) = (f.word(0), f.word(1), f.word(3 + 2 * seed));
    f.set(n, zero);
    f.set(x, a);
    let mask = f.word(3);
    let rounds = f.value(Op::IAnd, Attrs::default(), &[b, mask]);
    f.begin_loop();
    let (now, value) = (f.get(n), f.get(x));
    let done = f.value(Op::IEq, Attrs::default(), &[now, rounds]);
    f.begin_if(done);
    f.ret(&[value]);
    f.end_if();
    let value = f.value(Op::IMul, Attrs::default(), &[value, scale]);
    let value = f.value(Op::IXor, Attrs::default(), &[value, b]);
    f.set(x, value);
    let next = f.value(Op::IAdd, Attrs::default(), &[now, one]);
    f.set(n, next);
    f.end();
    f.finish()
}

fn generate(seed: u64) -> Program {
    let mut k = Kit::new(48);
    let id = k.id();
    let locals: Vec<Local> = (0..5).map(|_| k.b.local(Width::W32)).collect();
    let wide = k.b.local(Width::W64);
    let start = k.b.constant(Width::W64, 0x9e37_79b9_7f4a_7c15);
    k.b.set(wide, start);
    for (at, local) in locals.iter().enumerate() {
        let scale = k.word(2 * at as u32 + 1);
        let value = k.op(Op::IMul, &[id, scale]);
        k.b.set(*local, value);
    }
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    random.next(2);
    let trace = k.b.local(Width::W32);
    let zero = k.word(0);
    k.b.set(trace, zero);
    let mut generator = Generator { k, random, locals: locals.clone(), wide, trace, open: Vec::new(), functions: 2 };
    let end = generator.k.b.begin_block();
    generator.open.push(Open { label: end, counter: None });
    for _ in 0..3 {
        generator.statements(4);
    }
    let mut k = generator.k;
    k.b.end();
    for (at, local) in locals.iter().enumerate() {
        let value = k.b.get(*local);
        k.put(id, 7, at as u32, value);
    }
    let value = k.b.get(trace);
    k.put(id, 7, 6, value);
    let value = k.b.get(wide);
    let low = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[value]);
    k.put(id, 7, 5, low);
    k.with_functions(vec![helper(0), helper(1)])
}

#[test]
fn random_programs_run_as_lane_by_lane() {
    let mut lengths = 0;
    for seed in 0..150 {
        let program = generate(seed);
        let outcome = run(&program, &case(&program, 2, 96 * 7));
        let found = words(&outcome.resources[0][0]);
        lengths += outcome.steps;
        let mut together: HashMap<(u32, Value, Vec<u32>), u32> = HashMap::new();
        // Groups of 48 lanes, waves of 32.
        let wave_of = |id: u32| (id / 48 * 2 + id % 48 / 32, id % 48 % 32);
        for id in 0..96 {
            for (value, path) in Walker::new(&program, id, HashMap::new()).ballots() {
                let (wave, lane) = wave_of(id);
                *together.entry((wave, value, path)).or_default() |= 1 << lane;
            }
        }
        for id in 0..96 {
            let of_wave = together.iter().filter(|((wave, _, _), _)| *wave == wave_of(id).0);
            let sets = of_wave.map(|((_, value, path), set)| ((*value, path.clone()), *set)).collect();
            let mut walker = Walker::new(&program, id, sets);
            walker.function(program.entry, &[]);
            let sets = walker.ballots.iter().map(|place| walker.sets[place]);
            let trace = sets.fold(0u32, |trace, set| trace.wrapping_mul(31).wrapping_add(set));
            for at in 0..7 {
                let place = id * 7 + at;
                let expected = walker.stored[&u64::from(4 * place)] as u32;
                // The builder must not lose an assignment on the way either.
                assert!(at != 6 || expected == trace, "seed {seed} lane {id}: {expected:#x} / {trace:#x}");
                assert_eq!(found[place as usize], expected, "seed {seed} lane {id} word {at}\n{}", text::print(&program));
            }
        }
        let mut all = All;
        let observed = Plan::compile(&program).unwrap().run_observed(&case(&program, 2, 96 * 7), &Options::default(), &mut all);
        assert_eq!(observed.unwrap(), outcome, "seed {seed}");
    }
    assert!(lengths > 250_000, "the programs do something: {lengths}");
}

/// An observer of everything that remembers nothing.
struct All;

impl Observer for All {
    fn wants(&self, _: FunctionId, _: Value) -> bool {
        true
    }
    fn value(&mut self, _: &Observed<'_>) {}
}
