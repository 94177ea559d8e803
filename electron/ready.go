package electron

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Diagnostics are the known facts about a launch that failed.
type Diagnostics struct {
	PID                int    `json:"pid,omitempty"`
	PIDAlive           bool   `json:"pidAlive"`
	Exit               string `json:"exit,omitempty"` // how the process ended, if it did
	UserDataDir        string `json:"userDataDir,omitempty"`
	ElapsedMs          int64  `json:"elapsedMs"`
	TimeoutMs          int64  `json:"timeoutMs"`
	DevToolsActivePort string `json:"devToolsActivePort"` // missing, empty, invalid or found
	Port               int    `json:"port,omitempty"`
	VersionReached     bool   `json:"versionReached"` // /json/version answered
	Stderr             string `json:"stderr,omitempty"`
}

// States of the file in which an app tells its port.
const (
	portFileMissing = "missing"
	portFileEmpty   = "empty"
	portFileInvalid = "invalid"
	portFileFound   = "found"
)

// wait is the way of a started app to a debugging port that answers.
type wait struct {
	l       *launch
	name    string
	started time.Time
	window  time.Duration

	pid       int
	forked    bool // the process that was started has ended, and the app goes on in another
	portFile  string
	port      port
	reached   bool // the port speaks for this app
	listed    bool // it has told its targets, if any
	version   Version
	targets   []Target
	elsewhere string // what the app says of a port that is not in its profile
}

// ready returns when the app can be attached to: its port answers and a window is there, or the window of time is over
// and the port answers.
func (w *wait) ready(ctx context.Context) error {
	w.pid, w.portFile = w.l.group.PID(), portFileMissing
	over := time.NewTimer(w.window)
	var threw time.Time // when the app was first seen to have thrown
	defer over.Stop()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	ended := w.l.group.Done()
	for {
		if w.look(ctx) {
			return nil
		}
		select {
		case <-ctx.Done():
			return canceled(w, context.Cause(ctx))
		case <-ended:
			if ended = nil; !w.forkedAway() {
				return w.endFault()
			}
			w.forked = true
		case <-over.C:
			if w.reached && w.listed {
				w.adopt()
				return nil // it has no window; some apps begin in the tray
			}
			return w.timeoutFault()
		case <-tick.C:
			if w.forked && len(w.l.survivors()) == 0 {
				return w.endFault()
			}
			if threw.IsZero() && w.listed && strings.Contains(w.l.words.Tail.String(), threwAtStart) {
				threw = time.Now()
			}
			if !threw.IsZero() && time.Since(threw) > thrownGrace {
				w.adopt()
				return nil // most likely it never has a window
			}
		}
	}
}

// look asks what there is to be asked, and reports whether a window is there.
func (w *wait) look(ctx context.Context) bool {
	if w.portFile != portFileFound {
		w.portFile, w.port = readPortFile(w.l.dir)
	}
	if w.portFile != portFileFound {
		return false
	}
	if !w.reached {
		version, err := w.port.version(ctx)
		if err != nil {
			return false
		}
		w.reached, w.version = true, version
	}
	targets, err := w.port.targets(ctx)
	if err != nil {
		return false
	}
	w.listed, w.targets = true, targets
	if !slices.ContainsFunc(targets, func(t Target) bool { return t.Type == PageTarget || t.Type == WebviewTarget }) {
		return false
	}
	w.adopt()
	return true
}

// forkedAway reports whether a process that ended well has left others that are the app.
func (w *wait) forkedAway() bool { return w.l.group.Err() == nil && len(w.l.survivors()) > 0 }

// adopt finds the process of an app that has forked away.
func (w *wait) adopt() {
	if !w.forked {
		select {
		case <-w.l.group.Done():
			w.forked = true
		default:
			return
		}
	}
	w.pid = w.l.mainProcess()
	if w.pid == 0 {
		if left := w.l.survivors(); len(left) > 0 {
			w.pid = slices.Min(left)
		}
	}
}

// readPortFile reads the file in which Chromium tells its port, and the path of its websocket.
func readPortFile(dir string) (state string, p port) {
	text, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
	if err != nil {
		return portFileMissing, port{}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return portFileEmpty, port{}
	}
	number, path, _ := strings.Cut(string(text), "\n")
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 16)
	path = strings.TrimSpace(path)
	if err != nil || n == 0 || !strings.HasPrefix(path, "/devtools/browser/") {
		return portFileInvalid, port{}
	}
	return portFileFound, port{int(n), path}
}

// state says how far the app has come.
func (w *wait) state() string {
	switch {
	case w.portFile == portFileMissing:
		w.noteElsewhere()
		if w.elsewhere != "" {
			return "it opened a debugging port (" + w.elsewhere +
				") and wrote it into no DevToolsActivePort file of the profile that it was given, so it keeps its data elsewhere"
		}
		return "it wrote no DevToolsActivePort file"
	case w.portFile != portFileFound:
		return "its DevToolsActivePort file is " + w.portFile
	case !w.reached:
		return fmt.Sprintf("its debugging port %d does not answer", w.port.number)
	case !w.listed:
		return fmt.Sprintf("its debugging port %d does not list its windows", w.port.number)
	}
	return "its debugging port answers"
}

// noteElsewhere looks for what Chromium says of its port on standard error.
func (w *wait) noteElsewhere() {
	_, rest, found := strings.Cut(w.l.words.Tail.String(), devToolsListens)
	if found {
		w.elsewhere, _, _ = strings.Cut(rest, "/")
	}
}

func (w *wait) diagnostics() Diagnostics {
	d := Diagnostics{
		PID:         w.pid,
		Exit:        w.l.group.Exit(),
		UserDataDir: w.l.dir,
		ElapsedMs: time.Since(w.started).
			Milliseconds(),
		TimeoutMs:          w.window.Milliseconds(),
		DevToolsActivePort: w.portFile,
		Port:               w.port.number,
		VersionReached:     w.reached,
		Stderr:             wording.ClipBytes(chrome.LastWords(w.l.words.String()), maxWords),
	}
	d.PIDAlive = d.Exit == "" || w.forked && len(w.l.survivors()) > 0
	return d
}

// thrownGrace is how long an app whose main process threw at its start may take to show a window all the same.
const thrownGrace = 2 * time.Second

// maxWords bounds how much of an app's output is reported, in bytes.
const maxWords = 2000

// endFault reports why an app ended before it was ready.
func (w *wait) endFault() error {
	w.l.words.settle()
	output, exit := w.l.words.String(), w.l.group.Exit()
	words := chrome.LastWords(output)
	saying := "It said nothing."
	if words != "" {
		saying = "It said: " + wording.ClipBytes(words, maxWords)
	}
	if crashed(exit) {
		w.l.keepDumps()
		if own, _ := sift(output); strings.TrimSpace(own) == "" {
			saying = "It said nothing."
		}
		saying = withDump(strings.TrimSuffix(saying, "."), w.l.dumps())
	}
	d := chrome.Diagnose(exit, output)
	if d.Reason == "" {
		d = chrome.Diagnosis{
			Reason: "ended",
			What:   "it ended before its debugging port was open",
			Hint:   "Start it by hand to see what it needs; its own log may say more.",
		}
	}
	hint := strings.Replace(d.Hint, "Run headless, or set", "Set", 1) // no app is headless
	return fault.New(fault.AppLaunch, "%s did not start: %s (%s). %s", w.name, d.What, exit, saying).About(w.name).
		WithHint("%s", hint).With("reason", d.Reason).With("exit", exit)
}

func (w *wait) timeoutFault() error {
	f := fault.New(fault.Timeout, "%s was not ready within %s: %s", w.name, w.window, w.state()).About(w.name)
	switch {
	case w.elsewhere != "":
		return f.WithHint(
			"It cannot be launched with a profile of its own. Start it by hand with --remote-debugging-port and " +
				"connect to that.")
	case w.portFile == portFileMissing:
		return f.WithHint(
			"Give it a longer timeout (at most %d ms), or it may refuse remote debugging: apps can be built without it.",
			MaxLaunchTimeout.Milliseconds())
	}
	return f.WithHint("Give it a longer timeout (at most %d ms).", MaxLaunchTimeout.Milliseconds())
}
