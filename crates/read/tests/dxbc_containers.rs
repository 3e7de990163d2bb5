//! Root signatures, effects and what is kept for debuggers, in files of `tests/containers` that Microsoft's compiler made.
#![cfg(feature = "dxbc")]

use gpuproof_read::dxbc::root_signature::{ParameterKind, RootSignature, StaticSampler};
use gpuproof_read::dxbc::{Container, Debug, DebugFormat, Effect, Error, FourCc, Part, disassembly, search};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/containers")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).expect("a file")
}

fn container(name: &str) -> Container {
    Container::parse(&read(name)).expect("a container")
}

/// The binaries with a root signature, as the manifest has them: what was compiled from the text that is printed of it too.
fn roots() -> Vec<String> {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).expect("the manifest");
    let outputs = manifest.lines().filter_map(|row| row.rsplit('\t').next()?.strip_prefix("printed/"));
    outputs.map(str::to_string).collect()
}

/// `printed.hlsl` is what is printed of each, and Microsoft's compiler makes the same root signature of it again, byte for byte.
/// `UPDATE=1` in the environment writes it; then the binaries are to be compiled again.
#[test]
fn what_is_printed_of_a_root_signature_is_compiled_to_it_again() {
    let mut text = String::from("// What is printed of each root signature, to be compiled again.\n\n");
    let names = roots();
    assert!(names.len() >= 19, "{names:?}");
    for name in &names {
        let signature = RootSignature::find(&container(&format!("{name}.dxbc"))).expect("readable").expect("a root signature");
        let wanted = if name.ends_with("-1_0") { "1.0" } else { "1.1" };
        assert_eq!(signature.version_name(), wanted, "{name}");
        let _ = writeln!(text, "#define {} \"{signature}\"", name.to_uppercase().replace('-', "_"));
    }
    let printed = folder().join("printed.hlsl");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&printed, &text).expect("written");
    }
    assert_eq!(fs::read_to_string(&printed).expect("what was printed"), text);
    for name in &names {
        let part = |name: &str| container(name).find(&[b"RTS0"]).expect("a root signature").data().to_vec();
        assert_eq!(part(&format!("{name}.dxbc")), part(&format!("printed/{name}.dxbc")), "{name}");
    }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn root(words_of: &[u32]) -> Result<RootSignature, Error> {
    RootSignature::parse(&Part::new(FourCc(*b"RTS0"), words(words_of)))
}

/// Version 1.2, which Microsoft's older compiler does not write, by hand from `D3D12_STATIC_SAMPLER_DESC1`; and values that have no
/// name.
#[test]
fn root_signatures_of_version_1_2_are_read() {
    let head = [3, 0, 0, 1, 24, 0x1400];
    let sampler = [0x15, 1, 2, 9, 0, 16, 4, 3, 0, 0x7f7f_ffff, 5, 0, 0, 3];
    let signature = root(&[head.as_slice(), &sampler].concat()).expect("a root signature");
    assert_eq!(signature.version_name(), "1.2");
    let [StaticSampler { flags: 3, border: 3, register: 5, .. }] = signature.samplers[..] else {
        panic!("{:?}", signature.samplers);
    };
    assert_eq!(
        signature.items(),
        [
            "RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | 0x1000)",
            "StaticSampler(s5, filter=FILTER_MIN_MAG_MIP_LINEAR, addressV=TEXTURE_ADDRESS_MIRROR, addressW=0x9, \
             borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT, flags=UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)",
        ]
    );
}

#[test]
fn root_signatures_that_are_wrong_say_where() {
    let error = |words: &[u32]| root(words).expect_err("an error").to_string();
    assert_eq!(error(&[4]), "offset 0x0: version 4 of root signatures is not supported");
    assert_eq!(error(&[1, 1, 24, 0, 0, 0]), "offset 0x18: expected 12 bytes of root parameters, found 0 bytes");
    assert_eq!(error(&[1, 1, 24, 0, 0, 0, 9, 0, 0]), "offset 0x18: a root parameter of type 9 is not supported");
    let table = [1, 1, 24, 0, 0, 0, 0, 0, 36, 1, 44];
    assert_eq!(error(&table), "offset 0x2c: expected 20 bytes of descriptor ranges, found 0 bytes");
    assert_eq!(
        error(&[table.as_slice(), &[7, 1, 0, 0, 0]].concat()),
        "offset 0x2c: a descriptor range of type 7 is not supported"
    );
    let good = root(&[table.as_slice(), &[3, 1, 2, 0, u32::MAX]].concat()).expect("a root signature");
    assert!(matches!(&good.parameters[0].kind, ParameterKind::Table(ranges) if ranges.len() == 1));
    assert_eq!(good.to_string(), "DescriptorTable(Sampler(s2))");
    // A thousand tables that share their ranges would multiply the part.
    let count = 1000;
    let mut many = vec![1, count, 24, 0, 0, 0];
    (0..count).for_each(|_| many.extend([0, 0, 24 + 12 * count]));
    many.extend([100, 24 + 12 * count + 8]);
    (0..100).for_each(|_| many.extend([0, 1, 0, 0, 0]));
    assert!(error(&many).ends_with("found more ranges than it has bytes"));
}

/// The lines of a vendor's listing of an effect with the blanks before them, those of programs with the path of what they are
/// assigned to: groups, techniques, passes, and the state or variable.
fn assigned(listing: &str) -> Vec<(String, Vec<String>)> {
    const NAMED: [&str; 4] = ["fxgroup", "technique10", "technique11", "pass"];
    const STATES: [(&str, &str); 6] = [
        ("VertexShader", "vs"),
        ("PixelShader", "ps"),
        ("GeometryShader", "gs"),
        ("HullShader", "hs"),
        ("DomainShader", "ds"),
        ("ComputeShader", "cs"),
    ];
    // The parts of the path with their depths in blanks, and how many there have been at each depth.
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut found, mut program): (Vec<(String, Vec<String>)>, Option<usize>) = (Vec::new(), None);
    let mut variable = (String::new(), 0);
    for line in listing.lines() {
        let (text, depth) = (line.trim_start(), line.len() - line.trim_start().len());
        if let Some(indent) = program {
            // A program's lines are further in than the line that opens it.
            if text.starts_with('}') && depth == indent {
                program = None;
            } else if let Some(line) = line.get(indent + 4..).filter(|line| !line.trim().is_empty()) {
                found.last_mut().expect("a program").1.push(line.to_string());
            }
            continue;
        }
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        if NAMED.contains(&first) {
            path.retain(|(at, _)| *at < depth);
            numbers.retain(|at, _| *at <= depth);
            let number = numbers.entry(depth).or_default();
            path.push((depth, words.next().map_or_else(|| number.to_string(), str::to_string)));
            *number += 1;
            continue;
        }
        let state = STATES.iter().find(|(state, _)| *state == first);
        if let (Some(_), Some(name)) = (state, text.split_whitespace().nth(1).filter(|name| *name != "=")) {
            variable = (name.split('[').next().unwrap_or(name).to_string(), usize::from(!name.contains('[')) * 1000);
        }
        if text.contains("asm {") {
            program = Some(depth);
            let name = match (state, path.is_empty()) {
                (Some((_, stage)), false) if text.contains('=') => {
                    let names: Vec<&str> = path.iter().map(|(_, name)| name.as_str()).collect();
                    format!("{}/{stage}", names.join("/"))
                }
                _ if variable.1 >= 1000 => variable.0.clone(),
                _ => {
                    variable.1 += 1;
                    format!("{}[{}]", variable.0, variable.1 - 1)
                }
            };
            found.push((name, Vec::new()));
        }
    }
    found
}

/// Each program that the vendor's listing of an effect has, by the name of where it stands there, has that listing.
#[test]
fn programs_of_effects_are_where_the_vendor_lists_them() {
    for (name, programs) in [("fx_4_0", 9), ("fx_4_1", 9), ("fx_5_0", 9)] {
        let file = read(&format!("{name}.dxbc"));
        let effect = match Container::is_container(&file) {
            true => Effect::find(&Container::parse(&file).expect("a container")).expect("readable").expect("an effect"),
            false => Effect::parse(&file).expect("an effect"),
        };
        assert_eq!(effect.version, name);
        let listing = fs::read_to_string(folder().join(format!("{name}.asm"))).expect("a listing");
        let theirs = assigned(&listing);
        for (path, lines) in &theirs {
            let program = effect.program(path).unwrap_or_else(|| panic!("{name}: no {path} in {:#?}", effect.programs));
            let container = Container::parse(&file[program.offset..program.offset + program.size]).expect("a container");
            let ours = disassembly(&container).expect("a listing").into_iter().map(|line| line.text);
            let ours: Vec<String> = ours.filter(|line| !line.trim().is_empty()).collect();
            assert_eq!(&ours, lines, "{name}: {path}");
        }
        let paths: Vec<&String> = theirs.iter().map(|(path, _)| path).collect();
        assert_eq!(paths.len(), programs, "{name}: {paths:?}");
        // What passes set by a variable is that program; what an expression chooses or NULL is none.
        let names: Vec<&String> = effect.programs.iter().flat_map(|program| &program.names).collect();
        let has = |name: &str| names.iter().any(|own| *own == name);
        let (shared, element, group) = if name == "fx_5_0" {
            ("Scene/Main/P1/vs", "Scene/Second/0/cs", "1/0/0/cs")
        } else {
            ("Main/P0/vs", "Main/P1/vs", "1/0/vs")
        };
        assert!(has(shared) && has(element) && has(group), "{name}: {names:?}");
        assert!(!has("Main/P0/gs") && !has("Main/P2/vs") && !has("Nothing"), "{name}: {names:?}");
        assert_eq!(effect.program("Shared"), effect.program(shared));
        // Nothing that looks like a program is left out, wherever the effect is.
        let file = [b"MZ\x01\x20\xfe\xff....".as_slice(), &file].concat();
        let found: Vec<_> = search(&file).filter(|found| !matches!(found.kind().as_str(), "effect" | "expression")).collect();
        let named: Vec<_> = effect.programs.iter().map(|program| (program.offset + 10, program.names.clone())).collect();
        assert_eq!(found.into_iter().map(|found| (found.offset, found.names)).collect::<Vec<_>>(), named, "{name}");
    }
}

/// The name is the one that the compiler was given; see scripts/hlsl/build-fixtures.
#[test]
fn program_databases_have_the_names_of_sources() {
    let debug = Debug::find(&container("debug.dxbc")).expect("readable").expect("something for debuggers");
    assert_eq!(debug, Debug { format: DebugFormat::Spdb, sources: vec![r"z:\opt\hlsl\debug.hlsl".into()], made: None });
}

/// The listing of a program with a program database is the vendor's without what that tells: lines of the source, and what variables
/// are in which registers.
#[test]
fn listings_leave_out_what_debuggers_know() {
    let theirs = fs::read_to_string(folder().join("debug.asm")).expect("a listing");
    let (head, rest) = theirs.split_once("//\n// Initial variable locations:").expect("locations");
    let rest = rest.lines().skip_while(|line| !line.starts_with("#line"));
    let known = head.lines().chain(rest).filter(|line| !line.starts_with("#line") && !line.is_empty());
    let ours: Vec<String> = disassembly(&container("debug.dxbc")).expect("a listing").into_iter().map(|line| line.text).collect();
    assert_eq!(ours.iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(), known.collect::<Vec<_>>());
}

/// A part of older compilers, by hand from its public description.
#[test]
fn older_tables_for_debuggers_have_the_names_of_sources() {
    let text = b"\0fxc 9\0main\0ps_4_0\0scene.hlsllights.hlsli";
    let files = [19, 10, 0, 0, 29, 12, 0, 0];
    let mut header = vec![0x54, 1, 7, 12, 0, 2, 0];
    header.extend([0; 12]);
    header.extend([32, 32]);
    assert_eq!(header.len(), 21);
    let data = [words(&header), words(&files), text.to_vec()].concat();
    let part = |data: &[u8]| Part::new(FourCc(*b"SDBG"), data.to_vec());
    let debug = Debug::parse(&part(&data)).expect("readable");
    let made = ["fxc 9", "main", "ps_4_0"].map(String::from);
    let sources = vec!["scene.hlsl".into(), "lights.hlsli".into()];
    assert_eq!(debug, Debug { format: DebugFormat::Sdbg, sources, made: Some(made) });
    let error = Debug::parse(&part(&data[..data.len() - 1])).expect_err("an error");
    assert_eq!(error.to_string(), "offset 0x91: expected 12 bytes of a source's name, found 11 bytes");
}
