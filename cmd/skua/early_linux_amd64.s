#include "textflag.h"

// func entry()
//
// Runs earlyMain as the runtime would run a goroutine on the process's own stack, and then hands the process to the runtime
// as the kernel handed it over. Compiled Go code expects three things: X15 zero, the current g in R14 and, for calls that
// come from assembly, in the thread-local word at FS-8; and in that g the bound that stack checks compare with. The g here
// has nothing else in it, which is all that code needs that does not call the runtime.
TEXT ·entry(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVQ SP, ·earlyStack(SB)
	MOVQ SP, AX
	SUBQ $(1<<20), AX             // the kernel gives 8 MB; a quarter of a megabyte is used at the most
	MOVQ AX, ·earlyG+0(SB)        // g.stack.lo
	MOVQ SP, ·earlyG+8(SB)        // g.stack.hi
	MOVQ AX, ·earlyG+16(SB)       // g.stackguard0
	MOVQ AX, ·earlyG+24(SB)       // g.stackguard1
	LEAQ ·earlyG(SB), AX
	MOVQ AX, ·earlyTLS(SB)
	MOVQ $158, AX                 // arch_prctl
	MOVQ $0x1002, DI              // ARCH_SET_FS
	LEAQ ·earlyTLS+8(SB), SI
	SYSCALL
	TESTQ AX, AX
	JNE  runtime
	MOVQ ·earlyStack(SB), AX
	SUBQ $16, SP
	ANDQ $~15, SP
	MOVQ AX, 0(SP)
	CALL ·earlyMain(SB)
runtime:
	MOVQ ·earlyStack(SB), SP
	JMP  _rt0_amd64_linux(SB)
