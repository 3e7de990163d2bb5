//! Registers as rows of lanes, and the operations on whole rows.
//!
//! A row holds one 32-bit register of every lane of a batch, in chunks of 16 lanes; a constant is one chunk, read again for each. The
//! operations ([`Kernel`]) are compiled once for each instruction set and chosen when the program starts, since a build for the lowest
//! processor would leave most of the machine idle. They use no fused or approximate instruction, so the bits are the same from each.
//!
//! This module alone of the crate is `unsafe`, for two reasons: functions with `target_feature` may only be called where the processor has
//! the feature, which [`Isa`] makes sure of; and rows are reached by pointer because an operation's result row may be one of its operands' rows.
//! All row numbers are checked against the number of rows before a pointer is made.
#![allow(unsafe_code)]

mod functions;
mod kernels;
mod masks;
mod nvidia;

use gpuproof_number::machine::Machine;

pub use kernels::Kernel;

/// Lanes of a chunk.
pub const CHUNK: usize = 16;

/// 16 lanes of a row.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Chunk([u32; CHUNK]);

/// Which instruction set the row operations are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// Every instruction set that this processor has, the widest last.
    pub fn available() -> Vec<Isa> {
        let mut kinds = vec![Isa(Kind::Baseline)];
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if has_avx2 {
                kinds.push(Isa(Kind::Avx2));
            }
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512cd")
                && has_avx2;
            if has_avx512 {
                kinds.push(Isa(Kind::Avx512));
            }
        }
        kinds
    }

    /// The widest instruction set that this processor has.
    pub fn best() -> Isa {
        Isa::available().pop().unwrap_or(Isa(Kind::Baseline))
    }
}

/// A row, or a constant that stands for a row of itself. Of a 64-bit value this is the low half; the high half is the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand(u32);

const CONSTANT: u32 = 1 << 31;

impl Operand {
    /// The row of a register.
    pub fn register(number: u32) -> Operand {
        debug_assert!(number < CONSTANT);
        Operand(number)
    }

    /// A constant of the pool.
    pub fn constant(number: u32) -> Operand {
        Operand(number | CONSTANT)
    }

    /// Whether it is a constant.
    pub fn is_constant(self) -> bool {
        self.0 & CONSTANT != 0
    }

    /// The number of the register or constant.
    pub fn number(self) -> u32 {
        self.0 & !CONSTANT
    }

    /// The high half of a 64-bit value.
    pub fn high(self) -> Operand {
        Operand(self.0 + 1)
    }
}

/// What a row operation works on: a result row and up to four operands (those that it lacks are ignored).
#[derive(Clone, Copy, Debug)]
pub struct Args {
    /// The result.
    pub to: Operand,
    /// The operands.
    pub from: [Operand; 4],
}

/// The registers of one batch.
pub struct Rows {
    data: Vec<Chunk>,
    constants: usize,
    registers: usize,
    /// Chunks of a row.
    chunks: usize,
    isa: Isa,
    machine: Machine,
}

/// Where an operand's chunks are: the first, and how far the next is.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    step: usize,
}

impl Rows {
    /// Bytes that so many constants and registers take for so many lanes.
    pub fn bytes(constants: usize, registers: usize, lanes: usize) -> u64 {
        (constants as u64 + registers as u64 * lanes.div_ceil(CHUNK) as u64) * size_of::<Chunk>() as u64
    }

    /// Rows of zeros for `lanes` lanes, with this constant pool; operations give the results of `machine`.
    pub fn new(constants: &[u32], registers: usize, lanes: usize, isa: Isa, machine: Machine) -> Rows {
        let chunks = lanes.div_ceil(CHUNK).max(1);
        let mut data = vec![Chunk([0; CHUNK]); constants.len() + registers * chunks];
        for (chunk, constant) in data.iter_mut().zip(constants) {
            *chunk = Chunk([*constant; CHUNK]);
        }
        Rows { data, constants: constants.len(), registers, chunks, isa, machine }
    }

    /// Lanes of a row: a whole number of chunks.
    pub fn lanes(&self) -> usize {
        self.chunks * CHUNK
    }

    #[inline]
    fn place(&self, operand: Operand) -> Place {
        let number = operand.number() as usize;
        if operand.is_constant() {
            assert!(number < self.constants, "a constant of the plan");
            Place { first: number, step: 0 }
        } else {
            assert!(number < self.registers, "a register of the plan");
            Place { first: self.constants + number * self.chunks, step: 1 }
        }
    }

    /// The bits of one lane.
    #[inline]
    pub fn get(&self, operand: Operand, lane: usize) -> u32 {
        let place = self.place(operand);
        self.data[place.first + place.step * (lane / CHUNK)].0[lane % CHUNK]
    }

    /// Sets one lane of a register.
    #[inline]
    pub fn set(&mut self, to: Operand, lane: usize, bits: u32) {
        debug_assert!(!to.is_constant());
        let place = self.place(to);
        self.data[place.first + lane / CHUNK].0[lane % CHUNK] = bits;
    }

    /// Sets a constant of the pool.
    pub fn set_constant(&mut self, to: Operand, bits: u32) {
        debug_assert!(to.is_constant());
        let place = self.place(to);
        self.data[place.first] = Chunk([bits; CHUNK]);
    }

    /// The bits of one lane of a 64-bit value.
    #[inline]
    pub fn get64(&self, operand: Operand, lane: usize) -> u64 {
        u64::from(self.get(operand, lane)) | u64::from(self.get(operand.high(), lane)) << 32
    }

    /// The words of a register.
    pub fn row(&self, register: Operand) -> &[u32] {
        debug_assert!(!register.is_constant());
        let place = self.place(register);
        let chunks = &self.data[place.first..place.first + self.chunks];
        // SAFETY: a chunk is 16 words without padding.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast::<u32>(), chunks.len() * CHUNK) }
    }

    /// The words of a register, to be written.
    pub fn row_mut(&mut self, register: Operand) -> &mut [u32] {
        debug_assert!(!register.is_constant());
        let place = self.place(register);
        let chunks = &mut self.data[place.first..place.first + self.chunks];
        // SAFETY: a chunk is 16 words without padding.
        unsafe { std::slice::from_raw_parts_mut(chunks.as_mut_ptr().cast::<u32>(), chunks.len() * CHUNK) }
    }

    /// Runs a row operation on all lanes.
    #[inline]
    pub fn apply(&mut self, kernel: Kernel, args: &Args) {
        assert!(!args.to.is_constant());
        let to = self.place(args.to);
        let from = args.from.map(|operand| self.place(operand));
        let call = Call {
            to: self.data.as_mut_ptr().wrapping_add(to.first),
            from: from.map(|place| self.data.as_ptr().wrapping_add(place.first)),
            step: from.map(|place| place.step),
            chunks: self.chunks,
        };
        // SAFETY: `place` has held all numbers to be of rows that exist, and `self.isa` is an instruction set that the processor has.
        unsafe { self.isa.function(kernel.on(self.machine))(&call) }
    }

    /// Copies a row, to all lanes.
    pub fn copy(&mut self, to: Operand, from: Operand) {
        self.apply(Kernel::Copy, &Args { to, from: [from; 4] });
    }
}

/// The pointers of one row operation.
struct Call {
    to: *mut Chunk,
    from: [*const Chunk; 4],
    step: [usize; 4],
    chunks: usize,
}

impl Call {
    #[inline(always)]
    unsafe fn read(&self, operand: usize, chunk: usize) -> [u32; CHUNK] {
        // SAFETY: the caller of the kernel has checked the rows; `chunk` is below `chunks`.
        unsafe { (*self.from[operand].add(self.step[operand] * chunk)).0 }
    }

    #[inline(always)]
    unsafe fn write(&self, chunk: usize, value: [u32; CHUNK]) {
        // SAFETY: as `read`.
        unsafe { (*self.to.add(chunk)).0 = value }
    }
}
