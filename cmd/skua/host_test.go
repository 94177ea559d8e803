//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/wire"
)

// TestMain makes a host of the test binary when it is called by the host's name: that is what the client starts in
// these tests.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == hostProgram {
		os.Exit(hostMain())
	}
	os.Exit(runTests(m))
}

// hostMain runs "skuad daemon --socket-dir D [--namespace N]" with a handler that has commands for tests.
func hostMain() int {
	if text := os.Getenv("SKUA_TEST_FAIL_START"); text != "" {
		fmt.Print(strings.TrimPrefix(text, "silent"))
		return 1
	}
	o := daemon.Options{
		IdleTimeout: func() time.Duration { return time.Minute },
		Stamp:       daemon.OwnStamp(),
		Ready:       daemon.ReadyPipe(),
		Log:         slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	for i, a := range os.Args {
		switch a {
		case "--socket-dir":
			o.Dir = os.Args[i+1]
		case "--namespace":
			o.Namespace = os.Args[i+1]
		}
	}
	if err := daemon.Serve(context.Background(), testHandler{}, o); err != nil {
		return 1
	}
	return 0
}

// canceled gets the causes of canceled hangs.
var canceled = make(chan string, 10)

// asker is what the host's streams are.
type asker interface {
	Ask(ctx context.Context, prompt string, hidden bool) (string, error)
}

// testHandler answers a request by its first word.
type testHandler struct{}

func (testHandler) Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int {
	if len(req.Args) == 0 {
		return 0
	}
	if req.Kind == wire.Offer && !slices.Contains(req.Args, "--wrong") {
		return daemon.WantsInput
	}
	switch req.Args[0] {
	case "echo":
		fmt.Fprintln(out, strings.Join(req.Args[1:], "|"))
	case "late":
		seconds, _ := strconv.Atoi(req.Args[1])
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
		}
		fmt.Fprintln(out, req.Args[2])
	case "who":
		fmt.Fprintf(out, "pid=%d name=%s cwd=%s\n", os.Getpid(), req.Name, req.Cwd)
	case "env":
		fmt.Fprintln(out, strings.Join(req.Env, "\n"))
	case "batch", "stdin":
		fmt.Fprintf(out, "stdin=%t %d bytes\n", req.HasStdin, len(req.Stdin))
	case "exit":
		code, _ := strconv.Atoi(req.Args[1])
		fmt.Fprintln(errOut, "exit", code)
		return code
	case "big":
		n, _ := strconv.Atoi(req.Args[1])
		_, _ = out.Write([]byte(strings.Repeat("0123456789abcdef", n/16)))
	case "die": // the host ends in the middle
		os.Exit(1)
	case "hang":
		fmt.Fprintln(out, "hanging")
		<-ctx.Done()
		canceled <- context.Cause(ctx).Error()
		return 1
	case "canceled": // tells what ended a hang
		fmt.Fprintln(out, <-canceled)
	case "ask": // the person at the terminal, hidden or not; what the command reads is another thing
		line, err := errOut.(asker).Ask(ctx, "Well? ", req.Args[1] == "hidden")
		fmt.Fprintf(out, "%q %v stdin=%q\n", line, err, req.Stdin)
	case "tty":
		fmt.Fprintln(out, req.TTY)
	default:
		fmt.Fprintln(errOut, "unknown")
		return 1
	}
	return 0
}
