//! Pointers, loads, stores and atomics.

use super::binary::Inst;
use super::error::{Result, bad, fault, unsupported};
use super::lower::{Lower, Source};
use super::types::{Layout, Ty};
use gpuproof_program::{ArrayId, AtomicOp, Detail, Local, Op, ResourceId, SamplerId, SharedId, Target, Value, Width};
use rspirv::spirv::Op as S;
use std::rc::Rc;

/// The most numbers of a variable of the interface that a computed index picks from.
const MAX_PICKED: usize = 256;

/// An index that is known or computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Fixed(u32),
    Computed(Value),
}

/// What a pointer points into.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A variable as values.
    Values(Rc<[Local]>),
    /// A per-lane array.
    Array(ArrayId),
    /// A buffer: which, and which of its binding array.
    Buffer(ResourceId, Index),
    Shared(SharedId),
    /// Variables of the interface, by their ids.
    Input(u32),
    Output(u32),
    /// Images and samplers, by their variable's id, with the element of its binding array.
    Opaque(u32, Index),
    /// A texel: the image, its element, x, y, z.
    Texel(ResourceId, [Value; 4]),
}

/// A place in memory. It counts bytes in buffers and shared memory, numbers elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) root: Root,
    /// The type of what it points to.
    pub(super) ty: u32,
    pub(super) layout: Layout,
    pub(super) offset: u32,
    /// What is added to the offset.
    pub(super) computed: Option<Value>,
}

/// What an id is.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// Numbers in a row.
    Numbers(Rc<[Value]>),
    Pointer(Pointer),
    Image(ResourceId, Index, u32),
    Sampler(SamplerId, Index),
    /// An image with a sampler.
    Sampled((ResourceId, Index, u32), (SamplerId, Index)),
}

fn computed(index: &mut Index) -> Option<&mut Value> {
    match index {
        Index::Computed(value) => Some(value),
        Index::Fixed(_) => None,
    }
}

impl Val {
    /// Every value that it is made of, to be carried to where they are not visible.
    pub(super) fn values(&mut self) -> Vec<&mut Value> {
        match self {
            Val::Numbers(numbers) => {
                if Rc::get_mut(numbers).is_none() {
                    *numbers = numbers.iter().copied().collect();
                }
                Rc::get_mut(numbers).map_or_else(Vec::new, |numbers| numbers.iter_mut().collect())
            }
            Val::Pointer(pointer) => {
                let root: Vec<&mut Value> = match &mut pointer.root {
                    Root::Buffer(_, index) | Root::Opaque(_, index) => computed(index).into_iter().collect(),
                    Root::Texel(_, place) => place.iter_mut().collect(),
                    _ => Vec::new(),
                };
                pointer.computed.as_mut().into_iter().chain(root).collect()
            }
            Val::Image(_, index, _) | Val::Sampler(_, index) => computed(index).into_iter().collect(),
            Val::Sampled((_, a, _), (_, b)) => computed(a).into_iter().chain(computed(b)).collect(),
        }
    }
}

impl Lower<'_> {
    pub(super) fn index(&mut self, index: Index) -> Value {
        match index {
            Index::Fixed(n) => self.b.word(n),
            Index::Computed(value) => value,
        }
    }

    pub(super) fn pointer(&mut self, id: u32) -> Result<Pointer> {
        match self.val(id)? {
            Val::Pointer(pointer) => Ok(pointer),
            _ => bad(format!("%{id} is no pointer")),
        }
    }

    /// An index operand as it stands: constants are known.
    fn index_of(&mut self, id: u32) -> Result<Index> {
        if let Some((ty, _)) = self.d.constants.get(id)
            && let Some(bits) = self.d.constants.word(id)
        {
            let width = self.d.types.scalar(*ty)?.width;
            // A negative or huge constant is out of range in any case.
            return Ok(Index::Fixed(if width == Width::W64 { u32::try_from(bits).unwrap_or(u32::MAX) } else { bits as u32 }));
        }
        let signed = self.is_signed(id)?;
        let number = self.number(id)?;
        Ok(Index::Computed(self.resize(number, Width::W32, signed)?))
    }

    pub(super) fn access_chain(&mut self, inst: &Inst) -> Result<()> {
        let mut place = self.pointer(inst.at(0))?;
        for id in inst.rest(1) {
            let index = self.index_of(*id)?;
            place = self.step(place, index)?;
        }
        self.define(inst, Val::Pointer(place))
    }

    /// The place one index on.
    pub(super) fn step(&mut self, mut place: Pointer, index: Index) -> Result<Pointer> {
        let bytes = matches!(place.root, Root::Buffer(..) | Root::Shared(_));
        // Of binding arrays indices pick the element first.
        let is_binding = match &place.root {
            Root::Opaque(..) => true,
            Root::Buffer(..) => self.is_binding_array(place.ty)?,
            _ => false,
        };
        if is_binding {
            let (element, count) = self.d.types.element(place.ty)?;
            if let Root::Buffer(_, at) | Root::Opaque(_, at) = &mut place.root {
                let before = *at;
                *at = match (before, index) {
                    (Index::Fixed(0), index) => index,
                    (before, index) => {
                        let Some(count) = count else { return unsupported("an array of arrays of bindings without a length") };
                        let (before, count, index) = (self.index(before), self.b.word(count), self.index(index));
                        let first = self.op(Op::IMul, &[before, count])?;
                        Index::Computed(self.op(Op::IAdd, &[first, index])?)
                    }
                };
            }
            place.ty = element;
            return Ok(place);
        }
        if let Ty::Struct(_) = self.d.types.get(place.ty)? {
            let Index::Fixed(member) = index else { return bad("a computed index into a structure") };
            let (ty, numbers) = self.d.types.part(place.ty, member)?;
            let (at, layout) =
                if bytes { self.d.types.member(place.ty, member, place.layout)? } else { (numbers as u32, place.layout) };
            place.offset = place.offset.saturating_add(at);
            (place.ty, place.layout) = (ty, layout);
            return Ok(place);
        }
        let (element, _) = self.d.types.element(place.ty)?;
        let (stride, layout) =
            if bytes { self.d.types.step(place.ty, place.layout)? } else { (self.d.types.count(element)? as u32, place.layout) };
        match index {
            Index::Fixed(n) => match n.checked_mul(stride).and_then(|step| step.checked_add(place.offset)) {
                Some(offset) => place.offset = offset,
                None => return unsupported("a place 4 GiB away"),
            },
            Index::Computed(value) => {
                let product = if stride == 1 {
                    value
                } else {
                    let stride = self.b.word(stride);
                    self.op(Op::IMul, &[value, stride])?
                };
                place.computed = Some(match place.computed {
                    None => product,
                    Some(before) => self.op(Op::IAdd, &[before, product])?,
                });
            }
        }
        (place.ty, place.layout) = (element, layout);
        Ok(place)
    }

    /// Whether a type is an array of what is bound: structures of a block, or images and samplers.
    fn is_binding_array(&self, ty: u32) -> Result<bool> {
        let mut inner = ty;
        while let Ty::Array(of, _) | Ty::RuntimeArray(of) = self.d.types.get(inner)? {
            inner = *of;
        }
        Ok(inner != ty && self.is_block(inner))
    }

    fn address(&mut self, place: &Pointer, further: u32) -> Result<Value> {
        let fixed = place.offset.wrapping_add(further);
        match place.computed {
            None => Ok(self.b.word(fixed)),
            Some(computed) if fixed == 0 => Ok(computed),
            Some(computed) => {
                let fixed = self.b.word(fixed);
                self.op(Op::IAdd, &[computed, fixed])
            }
        }
    }

    /// The value at a place.
    pub(super) fn load(&mut self, place: &Pointer) -> Result<Val> {
        if let Root::Opaque(id, index) = place.root {
            return self.opaque(id, index, place.ty);
        }
        let widths = self.d.types.widths(place.ty)?;
        self.spend(widths.len())?;
        let numbers: Vec<Value> = match &place.root {
            Root::Buffer(..) | Root::Shared(_) => {
                let leaves = self.d.types.leaves(place.ty, place.layout)?;
                let mut numbers = Vec::with_capacity(leaves.len());
                for (i, leaf) in leaves.iter().enumerate() {
                    self.component(i);
                    let at = self.address(place, leaf.offset)?;
                    numbers.push(self.load_bytes(&place.root, at, leaf.width)?);
                }
                numbers
            }
            _ => {
                let mut numbers = Vec::with_capacity(widths.len());
                for (i, width) in widths.iter().enumerate() {
                    self.component(i);
                    numbers.push(self.load_number(place, i, *width)?);
                }
                numbers
            }
        };
        Ok(Val::Numbers(numbers.into()))
    }

    fn load_bytes(&mut self, root: &Root, at: Value, width: Width) -> Result<Value> {
        let (op, target, args) = match root {
            Root::Buffer(id, element) => {
                let element = self.index(*element);
                (Op::BufferLoad, Target::Resource(*id), vec![element, at])
            }
            Root::Shared(id) => (Op::SharedLoad, Target::Shared(*id), vec![at]),
            _ => return fault("a load of bytes from what has none"),
        };
        let attrs = self.target(op, target);
        if width != Width::W1 {
            return Ok(self.b.value_of(width, op, attrs, &args));
        }
        let byte = self.b.value_of(Width::W8, op, attrs, &args);
        let zero = self.b.constant(Width::W8, 0);
        self.op(Op::INe, &[byte, zero])
    }

    fn load_number(&mut self, place: &Pointer, i: usize, width: Width) -> Result<Value> {
        let at = place.offset as usize + i;
        match &place.root {
            Root::Values(locals) => match locals.get(at) {
                Some(local) if place.computed.is_none() => Ok(self.b.get(*local)),
                Some(_) => fault("a variable of values is indexed"),
                None => Ok(self.b.undef(width)),
            },
            Root::Array(array) => {
                let held = self.program.arrays[array.index()].width;
                let index = self.address(place, i as u32)?;
                let attrs = self.target(Op::ArrayLoad, Target::Array(*array));
                let loaded = self.b.value_of(held, Op::ArrayLoad, attrs, &[index]);
                self.resize(loaded, width, false)
            }
            Root::Input(id) => {
                let sources = self.inputs.get(id).cloned().unwrap_or_default();
                if place.computed.is_none() {
                    return self.input(sources.get(at).and_then(Option::as_ref), width);
                }
                let index = self.address(place, i as u32)?;
                let numbers = sources.iter().map(|source| self.input(source.as_ref(), width)).collect::<Result<Vec<_>>>()?;
                self.picked(index, &numbers, width)
            }
            Root::Output(id) => {
                let locals = self.outputs.get(id).map(|(_, locals)| locals.clone()).unwrap_or_default();
                if place.computed.is_none() {
                    return Ok(match locals.get(at) {
                        Some(local) => self.b.get(*local),
                        None => self.b.undef(width),
                    });
                }
                let index = self.address(place, i as u32)?;
                let numbers: Vec<Value> = locals.iter().map(|local| self.b.get(*local)).collect();
                self.picked(index, &numbers, width)
            }
            _ => fault("a load from what has no numbers"),
        }
    }

    /// The number at an index, out of range an undefined one.
    fn picked(&mut self, index: Value, numbers: &[Value], width: Width) -> Result<Value> {
        if numbers.len() > MAX_PICKED {
            return unsupported(format!("a computed index into {} numbers of the interface", numbers.len()));
        }
        let mut picked = self.b.undef(width);
        for (at, number) in (0u32..).zip(numbers).filter(|(_, number)| self.b.width(**number) == width).collect::<Vec<_>>() {
            let at = self.b.word(at);
            let here = self.op(Op::IEq, &[index, at])?;
            picked = self.op(Op::Select, &[here, *number, picked])?;
        }
        Ok(picked)
    }

    fn input(&mut self, source: Option<&Source>, width: Width) -> Result<Value> {
        match source {
            Some(Source::Input(id, component)) => {
                let attrs = self.target(Op::Input, Target::Input(*id, *component));
                let held = self.program.interface.input(*id).width;
                Ok(self.b.value_of(held, Op::Input, attrs, &[]))
            }
            Some(Source::Helper) => {
                let attrs = self.detailed(Op::IsHelper, Width::W1, Detail::None);
                Ok(self.b.value_of(Width::W1, Op::IsHelper, attrs, &[]))
            }
            Some(Source::Mask(mask, word)) => self.lane_mask(*mask, *word),
            None => Ok(self.b.undef(width)),
        }
    }

    /// Stores a value at a place.
    pub(super) fn store(&mut self, place: &Pointer, numbers: &[Value]) -> Result<()> {
        let widths = self.d.types.widths(place.ty)?;
        self.spend(widths.len())?;
        if widths.len() != numbers.len() || widths.iter().zip(numbers).any(|(width, value)| self.b.width(*value) != *width) {
            return bad("a store of a value of another type than the place has");
        }
        if let Root::Buffer(..) | Root::Shared(_) = &place.root {
            let leaves = self.d.types.leaves(place.ty, place.layout)?;
            for (i, (leaf, value)) in leaves.iter().zip(numbers).enumerate() {
                self.component(i);
                let at = self.address(place, leaf.offset)?;
                let value = if leaf.width == Width::W1 { self.resize(*value, Width::W8, false)? } else { *value };
                match &place.root {
                    Root::Buffer(id, element) => {
                        let element = self.index(*element);
                        let attrs = self.target(Op::BufferStore, Target::Resource(*id));
                        self.check_written(*id)?;
                        self.b.effect(Op::BufferStore, attrs, &[element, at, value]);
                    }
                    Root::Shared(id) => {
                        let attrs = self.target(Op::SharedStore, Target::Shared(*id));
                        self.b.effect(Op::SharedStore, attrs, &[at, value]);
                    }
                    _ => {}
                }
            }
            return Ok(());
        }
        for (i, value) in numbers.iter().enumerate() {
            self.component(i);
            self.store_number(place, i, *value)?;
        }
        Ok(())
    }

    /// Holds that a resource may be written.
    pub(super) fn check_written(&self, id: ResourceId) -> Result<()> {
        let resource = self.program.interface.resource(id);
        match resource.access {
            gpuproof_program::Access::Read => bad(format!("a write to {}, which is only read", resource.name)),
            _ => Ok(()),
        }
    }

    fn store_number(&mut self, place: &Pointer, i: usize, value: Value) -> Result<()> {
        let at = place.offset as usize + i;
        match &place.root {
            Root::Values(locals) => match locals.get(at) {
                Some(local) if place.computed.is_none() => self.b.set(*local, value),
                Some(_) => return fault("a variable of values is indexed"),
                // Past the end nothing is stored.
                None => {}
            },
            Root::Array(array) => {
                let held = self.program.arrays[array.index()].width;
                let index = self.address(place, i as u32)?;
                let value = self.resize(value, held, false)?;
                let attrs = self.target(Op::ArrayStore, Target::Array(*array));
                self.b.effect(Op::ArrayStore, attrs, &[index, value]);
            }
            Root::Output(id) => {
                let (targets, locals) = self.outputs.get(id).cloned().unwrap_or_default();
                if place.computed.is_none() {
                    return self.store_output(&targets, &locals, at, value);
                }
                if targets.len() > MAX_PICKED {
                    return unsupported(format!("a computed index into {} numbers of the interface", targets.len()));
                }
                let index = self.address(place, i as u32)?;
                for at in 0..targets.len() {
                    if targets[at].is_none_or(|(_, _, width)| width != self.b.width(value)) {
                        continue;
                    }
                    let here = self.b.word(at as u32);
                    let here = self.op(Op::IEq, &[index, here])?;
                    self.b.begin_if(here);
                    self.store_output(&targets, &locals, at, value)?;
                    self.b.end_if();
                }
            }
            Root::Input(_) => return bad("a store to an input"),
            _ => return fault("a store to what has no numbers"),
        }
        Ok(())
    }

    fn store_output(&mut self, targets: &[super::lower::Sink], locals: &[Local], at: usize, value: Value) -> Result<()> {
        if let (Some(target), Some(local)) = (targets.get(at), locals.get(at)) {
            self.b.set(*local, value);
            if let Some((id, component, _)) = target {
                let attrs = self.target(Op::Output, Target::Output(*id, *component));
                self.b.effect(Op::Output, attrs, &[value]);
            }
        }
        Ok(())
    }

    /// `OpArrayLength`: how many elements fit into what is bound.
    pub(super) fn array_length(&mut self, inst: &Inst) -> Result<()> {
        let place = self.pointer(inst.at(0))?;
        let member = self.step(place, Index::Fixed(inst.at(1)))?;
        let Root::Buffer(id, element) = member.root else { return bad("the length of what is no array in a buffer") };
        let Ty::RuntimeArray(_) = self.d.types.get(member.ty)? else { return bad("the length of an array that has one") };
        let (stride, _) = self.d.types.step(member.ty, member.layout)?;
        let element = self.index(element);
        let attrs = self.target(Op::BufferSize, Target::Resource(id));
        let size = self.b.value(Op::BufferSize, attrs, &[element]);
        let (offset, stride) = (self.b.word(member.offset), self.b.word(stride.max(1)));
        let rest = self.op(Op::ISub, &[size, offset])?;
        let length = self.op(Op::UDiv, &[rest, stride])?;
        self.numbers_of(inst, vec![length])
    }

    /// An atomic. Operands: pointer, scope, semantics, then what the instruction has.
    pub(super) fn atomic(&mut self, inst: &Inst) -> Result<()> {
        const OPERATIONS: &[(S, AtomicOp)] = &[
            (S::AtomicExchange, AtomicOp::Exchange),
            (S::AtomicIAdd, AtomicOp::Add),
            (S::AtomicISub, AtomicOp::Sub),
            (S::AtomicSMin, AtomicOp::SMin),
            (S::AtomicUMin, AtomicOp::UMin),
            (S::AtomicSMax, AtomicOp::SMax),
            (S::AtomicUMax, AtomicOp::UMax),
            (S::AtomicAnd, AtomicOp::And),
            (S::AtomicOr, AtomicOp::Or),
            (S::AtomicXor, AtomicOp::Xor),
        ];
        let place = self.pointer(inst.at(0))?;
        let width = self.d.types.scalar(place.ty)?.width;
        let (op, value, comparand) = match inst.op {
            S::AtomicLoad => (AtomicOp::Load, self.b.constant(width, 0), None),
            S::AtomicStore => (AtomicOp::Store, self.number(inst.at(3))?, None),
            S::AtomicIIncrement => (AtomicOp::Add, self.b.constant(width, 1), None),
            S::AtomicIDecrement => (AtomicOp::Sub, self.b.constant(width, 1), None),
            // Pointer, scope, semantics where equal, semantics where not, value, comparand.
            S::AtomicCompareExchange | S::AtomicCompareExchangeWeak => {
                (AtomicOp::CompareExchange, self.number(inst.at(4))?, Some(self.number(inst.at(5))?))
            }
            op => match OPERATIONS.iter().find(|(known, _)| *known == op) {
                Some((_, atomic)) => (*atomic, self.number(inst.at(3))?, None),
                None => return unsupported("an atomic on floats or flags"),
            },
        };
        let comparand = comparand.unwrap_or(value);
        if self.b.width(value) != width || self.b.width(comparand) != width {
            return bad("an atomic with a value of another type than the place has");
        }
        let (code, target_of, args) = match &place.root {
            Root::Buffer(id, element) => {
                if op != AtomicOp::Load {
                    self.check_written(*id)?;
                }
                let (element, at) = (self.index(*element), self.address(&place, 0)?);
                (Op::BufferAtomic, Target::Resource(*id), vec![element, at])
            }
            Root::Shared(id) => (Op::SharedAtomic, Target::Shared(*id), vec![self.address(&place, 0)?]),
            Root::Texel(id, at) => {
                self.check_written(*id)?;
                (Op::TexelAtomic, Target::Resource(*id), at.to_vec())
            }
            _ => return unsupported("an atomic on what lanes do not share"),
        };
        if !code.row().widths.contains(&width) {
            return unsupported(format!("atomics of {} bits", width.bits()));
        }
        if let (Op::BufferAtomic, AtomicOp::Load, Target::Resource(id)) = (code, op, target_of)
            && self.program.interface.resource(id).access == gpuproof_program::Access::Read
        {
            let loaded = self.load(&place)?;
            return self.define(inst, loaded);
        }
        let attrs = self.target(code, target_of).with_detail(Detail::Atomic(op));
        let args = [&args[..], &[value, comparand]].concat();
        let old = self.b.value_of(width, code, attrs, &args);
        if inst.result.is_some() { self.numbers_of(inst, vec![old]) } else { Ok(()) }
    }
}
