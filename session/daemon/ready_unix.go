//go:build unix

package daemon

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ReadyPipe returns standard output as the place to report readiness, for Options. Closing it replaces a pipe by the
// null device: the client that reads the pipe goes away, and a later write would end the process.
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
