package gate

import (
	"errors"
	"syscall"
)

// The numbers of Winsock, which package syscall does not name.
const (
	wsaNetUnreachable  = syscall.Errno(10051)
	wsaRefused         = syscall.Errno(10061)
	wsaHostUnreachable = syscall.Errno(10065)
)

func isRefused(err error) bool { return errors.Is(err, wsaRefused) }

func isUnreachable(err error) bool {
	return errors.Is(err, wsaHostUnreachable) || errors.Is(err, wsaNetUnreachable)
}
