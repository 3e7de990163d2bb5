//! Files that are wrong in one known way, and the errors that they give.
//!
//! Beside each input `NAME.EXT` stands `NAME.txt`, the error's text. `UPDATE=1` in the environment writes it anew, to be read and judged before it is kept. The
//! extension says what the input is:
//!
//! * `hex`: a whole file as bytes in hexadecimal. `#` begins a comment, a text in quotes stands for its characters.
//! * `tokens`: the 32-bit tokens of a DXBC program in hexadecimal, wrapped in a container; a length token of 0 is made to fit.
//! * `spirv`: the words of a SPIR-V module after its header in hexadecimal, or all of them where they begin with its magic number.
//! * `wgsl`: a text; its first line may give options: `// entry NAME` or `// override NAME VALUE`.
//! * `program`: a program in the text form.
//! * `json`: a case.

use crate::code;
use crate::harness::tests;
use gpuproof_prove::cases::NamedCase;
use gpuproof_read::dxbc::{Container, program};
use gpuproof_read::wgsl::{self, Options};
use std::fs;
use std::path::Path;

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace())
}

fn hex(text: &str) -> Vec<u8> {
    let piece = |piece: &str| match piece.strip_prefix('"').and_then(|piece| piece.strip_suffix('"')) {
        Some(characters) => characters.as_bytes().to_vec(),
        None => {
            let digit = |at: usize| u8::from_str_radix(&piece[at..at + 2], 16).expect("two hexadecimal digits");
            (0..piece.len()).step_by(2).map(digit).collect()
        }
    };
    pieces(text).flat_map(piece).collect()
}

fn tokens(text: &str) -> Vec<u8> {
    let words: Vec<u32> = pieces(text).map(|word| u32::from_str_radix(word, 16).expect("a word in hexadecimal")).collect();
    code::file(&words)
}

/// The bytes of a module, with a header for SPIR-V 1.3 and ids up to 255 where it has none.
fn module(text: &str) -> Vec<u8> {
    let mut words: Vec<u32> = pieces(text).map(|word| u32::from_str_radix(word, 16).expect("a word in hexadecimal")).collect();
    if words.first() != Some(&0x0723_0203) {
        words.splice(0..0, [0x0723_0203, 0x0001_0300, 0, 256, 0]);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn dxbc(file: &[u8]) -> Result<(), String> {
    let container = Container::parse(file).map_err(|error| error.to_string())?;
    program(&container).map(drop).map_err(|error| error.to_string())
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    let words: Vec<&str> = text.lines().next().unwrap_or("").split_whitespace().collect();
    match words[..] {
        ["//", "entry", name] => options.entry = Some(name.into()),
        ["//", "override", name, value] => options.overrides.push((name.into(), value.parse().expect("a number"))),
        _ => {}
    }
    options
}

fn error(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("a text");
    let result = match path.extension().and_then(|extension| extension.to_str()) {
        Some("hex") => dxbc(&hex(&text)),
        Some("tokens") => dxbc(&tokens(&text)),
        Some("spirv") => {
            gpuproof_read::spirv::read(&module(&text), &Default::default()).map(drop).map_err(|error| error.to_string())
        }
        Some("wgsl") => wgsl::read(&text, &options(&text)).map(drop).map_err(|error| error.to_string()),
        Some("program") => gpuproof_program::text::parse(&text)
            .map_err(|error| error.to_string())
            .and_then(|program| gpuproof_program::validate(&program).map_err(|error| error.to_string())),
        Some("json") => serde_json::from_str::<NamedCase>(&text).map(drop).map_err(|error| error.to_string()),
        _ => return None,
    };
    Some(result.map_or_else(|error| error, |()| "no error".into()))
}

#[test]
fn each_file_gives_its_error() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut paths: Vec<_> =
        fs::read_dir(tests().join("malformed/files")).expect("the files").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for path in paths {
        let Some(found) = error(&path) else { continue };
        count += 1;
        let beside = path.with_extension("txt");
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if update {
            fs::write(&beside, format!("{}\n", found.trim_end())).expect("a folder that can be written to");
        } else if found.trim_end() != expected.trim_end() {
            wrong.push(format!("{}\nexpected: {}\nfound:    {}", path.display(), expected.trim_end(), found.trim_end()));
        }
    }
    assert!(count >= 24, "only {count} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
