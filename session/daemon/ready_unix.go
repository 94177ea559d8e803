//go:build unix

package daemon

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ReadyPipe returns the standard output as the place where a host tells that it is ready, for DaemonOptions. Closing it
// leaves the null device in its place when it was a pipe: the client that reads it goes away, and a write to it would then
// end the process.
func ReadyPipe() io.WriteCloser { return readyPipe{} }

type readyPipe struct{}

func (readyPipe) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

func (readyPipe) Close() error {
	info, err := os.Stdout.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	return unix.Dup2(int(null.Fd()), int(os.Stdout.Fd()))
}
