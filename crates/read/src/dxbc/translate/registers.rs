//! Reading sources and writing destinations.

use super::super::error::Result;
use super::super::opcode::Kind;
use super::super::operand::{File, Index, Modifier, Operand, Selection};
use super::super::tokens::Instruction;
use super::Translator;
use gpuproof_program::{Attrs, Bounds, IoVariable, MAX_STREAMS, Op, OutputId, Rate, Rules, Target, Value, Width};

/// The register component that a source operand gives for a component of the result.
pub(super) fn selected(operand: &Operand, component: u8) -> u8 {
    match operand.selection {
        Selection::None | Selection::Scalar => 0,
        Selection::One(one) => one,
        Selection::Swizzle(swizzle) => swizzle[usize::from(component & 3)],
        Selection::Mask(_) => component,
    }
}

/// The components that a destination operand writes, in order.
pub(super) fn written(operand: &Operand) -> Vec<u8> {
    match operand.selection {
        Selection::None | Selection::Scalar => vec![0],
        Selection::Mask(mask) => (0..4).filter(|component| mask >> component & 1 == 1).collect(),
        Selection::One(one) => vec![one],
        Selection::Swizzle(_) => vec![0, 1, 2, 3],
    }
}

/// A rule set with this bounds choice alone.
pub(super) fn bounds(bounds: Bounds) -> Rules {
    Rules { bounds, ..Rules::default() }
}

impl Translator<'_> {
    /// A source of 32 bits for a component of the result, with its modifier.
    pub(super) fn source(&mut self, instruction: &Instruction, at: usize, component: u8, kind: Kind) -> Result<Value> {
        let value = self.unmodified(instruction, at, component)?;
        let modifier = self.operand(instruction, at)?.modifier;
        self.modified(value, modifier, kind)
    }

    /// A source of 32 bits for a component of the result, as the register has it.
    pub(super) fn unmodified(&mut self, instruction: &Instruction, at: usize, component: u8) -> Result<Value> {
        let operand = self.operand(instruction, at)?;
        let component = selected(operand, component);
        if let Some(value) = self.read.get(&(at, component)) {
            return Ok(*value);
        }
        let value = self.load(operand, component)?;
        self.read.insert((at, component), value);
        Ok(value)
    }

    /// A source of 64 bits: the first (0) or second (1) pair of the operand's selection.
    pub(super) fn double(&mut self, instruction: &Instruction, at: usize, pair: u8) -> Result<Value> {
        let operand = self.operand(instruction, at)?;
        // An immediate of one component is one double of two words, which both pairs get.
        let words = match (operand.file, operand.selection) {
            (File::Immediate64, Selection::Scalar) => [0, 1],
            _ => [selected(operand, 2 * pair), selected(operand, 2 * pair + 1)],
        };
        let low = self.load(operand, words[0])?;
        let high = self.load(operand, words[1])?;
        let value = self.join(low, high);
        self.modified(value, operand.modifier, Kind::Double)
    }

    /// A value with a source modifier: of floats the sign bit alone changes, of integers negation is two's complement and there is no absolute
    /// value (22.18).
    pub(super) fn modified(&mut self, value: Value, modifier: Modifier, kind: Kind) -> Result<Value> {
        if matches!(kind, Kind::Int | Kind::Uint | Kind::Mask) {
            return match modifier {
                Modifier::None => Ok(value),
                Modifier::Neg => {
                    let zero = self.word(0);
                    Ok(self.op(Op::ISub, &[zero, value]))
                }
                Modifier::Abs | Modifier::AbsNeg => Err(self.bad("an integer as it is or negated", "its absolute value")),
            };
        }
        let value = match modifier {
            Modifier::Abs | Modifier::AbsNeg => self.op(Op::FAbs, &[value]),
            Modifier::None | Modifier::Neg => value,
        };
        Ok(match modifier {
            Modifier::Neg | Modifier::AbsNeg => self.op(Op::FNeg, &[value]),
            Modifier::None | Modifier::Abs => value,
        })
    }

    /// An index: its constant part, plus a register's component.
    pub(super) fn index(&mut self, index: &Index) -> Result<Value> {
        let constant = self.word(index.constant() as u32);
        let Some(relative) = &index.relative else { return Ok(constant) };
        let register = self.load(relative, selected(relative, 0))?;
        Ok(if index.constant() == 0 { register } else { self.op(Op::IAdd, &[register, constant]) })
    }

    pub(super) fn dimension<'o>(&self, operand: &'o Operand, at: usize) -> Result<&'o Index> {
        let missing = || self.bad(format!("index {at} of {}", operand.file.name()), operand.register());
        operand.indices.get(at).ok_or_else(missing)
    }

    /// The number that the first index of an operand gives, which must be constant.
    pub(super) fn number(&self, operand: &Operand) -> Result<u32> {
        let constant = self.dimension(operand, 0)?.as_constant().and_then(|number| u32::try_from(number).ok());
        constant.ok_or_else(|| self.unsupported(format!("{} chosen by a register", operand.file.name())))
    }

    /// The register component of an operand.
    pub(super) fn load(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        let undeclared = |this: &Self| this.bad("a declared register", operand.register());
        match operand.file {
            File::Temp => {
                let local = self.temps[&(self.number(operand)?, component)];
                Ok(self.builder.get(local))
            }
            File::Immediate32 => {
                let words = &operand.immediate;
                let word = words.get(if words.len() == 1 { 0 } else { usize::from(component) }).copied();
                let word = word.ok_or_else(|| self.bad("an immediate of one or four words", format!("{} words", words.len())))?;
                Ok(self.word(word))
            }
            File::Immediate64 => {
                // Two doubles in four words, or one in two.
                let word = operand.immediate.get(usize::from(component)).copied();
                let missing =
                    || self.bad(format!("word {component} of an immediate"), format!("{} words", operand.immediate.len()));
                let word = word.ok_or_else(missing)?;
                Ok(self.word(word))
            }
            File::IndexableTemp => {
                let number = self.number(operand)?;
                let (array, components) = self.indexable(number, component)?;
                let index = self.index(self.dimension(operand, 1)?)?;
                let element = self.element(index, components, component);
                Ok(self.array_load(array, element, Bounds::Undefined))
            }
            File::ImmediateConstantBuffer => {
                let array = self.declarations.immediate_constants.ok_or_else(|| undeclared(self))?;
                let index = self.index(self.dimension(operand, 0)?)?;
                let element = self.element(index, 4, component);
                Ok(self.array_load(array, element, Bounds::Defined))
            }
            File::Input if self.declarations.input_rate == Rate::Lane => self.load_input(operand, component),
            File::Input | File::InputControlPoint => self.load_vertex(operand, component),
            File::OutputControlPoint => self.load_control_point(operand, component),
            File::InputPatchConstant => self.load_patch_constant(operand, component),
            File::ConstantBuffer => self.load_constant(operand, component),
            File::ThisPointer => self.this_pointer(operand, component),
            File::CycleCounter => Err(self.unsupported("a clock (vCycleCounter)")),
            file => {
                let input = *self.declarations.special_inputs.get(&file).ok_or_else(|| undeclared(self))?;
                let IoVariable { mask, rate, builtin, .. } = self.declarations.interface.inputs[input.index()];
                if rate != Rate::Lane || self.declarations.is_of_other_phase(builtin) {
                    return Err(undeclared(self));
                }
                self.exists(file, mask, component)?;
                Ok(self.builder.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(input, component)), &[]))
            }
        }
    }

    /// Where a part of a register lies among registers of a size: `index * size + part`. An index out of range must stay so.
    fn element(&mut self, index: Value, size: u8, part: u8) -> Value {
        let limit = self.word(u32::MAX / u32::from(size) - 1);
        let index = self.op(Op::UMin, &[index, limit]);
        let size = self.word(size.into());
        let first = self.op(Op::IMul, &[index, size]);
        let part = self.word(part.into());
        self.op(Op::IAdd, &[first, part])
    }

    /// The array of an indexable temporary and how many components its registers have.
    fn indexable(&self, number: u32, component: u8) -> Result<(gpuproof_program::ArrayId, u8)> {
        let found = self.declarations.indexable.get(&number).copied();
        let (array, components) = found.ok_or_else(|| self.bad("a declared register", format!("x{number}")))?;
        if component >= components {
            return Err(self.bad(format!("one of the {components} components of x{number}"), format!("component {component}")));
        }
        Ok((array, components))
    }

    fn array_load(&mut self, array: gpuproof_program::ArrayId, element: Value, rule: Bounds) -> Value {
        let attrs = Attrs::target(Target::Array(array)).with_rules(bounds(rule));
        self.builder.value_of(Width::W32, Op::ArrayLoad, attrs, &[element])
    }

    fn load_input(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        let index = self.dimension(operand, 0)?;
        let Some(number) = index.as_constant() else {
            let Some((array, first)) = self.declarations.input_array else {
                return Err(self.bad("a range of inputs that is declared as indexed", "an index by a register"));
            };
            let index = self.index(index)?;
            let first = self.word(first);
            let index = self.op(Op::ISub, &[index, first]);
            let element = self.element(index, 4, component);
            return Ok(self.array_load(array, element, Bounds::Undefined));
        };
        let target = self.input_target(number as u32, component)?;
        Ok(self.builder.value_of(Width::W32, Op::Input, Attrs::target(target), &[]))
    }

    pub(super) fn input_target(&self, number: u32, component: u8) -> Result<Target> {
        let found = self.declarations.inputs.get(&(Rate::Lane, number, component));
        let input = found.ok_or_else(|| {
            self.bad("a declared input", format!("v{number}.{}", "xyzw".as_bytes()[usize::from(component)] as char))
        })?;
        Ok(Target::Input(*input, component))
    }

    /// Copies the inputs that are indexed by registers into an array, at the start of the program.
    pub(super) fn fill_input_array(&mut self) -> Result<()> {
        let Some((array, first)) = self.declarations.input_array else { return Ok(()) };
        let registers = self.declarations.arrays[array.index()].length / 4;
        for number in first..first + registers {
            for component in 0..4u8 {
                if let Ok(target) = self.input_target(number, component) {
                    let value = self.builder.value_of(Width::W32, Op::Input, Attrs::target(target), &[]);
                    let element = self.word((number - first) * 4 + u32::from(component));
                    let attrs = Attrs::target(Target::Array(array)).with_rules(bounds(Bounds::Undefined));
                    self.builder.effect(Op::ArrayStore, attrs, &[element, value]);
                }
            }
        }
        Ok(())
    }

    /// A word of a constant buffer. Out of range it gives 0.
    fn load_constant(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        let spaces = self.shader.target().has_spaces();
        let row = self.dimension(operand, if spaces { 2 } else { 1 })?;
        let offset = match row.as_constant().and_then(|row| u32::try_from(row).ok()).and_then(|row| row.checked_mul(16)) {
            Some(offset) => self.word(offset + 4 * u32::from(component)),
            None => {
                let row = self.index(row)?;
                self.element(row, 16, 4 * component)
            }
        };
        if self.dimension(operand, 0)?.as_constant().is_none() {
            return self.load_chosen_constant(operand, offset);
        }
        let bound = *self.resource(operand)?;
        let element = self.binding_element(operand, bound.lower)?;
        let attrs = Attrs::target(Target::Resource(bound.id)).with_rules(bounds(Bounds::Defined));
        Ok(self.builder.value_of(Width::W32, Op::BufferLoad, attrs, &[element, offset]))
    }

    /// Writes what an instruction gives for each component that a destination writes. `values` are all computed before.
    pub(super) fn write(&mut self, operand: &Operand, values: &[(u8, Value)]) -> Result<()> {
        let origin = self.builder.origin();
        for &(component, value) in values {
            self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
            self.store(operand, component, value)?;
        }
        self.builder.set_origin(origin);
        Ok(())
    }

    fn store(&mut self, operand: &Operand, component: u8, value: Value) -> Result<()> {
        match operand.file {
            File::Null => Ok(()),
            File::Temp => {
                let local = self.temps[&(self.number(operand)?, component)];
                self.builder.set(local, value);
                Ok(())
            }
            File::IndexableTemp => {
                let number = self.number(operand)?;
                let (array, components) = self.indexable(number, component)?;
                let index = self.index(self.dimension(operand, 1)?)?;
                let element = self.element(index, components, component);
                let attrs = Attrs::target(Target::Array(array)).with_rules(bounds(Bounds::Undefined));
                self.builder.effect(Op::ArrayStore, attrs, &[element, value]);
                Ok(())
            }
            File::Output => self.store_output(operand, component, value),
            file => {
                let found = self.declarations.special_outputs.get(&file).copied();
                let rate = |output: OutputId| self.declarations.interface.outputs[output.index()].rate;
                let found = found.filter(|output| self.vertex.is_empty() && rate(*output) == self.declarations.output_rate);
                let output = found.ok_or_else(|| self.bad("a register that can be written", file.name()))?;
                self.exists(file, self.declarations.interface.outputs[output.index()].mask, component)?;
                self.builder.effect(Op::Output, Attrs::target(Target::Output(output, component)), &[value]);
                Ok(())
            }
        }
    }

    /// Holds a component of a register of its own kind to the mask of those that it has.
    fn exists(&self, file: File, mask: u8, component: u8) -> Result<()> {
        if mask >> component & 1 == 1 {
            return Ok(());
        }
        Err(self.bad(format!("a component that {} has", file.name()), char::from(b"xyzw"[usize::from(component & 3)])))
    }

    fn store_output(&mut self, operand: &Operand, component: u8, value: Value) -> Result<()> {
        let index = self.dimension(operand, 0)?;
        if let Some(number) = index.as_constant() {
            return match self.declared_output(number as u32, component) {
                Some(output) => {
                    self.set_output(output, (number as u32, component), value);
                    Ok(())
                }
                None => {
                    let name = format!("o{number}.{}", "xyzw".as_bytes()[usize::from(component)] as char);
                    Err(self.bad("a declared output", name))
                }
            };
        }
        // Registers have no addresses here: each output of the range is written where the index names it.
        let chosen = self.index(index)?;
        for number in self.declarations.output_ranges.clone().into_iter().flatten() {
            self.spend(1)?;
            let Some(output) = self.declared_output(number, component) else { continue };
            let this = self.word(number);
            let condition = self.op(Op::IEq, &[chosen, this]);
            self.builder.begin_if(condition);
            self.set_output(output, (number, component), value);
            self.builder.end_if();
        }
        Ok(())
    }

    /// An output of the program, of the phase, or of any stream.
    fn declared_output(&self, number: u32, component: u8) -> Option<OutputId> {
        let outputs = &self.declarations.outputs;
        match self.declarations.output_rate {
            Rate::Stream(_) => {
                (0..MAX_STREAMS).find_map(|stream| outputs.get(&(Rate::Stream(stream), number, component))).copied()
            }
            rate => outputs.get(&(rate, number, component)).copied(),
        }
    }

    /// Sets an output, or keeps it in its register until a vertex is emitted.
    fn set_output(&mut self, output: OutputId, register: (u32, u8), value: Value) {
        match self.vertex.get(&register) {
            Some(local) => self.builder.set(*local, value),
            None => self.builder.effect(Op::Output, Attrs::target(Target::Output(output, register.1)), &[value]),
        }
    }
}
