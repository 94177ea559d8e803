// Package procgroup starts a program together with everything that it will start: a process group on Unix, a job object
// on Windows. The whole group can be asked to end or be killed, and none of it outlives this process, even when that is
// killed: on Linux the kernel sees to it for the first process, and a Guard, where one is wanted, for all of them on
// any Unix; Windows ends a job with its owner.
//
// It also finds processes by what their command lines name. It must not know what the programs are.
package procgroup
