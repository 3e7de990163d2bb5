//! Programs of the test folders: finding them, reading them, holding one against another.

use gpuproof_program::{Choice, Node, Program, Rules, walk_mut};
use gpuproof_prove::{Evidence, Progress, ProveError, Settings, Subject, verify};
use gpuproof_read::{dxbc, wgsl};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Reads a file of the repository that must be there.
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a text of the repository that must be there.
pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The program of a DXBC file that must be good.
pub fn original(path: &Path) -> Program {
    let container = dxbc::Container::parse(&bytes(path));
    container.and_then(|container| dxbc::program(&container)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The program of a WGSL text.
///
/// # Errors
/// Those of the reader.
pub fn port(text: &str) -> Result<Program, wgsl::Error> {
    wgsl::read(text, &wgsl::Options::default())
}

/// Holds two programs against each other.
///
/// # Errors
/// Those of [`verify()`].
pub fn compare(original: &Program, port: &Program, settings: &Settings) -> Result<Evidence, ProveError> {
    let (original, port) = (Subject::new(original, "original", b""), Subject::new(port, "port", b""));
    verify(&original, &port, settings, &mut |_: Progress| {}).map(|found| found.evidence)
}

/// Changes the rules of every operation that has this choice.
pub fn with_rule(program: &Program, choice: Choice, change: impl Fn(&mut Rules)) -> Program {
    let mut program = program.clone();
    for function in &mut program.functions {
        walk_mut(&mut function.body, &mut |node| {
            if let Node::Op(instruction) = node
                && instruction.op.choices().contains(&choice)
            {
                change(&mut instruction.attrs.rules);
            }
        });
    }
    program
}

/// The DXBC files of every folder of a folder, as paths from the repository's root without extension, in order.
pub fn containers(folder: &str) -> Vec<String> {
    files(folder, "dxbc")
}

/// The files of every folder of a folder that have this extension, as paths from the repository's root without it, in order.
pub fn files(folder: &str, wanted: &str) -> Vec<String> {
    let mut found = Vec::new();
    for inner in std::fs::read_dir(root().join(folder)).expect("a folder").flatten() {
        let Ok(files) = std::fs::read_dir(inner.path()) else { continue };
        for path in files.flatten().map(|file| file.path()) {
            if path.extension().is_some_and(|extension| extension == wanted) {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
                found.push(format!("{folder}/{}/{stem}", inner.file_name().to_string_lossy()));
            }
        }
    }
    found.sort();
    found
}

/// The result of `work` for each item, in order, on as many threads as there are processors.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
                {
                    let result = work(item);
                    done.lock().expect("no worker failed").push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker failed");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
