// finds: nothing
// What #3 writes is read in the next round; udiv's quotient goes nowhere on purpose; outputs count at the end.
mov r0.xy, l(0x00000000, 0x00000000, 0x00000000, 0x00000000)
loop
uge r0.z, r0.x, v0.x
breakc_nz r0.z
iadd r0.y, r0.y, r0.x
iadd r0.x, r0.x, l(0x00000001)
endloop
udiv null, r0.x, r0.y, v0.y
mov o0.xyzw, r0.xxxx
