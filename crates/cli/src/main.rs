//! The command line; joins the rooms.

fn main() {}
