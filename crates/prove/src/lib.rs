//! Binding, case generation, comparison and location of differences between two programs.
