//! Constants by name: a TOML table written into a layout.

use crate::failure::Failure;
use gpuproof_program::{Kind, ScalarType, Type, Width};
use toml::Value;

/// Buffers larger than this are refused: a table by hand is never so long.
const MAX_BYTES: usize = 64 << 20;

/// The bytes of a layout whose members a table gives; those that it leaves out are 0.
pub fn bytes(file: &str, text: &[u8], layout: &Type) -> Result<Vec<u8>, Failure> {
    let fail = |error: String| Failure::bad(format!("{file}: {error}"));
    let text = std::str::from_utf8(text).map_err(|error| fail(error.to_string()))?;
    let table: toml::Table = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
    let mut bytes = vec![0; size(layout).min(MAX_BYTES)];
    write(&mut bytes, 0, layout, &Value::Table(table), "").map_err(fail)?;
    Ok(bytes)
}

fn size(layout: &Type) -> usize {
    match layout {
        Type::Struct { members, size: whole } => {
            let end = members.iter().map(|member| member.offset as usize + size(&member.ty)).max().unwrap_or(0);
            end.max(*whole as usize)
        }
        Type::Array { count, stride, .. } => count.unwrap_or(0) as usize * *stride as usize,
        Type::Matrix { columns, rows, row_major, stride, .. } => {
            (if *row_major { *rows } else { *columns }) as usize * *stride as usize
        }
        Type::Vector { size, scalar } => (*size * scalar.width.bytes()) as usize,
        Type::Scalar(scalar) => scalar.width.bytes() as usize,
    }
}

fn write(bytes: &mut Vec<u8>, at: usize, layout: &Type, value: &Value, path: &str) -> Result<(), String> {
    let wrong = |expected: &str| Err(format!("{path}: expected {expected}, found {value}"));
    match (layout, value) {
        (Type::Struct { members, .. }, Value::Table(table)) => {
            for (name, value) in table {
                let Some(member) = members.iter().find(|member| member.name == *name) else {
                    let known: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
                    return Err(format!("{path}{name}: no such member; there are {}", known.join(", ")));
                };
                let inner = format!("{path}{name}{}", if matches!(member.ty, Type::Struct { .. }) { "." } else { "" });
                write(bytes, at + member.offset as usize, &member.ty, value, &inner)?;
            }
            Ok(())
        }
        (Type::Struct { .. }, _) => wrong("a table of members"),
        (Type::Array { element, count, stride }, Value::Array(values)) => {
            if count.is_some_and(|count| values.len() > count as usize) {
                return Err(format!("{path}: {} elements, expected at most {}", values.len(), count.unwrap_or(0)));
            }
            for (nth, value) in values.iter().enumerate() {
                write(bytes, at + nth * *stride as usize, element, value, &format!("{path}[{nth}]."))?;
            }
            Ok(())
        }
        (Type::Array { .. }, _) => wrong("an array"),
        (Type::Matrix { columns, rows, row_major, stride, scalar }, Value::Array(values)) => {
            if values.len() != *rows as usize {
                return wrong(&format!("{rows} rows of {columns} numbers"));
            }
            for (row, value) in values.iter().enumerate() {
                let Some(numbers) = value.as_array().filter(|numbers| numbers.len() == *columns as usize) else {
                    return wrong(&format!("{rows} rows of {columns} numbers"));
                };
                for (column, number) in numbers.iter().enumerate() {
                    let (vector, component) = if *row_major { (row, column) } else { (column, row) };
                    let place = at + vector * *stride as usize + component * scalar.width.bytes() as usize;
                    write_scalar(bytes, place, *scalar, number, path)?;
                }
            }
            Ok(())
        }
        (Type::Matrix { .. }, _) => wrong("an array of rows"),
        (Type::Vector { size, scalar }, Value::Array(values)) if values.len() == *size as usize => {
            for (component, value) in values.iter().enumerate() {
                write_scalar(bytes, at + component * scalar.width.bytes() as usize, *scalar, value, path)?;
            }
            Ok(())
        }
        (Type::Vector { size, .. }, _) => wrong(&format!("an array of {size} numbers")),
        (Type::Scalar(scalar), value) => write_scalar(bytes, at, *scalar, value, path),
    }
}

/// Writes a number; a string of hexadecimal digits gives the bits themselves.
fn write_scalar(bytes: &mut Vec<u8>, at: usize, ty: ScalarType, value: &Value, path: &str) -> Result<(), String> {
    let bits = match (value, ty.kind, ty.width) {
        (Value::String(text), ..) => {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            u64::from_str_radix(digits, 16).map_err(|_| format!("{path}: expected hexadecimal bits, found '{text}'"))?
        }
        (Value::Boolean(truth), ..) => u64::from(*truth),
        (Value::Float(number), Kind::Float | Kind::Unknown, Width::W32) => u64::from((*number as f32).to_bits()),
        (Value::Float(number), Kind::Float, Width::W64) => number.to_bits(),
        (Value::Integer(number), Kind::Float, Width::W32) => u64::from((*number as f32).to_bits()),
        (Value::Integer(number), Kind::Float, Width::W64) => (*number as f64).to_bits(),
        (Value::Integer(number), Kind::Sint | Kind::Uint | Kind::Bool | Kind::Unknown, _) => *number as u64,
        (other, kind, width) => {
            return Err(format!("{path}: expected a number of kind {kind:?} with {} bits, found {other}", width.bits()));
        }
    };
    let length = ty.width.bytes() as usize;
    let end = at + length;
    if end > MAX_BYTES {
        return Err(format!("{path}: at byte {at}, past the limit of {MAX_BYTES}"));
    }
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at..end].copy_from_slice(&bits.to_le_bytes()[..length]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuproof_program::Member;

    const FLOAT: ScalarType = ScalarType { kind: Kind::Float, width: Width::W32 };

    fn layout() -> Type {
        let matrix = Type::Matrix { columns: 2, rows: 2, row_major: false, stride: 16, scalar: FLOAT };
        let member = |name: &str, offset, ty| Member { name: name.into(), offset, ty };
        let element = Box::new(Type::Vector { size: 2, scalar: FLOAT });
        Type::Struct {
            members: vec![
                member("m", 0, matrix),
                member("list", 32, Type::Array { element, count: Some(2), stride: 16 }),
                member("count", 64, Type::Scalar(ScalarType { kind: Kind::Sint, width: Width::W32 })),
            ],
            size: 68,
        }
    }

    /// Offsets by hand: the columns of a column-major matrix are 16 bytes apart, array elements too.
    #[test]
    fn members_go_to_their_places() {
        let text = b"m = [[1.0, 2.0], [3, 4]]\nlist = [[5.0, 6.0]]\ncount = -1\n";
        let bytes = bytes("a.toml", text, &layout()).expect("bytes");
        let float = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        assert_eq!([float(0), float(16), float(4), float(20)], [1.0, 2.0, 3.0, 4.0]);
        assert_eq!([float(32), float(36), float(48)], [5.0, 6.0, 0.0]);
        assert_eq!((bytes.len(), &bytes[64..]), (68, &[255u8; 4][..]));
    }

    #[test]
    fn what_does_not_fit_says_what_is_expected() {
        let message = |text: &str| bytes("a.toml", text.as_bytes(), &layout()).expect_err("a misfit").message;
        assert!(message("other = 1").contains("no such member; there are m, list, count"));
        assert!(message("m = [1.0, 2.0]").contains("expected 2 rows of 2 numbers"));
        assert!(message("list = [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]").contains("expected at most 2"));
        assert!(message("count = 1.5").contains("expected a number of kind Sint"));
        assert!(message("count =").starts_with("a.toml: "));
    }
}
