//go:build amd64 || arm64

package main

import (
	"syscall"
	"unsafe"

	"github.com/skua-browser/skua/session/wire"
)

// What the Go runtime takes before the program can say anything. Without that it ends with the state of its threads, in
// which the limit is not named.
const (
	runtimeFiles   = 5         // with the few that a call opens before it has them
	runtimeReserve = 700 << 20 // of address space, most of which is never used
	runtimeMemory  = 40 << 20
)

// checkLimits ends the process with a sentence if the runtime could not start. Where nothing is limited it costs three
// system calls.
func checkLimits() {
	switch {
	case lacksFiles():
		refuseStart("open files (ulimit -n)", syscall.RLIMIT_NOFILE, 0)
	case lacksMemory(syscall.RLIMIT_AS, runtimeReserve, syscall.PROT_NONE):
		refuseStart("KB of address space (ulimit -v)", syscall.RLIMIT_AS, 10)
	case lacksMemory(syscall.RLIMIT_DATA, runtimeMemory, syscall.PROT_READ|syscall.PROT_WRITE):
		refuseStart("KB of memory (ulimit -d)", syscall.RLIMIT_DATA, 10)
	}
}

// rlimit returns a limit of this process, or false.
func rlimit(which uintptr) (uint64, bool) {
	var limit syscall.Rlimit
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, 0, which, 0, uintptr(unsafe.Pointer(&limit)), 0, 0)
	return limit.Cur, errno == 0 && limit.Cur != ^uint64(0)
}

// manyFiles are more than any program that starts this one leaves open.
const manyFiles = 4096

// lacksFiles reports whether the runtime's files cannot be opened.
func lacksFiles() bool {
	if limit, limited := rlimit(syscall.RLIMIT_NOFILE); !limited || limit >= manyFiles {
		return false
	}
	var open [runtimeFiles]socket
	n, errno := 0, syscall.Errno(0)
	for n < runtimeFiles && errno == 0 {
		var fd uintptr
		if fd, _, errno = syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC, 0); errno == 0 {
			open[n] = socket(fd)
			n++
		}
	}
	for i := range n {
		open[i].close()
	}
	return errno == syscall.EMFILE
}

// lacksMemory reports whether a limit keeps the process from mapping so many bytes.
func lacksMemory(which, size, protection uintptr) bool {
	if _, limited := rlimit(which); !limited {
		return false
	}
	at, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, 0, size, protection, syscall.MAP_ANON|syscall.MAP_PRIVATE,
		^uintptr(0), 0)
	if errno == 0 {
		_, _, _ = syscall.RawSyscall(syscall.SYS_MUNMAP, at, size, 0)
	}
	return errno == syscall.ENOMEM
}

// refuseStart names a limit, whose value is shown without its last bits, and ends the process.
func refuseStart(what string, which uintptr, shift uint) {
	limit, _ := rlimit(which)
	limit >>= shift
	var digits [20]byte
	i := len(digits)
	for ok := true; ok; ok = limit > 0 {
		i--
		digits[i] = byte('0' + limit%10)
		limit /= 10
	}
	complain("✗ skua cannot start: only ")
	writeOutput(wire.Stderr, digits[i:])
	complain(" ")
	complain(what)
	complain(" are allowed. Raise the limit.\n")
	exit(1)
}
