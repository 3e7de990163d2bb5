//! Values that are the same on every lane of a run: what pure operations make of constants, and loads at constant offsets from memory that the program
//! never writes. They stand in the pool of constants and are computed once, before the first step, wherever the program has them.

use super::compile::Lowering;
use super::execute::Machine;
use super::rows::Operand;
use super::scalar::Pure;
use super::step::{Effect, Scalar, Sized};
use crate::event::Site;
use gpuproof_number::{Denormals, float32};
use gpuproof_program::{Attrs, Bounds, Class, Op, Scope, Shape, Target, Width};

/// A value computed before the first step, from constants and values before it in the list. Operands and results are of the pool.
pub(super) enum Uniform {
    /// A load from a buffer, at an offset whose bounds are defined.
    Load(Effect),
    /// A pure operation.
    Pure(Scalar),
    /// An f32 with its subnormals flushed.
    Flushed { to: Operand, from: Operand },
}

/// What makes two uniform values the same: the operation (none for flushing), its choices, the widths and the operands.
pub(super) type Key = (Option<Op>, Attrs, Vec<Width>, Vec<Operand>);

impl Lowering<'_> {
    /// The pool's places for the results of an operation that gives the same on every lane, if it is one.
    pub(super) fn uniform(&mut self, op: Op, attrs: &Attrs, args: &[Sized], results: &[Width]) -> Option<Vec<Operand>> {
        if self.is_literal || args.is_empty() || !args.iter().all(|arg| arg.at.is_constant()) {
            return None;
        }
        let row = op.row();
        let u = *results.first()?;
        let t = if op == Op::Select { u } else { args[0].width };
        let pure = Pure { op, attrs: *attrs, t, u };
        let is_pure = row.class == Class::Pure && row.scope == Scope::Lane && pure.is_supported();
        if !is_pure && !self.is_fixed_load(op, attrs, args, u) {
            return None;
        }
        let widths = args.iter().map(|arg| arg.width).chain(results.iter().copied()).collect();
        let key = (Some(op), *attrs, widths, args.iter().map(|arg| arg.at).collect());
        if let Some(found) = self.uniform_of.get(&key) {
            return Some(found.clone());
        }
        let made: Vec<Sized> = results.iter().map(|width| Sized { at: self.pool(*width), width: *width }).collect();
        let places: Vec<Operand> = made.iter().map(|result| result.at).collect();
        self.uniforms.push(if is_pure {
            Uniform::Pure(Scalar { pure, args: args.to_vec(), results: made })
        } else {
            Uniform::Load(Effect {
                op,
                attrs: *attrs,
                args: args.to_vec(),
                results: made,
                float_made: false,
                site: Site::default(),
            })
        });
        self.uniform_of.insert(key, places.clone());
        Some(places)
    }

    /// Whether a load with uniform operands gives the same whenever it is done, and no event.
    fn is_fixed_load(&self, op: Op, attrs: &Attrs, args: &[Sized], width: Width) -> bool {
        let Target::Resource(id) = attrs.target else { return false };
        let resource = self.program.interface.resource(id);
        let shape = resource.shape;
        // An element of a binding array that may not be there is an event.
        let element = args.first().and_then(|element| self.known(element.at));
        let is_there = element.zip(resource.count).is_some_and(|(element, count)| element < count);
        // What is bound in WGSL is at least as large as it is declared (WebGPU: minimum buffer binding sizes), so that no load there is out of range.
        let is_declared = match shape {
            Shape::ConstantBuffer { bytes } | Shape::Buffer { bytes } => {
                let end =
                    args.get(1).and_then(|offset| self.known(offset.at)).and_then(|offset| offset.checked_add(width.bytes()));
                end.is_some_and(|end| end <= bytes)
            }
            _ => false,
        };
        let has_no_event = match attrs.rules.bounds {
            Bounds::Defined => true,
            Bounds::Clamped => is_declared,
            Bounds::Undefined => false,
        };
        let stays = is_there && !self.facts.written[id.index()] && has_no_event;
        match (op, shape) {
            (Op::BufferLoad, _) => stays,
            (Op::StructuredLoad, Shape::Structured { stride }) => {
                // An offset that leaves its structure is an event.
                let field = self.known(args[2].at);
                stays && field.and_then(|field| field.checked_add(width.bytes())).is_some_and(|end| end <= stride)
            }
            _ => false,
        }
    }

    /// A uniform f32 with its subnormals flushed.
    pub(super) fn flushed(&mut self, from: Operand) -> Operand {
        let key = (None, Attrs::default(), Vec::new(), vec![from]);
        if let Some(found) = self.uniform_of.get(&key) {
            return found[0];
        }
        let to = self.pool(Width::W32);
        self.uniforms.push(Uniform::Flushed { to, from });
        self.uniform_of.insert(key, vec![to]);
        to
    }
}

impl Machine<'_> {
    /// Computes what is the same for the whole run.
    pub(super) fn prepare_uniforms(&mut self) {
        let plan = self.plan;
        for uniform in &plan.uniforms {
            match uniform {
                Uniform::Load(effect) => {
                    let value = self.load_uniform(effect);
                    self.set_uniform(effect.results[0], value);
                }
                Uniform::Pure(scalar) => {
                    let args: Vec<u64> = scalar.args.iter().map(|arg| self.value(*arg, 0)).collect();
                    for (result, bits) in scalar.results.iter().zip(scalar.pure.evaluate_on(self.options.machine, &args)) {
                        self.set_uniform(*result, bits);
                    }
                }
                Uniform::Flushed { to, from } => {
                    let bits = float32::flush(self.rows.get(*from, 0), Denormals::Flush);
                    self.rows.set_constant(*to, bits);
                }
            }
        }
    }

    fn set_uniform(&mut self, to: Sized, bits: u64) {
        match to.width {
            Width::W64 => {
                self.rows.set_constant(to.at, bits as u32);
                self.rows.set_constant(to.at.high(), (bits >> 32) as u32);
            }
            Width::W1 => self.rows.set_constant(to.at, (bits as u32 & 1).wrapping_neg()),
            _ => self.rows.set_constant(to.at, bits as u32),
        }
    }
}
