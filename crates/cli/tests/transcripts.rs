//! Whole commands: what they print and their exit status.
//!
//! README.md and the files of `tests/transcripts` hold blocks marked `console`. A line `$ gpuproof ...` is run in the repository's root, with
//! `< FILE` as its input and `<OUT>` standing for a scratch folder; the lines below it are what it prints (errors after output), and a last line `? N` is its
//! exit status where that is not 0. `BLESS=1 cargo test -p gpuproof --test transcripts` writes what is printed now; read the change.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command line and gives what it printed, and its status where that is not 0.
fn run(line: &str, scratch: &Path) -> String {
    let (words, input) = line.split_once(" < ").map_or((line, None), |(words, input)| (words, Some(input.trim())));
    let words = words.replace("<OUT>", &scratch.display().to_string());
    let stdin = match input {
        Some(file) => Stdio::from(std::fs::File::open(root().join(file)).expect("the input file")),
        None => Stdio::null(),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_gpuproof"))
        .args(words.split_whitespace().skip(1))
        .current_dir(root())
        .env("COLUMNS", "110")
        .stdin(stdin)
        .output()
        .expect("the command runs");
    let mut text = String::from_utf8(output.stdout).expect("UTF-8") + &String::from_utf8(output.stderr).expect("UTF-8");
    text = text.replace(&scratch.display().to_string(), "<OUT>");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => text,
        code => text + &format!("? {}\n", code.unwrap_or(-1)),
    }
}

/// Trailing blanks and blank lines at the end carry no meaning.
fn normal(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_string()
}

/// Runs every command of a file; gives the text with what they print now, and the commands that print something else than it says.
fn replay(text: &str, scratch: &Path) -> (String, Vec<String>) {
    let (mut out, mut wrong) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.starts_with("```") {
            inside = line == "```console" && !inside;
            continue;
        }
        let Some(command) = line.strip_prefix("$ ").filter(|command| inside && command.starts_with("gpuproof ")) else {
            continue;
        };
        let mut expected = String::new();
        while let Some(next) = lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")) {
            expected.push_str(next);
            expected.push('\n');
        }
        let found = run(command, scratch);
        if normal(&expected) != normal(&found) {
            wrong.push(format!("$ {command}\n--- expected\n{expected}--- found\n{found}"));
        }
        out.push_str(&normal(&found));
        out.push('\n');
    }
    (out.replace("\n\n```\n", "\n```\n"), wrong)
}

#[test]
fn commands_print_what_the_transcripts_say() {
    let mut files = vec![root().join("README.md")];
    let folder = std::fs::read_dir(root().join("tests/transcripts")).expect("the transcripts");
    files.extend(folder.map(|file| file.expect("a file").path()).filter(|path| path.extension().is_some_and(|end| end == "md")));
    files.sort();
    let bless = std::env::var_os("BLESS").is_some();
    let scratch = std::env::temp_dir().join(format!("gpuproof-transcripts-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a scratch folder");
    let (mut commands, mut wrong) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a transcript");
        commands += text.matches("\n$ gpuproof ").count();
        let (now, bad) = replay(&text, &scratch);
        if bless && !bad.is_empty() {
            std::fs::write(&file, now).expect("written");
        } else {
            wrong.extend(bad.into_iter().map(|bad| format!("{}\n{bad}", file.display())));
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(commands >= 20, "{commands} commands");
    assert!(wrong.is_empty(), "{} transcripts differ\n\n{}", wrong.len(), wrong.join("\n"));
}
