//go:build unix

package chrome

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/skua-browser/skua/internal/childenv"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// Display is a virtual X display, for a window on a machine without a screen.
type Display struct {
	name  string // such as ":99"
	group *procgroup.Group
}

// NeedsDisplay reports whether a program that opens a window has no screen for it in its environment.
func NeedsDisplay(getenv func(string) string) bool {
	return runtime.GOOS != "darwin" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == ""
}

// needsDisplay reports whether the browser wants a screen and has none.
func (o Options) needsDisplay() bool { return !o.Headless && !o.NoXvfb && NeedsDisplay(o.getenv) }

// StartDisplay starts an Xvfb of a size in pixels, which takes a number that is free. It ends with this process, or by
// Close.
func StartDisplay(ctx context.Context, getenv func(string) string, width, height int) (*Display, error) {
	f := &finder{goos: "linux", getenv: getenv, check: checkExecutable}
	path := f.onPath("Xvfb")
	if path == "" {
		return nil, fault.New(fault.BrowserLaunch, "There is no display for a window, and no Xvfb to make one.").
			WithHint("Install Xvfb (for example: apt-get install xvfb), or set DISPLAY or WAYLAND_DISPLAY.").With("reason",
			"no-display")
	}
	said, tell, err := os.Pipe()
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the display cannot be made: %w", err)
	}
	defer func() { _ = said.Close() }()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0",
		fmt.Sprintf("%dx%dx24", max(width, 1280), max(height, 1024)), "-nolisten", "tcp", "-noreset")
	cmd.Env, cmd.ExtraFiles = childenv.Own(), []*os.File{tell}
	group, err := procgroup.Start(cmd, procgroup.Options{})
	_ = tell.Close()
	if err != nil {
		return nil, startFault(path, err)
	}
	stop := context.AfterFunc(ctx, group.Kill) // which ends the wait
	line, err := bufio.NewReader(said).ReadString('\n')
	if !stop() || err != nil {
		group.Kill()
		<-group.Done()
		return nil, fault.New(fault.BrowserLaunch, "Xvfb did not start, so that there is no display for a window.").
			About(path).
			With("reason", "no-display")
	}
	return &Display{name: ":" + strings.TrimSpace(line), group: group}, nil
}

// Close ends the screen and waits until it is gone. It may be called on nil.
func (d *Display) Close() {
	if d != nil {
		d.group.Kill()
		<-d.group.Done()
	}
}

// Env returns the variables that show the screen to a program.
func (d *Display) Env() []string { return []string{"DISPLAY=" + d.name} }
