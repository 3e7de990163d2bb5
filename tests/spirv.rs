//! SPIR-V: modules of dxc against what fxc made of the same HLSL, and modules of glslang and by hand against WGSL by hand.

use gpuproof_program::{Bounds, Choice, Program};
use gpuproof_prove::{Evidence, Settings};
use gpuproof_read::spirv::{self, Options};
use gpuproof_tests::programs::{bytes, compare, each, files, original, port, root, text, with_rule};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "module\twords\tallowed\tunspecified\tdifferent\treason\n";

fn module(path: &str, options: &Options) -> Result<Program, String> {
    spirv::read(&bytes(&root().join(format!("{path}.spv"))), options).map_err(|error| error.to_string())
}

#[test]
fn every_module_is_a_program() {
    let all = [files("tests/pairs", "spv"), files("tests/fixtures", "spv")].concat();
    assert!(all.len() >= 260, "{} modules", all.len());
    let failed: Vec<String> =
        all.iter().filter_map(|path| Some(format!("{path}: {}", module(path, &Options::default()).err()?))).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A big-endian module is the same program.
#[test]
fn the_order_of_bytes_does_not_matter() {
    let path = root().join("tests/spirv/calls.spv");
    let little = bytes(&path);
    let big: Vec<u8> = little.chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    let read = |bytes: &[u8]| spirv::read(bytes, &Options::default()).expect("a program");
    assert_eq!(read(&little), read(&big));
}

/// What a module stands in for that compilers left out: where it is in a file, and how long it is.
#[test]
fn a_module_is_found_by_its_length() {
    let one = bytes(&root().join("tests/spirv/lanes.spv"));
    let file = [&one[..], &[0xff; 64]].concat();
    assert_eq!(spirv::extent(&file), Some(one.len()));
    assert_eq!(spirv::extent(&file[4..]), None);
}

fn census(name: &str, first: &Program, second: &Program) -> Result<Evidence, String> {
    let settings = Settings { lanes: 2048, max_steps: 200_000_000, locate: false, ..Settings::default() };
    compare(first, second, &settings).map_err(|error| format!("{name}: {error}"))
}

/// How many words of finite cases are neither the same, nor allowed, nor undefined in the original; none where there are none. On edge cases the languages
/// differ on purpose, as the WGSL of the pairs does.
fn row(path: &str) -> Result<Option<(String, [u64; 4])>, String> {
    let first = original(&root().join(format!("{path}.dxbc")));
    let second = module(path, &Options::default()).map_err(|error| format!("{path}: {error}"))?;
    // HLSL counts on what Direct3D says of accesses out of range, which a device gives with robustBufferAccess2 and robustImageAccess2.
    let second = with_rule(&second, Choice::Bounds, |rules| rules.bounds = Bounds::Defined);
    let tally = census(path, &first, &second)?.census.finite;
    let numbers = [tally.words(), tally.allowed, tally.unspecified, tally.different];
    let open = tally.unspecified + tally.different > 0;
    Ok(open.then(|| (path.trim_start_matches("tests/").to_string(), numbers)))
}

#[test]
fn modules_are_near_what_fxc_made() {
    let all = [files("tests/pairs", "spv"), files("tests/fixtures", "spv")].concat();
    let only = std::env::var("GPUPROOF_FIXTURES").unwrap_or_default();
    let optimised: Vec<&String> = all.iter().filter(|path| !path.ends_with("-od") && path.contains(&only)).collect();
    let path = root().join("tests/spirv/near.tsv");
    let listed = std::fs::read_to_string(&path).unwrap_or_default();
    let reasons: BTreeMap<&str, &str> = listed
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Some((*fields.first()?, *fields.get(5)?))
        })
        .collect();
    let (mut found, mut failed) = (HEAD.to_string(), Vec::new());
    for row in each(&optimised, |path| row(path)) {
        match row {
            Ok(None) => {}
            Ok(Some((name, numbers))) => {
                let reason = reasons.get(&name[..]).copied().unwrap_or_default();
                if reason.is_empty() || name.starts_with("pairs/") {
                    failed.push(format!("{name}: {numbers:?}"));
                }
                let _ = writeln!(found, "{name}\t{}\t{reason}", numbers.map(|number| number.to_string()).join("\t"));
            }
            Err(error) => failed.push(error),
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).expect("a writable list");
    }
    assert!(failed.is_empty(), "{} without a reason\n{}", failed.len(), failed.join("\n"));
    assert!(!only.is_empty() || found == text(&path), "near.tsv lists something else than what is found:\n{found}");
}

/// A module and its counterpart in WGSL: every word of finite cases is the same, or allowed by Vulkan.
#[track_caller]
fn same(name: &str, options: &Options) -> Evidence {
    let first = module(&format!("tests/spirv/{name}"), options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let second = port(&text(&root().join(format!("tests/spirv/{name}.wgsl")))).unwrap_or_else(|error| panic!("{name}: {error}"));
    let evidence = census(name, &first, &second).unwrap_or_else(|error| panic!("{error}"));
    let finite = evidence.census.finite;
    assert!(finite.same > 0 && finite.words() == finite.same + finite.allowed, "{name}: {finite:?} {:?}", evidence.first);
    evidence
}

#[test]
fn calls_are_the_same_as_by_hand() {
    same("calls", &Options::default());
}

#[test]
fn operations_between_lanes_are_the_same_as_by_hand() {
    same("lanes", &Options::default());
}

#[test]
fn images_are_the_same_as_by_hand() {
    same("images", &Options::default());
}

#[test]
fn specialization_constants_decide_sizes_and_values() {
    let given = [("COUNT", 3.0), ("1", 0.25), ("FLIP", 1.0), ("3", 16.0)].map(|(name, value)| (name.to_string(), value));
    same("constants", &Options { specialization: given.to_vec(), ..Options::default() });
    let unknown = Options { specialization: vec![("NONE".into(), 1.0)], ..Options::default() };
    let error = module("tests/spirv/constants", &unknown).expect_err("no such constant");
    assert!(error.contains("there is no specialization constant `NONE`"), "{error}");
}

#[test]
fn loops_are_the_same_as_by_hand() {
    same("loops", &Options { entry: Some("main".into()), ..Options::default() });
    let error = module("tests/spirv/loops", &Options::default()).expect_err("two entry points");
    assert!(error.contains("name one of `main`, `other`"), "{error}");
}
