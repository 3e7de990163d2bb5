//! What a model of a machine knew of a program, as text.

use gpuproof_prove::evidence::{Known, MachineRecord};

/// Each kind of knowledge on a line of its own: bits, only a range, nothing.
pub(crate) fn lines(record: &MachineRecord) -> Vec<String> {
    let name = &record.name;
    if record.operations.is_empty() {
        return vec![if name == "exact" {
            "no machine: exact results".into()
        } else {
            format!("{name}: no operation that differs from machine to machine")
        }];
    }
    let of = |known| {
        let operations = record.operations.iter().filter(|operation| operation.known == known);
        let names: Vec<String> = operations
            .map(|operation| {
                let width = if operation.width == 32 { String::new() } else { format!(" of {} bits", operation.width) };
                let places = if operation.places == 1 { String::new() } else { format!(" (in {} places)", operation.places) };
                format!("{}{width}{places}", operation.operation)
            })
            .collect();
        names.join(", ")
    };
    let kinds = [
        (Known::Bits, "the machine's results of"),
        (Known::Range, "canonical results, because only a range is known, of"),
        (Known::Nothing, "canonical results, because nothing is known, of"),
    ];
    let known = kinds.map(|(known, what)| (what, of(known)));
    known.iter().filter(|(_, names)| !names.is_empty()).map(|(what, names)| format!("{name}: {what} {names}")).collect()
}
