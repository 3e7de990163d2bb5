//! What the test drivers share.
