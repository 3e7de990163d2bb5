// finds: 3 never-written r0.x
// In the first round r0.x is read before #4 writes it.
mov r1.x, l(0x00000000)
loop
ige r1.y, r1.x, v0.x
add r1.z, r0.x, v0.y
mov r0.x, r1.z
iadd r1.x, r1.x, l(0x00000001)
breakc_nz r1.y
endloop
mov o0.xyzw, r1.zzzz
