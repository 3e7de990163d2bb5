//! WGSL, through naga's front end.
