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

/// One who touched a place; `lane` is one more than its number, 0 for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    lane: u32,
    epoch: u32,
    atomic: bool,
    /// Other lanes too since the last barrier.
    many: bool,
    /// Lanes of several groups.
    spans: bool,
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

    /// A place is touched. Gives the other lane of a race.
    #[inline]
    pub(super) fn touch(&mut self, place: usize, who: Toucher, touch: Touch) -> Option<u32> {
        let threads = self.threads;
        let page = self.pages.get_mut(place / PAGE)?.get_or_insert_with(new_page);
        let cell = &mut page[place % PAGE];
        let is_of_other_group = |last: &Last| (last.lane - 1).wrapping_sub(who.first) >= threads;
        let concurrent = |last: &Last| {
            last.lane != 0
                && (last.lane != who.lane + 1 || last.many)
                && (last.epoch == who.epoch || last.spans || is_of_other_group(last))
        };
        let atomic = matches!(touch, Touch::Atomic | Touch::AtomicLoad);
        let by_writer = concurrent(&cell.writer) && !(atomic && cell.writer.atomic);
        let mark = |last: &mut Last, is_concurrent: bool| {
            let spans = is_concurrent && (last.spans || is_of_other_group(last));
            let atomic = atomic && (!is_concurrent || last.atomic);
            *last = Last { lane: who.lane + 1, epoch: who.epoch, atomic, many: is_concurrent, spans };
        };
        match touch {
            Touch::Load | Touch::AtomicLoad => {
                let other = by_writer.then(|| cell.writer.lane - 1);
                let shared = concurrent(&cell.reader);
                mark(&mut cell.reader, shared);
                other
            }
            Touch::Store { .. } | Touch::Atomic => {
                let same = touch == Touch::Store { same: true };
                let by_reader = concurrent(&cell.reader) && !(atomic && cell.reader.atomic);
                let other = match (by_writer && !same, by_reader) {
                    (true, _) => Some(cell.writer.lane - 1),
                    (false, true) => Some(cell.reader.lane - 1),
                    _ => None,
                };
                let shared = concurrent(&cell.writer);
                mark(&mut cell.writer, shared);
                // A lane's own read of its own cell is no other lane; what was read before the store stays for later writers.
                other
            }
        }
    }
}
