//! Matrices as programs are given them: turns and moves, projections, scales. Random ones put little in view and turn distances into anything.

use super::values::Spread;
use crate::bind::layout::Leaf;
use crate::random::Random;
use gpuproof_program::{Kind, Width};

/// Rows of four numbers; points are columns.
type Matrix = [[f32; 4]; 4];

/// The most matrices of one array that are filled.
const MOST: usize = 1024;

/// Writes matrices over those that a layout has.
pub fn fill(random: &mut Random, leaves: &[Leaf], spread: Spread, bytes: &mut [u8]) {
    let is_matrix = |leaf: &&Leaf| leaf.scalar.kind == Kind::Float && leaf.scalar.width == Width::W32 && leaf.size >= 2;
    for leaf in leaves.iter().filter(is_matrix) {
        let Some((vectors, stride)) = leaf.vectors.filter(|(vectors, _)| (2..=4).contains(vectors)) else { continue };
        // Whether vectors are rows is for the program to say.
        let transposed = random.one_in(2);
        for start in starts(leaf, bytes.len()) {
            let matrix = matrix(random, spread);
            let vectors = (0..vectors as usize).flat_map(|vector| (0..(leaf.size as usize).min(4)).map(move |at| (vector, at)));
            for (vector, at) in vectors {
                let value = if transposed { matrix[at][vector] } else { matrix[vector][at] };
                let place = start + vector * stride as usize + at * 4;
                if let Some(word) = bytes.get_mut(place..place + 4) {
                    word.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
    }
}

/// The offsets of a leaf in the arrays around it.
fn starts(leaf: &Leaf, length: usize) -> Vec<usize> {
    let mut found = vec![leaf.offset as usize];
    for (count, stride) in &leaf.arrays {
        let stride = (*stride).max(4) as usize;
        let count = count.map_or(length / stride, |count| count as usize).min(MOST);
        found = found.iter().flat_map(|start| (0..count).map(move |at| start + at * stride)).take(MOST).collect();
    }
    found.retain(|start| *start < length);
    found
}

fn matrix(random: &mut Random, spread: Spread) -> Matrix {
    match random.below(4) {
        0 => projection(random),
        1 => scale(random, spread),
        _ => rigid(random, spread),
    }
}

/// A turn, and a move within the case's distances.
fn rigid(random: &mut Random, spread: Spread) -> Matrix {
    let mut turn = [0.0f32; 4].map(|_| random.signed());
    let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
    // A few are turned by nothing, or too little to be told.
    turn = if length < 0.1 || random.one_in(8) { [0.0, 0.0, 0.0, 1.0] } else { turn.map(|part| part / length) };
    let [x, y, z, w] = turn;
    let most = if matches!(spread, Spread::Tens | Spread::Wide) { 10.0 } else { 1.0 };
    let [a, b, c] = [0; 3].map(|_| random.signed() * most);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w), a],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w), b],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y), c],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// A perspective projection to depths from 0 to 1, or its inverse.
fn projection(random: &mut Random) -> Matrix {
    let (width, height) = (0.5 + random.unit() * 2.0, 0.5 + random.unit() * 2.0);
    let near = 0.05 + random.unit();
    let far = near * (2.0 + random.unit() * 100.0);
    let (scale, offset) = (far / (far - near), -near * far / (far - near));
    if random.one_in(2) {
        return [[width, 0.0, 0.0, 0.0], [0.0, height, 0.0, 0.0], [0.0, 0.0, scale, offset], [0.0, 0.0, 1.0, 0.0]];
    }
    [[1.0 / width, 0.0, 0.0, 0.0], [0.0, 1.0 / height, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0 / offset, -scale / offset]]
}

/// Scales along the axes, and a move.
fn scale(random: &mut Random, spread: Spread) -> Matrix {
    let mut found = [[0.0; 4]; 4];
    for (axis, row) in found.iter_mut().enumerate().take(3) {
        row[axis] = if spread.is_coarse() { 0.5 * (1 + random.below(4)) as f32 } else { 0.25 + random.unit() * 2.0 };
        row[3] = if spread.is_coarse() { random.below(5) as f32 - 2.0 } else { random.signed() * 4.0 };
    }
    found[3][3] = 1.0;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &Matrix, b: &Matrix) -> Matrix {
        let mut found = [[0.0; 4]; 4];
        for (row, found) in found.iter_mut().enumerate() {
            for (column, found) in found.iter_mut().enumerate() {
                *found = (0..4).map(|at| a[row][at] * b[at][column]).sum();
            }
        }
        found
    }

    /// A turn keeps lengths and angles: its rows are of length 1 and at right angles.
    #[test]
    fn turns_keep_lengths() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let mut turn = rigid(&mut random, Spread::Tens);
            turn.iter_mut().take(3).for_each(|row| row[3] = 0.0);
            let mut back = turn;
            (0..4).for_each(|row| (0..4).for_each(|column| back[row][column] = turn[column][row]));
            for (row, got) in product(&turn, &back).iter().enumerate() {
                for (column, got) in got.iter().enumerate() {
                    assert!((got - f32::from(u8::from(row == column))).abs() < 1e-5, "{got} at {row} {column}");
                }
            }
        }
    }

    /// The nearest point has depth 0: z is `near` where the depth's numerator vanishes, and the farthest depth 1.
    #[test]
    fn projections_map_to_depths_from_0_to_1() {
        let mut random = Random::new(3);
        let forward = (0..100).map(|_| projection(&mut random)).filter(|matrix| matrix[3][2] == 1.0);
        let mut seen = 0;
        for matrix in forward {
            let [_, _, scale, offset] = matrix[2];
            let (near, far) = (-offset / scale, offset / (1.0 - scale));
            assert!(near > 0.0 && far > near, "{near} {far}");
            seen += 1;
        }
        assert!(seen > 20);
    }
}
