//! The saved result of a comparison. `EVIDENCE.md` beside this crate describes its fields as they are saved.

use crate::adequacy::{Adequacy, Grade};
use crate::bind::Map;
use crate::cases::CaseClass;
use crate::compare::{Census, Status, Verdict};
use crate::explain::{Explanation, Refactored};
use crate::locate::Parting;
use gpuproof_number::machine::{Extent, Machine};
use gpuproof_program::Program;
use gpuproof_run::{Account, EventKind, Facts, MemoryRef, Thread, modelled};
use serde::{Deserialize, Serialize};

/// The version of the form of [`Evidence`]; it grows when a field changes its meaning.
pub const VERSION: u32 = 3;

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// [`VERSION`].
    pub version: u32,
    /// The version of the program that made it.
    pub made_by: String,
    /// What it comes to.
    pub status: Status,
    /// Why it is inconclusive, or what limits it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// What a reader should know though it changes no verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The original.
    pub original: ProgramRecord,
    /// The port.
    pub port: ProgramRecord,
    /// The machines whose results were taken, where not both programs ran exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<MachineRecords>,
    /// The seed of all cases.
    pub seed: u64,
    /// The cases, in order.
    pub cases: Vec<CaseRecord>,
    /// How many words got each verdict.
    pub census: Census,
    /// How far words that are not the same are apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distances: Vec<DistanceRecord>,
    /// The first word that differs, or else the first that is unspecified, or else the first that is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDifference>,
    /// What accounts for differences that are allowed or unspecified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// What different words would come to if the original could be refactored, where that would allow any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refactored: Option<Refactored>,
    /// What results that were measured on a machine and put in came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<crate::measured::MeasuredRecord>,
    /// Where the programs part, with all that is allowed put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parting: Option<Parting>,
    /// How the interfaces were matched.
    pub map: Map,
    /// What happened that an API leaves undefined, one for each kind and place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventRecord>,
    /// On which orders words depend that have the verdict schedule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<OrderRecord>,
    /// What was executed.
    pub coverage: Coverage,
    /// How sure it is; none unless it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// What the cases are worth, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adequacy: Option<Adequacy>,
}

/// A program of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// What the user calls it: a file's name.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The entry point.
    pub entry: String,
    /// Its stage.
    pub stage: gpuproof_program::Stage,
    /// Its dialect.
    pub dialect: gpuproof_program::Dialect,
    /// What its reader had to assume.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The machine of each program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineRecords {
    /// The original's.
    pub original: MachineRecord,
    /// The port's.
    pub port: MachineRecord,
}

/// A machine whose results a program took, and what its model knows of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineRecord {
    /// Its name: `exact`, `nvidia-sm90`, `lavapipe`, `warp`.
    pub name: String,
    /// The program's operations that differ from machine to machine; none of `exact`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<OperationRecord>,
}

/// What a model knows of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRecord {
    /// The operation's name in the table.
    pub operation: String,
    /// The bits of its first operand.
    pub width: u32,
    /// In how many places the program has it.
    pub places: usize,
    /// What is known, and with it what the results are.
    pub known: Known,
}

/// What a model knows of an operation's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// Their bits, which were taken.
    Bits,
    /// A range for some operands at least; the results that were taken are canonical.
    Range,
    /// Nothing; the results that were taken are canonical.
    Nothing,
}

impl MachineRecord {
    /// What the model of a machine knows of a program.
    pub fn new(program: &Program, machine: Machine) -> MachineRecord {
        let operations = modelled(program, machine).into_iter().map(|modelled| OperationRecord {
            operation: modelled.op.row().name.into(),
            width: modelled.width.bits(),
            places: modelled.places,
            known: match modelled.extent {
                Extent::Bits => Known::Bits,
                Extent::Range => Known::Range,
                Extent::Nothing => Known::Nothing,
            },
        });
        MachineRecord { name: machine.name().into(), operations: operations.collect() }
    }
}

/// One case of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Its number.
    pub number: u32,
    /// What its values are like.
    pub name: String,
    /// Finite or edge.
    pub class: CaseClass,
    /// Its lanes.
    pub lanes: u64,
    /// How many it would have had, where fewer were run to keep to the steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes_asked: Option<u64>,
    /// Words compared.
    pub words: u64,
    /// Words that differ.
    pub different: u64,
    /// Why it was not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abandoned: Option<String>,
}

/// How far the words of one output, class of cases and verdict are apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceRecord {
    /// The output, as the census names it.
    pub output: String,
    /// Finite or edge.
    pub class: CaseClass,
    /// The words' verdict; never [`Verdict::Same`].
    pub verdict: Verdict,
    /// Finite floats: at index n the words whose distance in ulp has n binary digits (0: both zero; 1: 1 ulp; 2: 2 and 3; 3: 4 to 7; up to 32).
    pub ulps: Vec<u64>,
    /// Words that are not both finite floats.
    pub other: u64,
}

/// The first word that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstDifference {
    /// The case's number.
    pub case: u32,
    /// The lane, where the word belongs to one.
    pub lane: Option<u32>,
    /// The word: `o0.y`, `particles[17].velocity.y`.
    pub output: String,
    /// The original's bits.
    pub original: u32,
    /// The port's.
    pub port: u32,
    /// Its verdict.
    pub verdict: Verdict,
}

/// Something undefined that happened: all events of a kind at a line of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// In which program.
    pub side: crate::Side,
    /// What.
    pub kind: EventKind,
    /// The first case in which it happened.
    pub case: u32,
    /// The first lane.
    pub lane: u32,
    /// Which thread of which group that is, in compute programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Thread>,
    /// How often each loop there had gone round, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<u32>,
    /// The source line's number, where there is one.
    pub line: Option<u32>,
    /// The memory that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryRef>,
    /// What is known of the first besides.
    pub facts: Facts,
    /// The first in words: what, where, which lanes, what the API promises, what to do.
    pub account: Account,
    /// How often it happened, over all cases.
    pub count: u64,
    /// Which words depend on it; absent where that was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends: Option<Dependence>,
}

/// Which words of a program depend on something undefined: those that change as the program is run again on one case with other choices for it,
/// and for nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependence {
    /// The case.
    pub case: u32,
    /// How many other choices were made.
    pub choices: u32,
    /// Whether the choices were made for other events too, since there were too many for each alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
    /// Whether the program did not end under one of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub endless: bool,
    /// Words that changed under any of them.
    pub words: u64,
    /// Of which outputs.
    pub outputs: Vec<DependentOutput>,
    /// One of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<DependentWord>,
}

/// An operation of the original, or its groups, in whose order words depend: they change as it is run again with lanes in another order there alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRecord {
    /// What: `append`, `consume`, `atomic`, `store`, or `groups` for what no operation's lanes alone account for.
    pub what: String,
    /// The source line's number, where there is one.
    pub line: Option<u32>,
    /// Its text.
    pub text: String,
    /// The case in which it was looked at.
    pub case: u32,
    /// Words with the verdict schedule that change with it.
    pub words: u64,
    /// Of which outputs.
    pub outputs: Vec<DependentOutput>,
}

/// Words of one output that depend on something undefined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependentOutput {
    /// The output, by its name in its own program: `o0.y`, a buffer's name, `discard`.
    pub output: String,
    /// How many.
    pub words: u64,
}

/// A word under two choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependentWord {
    /// The word: `o0.y`, `particles[17].velocity.y`.
    pub output: String,
    /// The lane, where the word belongs to one.
    pub lane: Option<u32>,
    /// Its canonical bits.
    pub canonical: u32,
    /// Its bits under another choice.
    pub other: u32,
    /// The seed of that choice, for `run --undefined seed:N`.
    pub seed: u64,
}

/// What was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Outputs that no compared lane wrote.
    pub outputs_never_reached: Vec<String>,
    /// Steps that the original took, over all cases.
    pub original_steps: u64,
    /// Steps that the port took.
    pub port_steps: u64,
}
