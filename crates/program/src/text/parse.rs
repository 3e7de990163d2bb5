//! Text to program.

pub use super::cursor::ParseError;

use super::cursor::Cursor;
use super::words;
use crate::attrs::{Attrs, Target};
use crate::function::*;
use crate::op::TargetKind;
use crate::source::{Origin, Source, SourceLine};
use crate::validate::{MAX_NESTING, MAX_TYPE_NESTING};
use crate::{Assembly, Interface, Program};
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// Reads a program in the text form that the module's head describes. It is not held to the rules of
/// [`validate()`](crate::validate()): whoever takes texts from outside calls that too.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut lines = Lines { lines: text.lines().enumerate(), count: 0 };
    let Some(mut header) = lines.next() else { return Err(lines.end("a line that begins with `program`")) };
    let mut program = read_header(&mut header)?;
    while let Some(mut line) = lines.next() {
        let start = line;
        let interface = &mut program.interface;
        match line.word() {
            "assembly" => program.assembly = line.notation(RON_LIMIT)?,
            "input" => declare(line, "in", &mut interface.inputs)?,
            "output" => declare(line, "out", &mut interface.outputs)?,
            "resource" => declare(line, "res", &mut interface.resources)?,
            "sampler" => declare(line, "samp", &mut interface.samplers)?,
            "override" => interface.overrides.push(line.notation(RON_LIMIT)?),
            "array" => declare(line, "array", &mut program.arrays)?,
            "shared" => declare(line, "shared", &mut program.shared)?,
            "source" => {
                program.source.kind = line.one_of()?;
                line.end()?;
            }
            "line" => {
                program.source.lines.push(read_source_line(&mut line)?);
                line.end()?;
            }
            "note" => {
                program.notes.push(line.string()?);
                line.end()?;
            }
            "function" => {
                next_handle(&mut line, "fn", program.functions.len())?;
                program.functions.push(read_function(&mut lines, line)?);
            }
            _ => return start.fail("a declaration or a function"),
        }
    }
    Ok(program)
}

/// Each level of a type takes fewer than eight levels of the notation: variant, fields, list, member, and a step into each.
const RON_LIMIT: usize = 8 * MAX_TYPE_NESTING + 16;

fn read_header(line: &mut Cursor<'_>) -> Result<Program, ParseError> {
    line.expect("program")?;
    let name = line.string()?;
    let (dialect, stage) = (line.one_of()?, line.one_of()?);
    let x = line.number32()?;
    line.expect("x")?;
    let y = line.number32()?;
    line.expect("x")?;
    let group_size = [x, y, line.number32()?];
    line.skip_blanks();
    line.expect("entry")?;
    let entry = FunctionId(line.handle("fn")?);
    line.end()?;
    Ok(Program {
        name,
        dialect,
        stage,
        group_size,
        assembly: Assembly::None,
        interface: Interface::default(),
        arrays: Vec::new(),
        shared: Vec::new(),
        functions: Vec::new(),
        entry,
        source: Source::default(),
        notes: Vec::new(),
    })
}

fn read_source_line(line: &mut Cursor<'_>) -> Result<SourceLine, ParseError> {
    let number = line.number32()?;
    line.skip_blanks();
    let offset = line.number32()?;
    line.skip_blanks();
    Ok(SourceLine { number, offset, text: line.string()? })
}

/// The handle of a declaration, which counts up from 0.
fn next_handle(line: &mut Cursor<'_>, prefix: &str, count: usize) -> Result<(), ParseError> {
    let start = *line;
    if line.handle(prefix)? as usize == count { Ok(()) } else { start.fail(format_args!("`{prefix}{count}`")) }
}

fn declare<T: DeserializeOwned>(mut line: Cursor<'_>, prefix: &str, items: &mut Vec<T>) -> Result<(), ParseError> {
    next_handle(&mut line, prefix, items.len())?;
    items.push(line.notation(RON_LIMIT)?);
    Ok(())
}

/// The lines that say something.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    count: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<Cursor<'a>> {
        for (index, text) in self.lines.by_ref() {
            self.count = index + 1;
            let cursor = Cursor::new(index + 1, text);
            if !cursor.is_end() {
                return Some(cursor);
            }
        }
        None
    }

    /// The error that the text ends here.
    fn end(&self, expected: &str) -> ParseError {
        Cursor::new(self.count + 1, "").error_about(expected, "the end of the text")
    }
}

fn read_function<'a>(lines: &mut Lines<'a>, mut line: Cursor<'a>) -> Result<Function, ParseError> {
    let name = line.string()?;
    let mut reader = Reader { lines, widths: HashMap::new(), greatest: None, depth: 0 };
    line.expect("(")?;
    let params = reader.list(&mut line, ")", |reader, line| reader.definition(line))?;
    line.expect("->")?;
    line.expect("(")?;
    let results = reader.list(&mut line, ")", |_, line| line.width())?;
    line.expect("{")?;
    line.end()?;
    let (body, close) = reader.region()?;
    close.end()?;
    let count = reader.widths.len();
    match reader.greatest {
        Some((greatest, place)) if greatest as usize >= count => {
            place.fail(format_args!("a value below %{count}, as many as the function defines"))
        }
        _ => {
            let width = |at: usize| reader.widths.get(&(at as u32)).copied().unwrap_or(Width::W32);
            Ok(Function { name, params, results, values: (0..count).map(width).collect(), body })
        }
    }
}

struct Reader<'t, 'a> {
    lines: &'t mut Lines<'a>,
    widths: HashMap<u32, Width>,
    /// The greatest value defined, and where.
    greatest: Option<(u32, Cursor<'a>)>,
    depth: usize,
}

impl<'a> Reader<'_, 'a> {
    /// Items between commas up to the closing text, which is taken.
    fn list<T>(
        &mut self,
        line: &mut Cursor<'a>,
        close: &str,
        item: impl Fn(&mut Self, &mut Cursor<'a>) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        if line.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self, line)?);
            if line.eat(close) {
                return Ok(items);
            }
            if !line.eat(",") {
                return line.fail(format_args!("`,` or `{close}`"));
            }
        }
    }

    fn value(line: &mut Cursor<'a>) -> Result<Value, ParseError> {
        line.handle("%").map(Value)
    }

    /// Values between commas, perhaps none.
    fn values(&mut self, line: &mut Cursor<'a>) -> Result<Vec<Value>, ParseError> {
        let mut values = Vec::new();
        if line.starts_with("%") {
            values.push(Self::value(line)?);
            while line.eat(",") {
                values.push(Self::value(line)?);
            }
        }
        Ok(values)
    }

    fn definition(&mut self, line: &mut Cursor<'a>) -> Result<Value, ParseError> {
        let start = *line;
        let number = line.handle("%")?;
        line.expect(":")?;
        let width = line.width()?;
        if self.widths.insert(number, width).is_some() {
            return start.fail("a value that is not defined before");
        }
        if self.greatest.is_none_or(|(greatest, _)| greatest < number) {
            self.greatest = Some((number, start));
        }
        Ok(Value(number))
    }

    fn results(&mut self, line: &mut Cursor<'a>) -> Result<Vec<Value>, ParseError> {
        if !line.eat("->") {
            return Ok(Vec::new());
        }
        line.expect("(")?;
        self.list(line, ")", |reader, line| reader.definition(line))
    }

    /// Parameters with their first values.
    fn params(&mut self, line: &mut Cursor<'a>) -> Result<(Vec<Value>, Vec<Value>), ParseError> {
        if !line.eat("(") {
            return Ok((Vec::new(), Vec::new()));
        }
        let pairs = self.list(line, ")", |reader, line| {
            let param = reader.definition(line)?;
            line.expect("=")?;
            Ok((param, Self::value(line)?))
        })?;
        Ok(pairs.into_iter().unzip())
    }

    fn label(line: &mut Cursor<'a>) -> Result<Label, ParseError> {
        line.handle("@").map(Label)
    }

    fn origin(line: &mut Cursor<'a>) -> Result<Origin, ParseError> {
        if !line.eat("!") {
            return Ok(Origin::NONE);
        }
        let number = line.number32()?;
        let column = if line.eat(":") { line.number32()? } else { 0 };
        let component = if line.starts_with(".") { line.component()? } else { 0 };
        line.skip_blanks();
        Ok(Origin { line: number, column, component })
    }

    /// Nodes up to the line that begins with a closing brace, and what stands behind that brace.
    fn region(&mut self) -> Result<(Region, Cursor<'a>), ParseError> {
        let mut nodes = Vec::new();
        loop {
            let Some(mut line) = self.lines.next() else { return Err(self.lines.end("`}`")) };
            if line.eat("}") {
                return Ok((nodes, line));
            }
            nodes.push(self.node(line)?);
        }
    }

    /// A region that opens on this line, and what stands behind its end.
    fn inner(&mut self, mut line: Cursor<'a>) -> Result<(Region, Cursor<'a>), ParseError> {
        let start = line;
        line.expect("{")?;
        line.end()?;
        if self.depth >= MAX_NESTING {
            return Err(start.error_about(format_args!("constructs nested at most {MAX_NESTING} deep"), "one deeper"));
        }
        self.depth += 1;
        let region = self.region();
        self.depth -= 1;
        region
    }

    /// A region that opens on this line and ends on a line of its own.
    fn body(&mut self, line: Cursor<'a>) -> Result<Region, ParseError> {
        let (region, close) = self.inner(line)?;
        close.end()?;
        Ok(region)
    }

    fn node(&mut self, mut line: Cursor<'a>) -> Result<Node, ParseError> {
        let start = line;
        match line.word() {
            "block" => {
                let label = Self::label(&mut line)?;
                // Results are defined on the line, but only visible behind the construct.
                let results = self.results(&mut line)?;
                Ok(Node::Block { label, results, body: self.body(line)? })
            }
            "if" => {
                let (label, condition) = (Self::label(&mut line)?, Self::value(&mut line)?);
                let (results, origin) = (self.results(&mut line)?, Self::origin(&mut line)?);
                let (then, mut close) = self.inner(line)?;
                close.expect("else")?;
                Ok(Node::If { label, condition, results, then, otherwise: self.body(close)?, origin })
            }
            "switch" => {
                let (label, selector) = (Self::label(&mut line)?, Self::value(&mut line)?);
                let (results, origin) = (self.results(&mut line)?, Self::origin(&mut line)?);
                Ok(Node::Switch { label, selector, results, arms: self.arms(line)?, origin })
            }
            "loop" => {
                let label = Self::label(&mut line)?;
                let (params, initial) = self.params(&mut line)?;
                let origin = Self::origin(&mut line)?;
                Ok(Node::Loop { label, initial, params, body: self.body(line)?, origin })
            }
            "br" => {
                let target = Self::label(&mut line)?;
                let values = if line.eat("(") { self.list(&mut line, ")", |_, line| Self::value(line))? } else { Vec::new() };
                line.end()?;
                Ok(Node::Br { target, values })
            }
            "return" => {
                let values = self.values(&mut line)?;
                line.end()?;
                Ok(Node::Return { values })
            }
            "unreachable" => {
                line.end()?;
                Ok(Node::Unreachable)
            }
            _ => self.instruction(start).map(Node::Op),
        }
    }

    fn arms(&mut self, mut line: Cursor<'a>) -> Result<Vec<Arm>, ParseError> {
        line.expect("{")?;
        line.end()?;
        let mut arms = Vec::new();
        loop {
            let Some(mut line) = self.lines.next() else { return Err(self.lines.end("`}`")) };
            if line.eat("}") {
                line.end()?;
                return Ok(arms);
            }
            line.expect("case")?;
            let label = Self::label(&mut line)?;
            let (mut selectors, mut is_default) = (Vec::new(), false);
            while !line.starts_with("(") && !line.starts_with("{") {
                if !is_default && line.eat("default") {
                    is_default = true;
                } else {
                    selectors.push(line.number32()?);
                    line.skip_blanks();
                }
                if !line.eat(",") {
                    break;
                }
            }
            let (params, initial) = self.params(&mut line)?;
            arms.push(Arm { label, selectors, is_default, initial, params, body: self.body(line)? });
        }
    }

    fn instruction(&mut self, mut line: Cursor<'a>) -> Result<Instruction, ParseError> {
        let mut results = Vec::new();
        if line.starts_with("%") {
            results = self.list(&mut line, "=", |reader, line| reader.definition(line))?;
        }
        let Some((op, width)) = words::operation(line.peek()) else {
            return line.fail("an operation, a construct or a branch");
        };
        let name = line.word();
        let mut attrs = Attrs::default();
        while attrs.rules.set_word(line.peek()) {
            line.word();
        }
        attrs.target = Self::target(&mut line, op.row().target)?;
        let operands = line;
        let args = self.values(&mut line)?;
        if let Some(width) = width
            && let Some(found) = args.first().and_then(|arg| self.widths.get(&arg.0)).filter(|found| **found != width)
        {
            let expected = format_args!("an operand of {} bits for {name}", width.bits()).to_string();
            return Err(operands.error_about(expected, format_args!("{} of {} bits", args[0], found.bits())));
        }
        let bracket = line;
        if line.eat("[") {
            let mut found = Vec::new();
            while !line.eat("]") {
                match line.word() {
                    "" => return line.fail("`]`"),
                    word => found.push(word),
                }
            }
            attrs.detail =
                words::detail(op.row().detail, &found).ok_or_else(|| bracket.error(format_args!("a detail of {name}")))?;
        }
        let origin = Self::origin(&mut line)?;
        line.end()?;
        Ok(Instruction { op, attrs, args, results, origin })
    }

    fn target(line: &mut Cursor<'a>, kind: TargetKind) -> Result<Target, ParseError> {
        Ok(match kind {
            TargetKind::Nothing => Target::None,
            TargetKind::Bits => {
                let bits = line.number()?;
                line.skip_blanks();
                Target::Bits(bits)
            }
            TargetKind::Input => Target::Input(InputId(line.handle("in")?), line.component()?),
            TargetKind::Output => Target::Output(OutputId(line.handle("out")?), line.component()?),
            TargetKind::Array => Target::Array(ArrayId(line.handle("array")?)),
            TargetKind::Shared => Target::Shared(SharedId(line.handle("shared")?)),
            TargetKind::Resource => Target::Resource(ResourceId(line.handle("res")?)),
            TargetKind::Sampled => Target::Sampled(ResourceId(line.handle("res")?), SamplerId(line.handle("samp")?)),
            TargetKind::Function => Target::Function(FunctionId(line.handle("fn")?)),
        })
    }
}
