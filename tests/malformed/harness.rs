//! Gives hostile inputs to a reader and holds it to what it must do with them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use cpu_time::ProcessTime;

/// Processor time that one input may take, whatever is in it.
const TIME: Duration = Duration::from_secs(2);
/// Bytes that a reader may allocate for an empty input.
const BASE: usize = 32 << 20;
/// Bytes that a reader may allocate for each byte of its input.
const FACTOR: usize = 1024;
/// Different faults that are reported before a test gives up.
const FAULTS: usize = 20;

/// A reader under test. It panics when what it gives breaks a promise, and says whether the input was accepted.
pub type Reader = fn(&[u8]) -> bool;

/// Memory and time are counted for the whole process, so only one test runs at a time.
static TURN: Mutex<()> = Mutex::new(());
/// Whether a reader runs, whose panics are kept.
static READING: AtomicBool = AtomicBool::new(false);
/// The message and place of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// The inputs that one reader gets.
pub struct Trial {
    name: &'static str,
    reader: Reader,
    inputs: usize,
    accepted: usize,
    slowest: (Duration, String),
    largest: (usize, String),
    faults: RefCell<BTreeMap<String, String>>,
    _turn: MutexGuard<'static, ()>,
}

impl Trial {
    /// Begins a trial once no other one runs.
    pub fn new(name: &'static str, reader: Reader) -> Trial {
        static HOOK: Once = Once::new();
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            set_hook(Box::new(move |info| remember(info, &before)));
        });
        Trial {
            name,
            reader,
            inputs: 0,
            accepted: 0,
            slowest: (Duration::ZERO, String::new()),
            largest: (0, String::new()),
            faults: RefCell::default(),
            _turn: turn,
        }
    }

    /// Gives one input; `what` says how it was made.
    pub fn give(&mut self, input: &[u8], what: impl Fn() -> String) {
        let (before, start) = (crate::MEMORY.current_usage(), ProcessTime::now());
        crate::MEMORY.reset_peak_usage();
        READING.store(true, Ordering::SeqCst);
        let result = catch_unwind(AssertUnwindSafe(|| (self.reader)(input)));
        READING.store(false, Ordering::SeqCst);
        let time = start.elapsed();
        let memory = crate::MEMORY.peak_usage().saturating_sub(before);
        self.inputs += 1;
        if time > self.slowest.0 {
            self.slowest = (time, what());
        }
        if memory > self.largest.0 {
            self.largest = (memory, format!("{}, {} bytes", what(), input.len()));
        }
        match result {
            Ok(accepted) => self.accepted += usize::from(accepted),
            Err(_) => {
                let panic = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
                self.fault(&panic, input, &what);
            }
        }
        if time > TIME {
            self.fault("too slow", input, &|| format!("{}: {time:?} for {} bytes", what(), input.len()));
        }
        if memory > BASE + FACTOR * input.len() {
            self.fault("too much memory", input, &|| format!("{}: {memory} bytes for {}", what(), input.len()));
        }
    }

    fn fault(&self, kind: &str, input: &[u8], what: &dyn Fn() -> String) {
        let mut faults = self.faults.borrow_mut();
        // Numbers differ from input to input; one fault of a kind is enough.
        let key: String = kind.chars().filter(|c| !c.is_ascii_digit()).take(160).collect();
        if !faults.contains_key(&key) {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", self.name, faults.len()));
            let kept = fs::write(&path, input).map_or(String::new(), |()| format!(" (kept as {})", path.display()));
            faults.insert(key, format!("{}: {kind}{kept}", what()));
            drop(faults);
            if self.faults.borrow().len() >= FAULTS {
                self.report();
            }
        }
    }

    fn report(&self) {
        let faults: Vec<String> = self.faults.borrow().values().cloned().collect();
        assert!(faults.is_empty(), "{} faults of {}:\n{}", faults.len(), self.name, faults.join("\n"));
    }

    /// How many inputs there were.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Ends the trial. Mutations that a reader refuses one and all, or accepts one and all, would show little.
    pub fn end(self, accepted_at_least: usize) {
        let (time, slowest) = &self.slowest;
        let (memory, largest) = &self.largest;
        println!("{}: {} inputs, {} accepted", self.name, self.inputs, self.accepted);
        println!("    slowest {time:?} ({slowest}), most memory {memory} bytes ({largest})");
        self.report();
        assert!(self.accepted >= accepted_at_least, "{} accepts only {} of {}", self.name, self.accepted, self.inputs);
        assert!(self.accepted < self.inputs, "{} accepts everything", self.name);
    }
}

/// Keeps the message of a panic while a reader runs; others are printed as usual.
fn remember(info: &PanicHookInfo<'_>, otherwise: &dyn Fn(&PanicHookInfo<'_>)) {
    if !READING.load(Ordering::SeqCst) {
        return otherwise(info);
    }
    let place = info.location().map_or(String::new(), |place| format!("{}:{}", place.file(), place.line()));
    let message = info.payload_as_str().unwrap_or("a panic").lines().next().unwrap_or("").to_owned();
    *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("panic at {place}: {message}");
}

/// The folder of the test files.
pub fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with this extension in the folders directly below one, by name.
pub fn files(root: &Path, extension: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(root).expect("a folder of tests").flatten() {
        paths.extend(fs::read_dir(folder.path()).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        (name, fs::read(&path).expect("a file that can be read"))
    };
    paths.into_iter().map(read).collect()
}

/// The cut lengths of every truncation of a small file, and of about `most` truncations of a larger one.
pub fn cuts(length: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..length).step_by(length.div_ceil(most).max(1))
}
