//! What goes by sets of lanes: copies of some lanes, truth values as sets, words of memory by a row of addresses.

use super::{CHUNK, Chunk, Isa, Kind, Operand, Rows};
use std::ops::Range;

/// Pointers to a target and a source row, how far the source's next chunk is, and how many chunks there are.
struct Pair {
    to: *mut Chunk,
    from: *const Chunk,
    step: usize,
    chunks: usize,
}

/// The 16 bits of a mask for a chunk.
#[inline(always)]
fn chunk_bits(mask: &[u64], chunk: usize) -> u32 {
    (mask[chunk / 4] >> (chunk % 4 * CHUNK)) as u32 & 0xffff
}

#[inline(always)]
unsafe fn copy_masked(pair: &Pair, mask: &[u64]) {
    for at in 0..pair.chunks {
        let bits = chunk_bits(mask, at);
        // SAFETY: the rows have been checked, and `at` is below `chunks`.
        let (source, target) = unsafe { ((*pair.from.add(pair.step * at)).0, &mut (*pair.to.add(at)).0) };
        let mut merged = *target;
        for lane in 0..CHUNK {
            merged[lane] = if bits & 1 << lane != 0 { source[lane] } else { merged[lane] };
        }
        *target = merged;
    }
}

#[inline(always)]
unsafe fn truth(pair: &Pair, out: &mut [u64], bits_of: impl Fn(*const Chunk) -> u32) {
    out.fill(0);
    for at in 0..pair.chunks {
        let bits = bits_of(pair.from.wrapping_add(pair.step * at));
        out[at / 4] |= u64::from(bits) << (at % 4 * CHUNK);
    }
}

/// The lanes of a chunk that are not zero. The compiler finds no good vector code for this, so the instruction sets have their own.
#[inline]
unsafe fn bits_baseline(chunk: *const Chunk) -> u32 {
    // SAFETY: the caller's promise of a chunk.
    let words = unsafe { (*chunk).0 };
    words.iter().enumerate().fold(0, |bits, (lane, word)| bits | u32::from(*word != 0) << lane)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn bits_avx2(chunk: *const Chunk) -> u32 {
    use std::arch::x86_64::{
        _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_load_si256, _mm256_movemask_ps, _mm256_setzero_si256,
    };
    let zeros = |half: usize| {
        // SAFETY: a chunk is two aligned vectors of eight words.
        let words = unsafe { _mm256_load_si256(chunk.cast::<std::arch::x86_64::__m256i>().add(half)) };
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(words, _mm256_setzero_si256()))) as u32
    };
    !(zeros(0) | zeros(1) << 8) & 0xffff
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn bits_avx512(chunk: *const Chunk) -> u32 {
    use std::arch::x86_64::{_mm512_load_si512, _mm512_test_epi32_mask};
    // SAFETY: a chunk is an aligned vector of sixteen words.
    let words = unsafe { _mm512_load_si512(chunk.cast()) };
    _mm512_test_epi32_mask(words, words).into()
}

macro_rules! sets {
    ($($set:ident $bits:ident [$($feature:tt)*];)*) => {$(
        mod $set {
            use super::Pair;
            $($feature)* pub(super) unsafe fn copy_masked(pair: &Pair, mask: &[u64]) {
                // SAFETY: the caller's promise.
                unsafe { super::copy_masked(pair, mask) }
            }
            $($feature)* pub(super) unsafe fn truth(pair: &Pair, out: &mut [u64]) {
                // SAFETY: the caller's promise of the row and of the processor.
                unsafe { super::truth(pair, out, |chunk| super::$bits(chunk)) }
            }
        }
    )*};
}

sets! { baseline bits_baseline []; }
#[cfg(target_arch = "x86_64")]
sets! {
    avx2 bits_avx2 [#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]];
    avx512 bits_avx512 [#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512cd,bmi1,bmi2,lzcnt,popcnt")]];
}

impl Isa {
    unsafe fn copy_masked(self, pair: &Pair, mask: &[u64]) {
        // SAFETY: an `Isa` is one that the processor has; the caller has checked the rows.
        unsafe {
            match self.0 {
                Kind::Baseline => baseline::copy_masked(pair, mask),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => avx2::copy_masked(pair, mask),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => avx512::copy_masked(pair, mask),
            }
        }
    }

    unsafe fn truth(self, pair: &Pair, out: &mut [u64]) {
        // SAFETY: as `copy_masked`.
        unsafe {
            match self.0 {
                Kind::Baseline => baseline::truth(pair, out),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => avx2::truth(pair, out),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => avx512::truth(pair, out),
            }
        }
    }
}

impl Rows {
    fn pair(&mut self, to: Operand, from: Operand) -> Pair {
        let (to, from) = (self.place(to), self.place(from));
        let data = self.data.as_mut_ptr();
        Pair { to: data.wrapping_add(to.first), from: data.wrapping_add(from.first), step: from.step, chunks: self.chunks }
    }

    /// Copies a row where a bit of the mask is set (bit i of word i / 64 for lane i).
    pub fn copy_masked(&mut self, to: Operand, from: Operand, mask: &[u64]) {
        assert!(!to.is_constant());
        let pair = self.pair(to, from);
        // SAFETY: the rows exist.
        unsafe { self.isa.copy_masked(&pair, mask) }
    }

    /// Sets bits of `out` where the row is not zero.
    pub fn truth(&mut self, operand: Operand, out: &mut [u64]) {
        let pair = self.pair(operand, operand);
        // SAFETY: the row exists.
        unsafe { self.isa.truth(&pair, out) }
    }

    /// Whether these lanes' addresses are all of aligned words inside so many bytes.
    fn are_words(&self, addresses: &[u32], bytes: usize) -> bool {
        let Some(last) = bytes.checked_sub(4) else { return addresses.is_empty() };
        let (mut most, mut odd) = (0, 0);
        for address in addresses {
            most = most.max(*address);
            odd |= address & 3;
        }
        odd == 0 && most as usize <= last
    }

    /// Loads a word of memory for each of the lanes, if all their addresses are of aligned words inside it; else does nothing and gives false.
    pub fn gather(&mut self, to: Operand, addresses: Operand, lanes: Range<usize>, memory: &[u8]) -> bool {
        if addresses.is_constant() || !self.are_words(&self.row(addresses)[lanes.clone()], memory.len()) {
            return false;
        }
        assert!(!to.is_constant());
        let pair = self.pair(to, addresses);
        let (to, from) = (pair.to.cast::<u32>().wrapping_add(lanes.start), pair.from.cast::<u32>().wrapping_add(lanes.start));
        for lane in 0..lanes.len() {
            // SAFETY: both stretches of rows have so many words, and each address has been held to leave four bytes of the memory. The
            // rows may be the same: each word is read before it is written.
            unsafe { *to.add(lane) = memory.as_ptr().add(*from.add(lane) as usize).cast::<u32>().read_unaligned().to_le() }
        }
        true
    }

    /// Stores a word to memory for each of the lanes in ascending order, if all their addresses are of aligned words inside it; else does nothing and gives false.
    pub fn scatter(&self, addresses: Operand, values: Operand, lanes: Range<usize>, memory: &mut [u8]) -> bool {
        if addresses.is_constant() || !self.are_words(&self.row(addresses)[lanes.clone()], memory.len()) {
            return false;
        }
        let addresses = &self.row(addresses)[lanes.clone()];
        let mut store = |address: u32, value: u32| {
            // SAFETY: each address has been held to leave four bytes of the memory, which is borrowed to be written.
            unsafe { memory.as_mut_ptr().add(address as usize).cast::<u32>().write_unaligned(value.to_le()) }
        };
        if values.is_constant() {
            let value = self.get(values, 0);
            addresses.iter().for_each(|address| store(*address, value));
        } else {
            addresses.iter().zip(&self.row(values)[lanes]).for_each(|(address, value)| store(*address, *value));
        }
        true
    }
}
