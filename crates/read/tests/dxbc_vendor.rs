//! The DXBC reader against Microsoft's own disassembler: for each fixture, `NAME.asm` is what it prints of `NAME.dxbc`.
#![cfg(feature = "dxbc")]

use gpuproof_read::dxbc::{Container, Element, Reflection, Signature, SignatureKind, disassembly};
use std::fs;
use std::path::{Path, PathBuf};

/// A binary's path, its bytes and the listing's lines without their line ends.
type Listed = (PathBuf, Vec<u8>, Vec<String>);

/// What has a listing in the folders of `tests/fixtures`.
fn fixtures() -> Vec<Listed> {
    let folders = fs::read_dir(root().join("fixtures")).expect("the fixtures");
    let found: Vec<Listed> = folders.flat_map(|folder| listed(&folder.expect("a folder").path())).collect();
    assert!(found.len() > 100, "only {} fixtures", found.len());
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// What has a listing in a folder.
fn listed(folder: &Path) -> Vec<Listed> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten() {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "dxbc")
            && let Ok(text) = fs::read(path.with_extension("asm"))
        {
            let text = String::from_utf8_lossy(&text).into_owned();
            found.push((path.clone(), fs::read(&path).expect("a binary"), text.lines().map(str::to_string).collect()));
        }
    }
    found
}

/// The lines of a table of the listing's head: those after the line of dashes that follows the title.
fn table<'a>(lines: &'a [String], title: &str) -> Vec<Vec<&'a str>> {
    let mut rest = lines.iter().skip_while(|line| !line.starts_with(title));
    rest.find(|line| line.starts_with("// ---"));
    let rows = rest.take_while(|line| line.starts_with("// ") && !line.starts_with("// no "));
    rows.map(|line| line[2..].split_whitespace().collect()).collect()
}

/// What a compiler writes and, in `tests/listings`, what none does: every opcode, every bit of control, every description, operands of
/// every form. `GPUPROOF_LISTINGS=FOLDER` in the environment holds more of them (`scripts/hlsl/craft --more N FOLDER`).
#[test]
fn listings_are_the_vendors_to_the_letter() {
    let mut crafted = listed(&root().join("listings"));
    if let Some(more) = std::env::var_os("GPUPROOF_LISTINGS") {
        crafted.extend(listed(Path::new(&more)));
    }
    assert!(crafted.len() > 40, "only {} crafted containers", crafted.len());
    let mut wrong = 0;
    for (path, bytes, theirs) in fixtures().into_iter().chain(crafted) {
        let container = Container::parse(&bytes).expect("a container");
        let ours: Vec<String> = disassembly(&container).expect("a listing").into_iter().map(|line| line.text).collect();
        if let Some(i) = (0..ours.len().max(theirs.len())).find(|&i| ours.get(i) != theirs.get(i)) {
            wrong += 1;
            println!("{} line {i}\n  {:?}\n  {:?}", path.display(), ours.get(i), theirs.get(i));
        }
    }
    assert_eq!(wrong, 0);
}

/// The name that the vendor's tables give to the format of an element.
fn format_name(element: &Element) -> &'static str {
    match (element.min_precision, element.component_type) {
        (0, 1) => "uint",
        (0, 2) => "int",
        (0, 3) => "float",
        (1, _) => "min16f",
        (2, _) => "min2_8f",
        (4, _) => "min16i",
        (5, _) => "min16u",
        _ => "unknown",
    }
}

#[test]
fn signatures_are_the_vendors() {
    let mut rows = 0;
    for (path, bytes, lines) in fixtures() {
        let container = Container::parse(&bytes).expect("a container");
        for (title, kind) in [
            ("// Input signature:", SignatureKind::Input),
            ("// Output signature:", SignatureKind::Output),
            ("// Patch Constant signature:", SignatureKind::PatchConstant),
        ] {
            let theirs = table(&lines, title);
            let signature = Signature::find(&container, kind).expect("a signature");
            let ours = signature.map(|signature| signature.elements).unwrap_or_default();
            assert_eq!(ours.len(), theirs.len(), "{}", path.display());
            for (element, row) in ours.iter().zip(&theirs) {
                let mask: String = (0..4).filter(|i| element.mask >> i & 1 == 1).map(|i| b"xyzw"[i] as char).collect();
                let own_register = element.register == u32::MAX;
                let (mask, register) =
                    if own_register { (String::from("N/A"), row[3].to_string()) } else { (mask, element.register.to_string()) };
                // Streams are named where a program has more than one.
                let name = match row[0].split_once(':') {
                    Some(_) => format!("m{}:{}", element.stream, element.name),
                    None => element.name.clone(),
                };
                let index = element.semantic_index.to_string();
                let ours = [name.as_str(), &index, &mask, &register, row[4], format_name(element)];
                assert_eq!(ours, row[..6], "{}", path.display());
                rows += 1;
            }
        }
    }
    assert!(rows > 500, "only {rows} elements");
}

#[test]
fn reflection_is_the_vendors() {
    let (mut variables, mut bindings) = (0, 0);
    for (path, bytes, lines) in fixtures() {
        let container = Container::parse(&bytes).expect("a container");
        let place = path.display();
        let Some(part) = container.find(&[b"RDEF"]) else {
            assert!(!lines.iter().any(|line| line.starts_with("// Resource Bindings")), "{place}");
            continue;
        };
        let reflection = Reflection::parse(part).expect("reflection");
        // `TYPE NAME[ELEMENTS]; // Offset: 0 Size: 64`: the size stands at variables, not at members.
        let mut theirs = lines.iter().filter(|line| line.contains(" Size:"));
        for variable in reflection.constant_buffers.iter().flat_map(|b| &b.variables) {
            let line = theirs.next().expect("a variable");
            let (declaration, place_and_size) = line[2..].split_once("; ").expect("a declaration");
            let numbers: Vec<&str> = place_and_size.split_whitespace().collect();
            let name = declaration.split_whitespace().last().and_then(|name| name.split('[').next());
            assert_eq!(name, Some(variable.name.as_str()), "{place}");
            assert_eq!(numbers[2], variable.offset.to_string(), "{place}: {}", variable.name);
            assert_eq!(numbers[4], variable.size.to_string(), "{place}: {}", variable.name);
            variables += 1;
        }
        assert_eq!(theirs.next(), None, "{place}");
        let rows = table(&lines, "// Resource Bindings:");
        assert_eq!(rows.len(), reflection.bindings.len(), "{place}");
        for (binding, row) in reflection.bindings.iter().zip(rows) {
            let prefix = match binding.kind {
                0 => "cb",
                3 => "s",
                1 | 2 | 5 | 7 => "t",
                _ => "u",
            };
            let space = if binding.space == 0 { String::new() } else { format!(",space{}", binding.space) };
            let register = format!("{prefix}{}{space}", binding.bind_point);
            let count = match binding.bind_count {
                0 => String::from("unbounded"),
                count => count.to_string(),
            };
            let (id, rest) = if reflection.target & 0xffff == 0x501 {
                (format!("{}{}", prefix.to_uppercase(), binding.id), &row[5..])
            } else {
                (String::from("-"), &row[4..])
            };
            assert_eq!(row[0], binding.name, "{place}");
            assert_eq!(rest, [register.as_str(), &count], "{place}: {}", binding.name);
            assert!(id == "-" || id == row[4], "{place}: {}", binding.name);
            bindings += 1;
        }
    }
    assert!(variables > 200 && bindings > 200, "only {variables} variables and {bindings} bindings");
}
