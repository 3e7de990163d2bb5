//! Who touched each word of a memory last, to find races.
//!
//! A race is two different lanes on one place with no barrier between, at least one of them writing and not both atomic, unless both store equal bits. A barrier is
//! between lanes of one group only; it begins a new epoch of the group.

/// The lane that touches a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Toucher {
    /// Its number.
    pub(super) lane: u32,
    /// The number of the first lane of its group.
    pub(super) first: u32,
    /// The epoch of its group.
    pub(super) epoch: u32,
    /// The site of its operation.
    pub(super) site: u32,
}

/// The other lane of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Other {
    /// Its number.
    pub(super) lane: u32,
    /// The site of its operation.
    pub(super) site: u32,
}

/// How a place is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// A plain load.
    Load,
    /// A plain store; whether it leaves the bits as they are.
    Store {
        /// Whether the place held these bits already.
        same: bool,
    },
    /// An atomic that writes.
    Atomic,
    /// An atomic that only reads.
    AtomicLoad,
}

/// Who touched a place last. Lanes are one more than their numbers, 0 for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    lane: u32,
    /// A different lane that no barrier parts from `lane`: one of another group, if there was any.
    other: u32,
    /// The epoch of `lane`'s group.
    epoch: u32,
    /// The sites of what `lane` and `other` did.
    site: u32,
    other_site: u32,
    /// Whether these and all before them that no barrier parts were atomics.
    atomic: bool,
}

impl Last {
    /// A lane among these that no barrier parts from this one and that is another, 0 if there is none, and the site of what it did.
    #[inline]
    fn concurrent(&self, who: Toucher, threads: u32) -> (u32, u32) {
        let (last, other) = ((self.lane, self.site), (self.other, self.other_site));
        let is_of_other_group = |lane: u32| lane != 0 && (lane - 1).wrapping_sub(who.first) >= threads;
        // Those of other groups first, which no later barrier parts either.
        if is_of_other_group(self.other) {
            other
        } else if is_of_other_group(self.lane) {
            last
        } else if self.epoch != who.epoch {
            (0, 0)
        } else if self.lane != who.lane + 1 {
            last
        } else {
            other
        }
    }

    /// Is followed by this lane; `concurrent` as above.
    #[inline]
    fn follow(&mut self, who: Toucher, (concurrent, other_site): (u32, u32), atomic: bool) {
        let is_first = concurrent == 0 && (self.lane != who.lane + 1 || self.epoch != who.epoch);
        let atomic = atomic && (is_first || self.atomic);
        *self = Last { lane: who.lane + 1, other: concurrent, epoch: who.epoch, site: who.site, other_site, atomic };
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writer: Last,
    reader: Last,
}

const PAGE: usize = 256;

/// Apart, so that the stack of what touches a place stays small.
#[cold]
#[inline(never)]
fn new_page() -> Box<[Cell; PAGE]> {
    Box::new([Cell::default(); PAGE])
}

/// The shadow of one memory.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Box<[Cell; PAGE]>>>,
    /// Lanes of a group.
    threads: u32,
}

impl Shadow {
    /// Bytes that the shadow of so many places takes at most.
    pub(super) fn bytes(places: u64) -> u64 {
        places.saturating_mul(size_of::<Cell>() as u64)
    }

    /// The shadow of a memory of so many places, for groups of so many lanes.
    pub(super) fn new(places: usize, threads: u32) -> Shadow {
        let mut pages = Vec::new();
        pages.resize_with(places.div_ceil(PAGE), || None);
        Shadow { pages, threads: threads.max(1) }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.pages.iter_mut().flatten().for_each(|page| page.fill(Cell::default()));
    }

    /// For each place one more than the lane that wrote last, 0 for none; only those up to the last that was touched.
    pub(super) fn writers(&self) -> Vec<u32> {
        let used = self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let page = |page: &Option<Box<[Cell; PAGE]>>| match page {
            Some(cells) => cells.map(|cell| cell.writer.lane),
            None => [0; PAGE],
        };
        self.pages[..used].iter().flat_map(page).collect()
    }

    /// A place is touched. Gives the other lane of a race.
    #[inline]
    pub(super) fn touch(&mut self, place: usize, who: Toucher, touch: Touch) -> Option<Other> {
        let threads = self.threads;
        let page = self.pages.get_mut(place / PAGE)?.get_or_insert_with(new_page);
        let cell = &mut page[place % PAGE];
        let atomic = matches!(touch, Touch::Atomic | Touch::AtomicLoad);
        let (writer, reader) = (cell.writer.concurrent(who, threads), cell.reader.concurrent(who, threads));
        let race = |(lane, site): (u32, u32), other_is_atomic: bool| {
            let lane = if atomic && other_is_atomic { None } else { lane.checked_sub(1) };
            lane.map(|lane| Other { lane, site })
        };
        let by_writer = race(writer, cell.writer.atomic);
        match touch {
            Touch::Load | Touch::AtomicLoad => {
                cell.reader.follow(who, reader, atomic);
                by_writer
            }
            Touch::Store { .. } | Touch::Atomic => {
                let by_writer = by_writer.filter(|_| touch != Touch::Store { same: true });
                let by_reader = race(reader, cell.reader.atomic);
                // What was read before stays for later writers.
                cell.writer.follow(who, writer, atomic);
                by_writer.or(by_reader)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane `lane` of groups of four.
    fn who(lane: u32, epoch: u32) -> Toucher {
        Toucher { lane, first: lane / 4 * 4, epoch, site: 10 + lane }
    }

    const STORE: Touch = Touch::Store { same: false };

    /// By the definition above: touches in order, each with the other lane of its race.
    fn check(touches: &[(u32, u32, Touch, Option<u32>)]) {
        let mut shadow = Shadow::new(1, 4);
        for (at, (lane, epoch, touch, expected)) in touches.iter().enumerate() {
            let expected = expected.map(|lane| Other { lane, site: 10 + lane });
            assert_eq!(shadow.touch(0, who(*lane, *epoch), *touch), expected, "touch {at} of {touches:?}");
        }
    }

    #[test]
    fn no_lane_races_with_itself() {
        check(&[(1, 0, STORE, None), (1, 0, Touch::Load, None), (1, 0, STORE, None), (1, 0, Touch::Atomic, None)]);
        // Asked again about the same touch, it is the other lane still.
        check(&[(1, 0, STORE, None), (2, 0, STORE, Some(1)), (2, 0, STORE, Some(1)), (2, 0, Touch::Load, Some(1))]);
        check(&[(1, 0, Touch::Load, None), (2, 0, Touch::Load, None), (2, 0, STORE, Some(1)), (1, 0, STORE, Some(2))]);
    }

    #[test]
    fn barriers_part_the_lanes_of_a_group_only() {
        check(&[(1, 0, STORE, None), (2, 1, Touch::Load, None), (1, 2, STORE, None), (1, 2, Touch::Load, None)]);
        check(&[(1, 0, STORE, None), (5, 3, Touch::Load, Some(1)), (5, 4, Touch::Load, Some(1))]);
        // Of two lanes that stored, one is of the other group: no barrier parts that.
        check(&[(1, 0, STORE, None), (5, 0, STORE, Some(1)), (6, 1, STORE, Some(1)), (6, 2, Touch::Load, Some(1))]);
        check(&[(1, 0, STORE, None), (5, 0, STORE, Some(1)), (2, 1, Touch::Load, Some(5))]);
        // Both stored before the barrier.
        check(&[(1, 0, STORE, None), (2, 0, STORE, Some(1)), (2, 1, Touch::Load, None), (1, 1, Touch::Load, None)]);
    }

    #[test]
    fn atomics_race_with_plain_touches_only() {
        check(&[
            (1, 0, Touch::Atomic, None),
            (2, 0, Touch::Atomic, None),
            (3, 0, Touch::AtomicLoad, None),
            (0, 0, Touch::Load, Some(2)),
        ]);
        // The first lane stored before its atomic.
        check(&[(1, 0, STORE, None), (1, 0, Touch::Atomic, None), (2, 0, Touch::Atomic, Some(1))]);
        check(&[(1, 0, STORE, None), (1, 1, Touch::Atomic, None), (2, 1, Touch::Atomic, None)]);
        // Equal bits are no race between stores.
        check(&[(1, 0, STORE, None), (2, 0, Touch::Store { same: true }, None), (3, 0, Touch::Atomic, Some(2))]);
    }
}
