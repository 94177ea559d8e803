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

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// display is a virtual X display, for a browser with a window on a machine without one.
type display struct {
	name  string // such as ":99"
	group *procgroup.Group
}

// needsDisplay reports whether the browser wants a screen and has none.
func (o Options) needsDisplay() bool {
	return !o.Headless && !o.NoXvfb && runtime.GOOS != "darwin" && o.getenv("DISPLAY") == "" && o.getenv("WAYLAND_DISPLAY") == ""
}

// startDisplay starts an Xvfb, which takes a number that is free. It ends with this process, or by close.
func startDisplay(ctx context.Context, o Options) (*display, error) {
	f := &finder{goos: "linux", getenv: o.getenv, check: checkExecutable}
	path := f.onPath("Xvfb")
	if path == "" {
		return nil, fault.New(fault.BrowserLaunch, "There is no display for the browser's window, and no Xvfb to make one.").About("--headed").
			WithHint("Install Xvfb (for example: apt-get install xvfb), set DISPLAY or WAYLAND_DISPLAY, or leave out --headed.").With("reason", "no-display")
	}
	said, tell, err := os.Pipe()
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the display cannot be made: %w", err)
	}
	defer func() { _ = said.Close() }()
	width, height := o.size()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", max(width, 1280), max(height, 1024)), "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{tell}
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
		return nil, fault.New(fault.BrowserLaunch, "Xvfb did not start, so that there is no display for the browser's window.").About(path).
			With("reason", "no-display")
	}
	return &display{name: ":" + strings.TrimSpace(line), group: group}, nil
}

// close ends the screen and waits until it is gone.
func (d *display) close() {
	if d != nil {
		d.group.Kill()
		<-d.group.Done()
	}
}

func (d *display) env() []string { return []string{"DISPLAY=" + d.name} }
