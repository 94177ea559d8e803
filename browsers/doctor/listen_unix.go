//go:build unix

package doctor

import (
	"context"
	"errors"
	"net"
	"syscall"
)

// listenOnce makes a socket and takes it away. Only that the system forbids sockets is an error.
func listenOnce(path string) error {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", path)
	if err == nil {
		return l.Close()
	}
	for _, forbidden := range []error{syscall.EPERM, syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.ENOSYS} {
		if errors.Is(err, forbidden) {
			return err
		}
	}
	return nil
}
