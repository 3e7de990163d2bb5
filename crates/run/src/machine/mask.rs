//! Sets of lanes.

/// A set of the lanes of a batch: bit i of word i / 64 for lane i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mask(Vec<u64>);

impl Mask {
    /// No lane of so many.
    pub(super) fn none(lanes: usize) -> Mask {
        Mask(vec![0; lanes.div_ceil(64)])
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline]
    pub(super) fn contains(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(super) fn add(&mut self, other: &Mask) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn keep(&mut self, other: &Mask) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    pub(super) fn remove(&mut self, other: &Mask) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    pub(super) fn copy_from(&mut self, other: &Mask) {
        self.0.copy_from_slice(&other.0);
    }

    /// The lanes in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            std::iter::successors((*word != 0).then_some(*word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }

    /// The lanes of a stretch of up to 128, as bits.
    pub(super) fn stretch(&self, first: usize, count: usize) -> u128 {
        let word = |at: usize| u128::from(self.0.get(at).copied().unwrap_or(0));
        let (at, shift) = (first / 64, first % 64);
        let mut bits = (word(at) | word(at + 1) << 64) >> shift;
        if shift != 0 {
            bits |= word(at + 2) << (128 - shift);
        }
        bits & u128::MAX.checked_shr(128 - count.min(128) as u32).unwrap_or(0)
    }
}
