#include "textflag.h"

// func entry()
//
// Runs earlyMain as the runtime would run a goroutine on the process's own stack, and then hands the process to the runtime
// as the kernel handed it over. Compiled Go code expects the current g in R28, and in it the bound that stack checks compare
// with. The g here has nothing else in it, which is all that code needs that does not call the runtime.
TEXT ·entry(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVD RSP, R0
	MOVD R0, ·earlyStack(SB)
	SUB  $(1<<20), R0, R1         // the kernel gives 8 MB; a quarter of a megabyte is used at the most
	MOVD $·earlyG(SB), g
	MOVD R1, 0(g)                 // g.stack.lo
	MOVD R0, 8(g)                 // g.stack.hi
	MOVD R1, 16(g)                // g.stackguard0
	MOVD R1, 24(g)                // g.stackguard1
	SUB  $32, R0, R1
	AND  $~15, R1
	MOVD R1, RSP
	MOVD R0, 8(RSP)               // the argument, above the slot of the return address
	BL   ·earlyMain(SB)
	MOVD ·earlyStack(SB), R0
	MOVD R0, RSP
	B    _rt0_arm64_linux(SB)
