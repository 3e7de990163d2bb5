//! Control flow: the format is structured, so constructs open and close as tokens come.

use super::super::error::Result;
use super::super::opcode::{Kind, Opcode};
use super::super::operand::File;
use super::super::tokens::Instruction;
use super::Translator;
use gpuproof_program::{Attrs, Barrier, BarrierScope, Detail, Label, Op, Value};

/// A construct that is open.
pub(super) enum Construct {
    If {
        has_else: bool,
    },
    Loop {
        /// The block around the loop, whose end `break` goes to.
        exit: Label,
        head: Label,
    },
    Switch {
        label: Label,
        /// Selectors that were named and have no arm yet.
        pending: Vec<u32>,
        pending_default: bool,
        has_default: bool,
        /// Whether an arm was opened: nothing may stand before the first case.
        has_arm: bool,
        /// All selectors so far: a second one of the same value never matches.
        seen: std::collections::HashSet<u32>,
    },
}

/// Subroutine calls nest at most so deep (D3D11 5.1.1).
const MAX_CALLS: usize = 32;
/// Open constructs, those of callers included. The format allows 64 a routine; a loop takes two of the program's.
const MAX_CONSTRUCTS: usize = gpuproof_program::validate::MAX_NESTING / 2 - 8;

impl Translator<'_> {
    pub(super) fn flow(&mut self, instruction: &Instruction) -> Result<()> {
        match instruction.opcode {
            Opcode::Nop => Ok(()),
            // Neither is in the functional specification: they are for a debugger and for the reference rasteriser of the debug layer, without which a
            // device goes on.
            Opcode::DebugBreak => self.note("debug_break stops nothing, as where no debugger is attached"),
            Opcode::Abort => self.note("abort ends nothing, as on devices that do not have the reference rasteriser's messages"),
            Opcode::If => {
                let condition = self.condition(instruction, 0)?;
                self.builder.begin_if(condition);
                self.open(Construct::If { has_else: false })
            }
            Opcode::Else => match self.constructs.last_mut() {
                Some(Construct::If { has_else: has_else @ false }) => {
                    *has_else = true;
                    self.builder.begin_else();
                    Ok(())
                }
                _ => Err(self.bad("an open if without an else", "else")),
            },
            Opcode::Endif => match self.constructs.pop() {
                Some(Construct::If { .. }) => {
                    self.builder.end_if();
                    Ok(())
                }
                _ => Err(self.bad("an open if", "endif")),
            },
            Opcode::Loop => {
                let exit = self.builder.begin_block();
                let head = self.builder.begin_loop();
                self.open(Construct::Loop { exit, head })
            }
            Opcode::Endloop => match self.constructs.pop() {
                Some(Construct::Loop { .. }) => {
                    self.builder.end();
                    self.builder.end();
                    Ok(())
                }
                _ => Err(self.bad("an open loop", "endloop")),
            },
            Opcode::Switch => {
                let selector = self.source(instruction, 0, 0, Kind::Int)?;
                let label = self.builder.begin_switch(selector);
                self.open(Construct::Switch {
                    label,
                    pending: Vec::new(),
                    pending_default: false,
                    has_default: false,
                    has_arm: false,
                    seen: std::collections::HashSet::new(),
                })
            }
            Opcode::Case | Opcode::Default => self.case(instruction),
            Opcode::Endswitch => self.end_switch(),
            Opcode::Break => {
                let target = self.break_target()?;
                self.builder.br(target);
                Ok(())
            }
            Opcode::Breakc => {
                let target = self.break_target()?;
                self.conditionally(instruction, |this| {
                    this.builder.br(target);
                    Ok(())
                })
            }
            Opcode::Continue => {
                let target = self.continue_target()?;
                self.builder.br(target);
                Ok(())
            }
            Opcode::Continuec => {
                let target = self.continue_target()?;
                self.conditionally(instruction, |this| {
                    this.builder.br(target);
                    Ok(())
                })
            }
            Opcode::Ret => {
                self.leave();
                Ok(())
            }
            Opcode::Retc => self.conditionally(instruction, |this| {
                this.leave();
                Ok(())
            }),
            Opcode::Call => self.call(instruction, 0),
            Opcode::InterfaceCall => self.interface_call(instruction),
            Opcode::Callc => {
                let condition = self.condition(instruction, 0)?;
                self.builder.begin_if(condition);
                self.call(instruction, 1)?;
                self.builder.end_if();
                Ok(())
            }
            Opcode::Discard => {
                let condition = self.condition(instruction, 0)?;
                self.builder.effect(Op::Demote, Attrs::default(), &[condition]);
                Ok(())
            }
            _ => Err(self.unsupported(instruction.info().name)),
        }
    }

    /// Says once what is assumed of an instruction.
    fn note(&mut self, note: &str) -> Result<()> {
        let notes = &mut self.declarations.notes;
        if !notes.iter().any(|said| said == note) {
            notes.push(note.into());
        }
        Ok(())
    }

    /// The instruction's condition as one bit.
    fn condition(&mut self, instruction: &Instruction, at: usize) -> Result<Value> {
        let word = self.source(instruction, at, 0, Kind::Mask)?;
        let nonzero = self.nonzero(word);
        Ok(if instruction.tests_nonzero() == Some(false) { self.op(Op::INot, &[nonzero]) } else { nonzero })
    }

    fn conditionally(&mut self, instruction: &Instruction, then: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let condition = self.condition(instruction, 0)?;
        self.builder.begin_if(condition);
        then(self)?;
        self.builder.end_if();
        Ok(())
    }

    fn leave(&mut self) {
        match self.returns.last() {
            Some(label) => self.builder.br(*label),
            None => self.builder.ret(&[]),
        }
    }

    fn break_target(&self) -> Result<Label> {
        let target = self.constructs.iter().rev().find_map(|construct| match construct {
            Construct::If { .. } => None,
            Construct::Loop { exit, .. } => Some(*exit),
            Construct::Switch { label, .. } => Some(*label),
        });
        target.ok_or_else(|| self.bad("a loop or switch around a break", "none"))
    }

    fn continue_target(&self) -> Result<Label> {
        let target = self.constructs.iter().rev().find_map(|construct| match construct {
            Construct::Loop { head, .. } => Some(*head),
            _ => None,
        });
        target.ok_or_else(|| self.bad("a loop around a continue", "none"))
    }

    fn case(&mut self, instruction: &Instruction) -> Result<()> {
        let selector = match instruction.opcode {
            Opcode::Default => None,
            _ => {
                let word = self.operand(instruction, 0)?.immediate.first().copied();
                Some(word.ok_or_else(|| self.bad("a case of an immediate", "another operand"))?)
            }
        };
        match self.constructs.last_mut() {
            Some(Construct::Switch { pending, pending_default, has_default, seen, .. }) => {
                match selector {
                    Some(selector) => {
                        if seen.insert(selector) {
                            pending.push(selector);
                        }
                    }
                    None if *has_default => return Err(self.bad("one default in a switch", "a second")),
                    None => (*pending_default, *has_default) = (true, true),
                }
                Ok(())
            }
            _ => Err(self.bad("a switch around a case", "none")),
        }
    }

    /// Opens the arm that the cases before this instruction name. Called before anything is built in it.
    pub(super) fn open_arm(&mut self) -> Result<()> {
        if let Some(Construct::Switch { pending, pending_default, has_arm, .. }) = self.constructs.last_mut() {
            if !pending.is_empty() || *pending_default {
                *has_arm = true;
                let selectors = std::mem::take(pending);
                let default = std::mem::take(pending_default);
                self.builder.begin_arm(&selectors, default);
            } else if !*has_arm {
                return Err(self.bad("a case first in a switch", "another instruction"));
            }
        }
        Ok(())
    }

    fn open(&mut self, construct: Construct) -> Result<()> {
        self.constructs.push(construct);
        if self.constructs.len() + self.outer_constructs > MAX_CONSTRUCTS {
            return Err(self.unsupported(format!("flow nested deeper than {MAX_CONSTRUCTS}")));
        }
        Ok(())
    }

    fn end_switch(&mut self) -> Result<()> {
        if let Some(Construct::Switch { pending, pending_default, .. }) = self.constructs.last()
            && (!pending.is_empty() || *pending_default)
        {
            self.open_arm()?;
        }
        let Some(Construct::Switch { has_default, .. }) = self.constructs.pop() else {
            return Err(self.bad("an open switch", "endswitch"));
        };
        if !has_default {
            self.builder.begin_arm(&[], true);
        }
        self.builder.end();
        Ok(())
    }

    /// A subroutine shares all registers with its caller, so its body is translated again at each call.
    fn call(&mut self, instruction: &Instruction, at: usize) -> Result<()> {
        let label = self.operand(instruction, at)?;
        let number = self.number(label)?;
        self.expand((label.file, number))
    }

    /// Translates a subroutine's body here.
    pub(super) fn expand(&mut self, label: (File, u32)) -> Result<()> {
        let Some(start) = self.labels.get(&label).copied() else {
            return Err(self.bad(format!("a label {}{}", label.0.name(), label.1), "none"));
        };
        if self.returns.len() >= MAX_CALLS {
            return Err(self.unsupported(format!("calls nested deeper than {MAX_CALLS}")));
        }
        let (offset, origin) = (self.offset, self.builder.origin());
        let end = self.builder.begin_block();
        self.returns.push(end);
        let outer = std::mem::take(&mut self.constructs);
        self.outer_constructs += outer.len() + 1;
        self.body(start)?;
        self.close_constructs(0)?;
        self.outer_constructs -= outer.len() + 1;
        self.constructs = outer;
        self.returns.pop();
        self.builder.end();
        self.builder.set_origin(origin);
        self.offset = offset;
        Ok(())
    }

    /// The program or subroutine ends with `depth` constructs open.
    pub(super) fn close_constructs(&mut self, depth: usize) -> Result<()> {
        if self.constructs.len() == depth { Ok(()) } else { Err(self.bad("the end of every construct", "the end of the code")) }
    }

    pub(super) fn barrier(&mut self, instruction: &Instruction) -> Result<()> {
        let flags = instruction.sync_flags().unwrap_or(0);
        let resources = match flags {
            _ if flags & 8 != 0 => Some(BarrierScope::Device),
            _ if flags & 4 != 0 => Some(BarrierScope::Group),
            _ => None,
        };
        let barrier = Barrier { group: flags & 1 != 0, shared: flags & 2 != 0, resources };
        self.builder.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(barrier)), &[]);
        Ok(())
    }
}
