//! Reads row files (`rows/README.md`).

use std::path::Path;

/// A program and its rows.
#[derive(Debug, Default)]
pub struct Block {
    /// The lines of the program.
    pub program: Vec<String>,
    /// What the columns on the left are.
    pub inputs: Vec<String>,
    /// What the columns on the right are.
    pub outputs: Vec<String>,
    /// The rows, in order.
    pub rows: Vec<Row>,
}

/// Inputs and expected outputs of one run.
#[derive(Debug)]
pub struct Row {
    /// Where it stands, from 1.
    pub line: usize,
    /// The columns on the left.
    pub inputs: Vec<u64>,
    /// The columns on the right.
    pub outputs: Vec<u64>,
    /// Why a special row is as it is; none for an ordinary one.
    pub why: Option<String>,
}

/// Reads a file.
///
/// # Errors
/// The file and line, and what is wrong there.
pub fn read(path: &Path) -> Result<Vec<Block>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut blocks = vec![Block::default()];
    for (line, text) in text.lines().enumerate().map(|(at, text)| (at + 1, text.trim())) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if blocks.last().is_none_or(|block| !block.rows.is_empty() && !text.contains("->")) {
            blocks.push(Block::default());
        }
        let Some(block) = blocks.last_mut() else { continue };
        if let Some((role, rest)) = text.split_once(": ").filter(|(role, _)| ["program", "inputs", "outputs"].contains(role)) {
            let words = || rest.split_whitespace().map(str::to_string).collect();
            match role {
                "program" => block.program.push(rest.trim().to_string()),
                "inputs" => block.inputs = words(),
                _ => block.outputs = words(),
            }
            continue;
        }
        let row = row(line, text).ok_or_else(|| format!("{}:{line}: no row `{text}`", path.display()))?;
        block.rows.push(row);
    }
    blocks.retain(|block| !block.rows.is_empty());
    Ok(blocks)
}

fn row(line: usize, text: &str) -> Option<Row> {
    let (words, why) = text.split_once('#').map_or((text, None), |(words, why)| (words, Some(why.trim().to_string())));
    let (inputs, outputs) = words.split_once("->")?;
    let numbers =
        |text: &str| text.split_whitespace().map(|word| u64::from_str_radix(word, 16).ok()).collect::<Option<Vec<u64>>>();
    Some(Row { line, inputs: numbers(inputs)?, outputs: numbers(outputs)?, why })
}
