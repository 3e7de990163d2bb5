//! The flat form of a program that the machine executes.

use super::rows::{Args, Kernel, Operand};
use super::scalar::{Pure, Unary};
use crate::event::Site;
use gpuproof_number::Denormals;
use gpuproof_program::{Attrs, Op, Width};

/// One step of a plan. A place is the position of a step; lanes wait only at places that a [`Step::Join`] holds.
pub(super) enum Step {
    /// A row operation on all lanes, active or not.
    Row { kernel: Kernel, args: Args },
    /// A function of one f32, on active lanes.
    Unary { function: Unary, denormals: Denormals, to: Operand, from: Operand },
    /// A pure operation without a row form, on active lanes.
    Scalar(Box<Scalar>),
    /// What reads or writes more than registers of the lane.
    Effect(Box<Effect>),
    /// Copies a row, to active lanes if `masked`.
    Move { to: Operand, from: Operand, masked: bool },
    /// Sets which active lanes' copies of a value are undefined.
    Taint { slot: usize, from: Taint },
    /// Records the active lanes for which an operand of the next step is undefined; where `chosen` is given, those for which it equals the truth value.
    /// The site is that of the value that nothing wrote.
    Check { taint: Taint, chosen: Option<(Operand, bool)>, site: Site },
    /// Lanes that wait here go on with those that come.
    Join,
    /// All active lanes go to a place ahead.
    Jump { to: u32 },
    /// Lanes where the condition is false go to a place ahead, the others go on.
    Branch { condition: Operand, otherwise: u32 },
    /// Each lane goes to the place of its selector.
    Switch(Box<Switch>),
    /// A loop begins: its counter is reset.
    Enter { counter: usize },
    /// The end of a loop's body: lanes that wait here go on with those that come, at the loop's head.
    Latch { head: u32, counter: usize },
    /// No lane comes here.
    Unreachable,
    /// Lanes have ended.
    End,
}

/// Which lanes of a value are undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taint {
    /// None.
    Never,
    /// All.
    Always,
    /// Those of a set that the machine keeps.
    Slot(usize),
}

/// A value's row and how wide it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sized {
    pub(super) at: Operand,
    pub(super) width: Width,
}

pub(super) struct Scalar {
    pub(super) pure: Pure,
    pub(super) args: Vec<Sized>,
    pub(super) results: Vec<Sized>,
}

pub(super) struct Effect {
    pub(super) op: Op,
    pub(super) attrs: Attrs,
    pub(super) args: Vec<Sized>,
    pub(super) results: Vec<Sized>,
    /// Whether a float operation made the value that is stored.
    pub(super) float_made: bool,
    /// Its number among all effects of the plan.
    pub(super) site: Site,
}

pub(super) struct Switch {
    pub(super) selector: Operand,
    /// Selectors in ascending order and the places that they enter.
    pub(super) cases: Vec<(u32, u32)>,
    /// The place of every other selector.
    pub(super) default: u32,
}

/// How a step uses a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Step {
    /// Shows every row of the step that a value is read from or written to: of a 64-bit value the low one.
    pub(super) fn visit(&mut self, see: &mut dyn FnMut(&mut Operand, Access)) {
        match self {
            Step::Row { kernel, args } => {
                let count = kernel.operands();
                for operand in &mut args.from[..count] {
                    see(operand, Access::Read);
                }
                // Those that the operation lacks name a row too.
                let first = args.from[0];
                args.from[count..].fill(first);
                see(&mut args.to, Access::Write);
            }
            Step::Unary { to, from, .. } | Step::Move { to, from, .. } => {
                see(from, Access::Read);
                see(to, Access::Write);
            }
            Step::Scalar(scalar) => {
                scalar.args.iter_mut().for_each(|arg| see(&mut arg.at, Access::Read));
                scalar.results.iter_mut().for_each(|result| see(&mut result.at, Access::Write));
            }
            Step::Effect(effect) => {
                effect.args.iter_mut().for_each(|arg| see(&mut arg.at, Access::Read));
                effect.results.iter_mut().for_each(|result| see(&mut result.at, Access::Write));
            }
            Step::Check { chosen: Some((condition, _)), .. } | Step::Branch { condition, .. } => see(condition, Access::Read),
            Step::Switch(switch) => see(&mut switch.selector, Access::Read),
            Step::Check { .. }
            | Step::Taint { .. }
            | Step::Join
            | Step::Jump { .. }
            | Step::Enter { .. }
            | Step::Latch { .. }
            | Step::Unreachable
            | Step::End => {}
        }
    }

    /// Whether each lane's results depend only on what the same lane held, and each chunk is read before it is written, so that a
    /// result may take the row of an operand.
    pub(super) fn is_elementwise(&self) -> bool {
        matches!(self, Step::Row { .. } | Step::Unary { .. } | Step::Move { .. })
    }

    /// Shows every place that the step names.
    pub(super) fn visit_places(&mut self, see: &mut dyn FnMut(&mut u32)) {
        match self {
            Step::Jump { to } => see(to),
            Step::Branch { otherwise, .. } => see(otherwise),
            Step::Latch { head, .. } => see(head),
            Step::Switch(switch) => {
                switch.cases.iter_mut().for_each(|(_, place)| see(place));
                see(&mut switch.default);
            }
            _ => {}
        }
    }
}
