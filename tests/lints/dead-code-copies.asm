// finds: 2 dead-code r1.z
// Compilers fill an address that has two components with the second (.xyyy): #0 and #1 compute the same for z and w as for y, so that leaving these out
// changes nothing. In #2 z adds another number than y.
ushr r0.xyzw, v0.xyyy, l(0x00000001, 0x00000001, 0x00000001, 0x00000001)
iadd r0.xyzw, r0.xyyy, l(0x00000002, 0x00000003, 0x00000003, 0x00000003)
iadd r1.xyz, r0.xyyy, l(0x00000002, 0x00000003, 0x00000004, 0x00000000)
mov o0.xyzw, r1.xyxy
