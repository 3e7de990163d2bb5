//! Hostile DXBC files: the container, each part, the tokens, the listing, the encoder and the translation.

use crate::harness::{Trial, cuts, files, tests};
use crate::mutate::{self, EDGES};
use fastrand::Rng;
use gpuproof_program::validate;
use gpuproof_read::dxbc::operand::{File, IndexOffset, Modifier, Operand, Selection};
use gpuproof_read::dxbc::{
    Container, Debug, Effect, Error, FourCc, Instruction, Level9, Linkage, Part, Reflection, RootSignature, Shader, Signature,
    Statistics, disassembly, listing, opcode::Opcode, program, required_features, search,
};

/// Reads everything that a file has. Every error lies inside the file; what is accepted is valid and is written back as it was.
pub fn read(file: &[u8]) -> bool {
    let within = |error: Error| {
        assert!(error.offset().is_some_and(|offset| offset <= file.len()), "no place in the file: {error}");
    };
    let container = match Container::parse(file) {
        Ok(container) => container,
        Err(error) => {
            within(error);
            return false;
        }
    };
    assert!(container.write() == file, "a container is written back differently");
    container.check_digest();
    for part in container.parts() {
        _ = Reflection::parse(part).map_err(within);
        _ = Signature::parse(part).map_err(within);
        _ = Linkage::parse(part).map_err(within);
        _ = Level9::parse(part).map_err(within);
        _ = Debug::parse(part).map_err(within);
        _ = RootSignature::parse(part).map_err(within).map(|signature| signature.to_string());
        _ = Statistics::parse(part).named().count();
    }
    _ = required_features(&container).map_err(within);
    _ = Effect::find(&container).map_err(within);
    match Shader::find(&container) {
        Ok(shader) => {
            listing(&shader);
            _ = disassembly(&container).map_err(within);
            let part = container.parts().iter().find(|part| part.offset() == shader.offset()).expect("the part of the code");
            assert!(shader.encode().expect("what was decoded encodes") == part.data(), "tokens are encoded differently");
        }
        Err(error) => within(error),
    }
    match program(&container) {
        Ok(program) => {
            validate(&program).unwrap_or_else(|error| panic!("an invalid program: {error}"));
            true
        }
        Err(error) => {
            within(error);
            false
        }
    }
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    files(&tests().join("fixtures"), "dxbc")
}

fn code(container: &Container) -> usize {
    container.parts().iter().position(|part| matches!(&part.code().0, b"SHEX" | b"SHDR")).expect("code")
}

fn with_code(container: &Container, code_at: usize, code: Vec<u8>) -> Vec<u8> {
    let mut container = container.clone();
    container.replace(code_at, code).expect("a part that fits");
    container.write()
}

#[test]
fn truncations() {
    let mut trial = Trial::new("truncated DXBC", read);
    for (at, (name, file)) in fixtures().iter().enumerate() {
        trial.give(file, || name.clone());
        for length in 0..file.len() {
            trial.give(&file[..length], || format!("{name} cut to {length}"));
        }
        let container = Container::parse(file).expect("a fixture");
        for (index, part) in container.parts().iter().enumerate() {
            // The container is made to fit again, so that the parsers of the parts see the cut.
            let is_code = index == code(&container);
            for length in cuts(part.data().len(), if at % 16 == 0 { 128 } else { 4 }) {
                let mut data = part.data()[..length].to_vec();
                if is_code && length >= 8 {
                    data[4..8].copy_from_slice(&(length as u32 / 4).to_le_bytes());
                }
                trial.give(&with_code(&container, index, data), || format!("{name}: part {} cut to {length}", part.code()));
            }
        }
    }
    trial.end(150);
}

#[test]
fn mutations() {
    let mut trial = Trial::new("mutated DXBC", read);
    // What has every opcode of its stage is sound too.
    let sound = files(tests(), "dxbc").into_iter().filter(|(name, _)| name.contains("sound-"));
    let fixtures: Vec<(String, Vec<u8>, Container, Shader)> = fixtures()
        .into_iter()
        .chain(sound)
        .map(|(name, file)| {
            let container = Container::parse(&file).expect("a fixture");
            let shader = Shader::find(&container).expect("a fixture with code");
            (name, file, container, shader)
        })
        // Large programs only take longer.
        .filter(|fixture| fixture.3.instructions.len() < 300)
        .collect();
    // A seed in ten makes something that does not encode.
    for seed in 0..11_500 {
        let mut rng = Rng::with_seed(seed);
        let (name, file, container, shader) = &fixtures[rng.usize(..fixtures.len())];
        let (_, other_file, _, other) = &fixtures[rng.usize(..fixtures.len())];
        let input = match rng.u8(..8) {
            0 => mutate::bytes(&mut rng, file.clone(), other_file),
            1 => {
                let at = rng.usize(..container.parts().len());
                let data = mutate::bytes(&mut rng, container.parts()[at].data().to_vec(), other_file);
                with_code(container, at, data)
            }
            2 | 3 => {
                let at = code(container);
                let mut data = mutate::bytes(&mut rng, container.parts()[at].data().to_vec(), other_file);
                if data.len() >= 8 {
                    let length = data.len() as u32 / 4;
                    data[4..8].copy_from_slice(&length.to_le_bytes());
                }
                with_code(container, at, data)
            }
            _ => {
                let mut shader = shader.clone();
                for _ in 0..rng.usize(1..=3) {
                    instructions(&mut rng, &mut shader.instructions, &other.instructions);
                }
                let Ok(data) = shader.encode() else { continue };
                with_code(container, code(container), data)
            }
        };
        trial.give(&input, || format!("seed {seed} on {name}"));
    }
    assert!(trial.inputs() >= 10_000, "only {} inputs", trial.inputs());
    trial.end(1000);
}

/// Changes a program that still decodes: an instruction taken out, moved, exchanged or changed in a field.
fn instructions(rng: &mut Rng, list: &mut Vec<Instruction>, other: &[Instruction]) {
    if list.is_empty() || other.is_empty() {
        return;
    }
    let at = rng.usize(..list.len());
    match rng.u8(..8) {
        0 => _ = list.remove(at),
        1 => list.insert(at, list[rng.usize(..list.len())].clone()),
        2 => list.insert(at, other[rng.usize(..other.len())].clone()),
        3 => {
            let second = rng.usize(..list.len());
            list.swap(at, second);
        }
        4 => {
            // Another opcode, which takes the same operands when it encodes at all.
            if let Some(info) = Opcode::from_number(rng.u16(..240)) {
                list[at].opcode = info.opcode;
            }
        }
        5 => list[at].controls ^= 1 << rng.u32(11..24),
        _ => {
            let instruction = &mut list[at];
            if !instruction.words.is_empty() && rng.bool() {
                let word = rng.usize(..instruction.words.len());
                instruction.words[word] = EDGES[rng.usize(..EDGES.len())];
            } else if !instruction.operands.is_empty() {
                let which = rng.usize(..instruction.operands.len());
                operand(rng, &mut instruction.operands[which]);
            }
        }
    }
}

fn operand(rng: &mut Rng, operand: &mut Operand) {
    match rng.u8(..6) {
        0 => operand.file = File::from_number(rng.u32(..43)).expect("a file"),
        1 => operand.selection = Selection::Mask(rng.u8(..16)),
        2 => operand.selection = Selection::Swizzle([0; 4].map(|_| rng.u8(..4))),
        3 => operand.modifier = [Modifier::None, Modifier::Neg, Modifier::Abs, Modifier::AbsNeg][rng.usize(..4)],
        4 => _ = operand.indices.pop(),
        _ => {
            if let Some(index) = rng.choice(&mut operand.indices) {
                let small = rng.u32(..8);
                index.offset = match rng.u8(..4) {
                    0 => IndexOffset::Bits64(u64::from(EDGES[rng.usize(..EDGES.len())]) << rng.u32(..33)),
                    1 => IndexOffset::Bits32(EDGES[rng.usize(..EDGES.len())]),
                    _ => IndexOffset::Bits32(small),
                };
                if rng.u8(..4) == 0 {
                    let mut register = Operand::new(File::Temp);
                    register.selection = Selection::One(rng.u8(..4));
                    register.indices =
                        vec![gpuproof_read::dxbc::operand::Index { offset: IndexOffset::Bits32(small), relative: None }];
                    index.relative = Some(Box::new(register));
                }
            }
        }
    }
}

#[test]
fn random_bytes() {
    let mut trial = Trial::new("random DXBC", read);
    let fixtures = fixtures();
    for seed in 0..2_000 {
        let mut rng = Rng::with_seed(seed);
        let (name, file) = &fixtures[rng.usize(..fixtures.len())];
        let kept = rng.usize(..file.len());
        let input = match seed % 4 {
            0 => mutate::random(&mut rng, &[]),
            1 => mutate::random(&mut rng, b"DXBC"),
            2 => mutate::random(&mut rng, &file[..kept]),
            _ => {
                let container = Container::parse(file).expect("a fixture");
                let at = rng.usize(..container.parts().len());
                let start = &container.parts()[at].data()[..8.min(container.parts()[at].data().len())];
                let data = mutate::random(&mut rng, start);
                with_code(&container, at, data)
            }
        };
        trial.give(&input, || format!("seed {seed} on {name}"));
    }
    trial.end(0);
}

/// Reads what has no program: root signatures, effects, what is kept for debuggers, programs of Direct3D 9. Accepted is what has one of
/// them.
fn parts(file: &[u8]) -> bool {
    let within = |error: &Error| {
        assert!(error.offset().is_some_and(|offset| offset <= file.len()), "no place in the file: {error}");
    };
    if Effect::is_effect(file) {
        return Effect::parse(file).inspect_err(within).is_ok();
    }
    assert!(search(file).count() <= file.len() / 32);
    let Ok(container) = Container::parse(file) else { return false };
    let root = RootSignature::find(&container).inspect_err(within);
    if let Ok(Some(signature)) = &root {
        let text = signature.to_string().len();
        assert!(text <= 400 + 60 * file.len(), "{} bytes print as {text}", file.len());
    }
    let effect = Effect::find(&container).inspect_err(within);
    let debug = Debug::find(&container).inspect_err(within);
    let level9 = Level9::find(&container).inspect_err(within);
    let found = [root.map(|root| root.is_some()), effect.map(|effect| effect.is_some()), debug.map(|debug| debug.is_some())];
    found.into_iter().chain([level9.map(|level9| level9.is_some())]).any(|found| found == Ok(true))
}

/// Files that have these parts.
fn with_parts() -> Vec<(String, Vec<u8>)> {
    let of = |folder: &str| files(tests(), "dxbc").into_iter().filter(move |(name, _)| name.starts_with(folder)).collect();
    let mut all: Vec<(String, Vec<u8>)> = of("containers/");
    let crafted: Vec<(String, Vec<u8>)> = of("listings/level9");
    all.extend(crafted);
    assert!(all.len() > 20, "only {} files", all.len());
    all
}

const CODES: [&[u8; 4]; 5] = [b"RTS0", b"FX10", b"SPDB", b"SDBG", b"Aon9"];

/// The part that the trial is about, where the file is a container.
fn part_of(container: &Container) -> Option<usize> {
    container.parts().iter().position(|part| CODES.contains(&&part.code().0))
}

#[test]
fn truncations_of_other_parts() {
    let mut trial = Trial::new("truncated parts", parts);
    for (name, file) in with_parts() {
        trial.give(&file, || name.clone());
        for length in cuts(file.len(), 400) {
            trial.give(&file[..length], || format!("{name} cut to {length}"));
        }
        let Some(container) = Container::is_container(&file).then(|| Container::parse(&file).expect("a container")) else {
            continue;
        };
        let at = part_of(&container).expect("a part");
        for length in cuts(container.parts()[at].data().len(), 1000) {
            let data = container.parts()[at].data()[..length].to_vec();
            trial.give(&with_code(&container, at, data), || format!("{name}: the part cut to {length}"));
        }
    }
    trial.end(20);
}

#[test]
fn mutations_of_other_parts() {
    let mut trial = Trial::new("mutated parts", parts);
    let all = with_parts();
    for seed in 0..10_000 {
        let mut rng = Rng::with_seed(seed);
        let (name, file) = &all[rng.usize(..all.len())];
        let (_, other) = &all[rng.usize(..all.len())];
        let input = if Container::is_container(file) && rng.u8(..8) != 0 {
            let container = Container::parse(file).expect("a container");
            let at = part_of(&container).expect("a part");
            let mut data = container.parts()[at].data().to_vec();
            if rng.bool() {
                // Words near the start are where tables are, which a mutation of a large part seldom meets.
                let word = 4 * rng.usize(..data.len().div_ceil(4).clamp(1, 64));
                let value = if rng.bool() { EDGES[rng.usize(..EDGES.len())] } else { rng.u32(..data.len() as u32 + 8) };
                data.iter_mut().skip(word).zip(value.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            } else {
                data = mutate::bytes(&mut rng, data, other);
            }
            with_code(&container, at, data)
        } else {
            mutate::bytes(&mut rng, file.clone(), other)
        };
        trial.give(&input, || format!("seed {seed} on {name}"));
    }
    trial.end(1000);
}

#[test]
fn random_parts() {
    let mut trial = Trial::new("random parts", parts);
    for seed in 0..4_000 {
        let mut rng = Rng::with_seed(seed);
        let start: &[u8] = match rng.u8(..4) {
            0 => &[1, 0, 0, 0, 2, 0, 0, 0, 24],
            1 => &[1, 0x20, 0xfe, 0xff, 1, 0, 0, 0, 1],
            2 => b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0\0\x02\0\0",
            _ => &[],
        };
        let data = mutate::random(&mut rng, start);
        let part = Part::new(FourCc(*CODES[rng.usize(..CODES.len())]), data);
        trial.give(&Container::new(vec![part]).expect("a container").write(), || format!("seed {seed}"));
    }
    trial.end(0);
}
