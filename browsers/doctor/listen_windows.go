package doctor

import (
	"context"
	"net"
)

// listenOnce opens a port of this machine and closes it: hosts listen there on Windows.
func listenOnce(string) error {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	return l.Close()
}
