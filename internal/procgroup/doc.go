// Package procgroup starts a program together with everything that it will start: a process group on Unix, a job object on Windows. The
// whole group can be asked to end or be killed, none of it outlives its first process, and on Linux and Windows none of it outlives this
// process, even when that is killed.
//
// It must not know what the programs are.
package procgroup
