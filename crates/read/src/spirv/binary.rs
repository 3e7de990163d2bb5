//! From bytes to instructions, and each instruction's line of text.
//!
//! rspirv's parser holds every instruction to the grammar (operands, enumerants, word counts); what is kept of one is its operands as words. Of
//! `OpSpecConstantOp` rspirv takes no lists of literals, so it gets that instruction as a list of ids.

use super::error::Error;
use rspirv::binary::{Consumer, Disassemble, ParseAction, ParseState, Parser};
use rspirv::dr;
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{self, Op};
use std::collections::{HashMap, HashSet};

/// Modules of more words, or more instructions, are refused.
const MAX_WORDS: usize = 1 << 22;
const MAX_INSTRUCTIONS: usize = 1 << 20;
/// The ids of a module lie below this (the specification's universal limit is 2^22 - 1).
const MAX_BOUND: u32 = 1 << 22;
/// Names and strings are cut off at this many characters in the listing.
const MAX_TEXT: usize = 120;

/// One instruction.
#[derive(Clone, Debug)]
pub(super) struct Inst {
    pub(super) op: Op,
    pub(super) result_type: Option<u32>,
    pub(super) result: Option<u32>,
    /// What comes after the result.
    pub(super) operands: Vec<u32>,
    /// Its place in words from the start.
    pub(super) word: u32,
}

impl Inst {
    /// The operand at an index; 0, which is no id, where there is none.
    pub(super) fn at(&self, index: usize) -> u32 {
        self.operands.get(index).copied().unwrap_or(0)
    }

    /// The operands from an index on.
    pub(super) fn rest(&self, from: usize) -> &[u32] {
        self.operands.get(from..).unwrap_or(&[])
    }

    /// The string that starts at an operand, and the operand after it.
    pub(super) fn string(&self, from: usize) -> (String, usize) {
        let words = self.rest(from);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
        let after = from + bytes.len() / 4 + 1;
        (String::from_utf8_lossy(&bytes).into_owned(), after)
    }
}

/// A module's instructions.
#[derive(Debug)]
pub(super) struct Binary {
    pub(super) insts: Vec<Inst>,
    /// The text of each instruction.
    pub(super) lines: Vec<String>,
}

/// Whether bytes start as a module of either byte order does.
pub(super) fn is_module(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some([0x03, 0x02, 0x23, 0x07] | [0x07, 0x23, 0x02, 0x03]))
}

fn bad<T>(word: usize, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::BadInput { message: message.into(), instruction: String::new(), word: word as u32 })
}

/// The words of a module in the order of this machine.
fn words(bytes: &[u8]) -> Result<Vec<u32>, Error> {
    if !is_module(bytes) {
        return bad(0, "no SPIR-V module: the magic number 0x07230203 is missing");
    }
    if !bytes.len().is_multiple_of(4) {
        return bad(bytes.len() / 4, format!("the module has {} bytes, expected a multiple of 4", bytes.len()));
    }
    let swapped = bytes[0] == 0x07;
    let word = |four: &[u8]| {
        let four: [u8; 4] = [four[0], four[1], four[2], four[3]];
        if swapped { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
    };
    let words: Vec<u32> = bytes.chunks_exact(4).take(MAX_WORDS + 1).map(word).collect();
    if words.len() > MAX_WORDS {
        return Err(Error::Unsupported {
            what: format!("a module of more than {MAX_WORDS} words"),
            instruction: String::new(),
            word: 0,
        });
    }
    if words.len() < 5 {
        return bad(words.len(), format!("the header has {} words, expected 5", words.len()));
    }
    Ok(words)
}

/// Where a module at the start of these bytes ends, if one starts there and its header and word counts hold: the longest run of instructions up to the last
/// function's end.
pub(super) fn extent(bytes: &[u8]) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(4 * MAX_WORDS) / 4 * 4];
    let words = words(bytes).ok()?;
    if words[1] & 0xff00_00ff != 0 || words[1] >> 16 != 1 || !(1..=MAX_BOUND).contains(&words[3]) || words[4] != 0 {
        return None;
    }
    let (mut at, mut end, mut model) = (5, None, false);
    while let Some(word) = words.get(at) {
        let count = (word >> 16) as usize;
        if count == 0 || at + count > words.len() || Op::from_u32(word & 0xffff).is_none() {
            break;
        }
        at += count;
        match Op::from_u32(word & 0xffff) {
            Some(Op::MemoryModel) => model = true,
            Some(Op::FunctionEnd) if model => end = Some(at),
            _ => {}
        }
    }
    end.map(|end| 4 * end)
}

/// Splits a module into instructions that the grammar allows.
pub(super) fn parse(bytes: &[u8]) -> Result<Binary, Error> {
    let mut words = words(bytes)?;
    let (major, minor) = ((words[1] >> 16) as u8, (words[1] >> 8) as u8);
    if words[1] & 0xff00_00ff != 0 || major != 1 || minor > 6 {
        return bad(1, format!("version word {:#010x}, expected SPIR-V 1.0 to 1.6", words[1]));
    }
    let bound = words[3];
    if !(1..=MAX_BOUND).contains(&bound) {
        return bad(3, format!("ids are bounded by {bound}, expected 1 to {MAX_BOUND}"));
    }
    let (mut insts, mut at) = (Vec::new(), 5);
    while at < words.len() {
        let (count, code) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        if count == 0 || at + count > words.len() {
            return bad(at, format!("an instruction of {count} words, where {} are left", words.len() - at));
        }
        let Some(op) = Op::from_u32(code) else {
            return Err(Error::Unsupported { what: format!("the opcode {code}"), instruction: String::new(), word: at as u32 });
        };
        if insts.len() >= MAX_INSTRUCTIONS {
            let what = format!("a module of more than {MAX_INSTRUCTIONS} instructions");
            return Err(Error::Unsupported { what, instruction: String::new(), word: at as u32 });
        }
        insts.push(split(op, &words[at + 1..at + count], at as u32));
        if op == Op::SpecConstantOp {
            words[at] = (count as u32) << 16 | Op::ConstantComposite as u32;
        }
        at += count;
    }
    let plain: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut lines = Lines { insts: &insts, texts: Vec::new(), names: HashMap::new(), taken: HashSet::new() };
    let parsed = Parser::new(&plain, &mut lines).parse();
    let texts = lines.texts;
    if let Err(state) = parsed {
        let at = texts.len();
        let word = insts.get(at).map_or(0, |inst| inst.word);
        let name = insts.get(at).map_or_else(String::new, |inst| format!("Op{:?}", inst.op));
        return Err(match state {
            ParseState::OpcodeUnknown(..) => {
                Error::Unsupported { what: "an opcode outside the grammar".into(), instruction: name, word }
            }
            other => Error::BadInput { message: other.to_string(), instruction: name, word },
        });
    }
    for inst in &insts {
        for id in inst.result.iter().chain(&inst.result_type) {
            if *id == 0 || *id >= bound {
                let instruction = format!("Op{:?}", inst.op);
                let message = format!("the id {id} is not below the bound {bound}");
                return Err(Error::BadInput { message, instruction, word: inst.word });
            }
        }
    }
    Ok(Binary { insts, lines: texts })
}

/// Which of result type and result an opcode has.
fn shape(op: Op) -> (bool, bool) {
    let operands = INSTRUCTION_TABLE.get(op).operands;
    let has = |kind| operands.iter().take(2).any(|operand| operand.kind == kind);
    (has(OperandKind::IdResultType), has(OperandKind::IdResult))
}

fn split(op: Op, words: &[u32], word: u32) -> Inst {
    let (typed, named) = shape(op);
    let result_type = if typed { words.first().copied() } else { None };
    let result = if named { words.get(usize::from(typed)).copied() } else { None };
    let operands = words.get(usize::from(typed) + usize::from(named)..).unwrap_or(&[]).to_vec();
    Inst { op, result_type, result, operands, word }
}

/// Writes each instruction in the style of `spirv-dis`, ids by their names.
struct Lines<'a> {
    insts: &'a [Inst],
    texts: Vec<String>,
    names: HashMap<u32, String>,
    taken: HashSet<String>,
}

impl Lines<'_> {
    fn id(&self, id: u32) -> String {
        self.names.get(&id).map_or_else(|| format!("%{id}"), |name| format!("%{name}"))
    }

    fn name(&mut self, id: u32, name: &str) {
        let clean: String =
            name.chars().take(MAX_TEXT).map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect();
        if clean.is_empty() || clean.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        let clean = if self.taken.contains(&clean) { format!("{clean}_{id}") } else { clean };
        if self.taken.insert(clean.clone()) {
            self.names.insert(id, clean);
        }
    }

    fn operand(&self, operand: &dr::Operand) -> String {
        match operand {
            dr::Operand::IdRef(id) | dr::Operand::IdScope(id) | dr::Operand::IdMemorySemantics(id) => self.id(*id),
            dr::Operand::LiteralString(text) => {
                let cut: String = text.chars().take(MAX_TEXT).collect();
                format!("{cut:?}")
            }
            other => other.disassemble(),
        }
    }

    /// The operands of a specialization-constant operation, which rspirv has seen as ids alone.
    fn operation(&self, inst: &Inst) -> Vec<String> {
        let Some(op) = Op::from_u32(inst.at(0)) else { return vec![inst.at(0).to_string()] };
        let kinds = INSTRUCTION_TABLE.get(op).operands.iter().map(|operand| operand.kind);
        let mut kinds = kinds.filter(|kind| !matches!(kind, OperandKind::IdResultType | OperandKind::IdResult));
        let (mut texts, mut kind) = (vec![format!("{op:?}")], OperandKind::IdRef);
        for word in inst.rest(1) {
            kind = kinds.next().unwrap_or(kind);
            texts.push(if kind == OperandKind::IdRef { self.id(*word) } else { word.to_string() });
        }
        texts
    }
}

impl Consumer for Lines<'_> {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: dr::ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, parsed: dr::Instruction) -> ParseAction {
        let Some(inst) = self.insts.get(self.texts.len()) else { return ParseAction::Stop };
        if let (Op::Name, Some(dr::Operand::LiteralString(name))) = (inst.op, parsed.operands.get(1)) {
            let name = name.clone();
            self.name(inst.at(0), &name);
        }
        let mut text = String::new();
        if let Some(id) = inst.result {
            text = format!("{} = ", self.id(id));
        }
        text += &format!("Op{:?}", inst.op);
        if let Some(id) = inst.result_type {
            text += &format!(" {}", self.id(id));
        }
        let operands = match inst.op {
            Op::SpecConstantOp => self.operation(inst),
            Op::ExtInst => {
                let mut texts: Vec<String> = parsed.operands.iter().map(|operand| self.operand(operand)).collect();
                if let (Some(text), Some(name)) = (texts.get_mut(1), spirv::GlslStd450Op::from_u32(inst.at(1))) {
                    *text = format!("{name:?}");
                }
                texts
            }
            _ => parsed.operands.iter().map(|operand| self.operand(operand)).collect(),
        };
        for operand in operands {
            text.push(' ');
            text += &operand;
        }
        self.texts.push(text);
        ParseAction::Continue
    }
}
