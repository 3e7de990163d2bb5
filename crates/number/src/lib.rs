//! Bit patterns and arithmetic: formats, roundings, correctly rounded functions.
