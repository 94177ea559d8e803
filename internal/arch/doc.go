// Package arch holds the rules of the architecture, as tests: which package may import which, what each program may
// carry, that every package says what it is for, that no library's types leak out of the engine, and that the
// documents' links and commands hold. A failure names the offender, the rule, and the file with the rule.
//
// It has no code of its own and is imported by nothing.
package arch
