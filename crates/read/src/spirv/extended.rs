//! GLSL.std.450: what Vulkan defines by an expression (Precision of GLSL.std.450 Instructions) is that expression, over primitive operations.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::lower::{Lower, Source};
use super::memory::Val;
use gpuproof_program::{Attrs, Detail, Evaluation, Norm, Op, Target, Value, Width};
use rspirv::spirv::GlslStd450Op as G;

/// Functions that are one operation a component.
const COMPONENTWISE: &[(G, Op)] = &[
    (G::RoundEven, Op::FRound),
    // Which way halves go is open; here to even.
    (G::Round, Op::FRound),
    (G::Trunc, Op::FTrunc),
    (G::FAbs, Op::FAbs),
    (G::FSign, Op::FSign),
    (G::Floor, Op::FFloor),
    (G::Ceil, Op::FCeil),
    (G::Fract, Op::FFract),
    (G::Sin, Op::FSin),
    (G::Cos, Op::FCos),
    (G::Asin, Op::FAsin),
    (G::Acos, Op::FAcos),
    (G::Atan, Op::FAtan),
    (G::Atan2, Op::FAtan2),
    (G::Exp, Op::FExp),
    (G::Log, Op::FLog),
    (G::Exp2, Op::FExp2),
    (G::Log2, Op::FLog2),
    (G::Sqrt, Op::FSqrt),
    (G::InverseSqrt, Op::FRsqrt),
    (G::FMin, Op::FMin),
    (G::FMax, Op::FMax),
    (G::UMin, Op::UMin),
    (G::UMax, Op::UMax),
    (G::SMin, Op::SMin),
    (G::SMax, Op::SMax),
    // Inherited from a multiplication and an addition.
    (G::Fma, Op::FMad),
];

impl Lower<'_> {
    pub(super) fn extended(&mut self, inst: &Inst) -> Result<()> {
        let Some(function) = G::from_u32(inst.at(1)) else {
            return unsupported(format!("the GLSL.std.450 instruction {}", inst.at(1)));
        };
        match function {
            G::InterpolateAtCentroid | G::InterpolateAtSample | G::InterpolateAtOffset => {
                return self.interpolate(inst, function);
            }
            G::Modf | G::Frexp => return self.through_pointer(inst, function),
            _ => {}
        }
        let mut args = Vec::new();
        for id in inst.rest(2) {
            args.push(self.numbers(*id)?.to_vec());
        }
        if args.is_empty() || args.iter().any(Vec::is_empty) {
            return bad(format!("{function:?} without operands"));
        }
        let numbers = self.function(inst, function, &args)?;
        self.numbers_of(inst, numbers)
    }

    fn function(&mut self, inst: &Inst, function: G, args: &[Vec<Value>]) -> Result<Vec<Value>> {
        let parts: Vec<&[Value]> = args.iter().map(|arg| &arg[..]).collect();
        if let Some((_, op)) = COMPONENTWISE.iter().find(|(known, _)| *known == function) {
            return self.each(*op, &parts);
        }
        let width = self.b.width(args[0][0]);
        let arg = |i: usize| args.get(i).map_or_else(|| bad(format!("{function:?} has too few operands")), |arg| Ok(&arg[..]));
        Ok(match function {
            G::Length => vec![self.length(arg(0)?)?],
            G::Distance => {
                let difference = self.each(Op::FSub, &parts)?;
                vec![self.length(&difference)?]
            }
            G::Normalize => {
                let length = self.length(arg(0)?)?;
                self.each(Op::FDiv, &[arg(0)?, &[length]])?
            }
            G::Cross => self.cross(arg(0)?, arg(1)?)?,
            G::FaceForward => {
                let product = self.dot(arg(2)?, arg(1)?)?;
                let zero = self.float(width, 0.0);
                let faces = self.op(Op::FLt, &[product, zero])?;
                let negated = self.each(Op::FNeg, &[arg(0)?])?;
                self.each(Op::Select, &[&[faces], arg(0)?, &negated])?
            }
            G::Reflect => {
                // I - 2.0 * dot(N, I) * N
                let (i, n) = (arg(0)?, arg(1)?);
                let product = self.dot(n, i)?;
                let two = self.float(width, 2.0);
                let twice = self.op(Op::FMul, &[two, product])?;
                let scaled = self.each(Op::FMul, &[&[twice], n])?;
                self.each(Op::FSub, &[i, &scaled])?
            }
            G::Refract => self.refract(arg(0)?, arg(1)?, arg(2)?)?,
            G::Determinant => {
                let rows = (args[0].len() as f64).sqrt() as usize;
                let columns: Vec<Vec<Value>> = args[0].chunks(rows.max(1)).map(<[Value]>::to_vec).collect();
                vec![self.determinant(&columns)?]
            }
            G::MatrixInverse => self.inverse(arg(0)?)?,
            G::ModfStruct => {
                let (fraction, whole) = self.modf(arg(0)?)?;
                [fraction, whole].concat()
            }
            G::FrexpStruct => {
                let exponent = self.d.types.widths(inst.result_type.unwrap_or(0))?.last().copied().unwrap_or(Width::W32);
                let (fraction, exponents) = self.frexp(arg(0)?, exponent)?;
                [fraction, exponents].concat()
            }
            G::PackSnorm4x8 | G::PackUnorm4x8 | G::PackSnorm2x16 | G::PackUnorm2x16 => vec![self.pack(function, arg(0)?)?],
            G::UnpackSnorm4x8 | G::UnpackUnorm4x8 | G::UnpackSnorm2x16 | G::UnpackUnorm2x16 => {
                self.unpack(function, args[0][0])?
            }
            G::PackHalf2x16 => {
                let mut halves = Vec::new();
                for value in arg(0)? {
                    let half = self.resized(Op::FConvert, *value, Width::W16)?;
                    halves.push(half);
                }
                self.reinterpret(&halves, Width::W32)?
            }
            G::UnpackHalf2x16 => {
                let halves = self.reinterpret(arg(0)?, Width::W16)?;
                self.each_with(&[&halves], |l, p| l.resized(Op::FConvert, p[0], Width::W32))?
            }
            G::PackDouble2x32 => self.reinterpret(arg(0)?, Width::W64)?,
            G::UnpackDouble2x32 => self.reinterpret(arg(0)?, Width::W32)?,
            _ => self.each_with(&parts, |l, e| l.componentwise(function, width, e))?,
        })
    }

    /// The functions that are an expression of each component.
    fn componentwise(&mut self, function: G, width: Width, e: &[Value]) -> Result<Value> {
        let arg = |i: usize| e.get(i).copied().map_or_else(|| bad(format!("{function:?} has too few operands")), Ok);
        let x = arg(0)?;
        match function {
            G::SAbs => {
                let zero = self.b.constant(width, 0);
                let negated = self.op(Op::ISub, &[zero, x])?;
                self.op(Op::SMax, &[x, negated])
            }
            G::SSign => {
                let (zero, one) = (self.b.constant(width, 0), self.b.constant(width, 1));
                let minus = self.b.constant(width, u64::MAX);
                let (above, below) = (self.op(Op::SLt, &[zero, x])?, self.op(Op::SLt, &[x, zero])?);
                let rest = self.op(Op::Select, &[below, minus, zero])?;
                self.op(Op::Select, &[above, one, rest])
            }
            G::Radians | G::Degrees => {
                let (to_radians, to_degrees) = (std::f64::consts::PI / 180.0, 180.0 / std::f64::consts::PI);
                let factor = self.float(width, if function == G::Radians { to_radians } else { to_degrees });
                self.op(Op::FMul, &[x, factor])
            }
            G::Tan => {
                let (sine, cosine) = (self.op(Op::FSin, &[x])?, self.op(Op::FCos, &[x])?);
                self.op(Op::FDiv, &[sine, cosine])
            }
            G::Sinh => self.hyperbolic(Op::FSub, width, x),
            G::Cosh => self.hyperbolic(Op::FAdd, width, x),
            G::Tanh => {
                let (sine, cosine) = (self.hyperbolic(Op::FSub, width, x)?, self.hyperbolic(Op::FAdd, width, x)?);
                self.op(Op::FDiv, &[sine, cosine])
            }
            G::Asinh | G::Acosh => {
                // log(x + sqrt(x * x + 1.0)), and with -
                let one = self.float(width, 1.0);
                let square = self.op(Op::FMul, &[x, x])?;
                let inside = self.op(if function == G::Asinh { Op::FAdd } else { Op::FSub }, &[square, one])?;
                let root = self.op(Op::FSqrt, &[inside])?;
                let sum = self.op(Op::FAdd, &[x, root])?;
                self.op(Op::FLog, &[sum])
            }
            G::Atanh => {
                // log((1.0 + x) / (1.0 - x)) * 0.5
                let (one, half) = (self.float(width, 1.0), self.float(width, 0.5));
                let (above, below) = (self.op(Op::FAdd, &[one, x])?, self.op(Op::FSub, &[one, x])?);
                let quotient = self.op(Op::FDiv, &[above, below])?;
                let logarithm = self.op(Op::FLog, &[quotient])?;
                self.op(Op::FMul, &[logarithm, half])
            }
            G::Pow => {
                // exp2(y * log2(x))
                let logarithm = self.op(Op::FLog2, &[x])?;
                let product = self.op(Op::FMul, &[arg(1)?, logarithm])?;
                self.op(Op::FExp2, &[product])
            }
            G::FClamp => {
                let raised = self.op(Op::FMax, &[x, arg(1)?])?;
                self.op(Op::FMin, &[raised, arg(2)?])
            }
            G::UClamp => {
                let raised = self.op(Op::UMax, &[x, arg(1)?])?;
                self.op(Op::UMin, &[raised, arg(2)?])
            }
            G::SClamp => {
                let raised = self.op(Op::SMax, &[x, arg(1)?])?;
                self.op(Op::SMin, &[raised, arg(2)?])
            }
            G::NMin => self.nan_loses(Op::FMin, &[x, arg(1)?]),
            G::NMax => self.nan_loses(Op::FMax, &[x, arg(1)?]),
            G::NClamp => {
                let raised = self.nan_loses(Op::FMax, &[x, arg(1)?])?;
                self.nan_loses(Op::FMin, &[raised, arg(2)?])
            }
            G::FMix => {
                // x * (1.0 - a) + y * a
                let (y, a, one) = (arg(1)?, arg(2)?, self.float(width, 1.0));
                let rest = self.op(Op::FSub, &[one, a])?;
                let (of_x, of_y) = (self.op(Op::FMul, &[x, rest])?, self.op(Op::FMul, &[y, a])?);
                self.op(Op::FAdd, &[of_x, of_y])
            }
            G::Step => {
                // 0.0 where x < edge, else 1.0
                let (zero, one) = (self.float(width, 0.0), self.float(width, 1.0));
                let below = self.op(Op::FLt, &[arg(1)?, x])?;
                self.op(Op::Select, &[below, zero, one])
            }
            G::SmoothStep => {
                // t * t * (3.0 - 2.0 * t) with t = clamp((x - low) / (high - low), 0.0, 1.0)
                let (low, high, x) = (x, arg(1)?, arg(2)?);
                let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|value| self.float(width, value));
                let (above, range) = (self.op(Op::FSub, &[x, low])?, self.op(Op::FSub, &[high, low])?);
                let quotient = self.op(Op::FDiv, &[above, range])?;
                let raised = self.op(Op::FMax, &[quotient, zero])?;
                let t = self.op(Op::FMin, &[raised, one])?;
                let square = self.op(Op::FMul, &[t, t])?;
                let twice = self.op(Op::FMul, &[two, t])?;
                let rest = self.op(Op::FSub, &[three, twice])?;
                self.op(Op::FMul, &[square, rest])
            }
            G::Ldexp => {
                let exponent = self.resize(arg(1)?, Width::W32, true)?;
                self.op(Op::FLdexp, &[x, exponent])
            }
            G::FindILsb => self.op(Op::IFindLow, &[x]),
            G::FindUMsb => self.op(Op::UFindHigh, &[x]),
            G::FindSMsb => self.op(Op::SFindHigh, &[x]),
            other => unsupported(format!("{other:?} of GLSL.std.450")),
        }
    }

    /// (exp(x) - exp(-x)) * 0.5, or the sum.
    fn hyperbolic(&mut self, op: Op, width: Width, x: Value) -> Result<Value> {
        let half = self.float(width, 0.5);
        let negated = self.op(Op::FNeg, &[x])?;
        let (up, down) = (self.op(Op::FExp, &[x])?, self.op(Op::FExp, &[negated])?);
        let both = self.op(op, &[up, down])?;
        self.op(Op::FMul, &[both, half])
    }

    /// sqrt(dot(x, x)); of a scalar its magnitude.
    fn length(&mut self, x: &[Value]) -> Result<Value> {
        if let [one] = x {
            return self.op(Op::FAbs, &[*one]);
        }
        let square = self.dot(x, x)?;
        self.op(Op::FSqrt, &[square])
    }

    /// Each component is x\[i\] * y\[j\] - y\[i\] * x\[j\].
    fn cross(&mut self, x: &[Value], y: &[Value]) -> Result<Vec<Value>> {
        let ([x0, x1, x2], [y0, y1, y2]) = (x, y) else { return bad("a cross product of other than three components") };
        let mut result = Vec::new();
        for (i, (a, b, c, d)) in [(x1, y2, y1, x2), (x2, y0, y2, x0), (x0, y1, y0, x1)].into_iter().enumerate() {
            self.component(i);
            let (first, second) = (self.op(Op::FMul, &[*a, *b])?, self.op(Op::FMul, &[*c, *d])?);
            result.push(self.op(Op::FSub, &[first, second])?);
        }
        Ok(result)
    }

    /// k < 0.0 ? 0.0 : eta * I - (eta * dot(N, I) + sqrt(k)) * N with k = 1.0 - eta * eta * (1.0 - dot(N, I) * dot(N, I)).
    fn refract(&mut self, i: &[Value], n: &[Value], eta: &[Value]) -> Result<Vec<Value>> {
        let [eta] = eta else { return bad("a ratio of indices that is no number") };
        let width = self.b.width(*eta);
        let (zero, one) = (self.float(width, 0.0), self.float(width, 1.0));
        let product = self.dot(n, i)?;
        let square = self.op(Op::FMul, &[product, product])?;
        let rest = self.op(Op::FSub, &[one, square])?;
        let eta_square = self.op(Op::FMul, &[*eta, *eta])?;
        let scaled = self.op(Op::FMul, &[eta_square, rest])?;
        let k = self.op(Op::FSub, &[one, scaled])?;
        let total = self.op(Op::FLt, &[k, zero])?;
        let root = self.op(Op::FSqrt, &[k])?;
        let along = self.op(Op::FMul, &[*eta, product])?;
        let factor = self.op(Op::FAdd, &[along, root])?;
        self.each_with(&[i, n], |l, p| {
            let (of_i, of_n) = (l.op(Op::FMul, &[*eta, p[0]])?, l.op(Op::FMul, &[factor, p[1]])?);
            let bent = l.op(Op::FSub, &[of_i, of_n])?;
            l.op(Op::Select, &[total, zero, bent])
        })
    }

    /// By the first column: its numbers times the determinants of what is left, signs alternating, summed serially.
    fn determinant(&mut self, columns: &[Vec<Value>]) -> Result<Value> {
        let Some((first, rest)) = columns.split_first() else { return bad("a matrix without columns") };
        if let ([one], []) = (&first[..], rest) {
            return Ok(*one);
        }
        let mut sum = None;
        for (row, number) in first.iter().enumerate() {
            let minor = minor(rest, row);
            let minor = self.determinant(&minor)?;
            let term = self.op(Op::FMul, &[*number, minor])?;
            sum = Some(match sum {
                None => term,
                Some(sum) => self.op(if row % 2 == 0 { Op::FAdd } else { Op::FSub }, &[sum, term])?,
            });
        }
        sum.map_or_else(|| bad("a matrix without rows"), Ok)
    }

    /// The adjugate over the determinant.
    fn inverse(&mut self, numbers: &[Value]) -> Result<Vec<Value>> {
        let size = match numbers.len() {
            4 => 2,
            9 => 3,
            16 => 4,
            _ => return bad("the inverse of a matrix that is not square"),
        };
        let columns: Vec<Vec<Value>> = numbers.chunks(size).map(<[Value]>::to_vec).collect();
        let determinant = self.determinant(&columns)?;
        let mut result = Vec::new();
        for column in 0..size {
            for row in 0..size {
                self.component(row);
                // The cofactor of the transposed place.
                let others: Vec<Vec<Value>> =
                    columns.iter().enumerate().filter(|(at, _)| *at != row).map(|(_, other)| other.clone()).collect();
                let cofactor = minor(&others, column);
                let mut cofactor = self.determinant(&cofactor)?;
                if (row + column) % 2 == 1 {
                    cofactor = self.op(Op::FNeg, &[cofactor])?;
                }
                result.push(self.op(Op::FDiv, &[cofactor, determinant])?);
            }
        }
        Ok(result)
    }

    fn modf(&mut self, x: &[Value]) -> Result<(Vec<Value>, Vec<Value>)> {
        let whole = self.each(Op::FTrunc, &[x])?;
        let fraction = self.each(Op::FSub, &[x, &whole])?;
        Ok((fraction, whole))
    }

    fn frexp(&mut self, x: &[Value], exponent: Width) -> Result<(Vec<Value>, Vec<Value>)> {
        let mut exponents = Vec::new();
        let fraction = self.each_with(&[x], |l, p| {
            let width = l.b.width(p[0]);
            l.check(Op::FFrexp, p)?;
            let attrs = Attrs::rules(l.rules(Op::FFrexp, width));
            let both = l.b.emit(Op::FFrexp, attrs, p, &[width, Width::W32]);
            exponents.push(l.resize(both[1], exponent, true)?);
            Ok(both[0])
        })?;
        Ok((fraction, exponents))
    }

    /// `Modf` and `Frexp`, whose second result goes where a pointer leads.
    fn through_pointer(&mut self, inst: &Inst, function: G) -> Result<()> {
        let (x, place) = (self.numbers(inst.at(2))?, self.pointer(inst.at(3))?);
        let (fraction, other) = match function {
            G::Modf => self.modf(&x)?,
            _ => {
                let exponent = self.d.types.scalar(place.ty)?.width;
                self.frexp(&x, exponent)?
            }
        };
        self.store(&place, &other)?;
        self.numbers_of(inst, fraction)
    }

    /// round(clamp(x, low, 1.0) * scale) of each component, next to each other in a word.
    fn pack(&mut self, function: G, x: &[Value]) -> Result<Value> {
        let norm = norm(function);
        let mut word = self.b.word(0);
        for (i, value) in (0u32..).zip(x) {
            self.component(i as usize);
            let attrs = self.detailed(Op::FToNorm, Width::W32, Detail::Norm(norm));
            let field = self.with(Op::FToNorm, attrs, &[*value])?;
            let (offset, size) = (self.b.word(i * u32::from(norm.bits)), self.b.word(norm.bits.into()));
            word = self.op(Op::IInsert, &[word, field, offset, size])?;
        }
        Ok(word)
    }

    fn unpack(&mut self, function: G, word: Value) -> Result<Vec<Value>> {
        let norm = norm(function);
        (0..32 / u32::from(norm.bits))
            .map(|i| {
                self.component(i as usize);
                let (offset, size) = (self.b.word(i * u32::from(norm.bits)), self.b.word(norm.bits.into()));
                let field = self.op(Op::UExtract, &[word, offset, size])?;
                self.check(Op::NormToF, &[field])?;
                let attrs = self.detailed(Op::NormToF, Width::W32, Detail::Norm(norm));
                Ok(self.b.value_of(Width::W32, Op::NormToF, attrs, &[field]))
            })
            .collect()
    }

    /// `InterpolateAt*`: an input evaluated elsewhere in the pixel.
    fn interpolate(&mut self, inst: &Inst, function: G) -> Result<()> {
        let place = self.pointer(inst.at(2))?;
        let Some(id) = self.input_of(&place) else { return unsupported("an interpolation of what is no input at a fixed place") };
        let zero = self.b.word(0);
        let (evaluation, at) = match function {
            G::InterpolateAtCentroid => (Evaluation::Centroid, [zero, zero]),
            G::InterpolateAtSample => (Evaluation::Sample, [self.number(inst.at(3))?, zero]),
            _ => {
                // Offsets are snapped to sixteenths of a pixel (Vulkan, subPixelInterpolationOffsetBits of at least 4).
                let offset = self.numbers(inst.at(3))?;
                let sixteen = self.float(Width::W32, 16.0);
                let mut snapped = Vec::new();
                for value in offset.iter() {
                    let scaled = self.op(Op::FMul, &[*value, sixteen])?;
                    let whole = self.op(Op::FRound, &[scaled])?;
                    snapped.push(self.resized(Op::FToS, whole, Width::W32)?);
                }
                match snapped[..] {
                    [x, y] => (Evaluation::Snapped, [x, y]),
                    _ => return bad("an offset of other than two components"),
                }
            }
        };
        let sources = self.inputs.get(&id).cloned().unwrap_or_default();
        let mut numbers = Vec::new();
        for i in 0..self.d.types.count(place.ty)? {
            self.component(i);
            let Some(Some(Source::Input(input, component))) = sources.get(place.offset as usize + i) else {
                return unsupported("an interpolation of what is no input");
            };
            let attrs = self.target(Op::InputAt, Target::Input(*input, *component)).with_detail(Detail::Evaluation(evaluation));
            self.check(Op::InputAt, &at)?;
            let held = self.program.interface.input(*input).width;
            if held != Width::W32 {
                return unsupported(format!("an interpolation of {} bits", held.bits()));
            }
            numbers.push(self.b.value_of(Width::W32, Op::InputAt, attrs, &at));
        }
        self.define(inst, Val::Numbers(numbers.into()))
    }
}

fn norm(function: G) -> Norm {
    let signed = matches!(function, G::PackSnorm4x8 | G::PackSnorm2x16 | G::UnpackSnorm4x8 | G::UnpackSnorm2x16);
    let wide = matches!(function, G::PackSnorm2x16 | G::PackUnorm2x16 | G::UnpackSnorm2x16 | G::UnpackUnorm2x16);
    Norm { signed, bits: if wide { 16 } else { 8 } }
}

fn minor(columns: &[Vec<Value>], row: usize) -> Vec<Vec<Value>> {
    let without = |column: &Vec<Value>| column.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, value)| *value).collect();
    columns.iter().map(without).collect()
}
