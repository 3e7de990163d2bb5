//! Every fixture becomes a program that the validator holds and whose text reads back the same.
#![cfg(feature = "dxbc")]

use gpuproof_program::{Op, Program, Stage, text, validate};
use gpuproof_read::dxbc::{self, Container};
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the fixtures")
        .flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).into_iter().flatten())
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dxbc"))
        .collect();
    files.sort();
    files
}

fn translate(bytes: &[u8]) -> dxbc::Result<Program> {
    dxbc::program(&Container::parse(bytes)?)
}

/// Valid, of the stage of its name, and the same when it is printed and read back.
#[track_caller]
fn is_sound(path: &Path, program: &Program) {
    let place = path.display();
    validate(program).unwrap_or_else(|error| panic!("{place}: {error}"));
    let text = text::print(program);
    let back = text::parse(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(back == *program, "{place} changes in its text");
    let of_name = |stage: Stage| match stage {
        Stage::Vertex => "vs_",
        Stage::Hull => "hs_",
        Stage::Domain => "ds_",
        Stage::Geometry => "gs_",
        Stage::Pixel => "ps_",
        Stage::Compute => "cs_",
    };
    let name = path.file_stem().expect("a name").to_string_lossy();
    assert!(name.contains(of_name(program.stage)), "{place} is a {:?} program", program.stage);
}

#[test]
fn fixtures_translate_to_valid_programs() {
    let mut translated = 0;
    for path in fixtures() {
        let program =
            translate(&std::fs::read(&path).expect("a fixture")).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        is_sound(&path, &program);
        translated += 1;
    }
    assert!(translated >= 300, "only {translated} translated");
}

/// What no compiler writes and is sound: every opcode in every stage that may have it, subroutines, interfaces, indices by a register, streams, and fork and
/// join phases of several instances.
#[test]
fn sound_programs_translate_to_valid_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/listings");
    let files = std::fs::read_dir(folder).expect("the listings").map(|file| file.expect("a file").path());
    let is_sound_program = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with("sound-") && name.ends_with(".dxbc")
    };
    let mut translated = 0;
    for path in files.filter(is_sound_program) {
        let bytes = std::fs::read(&path).expect("a program");
        is_sound(&path, &translate(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        translated += 1;
    }
    assert_eq!(translated, 22);
}

#[test]
fn every_truncation_is_an_error_or_a_valid_program() {
    let path = fixtures().into_iter().find(|path| path.ends_with("noise/ps_5_0.dxbc")).expect("noise");
    let bytes = std::fs::read(path).expect("a fixture");
    for length in 0..bytes.len() {
        if let Ok(program) = translate(&bytes[..length]) {
            validate(&program).expect("a valid program");
        }
    }
}

#[test]
fn the_noise_fixture_has_the_interface_of_its_source() {
    let path = fixtures().into_iter().find(|path| path.ends_with("noise/ps_5_0.dxbc")).expect("noise");
    let program = translate(&std::fs::read(path).expect("a fixture")).expect("a program");
    assert_eq!(program.stage, Stage::Pixel);
    assert!(program.interface.outputs.iter().any(|output| output.name.eq_ignore_ascii_case("SV_Target")));
    let mut sines = 0;
    gpuproof_program::walk(&program.functions[0].body, &mut |node| {
        sines += usize::from(matches!(node, gpuproof_program::Node::Op(op) if op.op == Op::FSin));
    });
    assert!(sines > 0, "a sine hash has sines");
}
