//! Hull, domain and geometry programs: what they declare of primitives, phases, vertices that come in and vertices that go out.

use super::super::container::Container;
use super::super::error::{Error, Result};
use super::super::opcode::Opcode;
use super::super::operand::{Index, Operand};
use super::super::tokens::{Instruction, Shader, Stage};
use super::Translator;
use super::declare::{declared, phase_of};
use gpuproof_program::{
    Assembly, Attrs, Detail, Domain, Function, FunctionBuilder, FunctionId, Geometry, Hull, Interface, MAX_CONTROL_POINTS,
    MAX_GEOMETRY_INSTANCES, MAX_GEOMETRY_VERTICES, MAX_PHASE_INSTANCES, MAX_STREAMS, Op, Partitioning, PatchDomain, Phase,
    PhaseKind, Primitive, Rate, Stream, Target, TessellatorOutput, Topology, Value, Width,
};

/// What declarations say of primitives and patches.
#[derive(Default)]
pub(super) struct Primitives {
    input_points: Option<u32>,
    output_points: Option<u32>,
    domain: Option<PatchDomain>,
    partitioning: Option<Partitioning>,
    output: Option<TessellatorOutput>,
    max_factor: Option<u32>,
    instances: Option<u32>,
    /// Of the phase of a hull program that is being read.
    pub(super) phase_instances: Option<u32>,
    input: Option<Primitive>,
    max_vertices: Option<u32>,
    topology: Option<Topology>,
    streams: Vec<Stream>,
    /// The stream whose outputs are being declared, and whose topology is not yet.
    open: Option<u8>,
}

/// A row of what the format numbers.
type Numbers<T> = &'static [(u32, T)];

/// D3D11_SB_TESSELLATOR_DOMAIN.
const DOMAINS: Numbers<PatchDomain> = &[(1, PatchDomain::Isoline), (2, PatchDomain::Triangle), (3, PatchDomain::Quad)];
/// D3D11_SB_TESSELLATOR_PARTITIONING.
const PARTITIONINGS: Numbers<Partitioning> =
    &[(1, Partitioning::Integer), (2, Partitioning::Pow2), (3, Partitioning::FractionalOdd), (4, Partitioning::FractionalEven)];
/// D3D11_SB_TESSELLATOR_OUTPUT_PRIMITIVE.
const OUTPUTS: Numbers<TessellatorOutput> = &[
    (1, TessellatorOutput::Point),
    (2, TessellatorOutput::Line),
    (3, TessellatorOutput::TriangleClockwise),
    (4, TessellatorOutput::TriangleCounterClockwise),
];
/// D3D10_SB_PRIMITIVE; patches of 1 to 32 points are 8 to 39.
const PRIMITIVES: Numbers<Primitive> = &[
    (1, Primitive::Point),
    (2, Primitive::Line),
    (3, Primitive::Triangle),
    (6, Primitive::LineAdjacency),
    (7, Primitive::TriangleAdjacency),
];
/// D3D10_SB_PRIMITIVE_TOPOLOGY, of those that a geometry program may give.
const TOPOLOGIES: Numbers<Topology> = &[(1, Topology::PointList), (3, Topology::LineStrip), (5, Topology::TriangleStrip)];

impl Primitives {
    /// Takes a declaration; those of other matters are not looked at.
    pub(super) fn declare(&mut self, instruction: &Instruction) -> Result<()> {
        let control = |bits: u32| instruction.controls >> 11 & ((1 << bits) - 1);
        let bad = |expected: &str, found: u32| Error::bad(instruction.offset, expected, found.to_string());
        let up_to = |what: &str, least: u32, most: u32, found: u32| match (least..=most).contains(&found) {
            true => Ok(Some(found)),
            false => Err(bad(&format!("{least} to {most} {what}"), found)),
        };
        let word = instruction.words.first().copied().unwrap_or(0);
        match instruction.opcode {
            Opcode::DclInputControlPointCount => {
                self.input_points = up_to("control points", 0, MAX_CONTROL_POINTS, control(6))?;
            }
            Opcode::DclOutputControlPointCount => {
                self.output_points = up_to("control points", 0, MAX_CONTROL_POINTS, control(6))?;
            }
            Opcode::DclTessDomain => {
                self.domain = Some(numbered(DOMAINS, control(2)).ok_or_else(|| bad("a tessellator domain", control(2)))?);
            }
            Opcode::DclTessPartitioning => {
                let found = numbered(PARTITIONINGS, control(3));
                self.partitioning = Some(found.ok_or_else(|| bad("a tessellator partitioning", control(3)))?);
            }
            Opcode::DclTessOutputPrimitive => {
                let found = numbered(OUTPUTS, control(3));
                self.output = Some(found.ok_or_else(|| bad("a tessellator output primitive", control(3)))?);
            }
            Opcode::DclHsMaxTessFactor => self.max_factor = Some(word),
            Opcode::DclHsForkPhaseInstanceCount | Opcode::DclHsJoinPhaseInstanceCount => {
                self.phase_instances = up_to("instances of a phase", 1, MAX_PHASE_INSTANCES, word)?;
            }
            Opcode::DclGsInstanceCount => self.instances = up_to("instances", 1, MAX_GEOMETRY_INSTANCES, word)?,
            Opcode::DclMaxOutputVertexCount => self.max_vertices = up_to("vertices", 0, MAX_GEOMETRY_VERTICES, word)?,
            Opcode::DclGsInputPrimitive => {
                let found = match control(6) {
                    points @ 8..=39 => Some(Primitive::Patch(points as u8 - 7)),
                    other => numbered(PRIMITIVES, other),
                };
                self.input = Some(found.ok_or_else(|| bad("an input primitive", control(6)))?);
            }
            Opcode::DclGsOutputPrimitiveTopology => {
                let found = numbered(TOPOLOGIES, control(7));
                let topology = found.ok_or_else(|| bad("points, or strips of lines or triangles", control(7)))?;
                self.topology = Some(topology);
                if let Some(number) = self.open.take() {
                    self.streams.push(Stream { number, topology });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What is declared from here on is of this stream.
    pub(super) fn declare_stream(&mut self, instruction: &Instruction, outputs: &mut Rate) -> Result<()> {
        let number = declared(instruction)?.constant_index(0).filter(|number| *number < MAX_STREAMS.into());
        let number = number.ok_or_else(|| Error::bad(instruction.offset, "a stream from 0 to 3", "another"))? as u8;
        if self.open == Some(number) || self.streams.iter().any(|stream| stream.number == number) {
            return Err(Error::bad(instruction.offset, "each stream once", format!("m{number} again")));
        }
        self.close_stream();
        self.open = Some(number);
        *outputs = Rate::Stream(number);
        Ok(())
    }

    /// A stream without a topology of its own has the one declared last.
    fn close_stream(&mut self) {
        if let (Some(number), Some(topology)) = (self.open, self.topology) {
            self.streams.push(Stream { number, topology });
            self.open = None;
        }
    }

    /// Control points that come out: without a phase of them none, or all that come in (10.6).
    fn output_points(&self, phases: &[Phase]) -> Option<u32> {
        let has_phase = phases.first().is_some_and(|phase| phase.kind == PhaseKind::ControlPoint);
        self.output_points.filter(|count| has_phase || *count == 0 || Some(*count) == self.input_points)
    }

    /// All of it, for the stage.
    pub(super) fn assembly(mut self, shader: &Shader, interface: &Interface, mut phases: Vec<Phase>) -> Result<Assembly> {
        let missing = |what: &str| Error::bad(shader.offset(), format!("a declaration of {what}"), "none");
        let domain = self.domain.ok_or_else(|| missing("the tessellator's domain"));
        let input_points = self.input_points.ok_or_else(|| missing("the control points that come in"));
        Ok(match shader.target().stage {
            Stage::Vertex | Stage::Pixel | Stage::Compute => Assembly::None,
            Stage::Domain => Assembly::Domain(Domain { input_points: input_points?, domain: domain? }),
            Stage::Hull => {
                let output_points = self.output_points(&phases);
                let output_points =
                    output_points.ok_or_else(|| missing("the control points that come out, all or none without a phase"))?;
                if let Some(first) = phases.first_mut().filter(|phase| phase.kind == PhaseKind::ControlPoint) {
                    first.lanes = output_points;
                }
                Assembly::Hull(Hull {
                    input_points: input_points?,
                    output_points,
                    domain: domain?,
                    partitioning: self.partitioning.ok_or_else(|| missing("the tessellator's partitioning"))?,
                    output: self.output.ok_or_else(|| missing("the tessellator's output"))?,
                    max_factor: self.max_factor,
                    phases,
                })
            }
            Stage::Geometry => {
                self.close_stream();
                let topology = self.topology.ok_or_else(|| missing("the output topology"))?;
                if self.streams.is_empty() {
                    self.streams.push(Stream { number: 0, topology });
                }
                let is_open = |rate: Rate| match rate {
                    Rate::Stream(number) => !self.streams.iter().any(|stream| stream.number == number),
                    _ => false,
                };
                if let Some(output) = interface.outputs.iter().find(|output| is_open(output.rate)) {
                    let found = format!("{} of {:?}", output.name, output.rate);
                    return Err(Error::bad(shader.offset(), "outputs of declared streams", found));
                }
                Assembly::Geometry(Geometry {
                    input: self.input.ok_or_else(|| missing("the input primitive"))?,
                    max_vertices: self.max_vertices.ok_or_else(|| missing("the most vertices that come out"))?,
                    instances: self.instances.unwrap_or(1),
                    streams: self.streams,
                })
            }
        })
    }
}

fn numbered<T: Copy>(numbers: Numbers<T>, number: u32) -> Option<T> {
    numbers.iter().find(|(known, _)| *known == number).map(|(_, value)| *value)
}

impl Translator<'_> {
    /// The phases of a hull program, a function each.
    pub(super) fn phases(&mut self, container: &Container) -> Result<(Vec<Function>, Vec<Phase>)> {
        let shader = self.shader;
        let instructions = &shader.instructions;
        let starts: Vec<(usize, PhaseKind)> =
            (0..).zip(instructions).filter_map(|(at, instruction)| Some((at, phase_of(instruction.opcode)?))).collect();
        let (mut functions, mut phases) = (Vec::new(), Vec::<Phase>::new());
        for (nth, &(at, kind)) in starts.iter().enumerate() {
            self.offset = instructions[at].offset;
            let in_order =
                phases.last().is_none_or(|last| last.kind < kind || last.kind == kind && kind != PhaseKind::ControlPoint);
            if !in_order {
                return Err(self.bad("one control point phase, then fork phases, then join phases", instructions[at].info().name));
            }
            let end = starts.get(nth + 1).map_or(instructions.len(), |(next, _)| *next);
            self.declarations.enter_phase(kind, (container, shader), &instructions[at + 1..end])?;
            let name = match kind {
                PhaseKind::ControlPoint => "control_point".to_string(),
                PhaseKind::Fork => format!("fork{}", phases.iter().filter(|phase| phase.kind == kind).count()),
                PhaseKind::Join => format!("join{}", phases.iter().filter(|phase| phase.kind == kind).count()),
            };
            // How many control points come out may be declared anywhere.
            let lanes = self.declarations.primitives.phase_instances.unwrap_or(1);
            phases.push(Phase { kind, function: FunctionId(functions.len() as u32), lanes });
            functions.push(self.function(&name, at + 1)?);
        }
        if functions.is_empty() {
            let mut builder = FunctionBuilder::new("main", &[]);
            builder.ret(&[]);
            functions.push(builder.finish());
        }
        Ok((functions, phases))
    }

    /// Vertices and cuts of a stream. After a vertex the output registers of all streams hold nothing defined (13.4, 13.5.2).
    pub(super) fn stream(&mut self, instruction: &Instruction) -> Result<()> {
        if self.shader.target().stage != Stage::Geometry {
            return Err(self.bad("a geometry program", format!("{} in another", instruction.info().name)));
        }
        let number = match instruction.operands.first() {
            Some(operand) => self.number(operand)?,
            None => 0,
        };
        let declares = |stream: &Stream| u32::from(stream.number) == number;
        let primitives = &self.declarations.primitives;
        let is_open = primitives.open.map(u32::from) == Some(number);
        if !is_open && !primitives.streams.iter().any(declares) && (number, primitives.streams.len()) != (0, 0) {
            return Err(self.bad("a declared stream", format!("m{number}")));
        }
        let stream = number as u8;
        let attrs = Attrs::default().with_detail(Detail::Stream(stream));
        if !matches!(instruction.opcode, Opcode::Cut | Opcode::CutStream) {
            let interface = &self.declarations.interface;
            let parts: Vec<_> = interface.vertex_of(stream).map(|(id, at)| (interface.output(id).location, at)).collect();
            let mut vertex = Vec::new();
            for (register, component) in parts {
                let local = register.and_then(|register| self.vertex.get(&(register, component)).copied());
                vertex.push(match local {
                    Some(local) => self.builder.get(local),
                    None => return Err(self.unsupported("an output of a geometry program that is no register o#")),
                });
            }
            self.builder.effect(Op::Emit, attrs, &vertex);
            let mut locals: Vec<_> = self.vertex.iter().collect();
            locals.sort_unstable_by_key(|(register, _)| **register);
            let locals: Vec<_> = locals.into_iter().map(|(_, local)| *local).collect();
            locals.into_iter().for_each(|local| self.builder.clear(local));
        }
        if !matches!(instruction.opcode, Opcode::Emit | Opcode::EmitStream) {
            self.builder.effect(Op::Cut, attrs, &[]);
        }
        Ok(())
    }

    /// `v[vertex][register]`, `vicp[vertex][register]`.
    pub(super) fn load_vertex(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        let vertex = self.index(self.dimension(operand, 0)?)?;
        let known = self.registers_of(self.declarations.inputs.keys(), Rate::Vertex, component);
        self.by_register(operand, 1, component, known, |this, register| {
            let input = this.declarations.inputs[&(Rate::Vertex, register, component)];
            this.builder.value_of(Width::W32, Op::InputVertex, Attrs::target(Target::Input(input, component)), &[vertex])
        })
    }

    /// `vocp[vertex][register]`: what the control point phase made. Without one it is what came in (10.6).
    pub(super) fn load_control_point(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        if !matches!(self.declarations.phase, Some(PhaseKind::Fork | PhaseKind::Join)) {
            return Err(self.bad("vocp in a fork or join phase", "vocp elsewhere"));
        }
        let has_phase = self.shader.instructions.iter().any(|instruction| instruction.opcode == Opcode::HsControlPointPhase);
        if !has_phase {
            return self.load_vertex(operand, component);
        }
        let vertex = self.index(self.dimension(operand, 0)?)?;
        let known = self.registers_of(self.declarations.outputs.keys(), Rate::Vertex, component);
        self.by_register(operand, 1, component, known, |this, register| {
            let output = this.declarations.outputs[&(Rate::Vertex, register, component)];
            this.builder.value_of(Width::W32, Op::OutputVertex, Attrs::target(Target::Output(output, component)), &[vertex])
        })
    }

    /// `vpc[register]`: in a domain program an input, in a join phase what fork phases made.
    pub(super) fn load_patch_constant(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        match self.declarations.phase {
            None => {
                let known = self.registers_of(self.declarations.inputs.keys(), Rate::Patch, component);
                self.by_register(operand, 0, component, known, |this, register| {
                    let input = this.declarations.inputs[&(Rate::Patch, register, component)];
                    this.builder.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(input, component)), &[])
                })
            }
            Some(PhaseKind::Join) => {
                let known = self.registers_of(self.declarations.outputs.keys(), Rate::Patch, component);
                self.by_register(operand, 0, component, known, |this, register| {
                    let output = this.declarations.outputs[&(Rate::Patch, register, component)];
                    this.builder.value_of(Width::W32, Op::OutputPatch, Attrs::target(Target::Output(output, component)), &[])
                })
            }
            Some(_) => Err(self.bad("vpc in a join phase or a domain program", "vpc in another phase")),
        }
    }

    /// The registers of a rate that have a component.
    fn registers_of<'k>(&self, keys: impl Iterator<Item = &'k (Rate, u32, u8)>, rate: Rate, component: u8) -> Vec<u32> {
        keys.filter(|key| key.0 == rate && key.2 == component).map(|key| key.1).collect()
    }

    /// What a register holds that an operand's index names: one of those known, each tried where another register chooses. An index that names none is
    /// undefined.
    fn by_register(
        &mut self,
        operand: &Operand,
        dimension: usize,
        component: u8,
        known: Vec<u32>,
        load: impl Fn(&mut Self, u32) -> Value,
    ) -> Result<Value> {
        let index: &Index = self.dimension(operand, dimension)?;
        if let Some(number) = index.as_constant() {
            let is_known = |register: &&u32| u64::from(**register) == number;
            return match known.iter().find(is_known) {
                Some(register) => Ok(load(self, *register)),
                None => {
                    let letter = char::from(b"xyzw"[usize::from(component & 3)]);
                    Err(self.bad("a declared register", format!("{}.{letter}", operand.register())))
                }
            };
        }
        let chosen = self.index(index)?;
        self.spend(known.len())?;
        let mut value = self.builder.undef(Width::W32);
        for register in known {
            let held = load(self, register);
            let number = self.word(register);
            let is_this = self.op(Op::IEq, &[chosen, number]);
            value = self.op(Op::Select, &[is_this, held, value]);
        }
        Ok(value)
    }
}
