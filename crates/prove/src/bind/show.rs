//! A map as a table for people.

use super::*;
use std::fmt;

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<[String; 4]> = Vec::new();
        let io = |what: &str, pair: &IoPair| {
            let note = match pair.convert {
                Convert::Same => String::new(),
                Convert::Reciprocal => ", 1 / x".into(),
                Convert::Truth => ", mask and bool".into(),
            };
            [what.to_string(), pair.original.clone(), pair.port.clone(), format!("{}{note}", pair.how)]
        };
        rows.extend(self.inputs.iter().map(|pair| io("input", pair)));
        rows.extend(self.outputs.iter().map(|pair| io("output", pair)));
        for pair in &self.resources {
            let note = match &pair.transfer {
                Transfer::Whole => String::new(),
                Transfer::Bytes(runs) if runs == &[Run::identity()] => ", same bytes".into(),
                Transfer::Bytes(_) => ", by member".into(),
                Transfer::Texels(format) => {
                    let name = gpuproof_number::format::Format::from_dxgi(*format).map_or("?", |format| format.name);
                    format!(", texels as {name}")
                }
            };
            rows.push(["resource".into(), pair.original.clone(), pair.port.clone(), format!("{}{note}", pair.how)]);
            if let Transfer::Bytes(runs) = &pair.transfer {
                for run in runs.iter().filter(|run| run.bytes.is_some()) {
                    let place = |offset, stride: Vec<String>| format!("  +{offset} {}", stride.join(" "));
                    let strides = |which: fn(&Repeat) -> u32| {
                        run.repeat
                            .iter()
                            .map(|repeat| format!("x{}/{}", repeat.count.map_or("n".into(), |n| n.to_string()), which(repeat)))
                            .collect()
                    };
                    rows.push([
                        String::new(),
                        place(run.original, strides(|repeat| repeat.original)).trim_end().to_string(),
                        place(run.port, strides(|repeat| repeat.port)).trim_end().to_string(),
                        format!("{} bytes {}", run.bytes.unwrap_or(0), run.name).trim_end().to_string(),
                    ]);
                }
            }
        }
        for pair in &self.counters {
            rows.push(["counter".into(), pair.original.to_string(), pair.port.to_string(), String::new()]);
        }
        for pair in &self.samplers {
            rows.push(["sampler".into(), pair.original.clone(), pair.port.clone(), pair.how.to_string()]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2].map(width);
        for row in &rows {
            let line = format!("{:3$}  {:4$}  {:5$}  ", row[0], row[1], row[2], widths[0], widths[1], widths[2]) + &row[3];
            writeln!(f, "{}", line.trim_end())?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Name => "by name",
            How::Builtin => "builtin",
            How::Slot => "by slot",
            How::Order => "by order",
            How::User => "as told",
        })
    }
}

impl fmt::Display for CounterPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterPlace::Hidden(name) => write!(f, "counter of {name}"),
            CounterPlace::Word { resource, offset } => write!(f, "{resource} byte {offset}"),
        }
    }
}
