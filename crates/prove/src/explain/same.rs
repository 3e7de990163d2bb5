//! Whether two regions are one function of the same values on a lane where nothing is promised of the result: what excuses a port there is that it
//! computes what the original does, not that anything would be right.

use super::exact::{Arithmetic, Ball, Exact, number};
use super::region::{Region, RegionNode, RegionOperation};
use crate::locate::graph::Point;
use gpuproof_program::{Op, Width};
use std::collections::HashMap;

/// How well a number has to be known, relative to itself or to 1, to say something.
const TIGHT: f64 = 1.0 / (1 << 20) as f64;
/// Values that are made up for what regions begin with, how many of them have to give a number to show something, and after how many a region that gives none
/// shows nothing.
const TRIALS: u64 = 24;
const ENOUGH: usize = 8;
/// The largest region that is tried.
const LARGEST: usize = 40;

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
    /// Whether one of these is no number, of which the specification promises nothing, whatever is computed of it.
    fn leaves_open(&self, args: &[Exact]) -> bool {
        let is_number = |arg: &Exact| !matches!(arg, Exact::Bits(bits) if number(*bits, self.widths.0).is_none());
        self.asks_for_numbers() && args.iter().enumerate().any(|(at, arg)| self.takes_float(at) && !is_number(arg))
    }

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
                if operation.leaves_open(&args) {
                    made.push(Exact::Unknown);
                    continue;
                }
                arithmetic.evaluate(operation.op, &operation.attrs, operation.widths, &args, operation.result)
            }
        });
    }
    made.pop().unwrap_or(Exact::Unknown)
}

/// How the values that a region begins with are read; none where that is not one way, or not known here.
fn uses(regions: &[&Region]) -> Option<HashMap<Point, Use>> {
    let mut all: HashMap<Point, Use> = HashMap::new();
    for region in regions {
        if region.nodes.len() > LARGEST || region.lookups().next().is_some() {
            return None;
        }
        for operation in region.operations() {
            for (position, at) in operation.args.iter().enumerate() {
                let RegionNode::Leaf(point) = region.nodes[*at] else { continue };
                let own = match (operation.op, operation.widths.0) {
                    (Op::Select, _) if position == 0 => Use::Truth,
                    (_, Width::W1) => Use::Truth,
                    (Op::Select | Op::IAnd | Op::IOr | Op::IXor, Width::W32) => Use::Float,
                    (_, Width::W32) if operation.takes_float(position) => Use::Float,
                    (_, Width::W64) if operation.takes_float(position) => Use::Double,
                    (_, Width::W32) => Use::Integer,
                    _ => return None,
                };
                if *all.entry(point).or_insert(own) != own {
                    return None;
                }
            }
        }
    }
    Some(all)
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    Truth,
    Integer,
    Float,
    Double,
}

/// The values of leaves in a trial: numbers of several sizes, each leaf its own.
fn made_up(uses: &HashMap<Point, Use>, trial: u64) -> impl Fn(Point) -> u64 + '_ {
    move |point| {
        let mut bits = (point as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (trial + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
        for _ in 0..3 {
            bits ^= bits >> 29;
            bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits ^= bits >> 32;
        }
        let unit = (bits >> 40) as f64 / (1u64 << 24) as f64;
        let x = match trial % 4 {
            0 => unit,
            1 => unit * 2.0 - 1.0,
            2 => unit * 16.0 - 8.0,
            _ => (unit * 12.0 - 6.0).exp2(),
        };
        match uses.get(&point) {
            Some(Use::Truth) => bits & 1,
            Some(Use::Integer) => bits & 0xff,
            Some(Use::Float) => u64::from((x as f32).to_bits()),
            Some(Use::Double) => x.to_bits(),
            None => 0,
        }
    }
}

/// A value of a region as a number, where it is one.
fn tried(region: &Region, width: Width, leaf: &dyn Fn(Point) -> u64, arithmetic: &mut Arithmetic) -> Option<Ball> {
    match value(region, leaf, arithmetic).real(width) {
        Exact::Real(ball) => Some(ball),
        _ => None,
    }
}

fn is_tight(ball: &Ball) -> bool {
    ball.radius() <= TIGHT * ball.near().abs().max(1.0)
}

fn width(region: &Region) -> Option<Width> {
    match region.nodes.last() {
        Some(RegionNode::Operation(last)) => Some(last.widths.1),
        _ => None,
    }
}

/// Whether two regions are the same function of values that are made up, where lanes say too little.
pub(super) fn is_identity(own: &Region, port: &Region, arithmetic: &mut Arithmetic) -> bool {
    let (Some(uses), Some(width)) = (uses(&[own, port]), width(own)) else { return false };
    let mut agreed = 0;
    for trial in 0..TRIALS {
        let leaf = made_up(&uses, trial);
        let both = [own, port].map(|region| tried(region, width, &leaf, arithmetic));
        if let [Some(a), Some(b)] = both {
            if !a.agrees(&b) {
                return false;
            }
            agreed += usize::from(a.near() != 0.0 && is_tight(&a) && is_tight(&b));
        }
        if trial == TRIALS / 2 && agreed == 0 {
            return false;
        }
    }
    agreed >= ENOUGH
}

/// The one number that a region is whatever it begins with, such as x - x.
pub(super) fn constant(region: &Region, arithmetic: &mut Arithmetic) -> Option<u64> {
    let (uses, width) = (uses(&[region])?, width(region)?);
    if uses.is_empty() {
        return None;
    }
    let mut first: Option<Ball> = None;
    let mut agreed = 0;
    for trial in 0..TRIALS {
        match (tried(region, width, &made_up(&uses, trial), arithmetic), &first) {
            (Some(ball), _) if !is_tight(&ball) => return None,
            (Some(ball), None) => first = Some(ball),
            (Some(ball), Some(first)) if !ball.agrees(first) => return None,
            (Some(_), Some(_)) => {}
            (None, _) => continue,
        }
        agreed += 1;
    }
    // A zero without a sign.
    let x = first.filter(|_| agreed >= ENOUGH)?.near() + 0.0;
    let bits = match width {
        Width::W32 => u64::from((x as f32).to_bits()),
        Width::W64 => x.to_bits(),
        _ => return None,
    };
    (number(bits, width) == Some(x)).then_some(bits)
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

    fn arithmetic() -> Arithmetic {
        Arithmetic::new().expect("big numbers")
    }

    #[test]
    fn made_up_values_tell_functions_apart() {
        // max(-x, x) = |x|, and is not x.
        let largest = region(&[(Op::FNeg, &[0]), (Op::FMax, &[5, 0])]);
        assert!(is_identity(&largest, &region(&[(Op::FAbs, &[0])]), &mut arithmetic()));
        let half = region(&[(Op::FMax, &[0, 2])]);
        assert!(!is_identity(&largest, &half, &mut arithmetic()));
        // x / y = x (1 / y), and is not y / x.
        let quotient = region(&[(Op::FDiv, &[0, 1])]);
        let by_reciprocal = region(&[(Op::FRcp, &[1]), (Op::FMul, &[0, 5])]);
        assert!(is_identity(&quotient, &by_reciprocal, &mut arithmetic()));
        assert!(!is_identity(&quotient, &region(&[(Op::FDiv, &[1, 0])]), &mut arithmetic()));
    }

    #[test]
    fn what_is_one_number_whatever_it_begins_with_is_a_constant() {
        let constant = |operations: &[(Op, &[usize])]| {
            constant(&region(operations), &mut arithmetic()).map(|bits| f32::from_bits(bits as u32))
        };
        assert_eq!(constant(&[(Op::FSub, &[0, 0])]), Some(0.0));
        assert_eq!(constant(&[(Op::FMul, &[2, 0])]), Some(0.0));
        assert_eq!(constant(&[(Op::FDiv, &[0, 0])]), Some(1.0));
        assert_eq!(constant(&[(Op::FMul, &[0, 0])]), None);
        assert_eq!(constant(&[(Op::FMul, &[3, 3])]), None);
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
