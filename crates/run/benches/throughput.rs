//! Lane-operations a second of the lane machine on five kernels, on one core. `cargo bench -p gpuproof-run` prints them.
//!
//! An operation of the program on one lane counts as one, a multiply-add as two.

use gpuproof_program::*;
use gpuproof_run::*;
use std::sync::Arc;
use std::time::Instant;

/// Rounds of each kernel's loop.
const ROUNDS: u32 = 256;
const GROUPS: u32 = 64;
const THREADS: u32 = 256;

struct Kernel {
    b: FunctionBuilder,
    shared: Vec<SharedMemory>,
}

impl Kernel {
    fn new() -> Kernel {
        Kernel { b: FunctionBuilder::new("main", &[]), shared: Vec::new() }
    }

    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let mut rules = Rules::default();
        if op.choices().contains(&Choice::Denormals) {
            rules.denormals = Denormals::Flush;
        }
        self.b.value(op, Attrs::rules(rules), args)
    }

    fn float(&mut self, value: f32) -> Value {
        self.b.word(value.to_bits())
    }

    fn id(&mut self, input: u32) -> Value {
        self.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(input), 0)), &[])
    }

    /// Runs `body` for `ROUNDS` rounds; it gets the round's number.
    fn repeat(&mut self, body: impl FnOnce(&mut Kernel, Value)) {
        let counter = self.b.local(Width::W32);
        let (zero, one, rounds) = (self.b.word(0), self.b.word(1), self.b.word(ROUNDS));
        self.b.set(counter, zero);
        let end = self.b.begin_block();
        self.b.begin_loop();
        let now = self.b.get(counter);
        let done = self.op(Op::ULe, &[rounds, now]);
        self.b.begin_if(done);
        self.b.br(end);
        self.b.end_if();
        body(self, now);
        let next = self.op(Op::IAdd, &[now, one]);
        self.b.set(counter, next);
        self.b.end();
        self.b.end();
    }

    fn store(&mut self, value: Value) {
        let id = self.id(0);
        let (four, zero) = (self.b.word(4), self.b.word(0));
        let offset = self.op(Op::IMul, &[id, four]);
        self.b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(0))), &[zero, offset, value]);
    }

    fn program(self) -> Program {
        let variable = |name: &str, builtin| IoVariable {
            name: name.into(),
            semantic_index: 0,
            location: None,
            blend_source: None,
            mask: 1,
            kind: Kind::Uint,
            width: Width::W32,
            builtin: Some(builtin),
            interpolation: Interpolation::Linear,
        };
        let results = Resource {
            name: "results".into(),
            slot: Slot::Binding { group: 0, binding: 0 },
            count: Some(1),
            shape: Shape::Buffer { bytes: 0 },
            access: Access::ReadWrite,
            layout: None,
            counter: false,
        };
        Program {
            name: "main".into(),
            dialect: Dialect::D3D11,
            stage: Stage::Compute,
            group_size: [THREADS, 1, 1],
            interface: Interface {
                inputs: vec![variable("id", Builtin::GlobalInvocationId), variable("thread", Builtin::LocalInvocationIndex)],
                resources: vec![results],
                ..Interface::default()
            },
            arrays: Vec::new(),
            shared: self.shared,
            functions: vec![self.b.finish()],
            entry: FunctionId(0),
            source: Source::default(),
            notes: Vec::new(),
        }
    }
}

/// Four chains of x = x * a + b, as multiplications and additions.
fn multiply_add(fused: bool) -> Program {
    let mut k = Kernel::new();
    let id = k.id(0);
    let x = k.op_to_float(id);
    let chains: Vec<Local> = (0..4).map(|_| k.b.local(Width::W32)).collect();
    for (at, chain) in chains.iter().enumerate() {
        let offset = k.float(at as f32);
        let start = k.op(Op::FAdd, &[x, offset]);
        k.b.set(*chain, start);
    }
    let (a, b) = (k.float(0.999), k.float(0.25));
    k.repeat(|k, _| {
        for _ in 0..4 {
            for chain in &chains {
                let now = k.b.get(*chain);
                let next = if fused {
                    k.op(Op::FMad, &[now, a, b])
                } else {
                    let product = k.op(Op::FMul, &[now, a]);
                    k.op(Op::FAdd, &[product, b])
                };
                k.b.set(*chain, next);
            }
        }
    });
    let mut sum = k.b.get(chains[0]);
    for chain in &chains[1..] {
        let next = k.b.get(*chain);
        sum = k.op(Op::FAdd, &[sum, next]);
    }
    k.store(sum);
    k.program()
}

impl Kernel {
    fn op_to_float(&mut self, id: Value) -> Value {
        self.b.value_of(Width::W32, Op::UToF, Attrs::default(), &[id])
    }
}

/// xorshift and a linear congruential generator.
fn integers() -> Program {
    let mut k = Kernel::new();
    let id = k.id(0);
    let (x, y) = (k.b.local(Width::W32), k.b.local(Width::W32));
    let one = k.b.word(1);
    let start = k.op(Op::IAdd, &[id, one]);
    k.b.set(x, start);
    k.b.set(y, id);
    let [c13, c17, c5, scale, step] = [13, 17, 5, 1_664_525, 1_013_904_223].map(|word| k.b.word(word));
    k.repeat(|k, _| {
        for _ in 0..2 {
            let mut now = k.b.get(x);
            for (op, count) in [(Op::IShl, c13), (Op::UShr, c17), (Op::IShl, c5)] {
                let shifted = k.op(op, &[now, count]);
                now = k.op(Op::IXor, &[now, shifted]);
            }
            k.b.set(x, now);
            let other = k.b.get(y);
            let other = k.op(Op::IMul, &[other, scale]);
            let other = k.op(Op::IAdd, &[other, step]);
            let other = k.op(Op::IXor, &[other, now]);
            k.b.set(y, other);
        }
    });
    let (a, b) = (k.b.get(x), k.b.get(y));
    let sum = k.op(Op::IAdd, &[a, b]);
    k.store(sum);
    k.program()
}

fn transcendental() -> Program {
    let mut k = Kernel::new();
    let id = k.id(0);
    let start = k.op_to_float(id);
    let x = k.b.local(Width::W32);
    let scale = k.float(0.01);
    let start = k.op(Op::FMul, &[start, scale]);
    k.b.set(x, start);
    let one = k.float(1.0);
    k.repeat(|k, _| {
        let now = k.b.get(x);
        let sine = k.op(Op::FSin, &[now]);
        let power = k.op(Op::FExp2, &[sine]);
        let sum = k.op(Op::FAdd, &[power, one]);
        let log = k.op(Op::FLog2, &[sum]);
        let root = k.op(Op::FSqrt, &[log]);
        let next = k.op(Op::FAdd, &[root, now]);
        k.b.set(x, next);
    });
    let value = k.b.get(x);
    k.store(value);
    k.program()
}

fn divergent() -> Program {
    let mut k = Kernel::new();
    let id = k.id(0);
    let x = k.b.local(Width::W32);
    let start = k.op_to_float(id);
    k.b.set(x, start);
    let (half, big, one, three) = (k.float(0.5), k.float(1.25), k.float(1.0), k.float(3.0));
    let (mask, zero) = (k.b.word(3), k.b.word(0));
    k.repeat(|k, round| {
        let mixed = k.op(Op::IAdd, &[round, id]);
        let low = k.op(Op::IAnd, &[mixed, mask]);
        let condition = k.op(Op::IEq, &[low, zero]);
        k.b.begin_if(condition);
        let mut now = k.b.get(x);
        for _ in 0..4 {
            now = k.op(Op::FMul, &[now, half]);
            now = k.op(Op::FAdd, &[now, one]);
        }
        k.b.set(x, now);
        k.b.begin_else();
        let mut now = k.b.get(x);
        for _ in 0..4 {
            now = k.op(Op::FMul, &[now, big]);
            now = k.op(Op::FSub, &[now, three]);
        }
        k.b.set(x, now);
        k.b.end();
    });
    let value = k.b.get(x);
    k.store(value);
    k.program()
}

fn group_shared() -> Program {
    let mut k = Kernel::new();
    k.shared.push(SharedMemory { name: "tile".into(), bytes: 4 * THREADS, stride: 4, zeroed: false });
    let thread = k.id(1);
    let x = k.b.local(Width::W32);
    k.b.set(x, thread);
    let [one, four, last] = [1, 4, THREADS - 1].map(|word| k.b.word(word));
    let own = k.op(Op::IMul, &[thread, four]);
    let shared = Attrs::target(Target::Shared(SharedId(0)));
    let barrier = Barrier { group: true, shared: true, resources: None };
    k.repeat(|k, round| {
        let now = k.b.get(x);
        k.b.effect(Op::SharedStore, shared, &[own, now]);
        k.b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(barrier)), &[]);
        let other = k.op(Op::IAdd, &[thread, round]);
        let other = k.op(Op::IAdd, &[other, one]);
        let other = k.op(Op::IAnd, &[other, last]);
        let address = k.op(Op::IMul, &[other, four]);
        let loaded = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[address]);
        let next = k.op(Op::IMul, &[now, four]);
        let next = k.op(Op::IAdd, &[next, loaded]);
        k.b.set(x, next);
        k.b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(barrier)), &[]);
    });
    let value = k.b.get(x);
    k.store(value);
    k.program()
}

/// Seconds of processor time so far where the system tells, else of the clock: others may be using the machine.
fn seconds(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn measure(name: &str, program: &Program, weight: f64) {
    let plan = Plan::compile(program).expect("a valid kernel");
    let mut case = Case::empty_for(program, Launch::Groups { count: [GROUPS, 1, 1] }).expect("a compute program");
    let bytes = vec![0; (4 * GROUPS * THREADS) as usize];
    case.resources[0] = vec![Binding::Buffer(BufferBinding { bytes: Arc::new(bytes), format: None, counter: 0 })];
    let options = Options { races: false, ..Options::default() };
    let (start, mut best, mut steps) = (Instant::now(), f64::MAX, 0);
    for _ in 0..7 {
        let before = seconds(start);
        let outcome = plan.run(&case, &options).expect("a run");
        best = best.min(seconds(start) - before);
        steps = outcome.steps;
    }
    println!("{name:32} {:8.3} billion lane-operations/s", steps as f64 * weight / best / 1e9);
}

fn main() {
    measure("multiply, add, 4 chains", &multiply_add(false), 1.0);
    // The loop's own operations are 4 of 20.
    measure("multiply-add, 4 chains", &multiply_add(true), 36.0 / 20.0);
    measure("xorshift and LCG", &integers(), 1.0);
    measure("sin, exp2, log2, sqrt", &transcendental(), 1.0);
    measure("divergent if/else", &divergent(), 1.0);
    measure("group-shared memory, 2 barriers", &group_shared(), 1.0);
}
