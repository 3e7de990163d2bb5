//! The text form of a program.
//!
//! [`print`](fn@print) writes a program and [`parse`](fn@parse) reads it back, with nothing lost: `parse(&print(p)) == p` for every valid program. One statement a line;
//! `;` begins a comment that goes to the end of the line, and blank lines mean nothing.
//!
//! ```text
//! program "main" d3d11 pixel 1x1x1 entry fn0
//! output out0 (name:"SV_Target",semantic_index:0,...)
//! source instructions
//! line 0 0x38 "add o0.x, l(1.0), l(2.0)"
//! note "assumed that the file is complete"
//!
//! function fn0 "main" () -> () {
//!   %0:32 = const 0x3f800000
//!   %1:1 = f32.lt flush %0, %0
//!   ; 0: add o0.x, l(1.0), l(2.0)
//!   if @1 %1 -> (%3:32) !0 {
//!     %2:32 = f32.add flush %0, %0 !0
//!     br @1(%2)
//!   } else {
//!     br @1(%0)
//!   }
//!   output out0.x %3 !0
//!   return
//! }
//! ```
//!
//! * **Declarations** stand before the functions: `assembly` (of a hull, domain or geometry program), `input`, `output`, `resource`, `sampler`, `override`, `array` and `shared`, each with its handle
//!   (an override has none) and its fields in Rusty Object Notation; `source` and the `line`s that origins point into (number, byte offset, text); `note`s.
//! * **Operations**: results with their widths, the name, the choices that are not the default, the target, the operands, the detail in brackets, the
//!   origin. A name that begins with the letter of a number family has the width of its first operand written behind that letter: `f32.add`, `i1.and`.
//! * **Origins** are `!line:column.component`, the line counted from 0 among the `line`s. Column 0 and component x are left out; an operation without a
//!   place has no origin.
//! * **Constructs** name their label, what they decide on, and `-> (results)`. `loop @2(%4:32 = %1)` and `case @5 1, 2, default (%9:32 = %3)` give parameters
//!   with their first values. `br @1(%2)`, `return %1` and `unreachable` end regions.

mod cursor;
mod parse;
mod print;
mod words;

pub use parse::{ParseError, parse};
pub use print::print;
