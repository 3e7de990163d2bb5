//! Languages of text: what is written is accepted by a compiler that is not ours, read back, and computes the same.

use super::{held, runnable};
use gpuproof_program::{Choice, Denormals, Dialect, Program, Stage};
use gpuproof_tests::programs::{each, original, port, root, text, with_rule};
use gpuproof_write::WriteError;
use gpuproof_write::text::{Language, write};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What languages have nothing for, each with the language.
fn lacking() -> BTreeSet<(String, String)> {
    let table = text(&root().join("tests/write/lacking.tsv"));
    let rows = table.lines().skip(1).filter_map(|line| line.split_once('\t'));
    rows.map(|(language, what)| (language.to_string(), what.to_string())).collect()
}

/// The text of a program, or what its language lacks.
fn written(name: &str, program: &Program, language: Language) -> Result<String, String> {
    match write(program, language) {
        Ok(written) => Ok(written.text),
        Err(WriteError::Unsupported { what, .. }) => Err(without_name(&what)),
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A message without the name in parentheses.
fn without_name(what: &str) -> String {
    match (what.find(" ("), what.find(')')) {
        (Some(from), Some(to)) => format!("{}{}", &what[..from], &what[to + 1..]),
        _ => what.into(),
    }
}

/// What a program lacks is listed, and nothing is listed that none lacks.
#[test]
fn programs_are_written_or_what_the_language_lacks_is_listed() {
    let listed = lacking();
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (name, program) in &runnable() {
        for language in [Language::Wgsl, Language::Hlsl, Language::Glsl] {
            if let Err(what) = written(name, program, language) {
                found.entry((language.name().into(), what)).or_default().push(name.clone());
            }
        }
    }
    let new: Vec<_> = found.iter().filter(|(key, _)| !listed.contains(*key)).collect();
    assert!(new.is_empty(), "{new:#?}");
    let gone: Vec<_> = listed.iter().filter(|key| !found.contains_key(*key)).collect();
    assert!(gone.is_empty() || std::env::var_os("GPUPROOF_FIXTURES").is_some(), "{gone:#?}");
}

/// A device that flushes subnormal floats, as Direct3D does: WGSL and Vulkan leave that to it.
fn flushing(original: &Program, back: Program) -> Program {
    match original.dialect {
        Dialect::D3D11 => with_rule(&back, Choice::Denormals, |rules| rules.denormals = Denormals::Flush),
        _ => back,
    }
}

/// Holds programs against what is read back of their texts.
fn hold(programs: &[(String, Program)], language: Language, read: impl Fn(&str, &Program, &str) -> Program + Sync) {
    let wrong = each(programs, |(name, program)| {
        let text = written(name, program, language).ok()?;
        held(name, program, flushing(program, read(name, program, &text)))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn some() -> Vec<(String, Program)> {
    let all: Vec<(String, Program)> = runnable().into_iter().filter(|(name, _)| !name.ends_with("-od")).collect();
    all.into_iter().skip(1).step_by(4).collect()
}

/// naga parses and validates the text.
fn through_naga(name: &str, _: &Program, text: &str) -> Program {
    port(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

#[test]
fn some_of_what_is_written_as_wgsl_holds_against_the_original() {
    hold(&some(), Language::Wgsl, through_naga);
}

#[test]
#[ignore = "every program, some minutes"]
fn all_that_is_written_as_wgsl_holds_against_the_original() {
    hold(&runnable(), Language::Wgsl, through_naga);
}

/// glslangValidator makes SPIR-V of the text.
fn through_glslang(name: &str, program: &Program, text: &str) -> Program {
    let stage = match program.stage {
        Stage::Vertex => "vert",
        Stage::Pixel => "frag",
        _ => "comp",
    };
    let folder = std::env::temp_dir().join(format!("gpuproof-glsl-{}-{}", std::process::id(), name.replace('/', "-")));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (from, to) = (folder.join("written.glsl"), folder.join("written.spv"));
    std::fs::write(&from, text).expect("the text can be written");
    let mut command = Command::new("glslangValidator");
    command.args(["-V", "--target-env", "vulkan1.2", "-S", stage, "-o"]).arg(&to).arg(&from);
    let output = command.output().expect("glslangValidator, which the test command installs");
    assert!(output.status.success(), "{name}: {}\n{text}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&to).expect("the module");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    let options = gpuproof_read::spirv::Options { robust_images: true, ..Default::default() };
    gpuproof_read::spirv::read(&bytes, &options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn some_of_what_is_written_as_glsl_holds_against_the_original() {
    hold(&some(), Language::Glsl, through_glslang);
}

#[test]
#[ignore = "every program, some minutes"]
fn all_that_is_written_as_glsl_holds_against_the_original() {
    hold(&runnable(), Language::Glsl, through_glslang);
}

/// What Microsoft's compiler made of the HLSL of these programs is kept beside it: `scripts/hlsl/round-trip`.
#[test]
fn hlsl_that_was_compiled_again_holds_against_the_original() {
    let table = text(&root().join("tests/write/hlsl/table.tsv"));
    let kept: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert!(kept.len() >= 20, "{} programs", kept.len());
    let wrong = each(&kept, |name| {
        let program = original(&root().join(format!("{name}.dxbc")));
        let stem = name.trim_start_matches("tests/").replace('/', "-");
        let here = written(name, &program, Language::Hlsl).unwrap_or_else(|what| panic!("{name}: {what}"));
        let there = text(&root().join(format!("tests/write/hlsl/{stem}.hlsl")));
        assert_eq!(here, there, "{name}: scripts/hlsl/round-trip has to compile it again");
        held(name, &program, original(&root().join(format!("tests/write/hlsl/{stem}.dxbc"))))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The program's own names and the language's words stay apart, whatever the file says: each name is an identifier of its own.
#[test]
fn hostile_names_alter_nothing() {
    let names = [
        "float",
        "",
        "a b",
        "*/ evil /*",
        "line\nbreak",
        "ünïcode",
        "main",
        "main",
        "__x__",
        "2nd",
        "output",
        "gl_Position",
        "\"",
        "rows",
    ];
    let program = original(&root().join("tests/fixtures/pbr/ps_5_0.dxbc"));
    for language in [Language::Wgsl, Language::Hlsl, Language::Glsl] {
        let mut hostile = program.clone();
        let interface = &mut hostile.interface;
        let resources = interface.resources.iter_mut().map(|resource| &mut resource.name);
        let samplers = interface.samplers.iter_mut().map(|sampler| &mut sampler.name);
        for (name, hostile) in resources.chain(samplers).zip(names.iter().cycle()) {
            *name = (*hostile).to_string();
        }
        for resource in &mut interface.resources {
            resource.layout = None;
        }
        let text = written("hostile", &hostile, language).unwrap_or_else(|what| panic!("{what}"));
        assert!(text.is_ascii() && !text.contains("evil /*") && !text.contains("line\nbreak"), "{text}");
        match language {
            Language::Wgsl => _ = through_naga("hostile", &hostile, &text),
            Language::Glsl => _ = through_glslang("hostile", &hostile, &text),
            Language::Hlsl => {}
        }
    }
}
