//! Pairs of programs that two independent chains of compilers made of one HLSL source, and wrong ports made of them by seeded edits.
//! What is right is known from how they came about: a pair computes the same, and an edited line is where an edited port is wrong.

#[path = "pairs/edits.rs"]
mod edits;
#[path = "pairs/near.rs"]
mod near;
