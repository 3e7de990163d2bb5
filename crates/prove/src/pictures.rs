//! What a comparison looks like, cell by cell: the verdict and distance of each word of each output, lane by lane or along a memory, and how
//! each lane fares at the operation where the programs part. It is kept within [`CELLS`] and [`WORDS`] whatever is compared.

use crate::bind::{Binding, resource_names};
use crate::compare::{Difference, Distance, Place, Verdict};
use crate::locate::{Example, LanePart};
use gpuproof_program::{OutputId, Program, ResourceId};
use gpuproof_run::{Binding as Bound, Case, Launch, Writers};
use std::collections::BTreeMap;

/// Cells of all pictures together; of larger cases the first cells are kept.
pub const CELLS: usize = 1 << 19;

/// Words that differ, or lanes that part, of which bits are kept.
pub const WORDS: usize = 1 << 14;

/// The pictures of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pictures {
    /// By case, in order of their numbers.
    pub cases: Vec<CasePicture>,
}

/// The pictures of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct CasePicture {
    /// The case's number.
    pub case: u32,
    /// How its lanes lie.
    pub shape: LaneShape,
    /// One for each output that was compared.
    pub planes: Vec<Plane>,
    /// How the lanes fare where the programs part; none where that was not followed.
    pub parting: Option<PartingPlane>,
}

/// How the lanes of a case lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneShape {
    /// One after another.
    Vertices,
    /// In quads: upper left, upper right, lower left, lower right.
    Quads,
    /// Thread groups, x first, and in each its threads, x first.
    Groups {
        /// Groups in x, y and z.
        count: [u32; 3],
        /// Threads of each in x, y and z.
        size: [u32; 3],
    },
}

/// The words of one output in one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// The output, as the census names it.
    pub output: String,
    /// What a cell is.
    pub kind: PlaneKind,
    /// The cells in order.
    pub runs: Vec<Run>,
    /// Cells behind those that were kept.
    pub left_out: u64,
    /// Some of the words that differ: cell, the original's bits, the port's.
    pub words: Vec<(u32, u32, u32)>,
}

/// What a cell of a plane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaneKind {
    /// A lane.
    Lanes,
    /// A lane; it stands for the worst of the words of a memory that it wrote last.
    Writers,
    /// A 32-bit word of a buffer or of a level of a texture.
    Words {
        /// The element of the binding array.
        element: u32,
        /// The mip level; 0 for buffers.
        level: u32,
        /// Words of a row: of a texture those of a row of texels; 0 where there are no rows.
        row: u32,
    },
}

/// Cells alike, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many.
    pub count: u32,
    /// What they are.
    pub cell: Cell,
}

/// A word as a picture shows it, better before worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Neither program wrote it.
    Empty,
    /// Compared, and the same.
    Same,
    /// Not the same.
    Open(Verdict, Distance),
}

/// How lanes fare where the programs part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartingPlane {
    /// The lanes in order, as counts of lanes alike.
    pub runs: Vec<(u32, LanePart)>,
    /// Lanes behind those that were kept.
    pub left_out: u64,
    /// Values of the first lanes whose results do not agree.
    pub values: Vec<Example>,
}

/// A plane's place in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Live,
    Output(OutputId, u8),
    Memory(ResourceId, u32, u32),
    Counter(u32),
}

/// The plane and cell of a place.
fn cell_of(place: Place) -> (Key, usize) {
    match place {
        Place::Live { lane } => (Key::Live, lane as usize),
        Place::Output { lane, original: (id, component), .. } => (Key::Output(id, component), lane as usize),
        Place::Memory { resource, element, level, original, .. } => {
            (Key::Memory(resource, element, level), original as usize / 4)
        }
        Place::Counter { index } => (Key::Counter(index), 0),
    }
}

#[derive(Debug, Default)]
struct Canvas {
    output: String,
    row: u32,
    /// For each cell one more than the lane that wrote it, 0 for none; empty where that is not known.
    writers: Vec<u32>,
    cells: Vec<Option<Cell>>,
    left_out: u64,
    words: Vec<(u32, u32, u32)>,
}

/// Makes the pictures of a comparison as its cases go by.
#[derive(Debug)]
pub(crate) struct Painter {
    cells: usize,
    words: usize,
    cases: BTreeMap<u32, (LaneShape, BTreeMap<Key, Canvas>)>,
    /// With the lanes of each so far.
    partings: BTreeMap<u32, (usize, PartingPlane)>,
}

impl Painter {
    /// For a comparison of so many cases.
    pub(crate) fn new(cases: usize) -> Painter {
        let cases = cases.max(1);
        Painter { cells: CELLS / cases, words: WORDS / cases, cases: BTreeMap::new(), partings: BTreeMap::new() }
    }

    /// Begins the picture of a case of the original, which replaces one that was begun before.
    pub(crate) fn begin(&mut self, number: u32, original: &Program, case: &Case) {
        let shape = match &case.launch {
            Launch::Vertices { .. } => LaneShape::Vertices,
            Launch::Pixels { .. } => LaneShape::Quads,
            Launch::Groups { count } => LaneShape::Groups { count: *count, size: original.group_size },
        };
        self.cases.insert(number, (shape, BTreeMap::new()));
    }

    /// Paints a word.
    pub(crate) fn paint(&mut self, number: u32, place: Place, cell: Cell) {
        let Some((_, canvases)) = self.cases.get_mut(&number) else { return };
        let (key, at) = cell_of(place);
        let canvas = canvases.entry(key).or_default();
        if at >= self.cells {
            canvas.left_out = canvas.left_out.max((at + 1 - self.cells) as u64);
            return;
        }
        if canvas.cells.len() <= at {
            canvas.cells.resize(at + 1, None);
        }
        canvas.cells[at] = Some(cell);
    }

    /// Paints a word that is not the same and keeps its bits.
    pub(crate) fn difference(&mut self, number: u32, difference: &Difference, verdict: Verdict) {
        self.paint(number, difference.place, Cell::Open(verdict, difference.distance()));
        let Some((_, canvases)) = self.cases.get_mut(&number) else { return };
        let (key, at) = cell_of(difference.place);
        if let Some(canvas) = canvases.get_mut(&key)
            && at < self.cells
            && canvas.words.len() < self.words
        {
            canvas.words.push((at as u32, difference.original, difference.port));
        }
    }

    /// Paints a word of a case that has ended another way; what was not kept stays so.
    pub(crate) fn repaint(&mut self, number: u32, difference: &Difference, verdict: Verdict) {
        let (key, at) = cell_of(difference.place);
        let canvas = self.cases.get_mut(&number).and_then(|(_, canvases)| canvases.get_mut(&key));
        if let Some(cell) = canvas.and_then(|canvas| canvas.cells.get_mut(at)) {
            *cell = Some(Cell::Open(verdict, difference.distance()));
        }
    }

    /// Ends the picture of a case: names its planes and gives each its share of what may be kept. `writers` are those of the original's outcome.
    pub(crate) fn end(&mut self, number: u32, (original, binding): (&Program, &Binding), case: &Case, writers: &[Vec<Writers>]) {
        let Some((_, canvases)) = self.cases.get_mut(&number) else { return };
        let share = canvases.len().max(1);
        for (key, canvas) in canvases {
            canvas.output = name(*key, original, binding);
            if let Key::Memory(resource, element, level) = *key {
                canvas.row = row(case, resource, element, level);
                let writers = writers.get(resource.index()).and_then(|elements| elements.get(element as usize));
                if let (Some(writers), 0) = (writers, level) {
                    let bytes = if writers.bytes == 0 { texel_bytes(case, resource, element) } else { writers.bytes as usize };
                    let writer = |cell| writers.lanes.get(cell * 4 / bytes.max(1)).copied().unwrap_or(0);
                    canvas.writers = (0..canvas.cells.len()).map(writer).collect();
                }
            }
            if canvas.cells.len() > self.cells / share {
                canvas.left_out += (canvas.cells.len() - self.cells / share) as u64;
                canvas.cells.truncate(self.cells / share);
                canvas.cells.shrink_to_fit();
            }
            canvas.words.truncate(self.words / share);
            canvas.words.shrink_to_fit();
        }
    }

    /// Adds how the next lane of a case fares where the programs part.
    pub(crate) fn part(&mut self, number: u32, part: LanePart, example: &dyn Fn() -> Example) {
        let (lanes, plane) = self.partings.entry(number).or_default();
        *lanes += 1;
        if *lanes > self.cells {
            plane.left_out += 1;
            return;
        }
        match plane.runs.last_mut() {
            Some((count, last)) if *last == part => *count += 1,
            _ => plane.runs.push((1, part)),
        }
        if matches!(part, LanePart::Results | LanePart::Inputs) && plane.values.len() < self.words / 4 {
            plane.values.push(example());
        }
    }

    /// All pictures.
    pub(crate) fn finish(mut self) -> Pictures {
        let cases = self.cases.into_iter().map(|(case, (shape, canvases))| CasePicture {
            case,
            shape,
            planes: planes(canvases, self.cells),
            parting: self.partings.remove(&case).map(|parting| parting.1),
        });
        Pictures { cases: cases.collect() }
    }
}

fn planes(canvases: BTreeMap<Key, Canvas>, most: usize) -> Vec<Plane> {
    let mut planes = Vec::new();
    for (key, canvas) in canvases {
        planes.extend(by_lane(&canvas, most));
        planes.push(plane(key, canvas));
    }
    planes
}

/// The lanes that wrote a memory, each with the worst that was said of a word that it wrote last.
fn by_lane(canvas: &Canvas, most: usize) -> Option<Plane> {
    let lanes = canvas.writers.iter().max().copied().filter(|lanes| *lanes > 0)? as usize;
    let mut cells = vec![None; lanes.min(most)];
    for (cell, writer) in canvas.cells.iter().zip(&canvas.writers) {
        if let Some(lane) = writer.checked_sub(1).and_then(|lane| cells.get_mut(lane as usize)) {
            *lane = (*lane).max(*cell);
        }
    }
    let left_out = lanes.saturating_sub(most) as u64;
    Some(Plane { output: canvas.output.clone(), kind: PlaneKind::Writers, runs: runs(cells), left_out, words: Vec::new() })
}

fn runs(cells: Vec<Option<Cell>>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for cell in cells {
        let cell = cell.unwrap_or(Cell::Empty);
        match runs.last_mut() {
            Some(run) if run.cell == cell => run.count += 1,
            _ => runs.push(Run { count: 1, cell }),
        }
    }
    runs
}

fn plane(key: Key, canvas: Canvas) -> Plane {
    let kind = match key {
        Key::Live | Key::Output(..) => PlaneKind::Lanes,
        Key::Memory(_, element, level) => PlaneKind::Words { element, level, row: canvas.row },
        Key::Counter(_) => PlaneKind::Words { element: 0, level: 0, row: 0 },
    };
    Plane { output: canvas.output, kind, runs: runs(canvas.cells), left_out: canvas.left_out, words: canvas.words }
}

fn name(key: Key, original: &Program, binding: &Binding) -> String {
    match key {
        Key::Live => Place::Live { lane: 0 }.output(original, binding),
        Key::Output(id, component) => crate::bind::output_place(original, id, component),
        Key::Memory(resource, ..) => resource_names(&original.interface)[resource.index()].clone(),
        Key::Counter(index) => Place::Counter { index }.output(original, binding),
    }
}

/// The words of a row of texels; 0 for buffers, and where a row is no whole number of words.
fn row(case: &Case, resource: ResourceId, element: u32, level: u32) -> u32 {
    let bound = case.resources.get(resource.index()).and_then(|bound| bound.get(element as usize));
    let Some(Bound::Texture(texture)) = bound else { return 0 };
    let width = (texture.size[0] >> level.min(31)).max(1) as usize;
    let bytes = width * texel_bytes(case, resource, element);
    if bytes.is_multiple_of(4) { (bytes / 4) as u32 } else { 0 }
}

/// The bytes of a texel; 0 where there are none.
fn texel_bytes(case: &Case, resource: ResourceId, element: u32) -> usize {
    let format = match case.resources.get(resource.index()).and_then(|bound| bound.get(element as usize)) {
        Some(Bound::Texture(texture)) => Some(texture.format),
        Some(Bound::Buffer(buffer)) => buffer.format,
        _ => None,
    };
    format.and_then(|format| gpuproof_number::format::Format::from_dxgi(format.0)).map_or(0, |format| format.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_large_cases_the_first_cells_are_kept_and_the_rest_is_counted() {
        let mut painter = Painter { cells: 4, words: 2, cases: BTreeMap::new(), partings: BTreeMap::new() };
        painter.cases.insert(0, (LaneShape::Vertices, BTreeMap::new()));
        for lane in [0, 1, 3, 9] {
            painter.paint(0, Place::Live { lane }, Cell::Same);
        }
        let difference = Difference {
            place: Place::Live { lane: 3 },
            original: 0,
            port: 1,
            float: false,
            number: false,
            written: true,
            port_written: true,
        };
        painter.difference(0, &difference, Verdict::Different);
        for part in [LanePart::Agree, LanePart::Agree, LanePart::Results] {
            painter.part(0, part, &Example::default);
        }
        let pictures = painter.finish();
        let plane = &pictures.cases[0].planes[0];
        let cells: Vec<(u32, Cell)> = plane.runs.iter().map(|run| (run.count, run.cell)).collect();
        let open = Cell::Open(Verdict::Different, Distance::None);
        // By hand: lanes 0 and 1 are the same, 2 was never painted, 3 was painted over; lanes 4 to 9 are beyond the four that are kept.
        assert_eq!(cells, [(2, Cell::Same), (1, Cell::Empty), (1, open)]);
        assert_eq!((plane.left_out, &plane.words[..]), (6, &[(3, 0, 1)][..]));
        let parting = pictures.cases[0].parting.as_ref().expect("the parting's lanes");
        assert_eq!(parting.runs, [(2, LanePart::Agree), (1, LanePart::Results)]);
    }

    #[test]
    fn a_lane_stands_for_the_worst_of_its_words() {
        let different = Cell::Open(Verdict::Different, Distance::Ulps(3));
        let canvas = Canvas {
            cells: vec![Some(Cell::Same), Some(different), None, Some(Cell::Same)],
            writers: vec![1, 1, 2, 4],
            ..Canvas::default()
        };
        let plane = by_lane(&canvas, 16).expect("lanes");
        let cells: Vec<(u32, Cell)> = plane.runs.iter().map(|run| (run.count, run.cell)).collect();
        // By hand: lane 0 wrote the first two words, lane 1 one that was not compared, lane 3 the last.
        assert_eq!(cells, [(1, different), (2, Cell::Empty), (1, Cell::Same)]);
    }
}
