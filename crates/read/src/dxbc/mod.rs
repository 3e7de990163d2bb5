//! Direct3D 10 and 11: the DXBC container and its token stream (SM 4.0 to 5.1).
