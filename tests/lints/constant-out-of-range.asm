// finds: 0 constant-out-of-range row 4
// finds: 2 constant-out-of-range up to row 9
// cb0 has four rows, 0 to 3. The index of #2 is at most 7 + 2.
dcl_constantbuffer cb0[4].xyzw
mov r0.xyzw, cb0[4].xyzw
and r1.x, v0.x, l(0x00000007)
add o0.xyzw, r0.xyzw, cb0[r1.x+2].xyzw
