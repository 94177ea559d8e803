//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// flagsVariable names the environment variable that can hold flags too.
const flagsVariable = "SKUA_TEST_APP"

// flags are how the app misbehaves. They are arguments, or words of the environment variable SKUA_TEST_APP.
type flags struct {
	slowStart  time.Duration  // --test-slow-start=2s: nothing happens for this long at first
	portFile   string         // --test-port-file=none|empty|invalid|dead: what DevToolsActivePort is; --test-no-port-file is none
	crash      *time.Duration // --test-crash-after-ready[=1s]: it dies of a signal when all of it is shown, or so long after that
	orphan     *time.Duration // --test-exit-with-port-alive[=1s]: its own process ends well then, and its windows stay
	refuseExit bool           // --test-refuse-exit: signals that can be ignored are, for the windows too
	emptyFirst time.Duration  // --test-empty-first[=2s]: the main window is empty for this long
	exit       *int           // --test-exit=3: it ends at once with this status and words on stderr
	fork       bool           // --test-fork: it starts itself anew without this flag, and ends with 0
	detach     bool           // --test-detach: its windows belong to no process group of it, and outlive it
	noWebview  bool           // --test-no-webview: the main window has no guest
	windows    int            // --test-windows=1: without the second window
	hangWindow bool           // --test-hang-second-window: the second window's script never ends
}

// parseFlags takes the flags out of the arguments, and returns the others.
func parseFlags(args []string) (flags, []string, error) {
	f := flags{windows: 2}
	var rest []string
	for _, arg := range append(strings.Fields(os.Getenv(flagsVariable)), args...) {
		name, value, _ := strings.Cut(arg, "=")
		flag, ours := strings.CutPrefix(name, "--test-")
		if !ours {
			rest = append(rest, arg)
			continue
		}
		if err := f.set(flag, value); err != nil {
			return f, nil, fmt.Errorf("%s: %w", arg, err)
		}
	}
	return f, rest, nil
}

func (f *flags) set(name, value string) (err error) {
	duration := func(otherwise time.Duration) time.Duration {
		d := otherwise
		if value != "" {
			d, err = time.ParseDuration(value)
		}
		return d
	}
	switch name {
	case "slow-start":
		f.slowStart = duration(2 * time.Second)
	case "port-file":
		f.portFile = value
	case "no-port-file":
		f.portFile = "none"
	case "crash-after-ready":
		d := duration(0)
		f.crash = &d
	case "exit-with-port-alive":
		d := duration(0)
		f.orphan = &d
	case "refuse-exit":
		f.refuseExit = true
	case "empty-first":
		f.emptyFirst = duration(2 * time.Second)
	case "exit":
		status, failed := strconv.Atoi(value)
		f.exit, err = &status, failed
	case "fork":
		f.fork = true
	case "detach":
		f.detach = true
	case "no-webview":
		f.noWebview = true
	case "windows":
		f.windows, err = strconv.Atoi(value)
	case "hang-second-window":
		f.hangWindow = true
	default:
		err = fmt.Errorf("there is no such flag")
	}
	return err
}

// outlives reports whether the browser may live on when the app's own process is gone.
func (f *flags) outlives() bool { return f.orphan != nil || f.detach }
