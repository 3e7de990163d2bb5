//! The lane machine on programs built by hand. Expected values are calculated by hand or by a short simulation in the test.

mod control;
mod events;
mod hoist;
mod kit;
mod lanes;
mod limits;
mod memory;
mod models;
mod pixels;
mod random;
mod scalars;
mod textures;
mod undefined;
