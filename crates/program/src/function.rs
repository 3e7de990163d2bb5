//! Functions: values, nodes, regions, and the typed handles for them.

use crate::attrs::Attrs;
use crate::op::Op;
use crate::source::Origin;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in the table that this handle points into.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

handles! {
    /// A value of one function: an index into [`Function::values`].
    Value "%";
    /// A construct of one function that branches may name. Unique in the function.
    Label "@";
    /// An index into [`Program::functions`](crate::Program::functions).
    FunctionId "fn";
    /// An index into [`Program::arrays`](crate::Program::arrays).
    ArrayId "array";
    /// An index into [`Program::shared`](crate::Program::shared).
    SharedId "shared";
    /// An index into [`Interface::inputs`](crate::Interface::inputs).
    InputId "in";
    /// An index into [`Interface::outputs`](crate::Interface::outputs).
    OutputId "out";
    /// An index into [`Interface::resources`](crate::Interface::resources).
    ResourceId "res";
    /// An index into [`Interface::samplers`](crate::Interface::samplers).
    SamplerId "samp";
}

/// How many bits a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Width {
    /// A truth value.
    W1 = 1,
    /// A byte.
    W8 = 8,
    /// A half word.
    W16 = 16,
    /// A word: the size of a register component.
    W32 = 32,
    /// A double word.
    W64 = 64,
}

impl Width {
    /// The number of bits.
    pub const fn bits(self) -> u32 {
        self as u32
    }

    /// The number of bytes in memory; a truth value has none and gives 0.
    pub const fn bytes(self) -> u32 {
        self as u32 / 8
    }

    /// A mask of the bits that a value of this width may have set.
    pub const fn mask(self) -> u64 {
        match self {
            Width::W64 => u64::MAX,
            _ => (1 << self as u32) - 1,
        }
    }
}

/// A function: parameters, results and a body over its own values.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The source's name for it, or one that the reader made.
    pub name: String,
    /// The parameters, defined on entry.
    pub params: Vec<Value>,
    /// The widths of what `return` carries.
    pub results: Vec<Width>,
    /// The width of every value of the function.
    pub values: Vec<Width>,
    /// What it does. Ends in a terminator.
    pub body: Region,
}

impl Function {
    /// The width of one of this function's values.
    pub fn width(&self, value: Value) -> Width {
        self.values[value.index()]
    }
}

/// A sequence of nodes whose last one, and no other, is a terminator: [`Node::Br`], [`Node::Return`] or [`Node::Unreachable`].
pub type Region = Vec<Node>;

/// One element of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An operation.
    Op(Instruction),
    /// A construct that branches out of `body` leave forward.
    Block {
        /// Its name; a branch to it goes to its end.
        label: Label,
        /// What branches to it carry; visible after it.
        results: Vec<Value>,
        /// The region inside.
        body: Region,
    },
    /// Two regions, one of which each lane runs.
    If {
        /// Its name; a branch to it goes to its end.
        label: Label,
        /// The one-bit condition.
        condition: Value,
        /// What branches to it carry; visible after it.
        results: Vec<Value>,
        /// Run where the condition is 1.
        then: Region,
        /// Run where the condition is 0.
        otherwise: Region,
        /// The source place of the decision.
        origin: Origin,
    },
    /// Regions of which each lane enters one, by a 32-bit selector.
    Switch {
        /// Its name; a branch to it goes to its end.
        label: Label,
        /// The 32-bit selector.
        selector: Value,
        /// What branches to it carry; visible after it.
        results: Vec<Value>,
        /// The regions, in source order. Just one of them is the default.
        arms: Vec<Arm>,
        /// The source place of the decision.
        origin: Origin,
    },
    /// A region that runs again for the lanes that branch to its label. Leaving it is a branch to a construct around it.
    Loop {
        /// Its name; a branch to it is the next iteration.
        label: Label,
        /// The values of `params` in the first iteration.
        initial: Vec<Value>,
        /// Values of the iteration, given anew by each branch to the label.
        params: Vec<Value>,
        /// The region inside.
        body: Region,
        /// The source place of the loop.
        origin: Origin,
    },
    /// Goes to the end of an enclosing `block`, `if` or `switch`, to the next iteration of an enclosing `loop`, or, from one
    /// arm of a switch, falls through to the arm after it.
    Br {
        /// Where to.
        target: Label,
        /// One value for each result or parameter of the target.
        values: Vec<Value>,
    },
    /// Leaves the function.
    Return {
        /// One value for each result of the function.
        values: Vec<Value>,
    },
    /// Ends a region whose end no lane reaches: after a loop, or a construct that nothing branches to the end of.
    Unreachable,
}

/// One region of a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// A name for falling through from the arm before.
    pub label: Label,
    /// The selectors that enter it.
    pub selectors: Vec<u32>,
    /// Whether selectors that no arm names enter it too.
    pub is_default: bool,
    /// The values of `params` when the selector enters it.
    pub initial: Vec<Value>,
    /// Values that differ between entering and falling through.
    pub params: Vec<Value>,
    /// The region.
    pub body: Region,
}

/// An operation with its operands, results and choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Which operation.
    pub op: Op,
    /// Its choices and what it names.
    pub attrs: Attrs,
    /// Its operands, as the table orders them.
    pub args: Vec<Value>,
    /// Its results, as the table orders them; defined here.
    pub results: Vec<Value>,
    /// Where it came from.
    pub origin: Origin,
}

/// A per-lane array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrivateArray {
    /// The source's name for it.
    pub name: String,
    /// How many elements.
    pub length: u32,
    /// The width of an element.
    pub width: Width,
    /// What it holds at first: `length` elements, or none for contents that are undefined until written.
    pub initial: Vec<u64>,
    /// Whether it is never stored to.
    pub constant: bool,
}

/// A memory that the lanes of a group share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedMemory {
    /// The source's name for it.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u32,
    /// The distance between structures in bytes, for structured memory; 4 for raw memory.
    pub stride: u32,
    /// Whether it is zero when the group starts (WGSL) or undefined (D3D11).
    pub zeroed: bool,
}

/// Calls `visit` on every node of a region, outer before inner, in source order.
pub fn walk<'a>(region: &'a [Node], visit: &mut dyn FnMut(&'a Node)) {
    for node in region {
        visit(node);
        for inner in node.regions() {
            walk(inner, visit);
        }
    }
}

/// The same for nodes to be changed.
pub fn walk_mut(region: &mut [Node], visit: &mut dyn FnMut(&mut Node)) {
    for node in region {
        visit(node);
        for inner in node.regions_mut() {
            walk_mut(inner, visit);
        }
    }
}

impl Node {
    /// The regions directly inside this node, in source order.
    pub fn regions(&self) -> Vec<&Region> {
        match self {
            Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => Vec::new(),
            Node::Block { body, .. } | Node::Loop { body, .. } => vec![body],
            Node::If { then, otherwise, .. } => vec![then, otherwise],
            Node::Switch { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        }
    }

    /// The same to be changed.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        match self {
            Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => Vec::new(),
            Node::Block { body, .. } | Node::Loop { body, .. } => vec![body],
            Node::If { then, otherwise, .. } => vec![then, otherwise],
            Node::Switch { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
        }
    }

    /// Whether this node ends a region.
    pub fn is_terminator(&self) -> bool {
        matches!(self, Node::Br { .. } | Node::Return { .. } | Node::Unreachable)
    }
}
