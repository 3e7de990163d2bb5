// finds: nothing
// Where #1 returns, #0's value is the output; else #2's.
mov o0.xyzw, v0.xyzw
retc_nz v0.x
mov o0.xyzw, v1.xyzw
