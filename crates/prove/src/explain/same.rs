//! Whether two regions are one function of the same values on a lane where nothing is promised of the result: what excuses a port there is that it
//! computes what the original does, not that anything would be right.

use super::exact::{Arithmetic, Exact};
use super::region::{Region, RegionNode, RegionOperation};
use crate::locate::graph::Point;
use gpuproof_program::{Op, Width};

/// How well a number has to be known, relative to itself or to 1, to say something.
const TIGHT: f64 = 1.0 / (1 << 20) as f64;

/// Whether two regions are the same function in exact arithmetic of the very values that a lane has. Where these make no number, such as 0 / 0 or what is made
/// of an infinity, nothing tells them apart; no more does what a texture gives, which is not known here.
pub(super) fn is_same(own: &Region, port: &Region, leaf: &dyn Fn(Point) -> u64, arithmetic: &mut Arithmetic) -> bool {
    let Some(RegionNode::Operation(last)) = own.nodes.last() else { return false };
    let width = last.widths.1;
    let [own, port] = [own, port].map(|region| value(region, leaf, arithmetic));
    if !matches!(width, Width::W16 | Width::W32 | Width::W64) {
        return !matches!((own, port), (Exact::Bits(a), Exact::Bits(b)) if a != b);
    }
    let (Exact::Real(a), Exact::Real(b)) = (own.real(width), port.real(width)) else { return true };
    let tight = a.radius() + b.radius() <= TIGHT * a.near().abs().max(1.0);
    a.agrees(&b) && tight
}

impl RegionOperation {
    fn takes_float(&self, position: usize) -> bool {
        self.op.row().name.starts_with("f.") && !(self.op == Op::FLdexp && position == 1)
    }
}

/// The value of a region in exact arithmetic.
fn value(region: &Region, leaf: &dyn Fn(Point) -> u64, arithmetic: &mut Arithmetic) -> Exact {
    let mut made: Vec<Exact> = Vec::with_capacity(region.nodes.len());
    for node in &region.nodes {
        made.push(match node {
            RegionNode::Leaf(point) => Exact::Bits(leaf(*point)),
            RegionNode::Constant(bits) => Exact::Bits(*bits),
            RegionNode::Lookup(..) => Exact::Unknown,
            RegionNode::Operation(operation) => {
                let arg = |(position, at): (usize, &usize)| match region.nodes[*at] {
                    RegionNode::Constant(bits) if region.shortened && operation.takes_float(position) => {
                        Exact::shortened(bits, operation.widths.0)
                    }
                    _ => made[*at].clone(),
                };
                let args: Vec<Exact> = operation.args.iter().enumerate().map(arg).collect();
                arithmetic.evaluate(operation.op, &operation.attrs, operation.widths, &args, operation.result)
            }
        });
    }
    made.pop().unwrap_or(Exact::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuproof_program::{Attrs, Dialect, Instruction, Origin};

    /// A region whose nodes are leaves 0 and 1, constants 0, 7 and 2^100 at 2 to 4, then operations.
    fn region(operations: &[(Op, &[usize])]) -> Region {
        let mut nodes = vec![RegionNode::Leaf(0), RegionNode::Leaf(1)];
        nodes.extend([0.0, 7.0, 2f32.powi(100)].map(|x: f32| RegionNode::Constant(x.to_bits().into())));
        for (op, args) in operations {
            let instruction =
                Instruction { op: *op, attrs: Attrs::default(), args: Vec::new(), results: Vec::new(), origin: Origin::line(1) };
            let width = if matches!(op, Op::FNe | Op::FLe) { Width::W1 } else { Width::W32 };
            nodes.push(RegionNode::operation(Dialect::D3D11, 2, &instruction, 0, (Width::W32, width), args.to_vec()));
        }
        Region { nodes, shortened: false }
    }

    #[track_caller]
    fn holds(own: &[(Op, &[usize])], port: &[(Op, &[usize])], leaves: [f32; 2]) -> bool {
        let leaf = |point: Point| u64::from(leaves[point].to_bits());
        is_same(&region(own), &region(port), &leaf, &mut Arithmetic::new().expect("big numbers"))
    }

    #[test]
    fn functions_are_told_apart_at_the_very_lane() {
        // sin(x + x) = 2 sin(x) cos(x).
        let own: &[(Op, &[usize])] = &[(Op::FAdd, &[0, 0]), (Op::FSin, &[5])];
        let port: &[(Op, &[usize])] = &[(Op::FSin, &[0]), (Op::FCos, &[0]), (Op::FMul, &[5, 6]), (Op::FAdd, &[7, 7])];
        assert!(holds(own, port, [1e6, 0.0]));
        let wrong: &[(Op, &[usize])] = &[(Op::FSin, &[3]), (Op::FCos, &[0]), (Op::FMul, &[5, 6]), (Op::FAdd, &[7, 7])];
        assert!(!holds(own, wrong, [1e6, 0.0]));
    }

    #[test]
    fn where_there_is_no_number_nothing_tells_functions_apart() {
        let quotient: &[(Op, &[usize])] = &[(Op::FDiv, &[0, 1])];
        let by_reciprocal: &[(Op, &[usize])] = &[(Op::FRcp, &[1]), (Op::FMul, &[0, 5])];
        assert!(holds(quotient, by_reciprocal, [0.0, 0.0]));
        assert!(holds(quotient, by_reciprocal, [f32::INFINITY, f32::NAN]));
        // 7 where the divisor is 0; where it is not, both have a number.
        let guarded: &[(Op, &[usize])] = &[(Op::FDiv, &[0, 1]), (Op::FNe, &[1, 2]), (Op::Select, &[6, 5, 3])];
        assert!(holds(quotient, guarded, [0.0, 0.0]));
        let always: &[(Op, &[usize])] = &[(Op::FMul, &[3, 3])];
        assert!(!holds(quotient, always, [1.0, 3.0]));
    }
}
