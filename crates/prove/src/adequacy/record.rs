//! What the evidence says of adequacy.

use crate::Side;
use gpuproof_program::Dialect;
use serde::{Deserialize, Serialize};

/// What a comparison is worth: what its cases made the programs do, and which mistakes they would have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adequacy {
    /// What the original did.
    pub original: Reached,
    /// What the port did.
    pub port: Reached,
    /// Mutants of the original; none where the programs differ, since then there is nothing to trust.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<Mutants>,
    /// The search for cases that reach more.
    #[serde(default)]
    pub searched: Searched,
}

/// What a program was made to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// By class of goal.
    pub goals: Vec<GoalTally>,
    /// Goals that were not reached, in order of place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

/// What a goal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalClass {
    /// An operation is executed.
    Operation,
    /// A condition that is branched on, selected by or kept is true, or false.
    Decision,
    /// An arm of a switch is entered.
    Arm,
    /// A loop goes round not at all, once, or more often.
    Loop,
    /// A comparison is true, false, or of equal operands; a minimum, maximum or saturation takes each of its sides.
    Side,
    /// A texture is magnified, minified, or addressed past its edges in each mode.
    Texture,
}

impl GoalClass {
    /// All classes, in order.
    pub const ALL: [GoalClass; 6] =
        [GoalClass::Operation, GoalClass::Decision, GoalClass::Arm, GoalClass::Loop, GoalClass::Side, GoalClass::Texture];
}

/// How many goals of a class were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalTally {
    /// The class.
    pub class: GoalClass,
    /// Goals of the program.
    pub goals: u32,
    /// Those that a case reached.
    pub reached: u32,
    /// Those that no case can reach.
    pub unreachable: u32,
}

/// A goal that no case reached, though it is not known that none can.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// What it is about.
    pub class: GoalClass,
    /// The number of the instruction or line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// What did not happen: `true`, `case 3`, `one round`, `equal`.
    pub what: String,
}

/// What a mutant changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantKind {
    /// The operation is another one.
    Operation,
    /// Two operands are exchanged.
    Operands,
    /// A constant is a little more, twice as much, or of the other sign.
    Constant,
    /// The result is negated.
    Negation,
    /// A store, output, discard or barrier is left out.
    Store,
    /// A condition is inverted.
    Condition,
    /// A branch or selection always goes one way, or an arm is never entered.
    Branch,
    /// An index or address is off by one.
    Index,
    /// Another rule for NaN and zeros in a minimum, a rounding, a division by zero, a conversion or access out of range.
    Rule,
    /// Another component.
    Component,
    /// Another sampler, texture or level of detail.
    Sampling,
}

impl MutantKind {
    /// All kinds, in order.
    pub const ALL: [MutantKind; 11] = [
        MutantKind::Operation,
        MutantKind::Operands,
        MutantKind::Constant,
        MutantKind::Negation,
        MutantKind::Store,
        MutantKind::Condition,
        MutantKind::Branch,
        MutantKind::Index,
        MutantKind::Rule,
        MutantKind::Component,
        MutantKind::Sampling,
    ];
}

/// What became of the mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutants {
    /// By kind.
    pub kinds: Vec<MutantTally>,
    /// How many mutants the original has; more than were run where a sample was.
    pub of: u32,
    /// Mutants that no case showed and that are not known to be equivalent, in order of place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<Survivor>,
}

/// The mutants of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantTally {
    /// The kind.
    pub kind: MutantKind,
    /// How many were run.
    pub made: u32,
    /// Those that a case of the comparison shows.
    pub noticed: u32,
    /// Those that compute the same, whatever the case.
    pub equivalent: u32,
    /// The rest.
    pub survived: u32,
}

/// A mutant that no case showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// What it changes.
    pub kind: MutantKind,
    /// The number of the instruction or line.
    pub line: u32,
    /// The component of the destination, 0 for x.
    pub component: u8,
    /// The line's text.
    pub text: String,
    /// The change.
    pub change: String,
    /// Whether the changed operation gave something else on some lane, which no output showed.
    pub infected: bool,
}

impl Survivor {
    /// Its place in a program of a dialect: the line, and the component where the source names one.
    pub fn place(&self, dialect: Dialect) -> String {
        match (dialect, self.component) {
            (Dialect::Wgsl | Dialect::Vulkan, 0) => self.line.to_string(),
            (_, component) => format!("{}.{}", self.line, char::from(b"xyzw"[usize::from(component & 3)])),
        }
    }
}

/// The search for cases that reach more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// Goals, and mutants whose operation no case made give something else, that were searched for.
    pub goals: u32,
    /// Those that a new case reached.
    pub reached: u32,
    /// Cases that were added to the comparison for it.
    pub cases: u32,
}

impl Searched {
    pub(crate) fn add(&mut self, other: Searched) {
        self.goals += other.goals;
        self.reached += other.reached;
        self.cases += other.cases;
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Not given by execution: what a reader of the sources or of other evidence concludes. Comparisons never give it.
    Sourced,
    /// Concluded from findings that were executed, not executed itself. Comparisons never give it.
    Inferred,
    /// Executed, and held in every case that was run.
    Observed,
    /// Executed, and the cases miss nothing that is looked for: see `EVIDENCE.md`.
    Proven,
}

impl Adequacy {
    /// Whether the cases reached every goal of both programs that can be reached, and show every mutant of the original that is not equivalent,
    /// all of them run.
    pub fn is_complete(&self) -> bool {
        let made = |mutants: &Mutants| mutants.kinds.iter().map(|kind| kind.made).sum::<u32>();
        self.original.missing.is_empty()
            && self.port.missing.is_empty()
            && self.mutants.as_ref().is_some_and(|mutants| mutants.survivors.is_empty() && made(mutants) == mutants.of)
    }

    /// Decisions, arms and loops of either program that were not taken every way.
    pub fn one_way(&self) -> impl Iterator<Item = (Side, &Missing)> {
        let sides = [(Side::Original, &self.original), (Side::Port, &self.port)];
        let decides = |missing: &&Missing| matches!(missing.class, GoalClass::Decision | GoalClass::Arm | GoalClass::Loop);
        sides
            .into_iter()
            .flat_map(move |(side, reached)| reached.missing.iter().filter(decides).map(move |missing| (side, missing)))
    }
}
