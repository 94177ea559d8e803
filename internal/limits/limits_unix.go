//go:build unix

package limits

import (
	"os"
	"syscall"
)

// resources are the system's numbers of the kinds.
var resources = [kinds]int{
	Files:     syscall.RLIMIT_NOFILE,
	Memory:    syscall.RLIMIT_AS,
	Data:      syscall.RLIMIT_DATA,
	Processes: processes,
	FileSize:  syscall.RLIMIT_FSIZE,
	Stack:     syscall.RLIMIT_STACK,
	CPUTime:   syscall.RLIMIT_CPU,
}

// infinity is at least this on every system.
const infinity = 1<<63 - 1

// Of returns the limit of a kind, or false.
func Of(kind Kind) (Limit, bool) {
	l := Limit{Kind: kind, Value: infinity}
	var r syscall.Rlimit
	if err := syscall.Getrlimit(resources[kind], &r); err == nil {
		l.Value = r.Cur
	}
	switch {
	case kind == Files: // programs raise it to what they may have
		l.Value = r.Max
	case kind == Processes && os.Geteuid() == 0: // the system does not limit the superuser
		l.Value = infinity
	}
	if most, ok := container(kind); ok && most < l.Value {
		l.Value, l.container = most, true
	}
	return l, l.Value < infinity
}
