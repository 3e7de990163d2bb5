//! The DXBC reader: containers and tokens go back to the same bytes, and nothing hostile does harm.
#![cfg(feature = "dxbc")]

use gpuproof_read::dxbc::opcode::{Class, TABLE};
use gpuproof_read::dxbc::{
    Container, Debug, DigestState, Effect, Error, FourCc, Level9, Linkage, Part, Reflection, RootSignature, Shader, Signature,
    Statistics, Target, disassembly, listing, required_features, search,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LOOP: &[u8] = include_bytes!("data/dxbc/loop.dxbc");
const MESSAGE: &[u8] = include_bytes!("data/dxbc/message.dxbc");

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folders = fs::read_dir(root().join("fixtures")).expect("the fixtures");
    let mut found: Vec<_> = folders.flat_map(|folder| binaries(&folder.expect("a folder").path())).collect();
    found.sort();
    assert!(found.len() > 100, "only {} fixtures", found.len());
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn binaries(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("a file").path());
    let binaries = files.filter(|path| path.extension().is_some_and(|extension| extension == "dxbc"));
    binaries.map(|path| (path.display().to_string(), fs::read(&path).expect("a binary"))).collect()
}

fn code_of(container: &Container) -> &Part {
    container.find(&[b"SHEX", b"SHDR"]).expect("code")
}

/// The compiler signed the fixtures, so its digests are the expectation; those of what no compiler writes are computed by
/// another implementation, without which Microsoft's disassembler would have refused them.
#[test]
fn fixtures_are_written_back_byte_for_byte() {
    for (path, bytes) in fixtures().into_iter().chain(binaries(&root().join("listings"))) {
        let mut container = Container::parse(&bytes).expect("a container");
        assert_eq!(container.write(), bytes, "{path}");
        assert_eq!(container.check_digest(), DigestState::Valid, "{path}");
        container.sign();
        assert_eq!(container.write(), bytes, "{path}");
        let shader = Shader::find(&container).expect("a program");
        assert_eq!(shader.encode().expect("tokens"), code_of(&container).data(), "{path}");
    }
}

/// The table's columns of stages and models against what a compiler does with them.
#[test]
fn fixtures_keep_to_the_table_of_opcodes() {
    let mut seen = BTreeSet::new();
    for (path, bytes) in fixtures() {
        let shader = Shader::find(&Container::parse(&bytes).expect("a container")).expect("a program");
        let target = shader.target();
        for instruction in &shader.instructions {
            let info = instruction.info();
            assert!(info.stages.contains(target.stage), "{path}: {} in {target}", info.name);
            assert!(info.since <= (target.major, target.minor), "{path}: {} in {target}", info.name);
            seen.insert(info.name);
        }
    }
    assert!(seen.len() > 150, "the fixtures have only {} opcodes", seen.len());
}

/// Each stage's crafted program has every opcode that the table lets it have.
#[test]
fn crafted_programs_have_every_opcode_of_every_stage() {
    // Those of any operands, and the sound ones, of which a geometry program of SM 5 is two: with streams, and without.
    let mut seen: BTreeMap<String, (Target, BTreeSet<&str>)> = BTreeMap::new();
    for (path, bytes) in binaries(&root().join("listings")) {
        if !path.contains("s_") || path.contains("level9") {
            continue;
        }
        let shader = Shader::find(&Container::parse(&bytes).expect("a container")).expect("a program");
        let (_, names) = seen.entry(path.replace("-plain", "")).or_insert_with(|| (shader.target(), BTreeSet::new()));
        names.extend(shader.instructions.iter().map(|instruction| instruction.info().name));
    }
    assert_eq!(seen.len(), 40);
    for (path, (target, names)) in seen {
        for info in TABLE {
            let fits = info.stages.contains(target.stage) && info.since <= (target.major, target.minor);
            assert_eq!(names.contains(info.name), fits, "{path}: {}", info.name);
        }
    }
}

/// 22 instruction slots is what Microsoft's listing of this program ends with.
#[test]
fn statistics_are_named() {
    let container = Container::parse(LOOP).expect("a container");
    let statistics = Statistics::parse(container.find(&[b"STAT"]).expect("statistics"));
    assert_eq!(statistics.named().next(), Some(("instruction_count", 22)));
    assert_eq!(statistics.words().len(), 37);
}

#[test]
fn required_features_are_read() {
    let flags = 0x11u64.to_le_bytes().to_vec();
    let container = Container::new(vec![Part::new(FourCc(*b"SFI0"), flags)]).expect("a container");
    assert_eq!(required_features(&container), Ok(Some(0x11)));
    assert_eq!(required_features(&Container::parse(LOOP).expect("a container")), Ok(None));
}

/// The source's initial value is 2: 0x40000000 (IEEE 754).
#[test]
fn defaults_of_variables_are_read() {
    let container = Container::parse(LOOP).expect("a container");
    let reflection = Reflection::parse(container.find(&[b"RDEF"]).expect("reflection")).expect("reflection");
    let [a, b, n] = reflection.constant_buffers[0].variables.as_slice() else {
        panic!("three variables: {:?}", reflection.constant_buffers);
    };
    assert_eq!((&a.default, &n.default), (&None, &None));
    assert_eq!(b.default, Some(vec![0, 0, 0, 0x40]));
    assert_eq!(reflection.type_of(a.type_id).elements, 4);
    assert_eq!(reflection.type_of(n.type_id).name.as_deref(), Some("int"));
}

/// Numbers and offsets as Microsoft's disassembler gives them when asked to (its offsets count from the part's start).
#[test]
fn lines_have_numbers_and_offsets() {
    let shader = Shader::find(&Container::parse(MESSAGE).expect("a container")).expect("a program");
    let lines = listing(&shader);
    let shown: Vec<(Option<u32>, usize, &str)> =
        lines.iter().map(|line| (line.number, line.offset - shader.offset(), line.text.as_str())).collect();
    assert_eq!(
        shown[4..10],
        [
            (None, 0x24, "dcl_temps 1"),
            (Some(0), 0x2c, "lt r0.xyz, v0.xyzx, l(0.000000, 0.000000, 0.000000, 0.000000)"),
            (Some(1), 0x54, "if_nz r0.x"),
            (Some(2), 0x60, "  printf \"hello %f %d\", v0.x, l(3)"),
            (Some(3), 0x98, "endif "),
            (Some(4), 0x9c, "if_nz r0.y"),
        ]
    );
}

/// Parts out of order, at odd offsets, with bytes between and after them: all by hand from the layout.
#[test]
fn odd_layouts_are_written_back() {
    let mut file = Vec::new();
    file.extend(b"DXBC");
    file.extend([0; 16]);
    for word in [1u32, 66, 2, 53, 41] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0xee]); // 40: filler
    file.extend(b"AAAA"); // 41: the second part of the table
    file.extend(3u32.to_le_bytes());
    file.extend([1, 2, 3]);
    file.extend([0xdd]); // 52: filler
    file.extend(b"BBBB"); // 53: the first
    file.extend(1u32.to_le_bytes());
    file.extend([9]);
    file.extend([0xcc; 4]); // 62: filler
    file.extend([0xbb; 2]); // 66: past the size
    let container = Container::parse(&file).expect("a container");
    assert_eq!(container.write(), file);
    assert_eq!(container.check_digest(), DigestState::Unsigned);
    assert_eq!(container.parts()[0].data(), [9]);
    assert_eq!(container.parts()[1].offset(), 49);
    assert_eq!(container.trailing(), [0xbb; 2]);
}

/// A rebuilt container is signed anew, and only its digest, sizes and offsets differ.
#[test]
fn replaced_parts_are_signed_again() {
    let mut container = Container::parse(LOOP).expect("a container");
    let index = container.parts().iter().position(|part| part.code() == FourCc(*b"STAT")).expect("statistics");
    container.replace(index, vec![7; 13]).expect("a part");
    assert!(matches!(container.check_digest(), DigestState::Wrong { .. }));
    container.sign();
    assert_eq!(container.check_digest(), DigestState::Valid);
    let again = Container::parse(&container.write()).expect("a container");
    assert_eq!(again.parts()[index].data(), [7; 13]);
    assert_eq!(again.digest(), container.digest());
}

fn error_of(file: &[u8]) -> Error {
    Container::parse(file).and_then(|container| Shader::find(&container)).expect_err("an error")
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(error_of(b"").to_string(), "offset 0x0: expected 4 bytes of the magic 'DXBC', found 0 bytes");
    assert_eq!(error_of(b"\x7fELF....").to_string(), "offset 0x0: expected the magic 'DXBC', found '\\x7fELF'");
    let cut = error_of(&LOOP[..LOOP.len() - 1]).to_string();
    let (whole, less) = (LOOP.len(), LOOP.len() - 1);
    assert_eq!(cut, format!("offset 0x18: expected a file size between 32 and the {less} bytes given, found {whole}"));
    let mut overlapping = LOOP.to_vec();
    overlapping.copy_within(32..36, 36);
    assert!(error_of(&overlapping).to_string().ends_with("found parts that overlap"));
    let code = Part::new(FourCc(*b"DXIL"), Vec::new());
    let dxil = Container::new(vec![code]).expect("a container");
    assert_eq!(error_of(&dxil.write()).to_string(), "offset 0x2c: code of the kind DXIL is not supported");
    let words = [0x50u32, 3, 0x0100_0000 | 107];
    let code = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let reserved = Container::new(vec![Part::new(FourCc(*b"SHEX"), code)]).expect("a container");
    assert_eq!(error_of(&reserved.write()).to_string(), "offset 0x34: opcode 107 is not supported");
}

/// Runs every reader over a part; what decodes must encode to the same bytes.
fn exercise(part: &Part) {
    let _ = Signature::parse(part);
    let _ = Reflection::parse(part);
    let _ = Statistics::parse(part);
    let _ = Linkage::parse(part);
    let _ = Level9::parse(part);
    let _ = Debug::parse(part);
    let _ = Effect::parse(part.data());
    let _ = RootSignature::parse(part).map(|signature| signature.to_string());
    if let Ok(shader) = Shader::decode(part) {
        assert_eq!(shader.encode().as_deref(), Ok(part.data()));
        let lines = listing(&shader);
        assert!(lines.iter().map(|line| line.text.len()).sum::<usize>() <= 4096 + 256 * part.data().len());
    }
}

fn exercise_file(bytes: &[u8]) {
    if let Ok(container) = Container::parse(bytes) {
        assert_eq!(container.write(), bytes);
        container.check_digest();
        let _ = required_features(&container);
        if let Ok(lines) = disassembly(&container) {
            let (size, text) = (bytes.len(), lines.iter().map(|line| line.text.len()).sum::<usize>());
            assert!(text <= (1 << 20) + 8192 + 512 * size, "{size} bytes give {text} of text");
        }
        container.parts().iter().for_each(exercise);
    }
}

#[test]
fn truncations_do_no_harm() {
    for file in [LOOP, MESSAGE] {
        for end in 0..file.len() {
            exercise_file(&file[..end]);
        }
        let container = Container::parse(file).expect("a container");
        for part in container.parts() {
            for end in 0..part.data().len() {
                exercise(&Part::new(part.code(), part.data()[..end].to_vec()));
            }
        }
    }
}

/// splitmix64, so that a failure repeats.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

#[test]
fn mutations_do_no_harm() {
    let mut random = Random(1);
    let files: Vec<Vec<u8>> = fixtures().into_iter().map(|(_, bytes)| bytes).collect();
    for _ in 0..20_000 {
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            let words = [0, 1, 0x7fff_ffff, u32::MAX, 0x8000_0000, random.next() as u32];
            match random.below(3) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.next() as u8,
                _ => {
                    let at = at & !3;
                    if let Some(place) = bytes.get_mut(at..at + 4) {
                        place.copy_from_slice(&words[random.below(words.len())].to_le_bytes());
                    }
                }
            }
        }
        exercise_file(&bytes);
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let mut random = Random(2);
    for code in [b"ISGN", b"OSG5", b"OSG1", b"RDEF", b"STAT", b"SHEX", b"SDBG", b"SPDB"] {
        for _ in 0..2000 {
            let mut data: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
            if code == b"SHEX" && data.len() >= 12 {
                // A head that lets the tokens be reached.
                let length = (data.len() / 4) as u32;
                data[..4].copy_from_slice(&0x50u32.to_le_bytes());
                data[4..8].copy_from_slice(&length.to_le_bytes());
            }
            exercise(&Part::new(FourCc(*code), data));
        }
    }
}

/// Records that all share one long name, and types that contain types twice over, would multiply the file.
#[test]
fn shared_records_do_not_multiply() {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    // 4,000 signature elements of 24 bytes, each with a name of 100,000 bytes.
    let count = 4000u32;
    let name = 8 + 24 * count;
    let mut data = words(&[count, 8]);
    for _ in 0..count {
        data.extend(words(&[name, 0, 0, 3, 0, 15]));
    }
    data.extend([b'A'; 100_000]);
    data.push(0);
    assert!(Signature::parse(&Part::new(FourCc(*b"ISGN"), data)).is_err());
    // An SM 4 type at 76 whose two members are of the type itself.
    let mut data = words(&[1, 28, 0, 0, 0xffff_0400, 0, 0]);
    data.extend(words(&[0, 1, 52, 16, 0, 0])); // 28: a buffer
    data.extend(words(&[0, 0, 16, 0, 76, 0])); // 52: a variable
    data.extend(words(&[5, 0x0001_0001, 0x0002_0000, 92])); // 76: a structure of two members
    data.extend(words(&[0, 76, 0, 0, 76, 0])); // 92: both of them
    let error = Reflection::parse(&Part::new(FourCc(*b"RDEF"), data)).expect_err("a cycle");
    assert_eq!(error.to_string(), "offset 0x4c: expected a type that does not contain itself, found one that does");
}

#[test]
fn every_class_but_data_has_operands_or_controls() {
    for info in TABLE {
        assert_eq!(info.class == Class::Data, info.pattern == "*", "{}", info.name);
    }
}

/// Containers at odd places in a file, one inside another, and what only begins like one.
#[test]
fn containers_are_found_in_any_file() {
    let effect =
        Container::new(vec![Part::new(FourCc(*b"FX10"), [b"abc".as_slice(), LOOP].concat())]).expect("a container").write();
    let cut = &LOOP[..LOOP.len() - 1];
    let file = [b"MZ.DXBCD".as_slice(), MESSAGE, b"DDXBC", &effect, cut].concat();
    let found: Vec<_> = search(&file).map(|found| (found.offset, found.size, found.inside, found.kind())).collect();
    let second = 8 + MESSAGE.len() + 5;
    let nested = second + effect.len() - LOOP.len();
    let expected = [
        (8, MESSAGE.len(), None, "ps_5_0".to_string()),
        (second, effect.len(), None, "effect".to_string()),
        (nested, LOOP.len(), Some(second), "ps_5_0".to_string()),
    ];
    assert_eq!(found, expected);
}
