//! The representation of one GPU program, its table of operations, validator and text form.
