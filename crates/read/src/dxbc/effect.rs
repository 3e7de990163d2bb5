//! Effects of `fx_4_0`, `fx_4_1` and `fx_5_0`: which programs they hold, and which technique, pass and stage each is for.
//!
//! An effect of `fx_4` is the FX10 part of a container, one of `fx_5_0` is a file of its own. After a header of counts come
//! *unstructured* bytes, which everything else points into (names, types, programs), and then records one after another: buffers
//! with their variables, objects, interfaces, and techniques with passes of assignments, in `fx_5_0` by groups. What a record
//! takes follows from its type, so that all have to be read in order (Microsoft's `EffectBinaryFormat.h` of Effects11).

use super::bytes::Bytes;
use super::container::Container;
use super::error::{Error, Result};
use super::names::Names;
use std::collections::{HashMap, HashSet};

/// An effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// `fx_4_0`, `fx_4_1` or `fx_5_0`.
    pub version: &'static str,
    /// Techniques, of all groups.
    pub techniques: usize,
    /// Passes, of all techniques.
    pub passes: usize,
    /// Bytes, from its version to the end of its last record.
    pub size: usize,
    /// The programs in the order of the file.
    pub programs: Vec<EffectProgram>,
}

/// A program in an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectProgram {
    /// What it is known by: the variable that holds it (`Shared`, `Kinds[1]`), and each stage that a pass sets to it
    /// (`Main/P0/ps`, in a named group `Group/Main/P0/ps`). A technique, pass or group without a name of its own has its number.
    pub names: Vec<String>,
    /// Where its container starts in the file.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// The versions, by the effect's first word.
const VERSIONS: [(u32, &str); 3] = [(0xfeff_1001, "fx_4_0"), (0xfeff_1011, "fx_4_1"), (0xfeff_2001, "fx_5_0")];

const HEADER: usize = 76;
const HEADER_5: usize = 96;

impl Effect {
    /// Whether these bytes start like an effect without a container.
    pub fn is_effect(file: &[u8]) -> bool {
        let Some(tag) = file.first_chunk() else { return false };
        VERSIONS.iter().any(|(version, _)| *version == u32::from_le_bytes(*tag))
    }

    /// The effect in a container, where it has one.
    ///
    /// # Errors
    /// As [`Effect::parse`].
    pub fn find(container: &Container) -> Result<Option<Self>> {
        container.find(&[b"FX10"]).map(|part| Effect::read(part.bytes())).transpose()
    }

    /// Reads an effect without a container; what follows it is ignored.
    ///
    /// # Errors
    /// [`Error::BadInput`] when a record, name or program leaves the effect; [`Error::Unsupported`] for another version, a child
    /// of an effect pool, and types that are not known.
    pub fn parse(file: &[u8]) -> Result<Self> {
        Effect::read(Bytes::new(file, 0))
    }

    fn read(bytes: Bytes<'_>) -> Result<Self> {
        let tag = bytes.u32(0, "an effect's version")?;
        let Some((_, version)) = VERSIONS.iter().find(|(number, _)| *number == tag) else {
            return Err(Error::unsupported(bytes.offset(0), format!("an effect of version {tag:#010x}")));
        };
        let is_5 = *version == "fx_5_0";
        let count = |i: usize| bytes.size(4 * i, "an effect's header");
        for i in 4..7 {
            if count(i)? != 0 {
                return Err(Error::unsupported(bytes.offset(4 * i), "an effect that shares variables of a pool"));
            }
        }
        let header = if is_5 { HEADER_5 } else { HEADER };
        let size = count(8)?;
        let data = Bytes::new(bytes.get(header, size, "unstructured data")?, bytes.offset(header));
        let mut reader = Reader { bytes, at: header + size, data, names: Names::new(data), programs: Programs::default() };
        for _ in 0..count(1)? {
            reader.buffer()?;
        }
        for _ in 0..count(3)? {
            reader.object()?;
        }
        if is_5 {
            for _ in 0..count(21)? {
                reader.skip(4)?;
                reader.annotations()?;
            }
        }
        let (mut techniques, mut passes) = (0, 0);
        if is_5 {
            let mut names = HashSet::new();
            for i in 0..count(19)? {
                let [name, inside] = reader.words("a group")?;
                reader.annotations()?;
                // Most effects have one group, without a name.
                let group = if name == 0 && count(19)? == 1 { None } else { Some(reader.unique(name, i, &mut names)?) };
                passes += reader.techniques(inside as usize, group.as_deref())?;
                techniques += inside as usize;
            }
        } else {
            techniques = count(7)?;
            passes = reader.techniques(techniques, None)?;
        }
        let (size, mut programs) = (reader.at, reader.programs.list);
        programs.sort_by_key(|program| program.offset);
        Ok(Effect { version, techniques, passes, size, programs })
    }

    /// The program of this name.
    pub fn program(&self, name: &str) -> Option<&EffectProgram> {
        self.programs.iter().find(|program| program.names.iter().any(|own| own == name))
    }
}

#[derive(Default)]
struct Programs {
    list: Vec<EffectProgram>,
    /// Places in the list, by offset.
    places: HashMap<usize, usize>,
    /// Places in the list of the elements of variables, by name and element.
    variables: HashMap<(String, u32), usize>,
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    /// Where the next record starts.
    at: usize,
    /// The unstructured bytes.
    data: Bytes<'a>,
    names: Names<'a>,
    programs: Programs,
}

/// D3DX11Effects::EVarType.
const NUMERIC: u32 = 1;
const OBJECT: u32 = 2;

/// What an assignment gives (D3DX11Effects::ECompilerAssignmentType), of those that can name a program.
mod given {
    pub const VARIABLE: u32 = 2;
    pub const CONSTANT_INDEX: u32 = 3;
    pub const INLINE: u32 = 7;
    pub const INLINE_5: u32 = 8;
}

/// The states of a pass that are programs.
const STAGES: [(u32, &str); 6] = [(6, "vs"), (7, "ps"), (8, "gs"), (56, "hs"), (57, "ds"), (58, "cs")];

impl Reader<'_> {
    fn words<const N: usize>(&mut self, what: &str) -> Result<[u32; N]> {
        let bytes = self.bytes.get(self.at, 4 * N, what)?;
        self.at += 4 * N;
        let mut words = [0; N];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(words)
    }

    fn skip(&mut self, words: usize) -> Result<()> {
        self.bytes.table(self.at, words, 4, "a record of an effect")?;
        self.at += 4 * words;
        Ok(())
    }

    fn name(&mut self, offset: u32) -> Result<String> {
        if offset == 0 { Ok(String::new()) } else { self.names.read(offset as usize, "a name in an effect") }
    }

    /// A name that its siblings have not, or the number.
    fn unique(&mut self, offset: u32, number: usize, siblings: &mut HashSet<String>) -> Result<String> {
        let mut name = self.name(offset)?;
        if name.is_empty() || siblings.contains(&name) {
            name = number.to_string();
        }
        siblings.insert(name.clone());
        Ok(name)
    }

    /// The kind of a type, how many elements a variable of it has (1 where it is no array), whether it is an array, and of an
    /// object what it is (D3DX11Effects::EObjectType).
    fn variable_type(&self, offset: u32) -> Result<(u32, usize, bool, u32)> {
        let at = offset as usize;
        let field = |i: usize| self.data.u32(at.saturating_add(4 * i), "a type in an effect");
        let (kind, elements) = (field(1)?, field(2)?);
        let object = if kind == OBJECT { field(6)? } else { 0 };
        Ok((kind, elements.max(1) as usize, elements > 0, object))
    }

    fn annotations(&mut self) -> Result<()> {
        let [count] = self.words("a number of annotations")?;
        for _ in 0..count {
            let [_, of] = self.words("an annotation")?;
            let (kind, elements, ..) = self.variable_type(of)?;
            self.skip(if kind == OBJECT { elements } else { 1 })?;
        }
        Ok(())
    }

    fn buffer(&mut self) -> Result<()> {
        let [_, _, _, variables, _] = self.words("a constant buffer of an effect")?;
        self.annotations()?;
        for _ in 0..variables {
            self.skip(6)?;
            self.annotations()?;
        }
        Ok(())
    }

    fn object(&mut self) -> Result<()> {
        let start = self.at;
        let [name, of, _, _] = self.words("an object of an effect")?;
        let (kind, elements, is_array, object) = self.variable_type(of)?;
        if kind != OBJECT {
            let expected = format!("a type of kind {OBJECT}, an object, where {NUMERIC} is numeric");
            return Err(Error::bad(self.bytes.offset(start), expected, kind.to_string()));
        }
        let name = self.name(name)?;
        for element in 0..elements {
            match object {
                // Blend, depth-stencil and rasterizer states, samplers.
                2..=4 | 21 => {
                    let [count] = self.words("a number of assignments")?;
                    self.skip((count as usize).saturating_mul(4))?;
                }
                // Programs: of SM 4, with a declaration of stream output, of SM 5.
                5..=8 | 25..=30 => {
                    let [program] = self.words("a program's place")?;
                    self.skip(match object {
                        8 => 1,
                        25..=30 => 8,
                        _ => 0,
                    })?;
                    if let Some(place) = self.program(program)? {
                        let known = if is_array { format!("{name}[{element}]") } else { name.clone() };
                        self.programs.list[place].names.push(known);
                        self.programs.variables.insert((name.clone(), element as u32), place);
                    }
                }
                1 => self.skip(1)?,
                // Views, which have no value, however many.
                9..=20 | 22 | 23 | 31..=44 => break,
                _ => {
                    return Err(Error::unsupported(self.bytes.offset(start), format!("an object of type {object} in an effect")));
                }
            }
        }
        self.annotations()
    }

    /// Notes the program at a place of the unstructured bytes: its size, then its container. One of no bytes is none.
    fn program(&mut self, at: u32) -> Result<Option<usize>> {
        if at == 0 {
            return Ok(None);
        }
        let size = self.data.size(at as usize, "a program's size")?;
        let start = at as usize + 4;
        self.data.get(start, size, "a program")?;
        if size == 0 {
            return Ok(None);
        }
        let (list, offset) = (&mut self.programs.list, self.data.offset(start));
        let place = *self.programs.places.entry(offset).or_insert(list.len());
        if place == list.len() {
            list.push(EffectProgram { names: Vec::new(), offset, size });
        }
        Ok(Some(place))
    }

    /// Reads techniques; gives the number of their passes.
    fn techniques(&mut self, count: usize, group: Option<&str>) -> Result<usize> {
        let (mut names, mut all) = (HashSet::new(), 0);
        for i in 0..count {
            let [name, passes] = self.words("a technique")?;
            self.annotations()?;
            let name = self.unique(name, i, &mut names)?;
            let path = group.map_or_else(|| name.clone(), |group| format!("{group}/{name}"));
            let mut names = HashSet::new();
            for i in 0..passes as usize {
                let [name, assignments] = self.words("a pass")?;
                self.annotations()?;
                let name = self.unique(name, i, &mut names)?;
                for _ in 0..assignments {
                    self.assignment(&format!("{path}/{name}"))?;
                }
            }
            all += passes as usize;
        }
        Ok(all)
    }

    fn assignment(&mut self, pass: &str) -> Result<()> {
        let [state, _, how, at] = self.words("an assignment")?;
        let Some((_, stage)) = STAGES.iter().find(|(number, _)| *number == state) else { return Ok(()) };
        let field = |i: usize| self.data.u32((at as usize).saturating_add(4 * i), "what is assigned");
        let place = match how {
            given::VARIABLE => {
                let variable = self.name(at)?;
                self.programs.variables.get(&(variable, 0)).copied()
            }
            given::CONSTANT_INDEX => {
                let (array, element) = (field(0)?, field(1)?);
                let variable = self.name(array)?;
                self.programs.variables.get(&(variable, element)).copied()
            }
            given::INLINE | given::INLINE_5 => {
                let program = field(0)?;
                self.program(program)?
            }
            // Chosen by an expression when the pass is applied, or none.
            _ => None,
        };
        if let Some(place) = place {
            self.programs.list[place].names.push(format!("{pass}/{stage}"));
        }
        Ok(())
    }
}
