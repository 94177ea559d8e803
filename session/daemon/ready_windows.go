package daemon

import (
	"io"
	"os"
)

// ReadyPipe returns standard output as the place to report readiness, for Options.
func ReadyPipe() io.WriteCloser { return os.Stdout }
