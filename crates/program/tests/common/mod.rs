//! What the tests of this crate share: a source language small enough to interpret by itself, and an interpreter of functions
//! that knows nothing of the builder.
#![allow(dead_code, reason = "each test uses a part")]

use gpuproof_program::*;
use std::collections::HashMap;

/// A program around these functions, the last of which is the entry, with `outputs` one-component outputs.
pub fn program(functions: Vec<Function>, outputs: usize) -> Program {
    let output = |at: usize| IoVariable {
        name: "OUT".into(),
        semantic_index: at as u32,
        location: Some(at as u32),
        blend_source: None,
        mask: 1,
        kind: Kind::Unknown,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    };
    Program {
        name: "main".into(),
        dialect: Dialect::D3D11,
        stage: Stage::Pixel,
        group_size: [1; 3],
        assembly: Assembly::None,
        interface: Interface { outputs: (0..outputs).map(output).collect(), ..Interface::default() },
        arrays: Vec::new(),
        shared: Vec::new(),
        entry: FunctionId(functions.len().saturating_sub(1) as u32),
        functions,
        source: Source::default(),
        notes: Vec::new(),
    }
}

/// Sets component x of an output.
pub fn output(builder: &mut FunctionBuilder, id: u32, value: Value) {
    builder.effect(Op::Output, Attrs::target(Target::Output(OutputId(id), 0)), &[value]);
}

/// Vigna's splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

enum Flow {
    Next,
    Br(Label, Vec<u64>),
    Return(Vec<u64>),
}

/// Runs one lane of a program and gives its outputs' x components: a walk over the tree, as the documentation of `Node` reads.
pub fn run(program: &Program) -> Vec<Option<u32>> {
    let mut machine = Machine { program, outputs: vec![None; program.interface.outputs.len()], fuel: 1_000_000 };
    machine.call(program.entry, &[]);
    machine.outputs
}

struct Machine<'a> {
    program: &'a Program,
    outputs: Vec<Option<u32>>,
    fuel: u32,
}

type Values = HashMap<Value, u64>;

fn bind(values: &mut Values, to: &[Value], from: &[u64]) {
    assert_eq!(to.len(), from.len());
    values.extend(to.iter().copied().zip(from.iter().copied()));
}

impl Machine<'_> {
    fn call(&mut self, id: FunctionId, args: &[u64]) -> Vec<u64> {
        let function = self.program.function(id);
        let mut values = Values::new();
        bind(&mut values, &function.params, args);
        match self.region(&function.body, &mut values) {
            Flow::Return(results) => results,
            _ => panic!("the body of a function ends without a return"),
        }
    }

    fn region(&mut self, region: &Region, values: &mut Values) -> Flow {
        for node in region {
            self.fuel = self.fuel.checked_sub(1).expect("the program ends");
            let get = |values: &Values, list: &[Value]| list.iter().map(|value| values[value]).collect::<Vec<u64>>();
            let flow = match node {
                Node::Op(op) => {
                    let args = get(values, &op.args);
                    let results = self.op(op, &args);
                    bind(values, &op.results, &results);
                    Flow::Next
                }
                Node::Block { label, results, body } => {
                    let flow = self.region(body, values);
                    arrive(flow, *label, results, values)
                }
                Node::If { label, condition, results, then, otherwise, .. } => {
                    let region = if values[condition] == 1 { then } else { otherwise };
                    let flow = self.region(region, values);
                    arrive(flow, *label, results, values)
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    let selected = values[selector] as u32;
                    let named = arms.iter().position(|arm| arm.selectors.contains(&selected));
                    let mut at = named.or(arms.iter().position(|arm| arm.is_default)).expect("a default");
                    let initial = get(values, &arms[at].initial);
                    bind(values, &arms[at].params, &initial);
                    loop {
                        match self.region(&arms[at].body, values) {
                            Flow::Br(target, carried) if arms.get(at + 1).is_some_and(|next| next.label == target) => {
                                at += 1;
                                bind(values, &arms[at].params, &carried);
                            }
                            flow => break arrive(flow, *label, results, values),
                        }
                    }
                }
                Node::Loop { label, initial, params, body, .. } => {
                    let mut carried = get(values, initial);
                    loop {
                        bind(values, params, &carried);
                        match self.region(body, values) {
                            Flow::Br(target, next) if target == *label => carried = next,
                            Flow::Next => panic!("the end of a loop is reached"),
                            flow => break flow,
                        }
                    }
                }
                Node::Br { target, values: carried } => Flow::Br(*target, get(values, carried)),
                Node::Return { values: results } => Flow::Return(get(values, results)),
                Node::Unreachable => panic!("`unreachable` is reached"),
            };
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        panic!("a region ends without a terminator")
    }

    fn op(&mut self, op: &Instruction, args: &[u64]) -> Vec<u64> {
        let word = |at: usize| args[at] as u32;
        let result = match (op.op, op.attrs.target) {
            (Op::Const, Target::Bits(bits)) => bits,
            (Op::Undef, _) => 0,
            (Op::Select, _) => args[if args[0] == 1 { 1 } else { 2 }],
            (Op::IAdd, _) => word(0).wrapping_add(word(1)).into(),
            (Op::ISub, _) => word(0).wrapping_sub(word(1)).into(),
            (Op::IMul, _) => word(0).wrapping_mul(word(1)).into(),
            (Op::IAnd, _) => args[0] & args[1],
            (Op::IXor, _) => args[0] ^ args[1],
            (Op::INe, _) => (args[0] != args[1]).into(),
            (Op::ULt, _) => (args[0] < args[1]).into(),
            (Op::Output, Target::Output(id, 0)) => {
                self.outputs[id.index()] = Some(word(0));
                return Vec::new();
            }
            (Op::Call, Target::Function(id)) => return self.call(id, args),
            other => panic!("{other:?} is not known here"),
        };
        vec![result]
    }
}

/// A branch to this construct goes on behind it.
fn arrive(flow: Flow, label: Label, results: &[Value], values: &mut Values) -> Flow {
    match flow {
        Flow::Br(target, carried) if target == label => {
            bind(values, results, &carried);
            Flow::Next
        }
        Flow::Next => panic!("a region ends without a terminator"),
        flow => flow,
    }
}

/// A statement over numbered variables, as a source language has them.
#[derive(Clone, Debug)]
pub enum Statement {
    /// to = op(a, b)
    Set {
        op: Op,
        to: usize,
        a: usize,
        b: usize,
    },
    Constant {
        to: usize,
        bits: u32,
    },
    /// Runs the first where the variable is odd.
    If {
        on: usize,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Block {
        body: Vec<Statement>,
    },
    /// Goes round at most `times` times, counted in a variable of its own.
    Loop {
        counter: usize,
        times: u32,
        body: Vec<Statement>,
    },
    /// Arms with selectors; the flag marks the default. An arm falls through unless it breaks.
    Switch {
        on: usize,
        arms: Vec<(Vec<u32>, bool, Vec<Statement>)>,
    },
    /// Leaves this many constructs, and the one around those.
    Break {
        depth: usize,
    },
    /// The next iteration of the innermost loop.
    Continue,
    Return {
        value: usize,
    },
    /// to = f(a, b), the function before.
    Call {
        to: usize,
        a: usize,
        b: usize,
    },
}

/// A function of this language: variables 0 and 1 are the parameters, but for the entry, whose variables all start undefined (0).
#[derive(Clone, Debug)]
pub struct Body {
    pub variables: usize,
    pub statements: Vec<Statement>,
    pub result: usize,
}

const OPS: [Op; 4] = [Op::IAdd, Op::ISub, Op::IMul, Op::IXor];

/// A random function.
pub fn random_body(random: &mut Random, calls: bool) -> Body {
    let mut variables = 6;
    let statements = random_statements(random, &mut variables, 4, 0, 0, calls);
    Body { variables, statements, result: random.below(6) }
}

fn random_statements(
    random: &mut Random,
    variables: &mut usize,
    budget: usize,
    depth: usize,
    loops: usize,
    calls: bool,
) -> Vec<Statement> {
    let mut inner = |random: &mut Random, in_loop: usize| {
        if budget == 0 { Vec::new() } else { random_statements(random, variables, budget - 1, depth + 1, loops + in_loop, calls) }
    };
    let mut statements = Vec::new();
    for _ in 0..1 + random.below(5) {
        let [to, a, b] = [0; 3].map(|_| random.below(6));
        statements.push(match random.below(16) {
            0..=5 => Statement::Set { op: OPS[random.below(OPS.len())], to, a, b },
            6 | 7 => Statement::Constant { to, bits: random.below(5) as u32 },
            8 | 9 => Statement::If { on: a, then: inner(random, 0), otherwise: inner(random, 0) },
            10 => Statement::Block { body: inner(random, 0) },
            11 => {
                let body = inner(random, 1);
                Statement::Loop { counter: usize::MAX, times: random.below(4) as u32, body }
            }
            12 => {
                let count = 1 + random.below(4);
                let default = random.below(count);
                let mut arm = |at: usize| {
                    let selectors = if random.below(4) == 0 { Vec::new() } else { vec![at as u32, 10 + at as u32] };
                    (selectors, at == default, inner(random, 0))
                };
                Statement::Switch { on: a, arms: (0..count).map(&mut arm).collect() }
            }
            13 if depth > 0 => Statement::Break { depth: random.below(depth) },
            13 | 14 if loops > 0 => Statement::Continue,
            14 if calls => Statement::Call { to, a, b },
            15 if random.below(4) == 0 => Statement::Return { value: a },
            _ => Statement::Set { op: Op::IAdd, to, a, b },
        });
    }
    for statement in &mut statements {
        if let Statement::Loop { counter, .. } = statement {
            *counter = *variables;
            *variables += 1;
        }
    }
    statements
}

/// Builds a function of this language. The entry writes its result to output 0 and its variables to those after it.
pub fn build(body: &Body, callee: Option<FunctionId>, is_entry: bool) -> Function {
    let mut builder = FunctionBuilder::new("f", if is_entry { &[] } else { &[Width::W32] });
    let params: Vec<Value> = (0..if is_entry { 0 } else { 2 }).map(|_| builder.param(Width::W32)).collect();
    let locals: Vec<Local> = (0..body.variables).map(|_| builder.local(Width::W32)).collect();
    for (local, param) in locals.iter().zip(params) {
        builder.set(*local, param);
    }
    let mut writer = Writer { builder, locals, open: Vec::new(), callee, is_entry };
    writer.statements(&body.statements);
    writer.result(body.result);
    writer.builder.finish()
}

struct Writer {
    builder: FunctionBuilder,
    locals: Vec<Local>,
    /// Open constructs: where a break goes, and where a continue goes for loops.
    open: Vec<(Label, Option<Label>)>,
    callee: Option<FunctionId>,
    is_entry: bool,
}

impl Writer {
    fn get(&mut self, variable: usize) -> Value {
        self.builder.get(self.locals[variable])
    }

    fn result(&mut self, variable: usize) {
        let value = self.get(variable);
        if !self.is_entry {
            return self.builder.ret(&[value]);
        }
        output(&mut self.builder, 0, value);
        for at in 0..6 {
            let value = self.get(at);
            output(&mut self.builder, 1 + at as u32, value);
        }
        self.builder.ret(&[]);
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Set { op, to, a, b } => {
                let args = [self.get(*a), self.get(*b)];
                let value = self.builder.value(*op, Attrs::default(), &args);
                self.builder.set(self.locals[*to], value);
            }
            Statement::Constant { to, bits } => {
                let value = self.builder.word(*bits);
                self.builder.set(self.locals[*to], value);
            }
            Statement::If { on, then, otherwise } => {
                let (on, one) = (self.get(*on), self.builder.word(1));
                let odd = self.builder.value(Op::IAnd, Attrs::default(), &[on, one]);
                let zero = self.builder.word(0);
                let odd = self.builder.value(Op::INe, Attrs::default(), &[odd, zero]);
                let label = self.builder.begin_if(odd);
                self.open.push((label, None));
                self.statements(then);
                self.builder.begin_else();
                self.statements(otherwise);
                self.open.pop();
                self.builder.end();
            }
            Statement::Block { body } => {
                let label = self.builder.begin_block();
                self.open.push((label, None));
                self.statements(body);
                self.open.pop();
                self.builder.end();
            }
            Statement::Loop { counter, times, body } => {
                let (counter, zero) = (self.locals[*counter], self.builder.word(0));
                self.builder.set(counter, zero);
                let exit = self.builder.begin_block();
                let label = self.builder.begin_loop();
                let (count, bound) = (self.builder.get(counter), self.builder.word(*times));
                let more = self.builder.value(Op::ULt, Attrs::default(), &[count, bound]);
                self.builder.begin_if(more);
                self.builder.begin_else();
                self.builder.br(exit);
                self.builder.end();
                let (count, one) = (self.builder.get(counter), self.builder.word(1));
                let next = self.builder.value(Op::IAdd, Attrs::default(), &[count, one]);
                self.builder.set(counter, next);
                self.open.push((exit, Some(label)));
                self.statements(body);
                self.open.pop();
                self.builder.end();
                self.builder.end();
            }
            Statement::Switch { on, arms } => {
                let on = self.get(*on);
                let label = self.builder.begin_switch(on);
                self.open.push((label, None));
                for (selectors, is_default, body) in arms {
                    self.builder.begin_arm(selectors, *is_default);
                    self.statements(body);
                }
                self.open.pop();
                self.builder.end();
            }
            Statement::Break { depth } => self.builder.br(self.open[self.open.len() - 1 - depth].0),
            Statement::Continue => {
                let label = self.open.iter().rev().find_map(|(_, label)| *label).expect("a loop");
                self.builder.br(label);
            }
            Statement::Return { value } => self.result(*value),
            Statement::Call { to, a, b } => {
                let args = [self.get(*a), self.get(*b)];
                let callee = Target::Function(self.callee.expect("a function before"));
                let results = self.builder.emit(Op::Call, Attrs::target(callee), &args, &[Width::W32]);
                self.builder.set(self.locals[*to], results[0]);
            }
        }
    }
}

/// What a statement does to control.
#[derive(PartialEq)]
enum Step {
    On,
    Break(usize),
    Continue,
    Return(u32),
}

/// Interprets a body with variables that are set in place, and gives its result and the variables at that moment.
pub fn interpret(body: &Body, callee: Option<&Body>, args: &[u32]) -> (u32, Vec<u32>) {
    let mut variables = vec![0; body.variables];
    variables[..args.len()].copy_from_slice(args);
    let result = match steps(&body.statements, callee, &mut variables) {
        Step::Return(result) => result,
        _ => variables[body.result],
    };
    (result, variables)
}

fn steps(statements: &[Statement], callee: Option<&Body>, variables: &mut [u32]) -> Step {
    // A break of a construct: 0 ends here, more goes on to the construct around.
    let leave = |step: Step| match step {
        Step::Break(0) => Step::On,
        Step::Break(depth) => Step::Break(depth - 1),
        other => other,
    };
    for statement in statements {
        let step = match statement {
            Statement::Set { op, to, a, b } => {
                let (a, b) = (variables[*a], variables[*b]);
                variables[*to] = match op {
                    Op::IAdd => a.wrapping_add(b),
                    Op::ISub => a.wrapping_sub(b),
                    Op::IMul => a.wrapping_mul(b),
                    _ => a ^ b,
                };
                Step::On
            }
            Statement::Constant { to, bits } => {
                variables[*to] = *bits;
                Step::On
            }
            Statement::If { on, then, otherwise } => {
                leave(steps(if variables[*on] & 1 == 1 { then } else { otherwise }, callee, variables))
            }
            Statement::Block { body } => leave(steps(body, callee, variables)),
            Statement::Loop { counter, times, body } => {
                variables[*counter] = 0;
                loop {
                    if variables[*counter] >= *times {
                        break Step::On;
                    }
                    variables[*counter] += 1;
                    match steps(body, callee, variables) {
                        Step::On | Step::Continue => {}
                        step => break leave(step),
                    }
                }
            }
            Statement::Switch { on, arms } => {
                let named = arms.iter().position(|(selectors, ..)| selectors.contains(&variables[*on]));
                let start = named.or(arms.iter().position(|arm| arm.1)).expect("a default");
                let mut step = Step::On;
                for (.., body) in &arms[start..] {
                    step = steps(body, callee, variables);
                    if step != Step::On {
                        break;
                    }
                }
                leave(step)
            }
            Statement::Break { depth } => Step::Break(*depth),
            Statement::Continue => Step::Continue,
            Statement::Return { value } => Step::Return(variables[*value]),
            Statement::Call { to, a, b } => {
                let args = [variables[*a], variables[*b]];
                variables[*to] = interpret(callee.expect("a function before"), None, &args).0;
                Step::On
            }
        };
        if step != Step::On {
            return step;
        }
    }
    Step::On
}

/// A random program of two functions, and the outputs that it gives by its source.
pub fn random_program(seed: u64) -> (Program, Vec<Option<u32>>) {
    let mut random = Random(seed);
    let (callee, main) = (random_body(&mut random, false), random_body(&mut random, true));
    let functions = vec![build(&callee, None, false), build(&main, Some(FunctionId(0)), true)];
    let (result, variables) = interpret(&main, Some(&callee), &[]);
    let outputs = [result].into_iter().chain(variables[..6].iter().copied()).map(Some).collect();
    (program(functions, 7), outputs)
}
