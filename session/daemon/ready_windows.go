package daemon

import (
	"io"
	"os"
)

// ReadyPipe returns the standard output as the place where a host tells that it is ready, for DaemonOptions.
func ReadyPipe() io.WriteCloser { return os.Stdout }
