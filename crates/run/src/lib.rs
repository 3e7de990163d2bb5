//! Cases, and the lane machine that runs programs on them exactly.
