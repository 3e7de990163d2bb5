//! Seeded single edits of WGSL text: wrong ports by the hundred, to test what finds them.
