//! Cases, and the lane machine that runs programs on them exactly.
//!
//! A [`Case`] is everything that one run of a program reads. A [`Plan`] is a program made ready; [`Plan::run`] gives an [`Outcome`]: what the
//! lanes wrote, and what happened on the way that the API leaves undefined. The same program, case and [`Options`] give the same
//! outcome on every host: no result depends on the processor, the number of threads or how lanes are put together.
//!
//! ```
//! use gpuproof_program::*;
//! use gpuproof_run::*;
//!
//! // Each of the eight vertices writes its index, doubled, to an output.
//! let variable = |name: &str, builtin| IoVariable {
//!     name: name.into(),
//!     semantic_index: 0,
//!     location: Some(0),
//!     blend_source: None,
//!     mask: 1,
//!     kind: Kind::Uint,
//!     width: Width::W32,
//!     builtin,
//!     interpolation: Interpolation::Linear,
//!     rate: Rate::Lane,
//! };
//! let mut b = FunctionBuilder::new("main", &[]);
//! let index = b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
//! let doubled = b.value(Op::IAdd, Attrs::default(), &[index, index]);
//! b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[doubled]);
//! let program = Program {
//!     name: "main".into(),
//!     dialect: Dialect::D3D11,
//!     stage: Stage::Vertex,
//!     group_size: [1, 1, 1],
//!     assembly: Assembly::None,
//!     interface: Interface {
//!         inputs: vec![variable("index", Some(Builtin::VertexIndex))],
//!         outputs: vec![variable("doubled", None)],
//!         ..Interface::default()
//!     },
//!     arrays: Vec::new(),
//!     shared: Vec::new(),
//!     functions: vec![b.finish()],
//!     entry: FunctionId(0),
//!     source: Source::default(),
//!     notes: Vec::new(),
//! };
//!
//! let mut case = Case::empty_for(&program, Launch::Vertices { count: 8 })?;
//! case.inputs[0].components[0] = (0..8).collect();
//! let outcome = Plan::compile(&program)?.run(&case, &Options::default())?;
//! assert_eq!(outcome.outputs[0].components[0], [0, 2, 4, 6, 8, 10, 12, 14]);
//! # Ok::<(), RunError>(())
//! ```
//!
//! # What running means
//!
//! **Results are canonical.** Each operation gives the one result that its row of the table and its choices name: correctly rounded, nothing
//! fused, the canonical NaN, subnormals flushed where the operation says so. What a specification allows besides is no matter of running. With
//! [`Options::machine`] the approximate operations give a real machine's bits instead, where a model knows them; [`modelled()`] says which
//! operations of a program those are, and of which the model knows only a range or nothing, so that they stay canonical.
//!
//! **Strands.** Lanes that are at the same place run together; those are the *active* lanes that waves, quads and barriers see. A lane that a branch takes
//! elsewhere waits until the others come there: at the end of the construct that it left, at an arm of a switch that is fallen through to, at the end
//! of a loop's body when it goes round again. So lanes are apart no longer than the structure of the source makes them (maximal
//! reconvergence), all lanes in a loop are in the same iteration of it, and a function that lanes call together they leave together.
//!
//! **Lanes, waves, quads, groups.** Lanes are numbered through the launch: vertices and pixels as they stand in the case, threads group by group, x first. A wave is
//! [`Case::wave_size`] lanes of a group in that order (the last one of a group may have fewer); a quad is four pixels, whatever the wave
//! size. A group runs in lockstep, operation by operation. Vertices and pixels run 256 at a time, in order.
//!
//! **Order.** Groups come by index, each after the one before has ended, and lanes by index within one operation: so stores of two lanes to one place leave that of
//! the higher lane, atomics return what lower lanes left, and append counters number lanes upwards. [`Options::schedule`] turns that around, which
//! shows what depends on an order that the API does not promise. Groups share rows, and so run side by side, only where no lane can notice: no atomics and
//! counters, nothing stored that is loaded, no place stored to by two instructions.
//!
//! **Helpers.** Pixels may start as helpers or become such by `demote`. Helpers go on: they are active, feed derivatives and waves, and read memory. Their stores and
//! outputs are dropped, their atomics do nothing and return an undefined value (an event), and what they wrote to outputs before they were
//! discarded does not count either; what they stored to memory before does.
//!
//! **Derivatives** are differences between neighbours of the quad: coarse ones from its first row and column, for all four pixels; fine ones in each row and column.
//! Implicit levels of detail take coarse differences of the coordinates. An input that is evaluated elsewhere than the case gives it, at the pixel's centre, is
//! extended by the coarse derivatives of its quad.
//!
//! **Memory.** Little endian, byte-addressed. Accesses out of range do what the operation's `bounds` say; where that leaves a choice, it is an event. A byte offset that leaves its structure is undefined under
//! every rule. What is not bound, and an element that a binding array does not have, loads 0, drops stores and has size 0. The contents of a case
//! are never changed: what a program writes is copied first.
//!
//! **Undefined is an event.** [`EventKind`] lists what is recorded: with the lane, the place, and what is known besides. An undefined value is stated by
//! [`Options::undefined`]; a run with other seeds tells what depends on it. A value that nothing wrote is an event where an operation uses it, not where it is
//! carried along: a merge of a written and an unwritten value is no use.
//!
//! **Races.** Two different lanes on one place with no barrier between, at least one writing and not both atomic: in group-shared memory, and in buffers and
//! textures also across groups, which no barrier orders. Two stores of equal bits do not race. Running in lockstep orders lanes, but no API promises that: with
//! [`UndefinedChoice::Zero`] the order of lockstep holds, with a seed every value that the race decides is another ([`UndefinedChoice::Seeded`] says which).
//!
//! **Bounds.** Every run has a budget of steps (an operation on one lane is a step; so is a decision, and going round a loop) and of memory, which is asked for
//! before it is taken. What is the same on all lanes (arithmetic of constants, loads at constant offsets from what the program never writes) is computed once a run and is no
//! step; inputs are loaded once, and what a loop does not change is computed before it. A program that loops forever ends as [`RunError::StepLimit`] with the place where it was.
#![deny(missing_docs)]

pub mod account;
pub mod case;
pub mod event;
pub mod machine;
mod modelled;
pub mod outcome;
pub mod promise;
pub mod texture;

pub use account::*;
pub use case::*;
pub use event::*;
pub use gpuproof_number::machine::Machine;
pub use machine::{Plan, check_stage};
pub use modelled::{Modelled, modelled};
pub use outcome::*;
