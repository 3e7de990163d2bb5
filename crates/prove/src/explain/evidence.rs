//! What an explanation says.

use crate::locate::PartingLine;
use serde::{Deserialize, Serialize};

/// What accounts for words that differ, by allowed results put in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The operations that carry the allowed differences, those that do so most often first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Carrier>,
    /// How large the differences became, by output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Reached>,
    /// Operations that make a small difference large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amplifiers: Vec<Amplifier>,
    /// Why it is not whole, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What words that are different would come to if the original could be refactored. It lets nothing be: a program of Direct3D without the global flag
/// `refactoringAllowed`, which shader model 4 does not have, though its compiler was free to refactor the source (D3D11 22.3.2).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Refactored {
    /// Of finite cases.
    pub finite: RefactoredTally,
    /// Of edge cases.
    pub edge: RefactoredTally,
    /// The operations that would have to be refactored, those that account for most first.
    pub operations: Vec<Carrier>,
}

impl Refactored {
    /// How many different words would be allowed.
    pub fn allowed(&self) -> u64 {
        self.finite.allowed + self.edge.allowed
    }
}

/// Counts of words that are different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefactoredTally {
    /// Those that would be allowed.
    pub allowed: u64,
    /// Those that would be unspecified.
    pub unspecified: u64,
    /// Those that would be different still.
    pub different: u64,
}

/// An operation whose other result the specification allows, or of which it promises nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carrier {
    /// Its line in the original.
    pub original: Option<PartingLine>,
    /// Its name in the representation: `f.mad`.
    pub operation: String,
    /// The line in the port of what gave the other result.
    pub port: Option<PartingLine>,
    /// The name of that operation; empty for a constant.
    pub port_operation: String,
    /// What kind of difference it is.
    pub kind: CarrierKind,
    /// How often the port's result was another one, over lanes, cases and iterations.
    pub times: u64,
    /// How often of these nothing is promised.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unbounded: u64,
    /// The largest distance between the two results in representable floats, where both are finite f32.
    pub ulps: u64,
    /// The largest absolute difference between them.
    pub absolute: f64,
    /// Bits of the original's result and of the port's where the difference is largest.
    pub example: Option<(u64, u64)>,
    /// The operations between values that agree and this result, each with the sections that speak of it, or why nothing is promised.
    pub because: Vec<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What kind of difference an operation carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CarrierKind {
    /// A result within the accuracy that is asked for.
    #[default]
    Accuracy,
    /// A multiplication and an addition rounded once or twice.
    Fused,
    /// Operations in another order, or another form of the same function.
    Refactored,
    /// A constant written in shortened form.
    Constant,
    /// A conversion to the other neighbour.
    Neighbour,
    /// A texture's filter, within the fixed point of coordinates and levels.
    Filtered,
    /// A denormal number that one side makes zero.
    Flushed,
    /// Zeros of other signs.
    ZeroSign,
    /// Nothing is promised: it excuses nothing.
    Unbounded,
}

/// How far an output came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// The output.
    pub name: String,
    /// Words that are allowed.
    pub allowed: u64,
    /// Words of which nothing is promised.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unspecified: u64,
    /// The largest distance of allowed words that are finite f32, in representable floats.
    pub ulps: u64,
    /// Their largest absolute difference.
    pub absolute: f64,
}

/// An operation that makes a small difference large.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amplifier {
    /// Its line in the original.
    pub at: Option<PartingLine>,
    /// Its name in the representation.
    pub operation: String,
    /// How it does that.
    pub kind: AmplifierKind,
    /// By how much the relative difference grows at most; none for a decision.
    pub factor: Option<f64>,
    /// On how many lanes of those looked at.
    pub lanes: u32,
}

/// How a small difference becomes large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AmplifierKind {
    /// A large number of which only the fraction is kept.
    FractionOfLarge,
    /// A comparison, and what it chooses, that comes out otherwise.
    Comparison,
    /// A conversion to an integer, or a rounding to one, that gives another.
    ToInteger,
    /// A sum, difference or quotient of nearly equal values.
    Cancellation,
    /// A function that is steep there.
    Steep,
}
