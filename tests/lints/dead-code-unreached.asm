// finds: 3 dead-code control
// Behind the break of a loop that nothing goes round, #3 and #4 are never reached; that is one finding.
loop
mov o0.xyzw, v0.xyzw
break
mov o0.x, v0.y
mov o0.y, v0.y
endloop
