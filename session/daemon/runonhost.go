package daemon

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// HostRun is the result of a command line that ran on a host.
type HostRun struct {
	Out  []byte // its standard output
	Code int    // its exit code
	Ran  bool   // false means that no host is running, or it ended meanwhile
}

// RunOnHost runs a command line on the host of a namespace. It starts no host.
func RunOnHost(ctx context.Context, base, namespace string, req wire.Request) (HostRun, error) {
	dir, err := namespaceDir(base, namespace)
	if err != nil {
		return HostRun{}, err
	}
	path := hostdir.Join(dir, hostdir.Socket)
	c, token, err := dialHost(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return HostRun{}, nil
	case err != nil:
		return HostRun{}, hostFault(path, err)
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	req.Kind, req.Token = wire.Run, token
	if _, err := c.Write(req.Append(nil)); err != nil {
		return HostRun{}, hostFault(path, err)
	}
	var printed bytes.Buffer
	var buf []byte
	chunk := make([]byte, 16<<10)
	for {
		kind, size, n := wire.Header(buf)
		switch {
		case n < 0:
			return HostRun{Ran: true}, hostFault(path, wire.ErrMalformed)
		case n > 0 && uint64(len(buf)-n) >= size:
			payload := buf[n : n+int(size)]
			switch kind {
			case wire.Stdout:
				printed.Write(payload)
			case wire.Stderr:
			case wire.Exit:
				code, err := wire.ExitCode(payload)
				return HostRun{printed.Bytes(), code, true}, err
			default: // the host is ending, or asks a person
				return HostRun{}, nil
			}
			buf = buf[n+int(size):]
			continue
		}
		m, err := c.Read(chunk)
		buf = append(buf, chunk[:m]...)
		if m == 0 && err != nil {
			return HostRun{Ran: true}, hostFault(path, err)
		}
	}
}
