package electron

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/wording"
)

// words collects an app's standard output and error. It is a pipe that is read to its end, rather than a file: it
// cannot fill the disk, and the app gets no SIGPIPE as long as it is read.
type words struct {
	chrome.Tail
	printed   feed // more of the same, for those who debug the app
	inspector inspectorLine
	pipe      *os.File
	copied    chan struct{} // closed when nothing more comes
}

// maxPrinted is how much of an app's output is kept for `electron logs`, in bytes.
const maxPrinted = 256 << 10

// newWords returns the end of the pipe that is the app's, which the caller closes when the app has it.
func newWords() (w *words, theirs *os.File, err error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	w = &words{pipe: ours, copied: make(chan struct{}), printed: feed{tail: chrome.Tail{Size: maxPrinted}}}
	go func() { // ends with the last process that has the pipe, or by close
		defer close(w.copied)
		defer w.printed.end()
		_, _ = io.Copy(io.MultiWriter(&w.Tail, &w.printed, &w.inspector), ours)
	}()
	return w, theirs, nil
}

// ofDebugging begin the lines that are printed for those who debug. They say nothing about the app.
var ofDebugging = []string{
	debuggerListens, "For help, see: https://nodejs.org/", "Debugger attached.", "Debugger ending on ws://",
	"Waiting for the debugger to disconnect",
}

// ofChromium begins a line of Chromium's own: of its log, "[123:1128/044351.641056:ERROR:bus.cc(399)] …", or about its
// port. Lines of the helper that writes crash reports have no process number. A fatal error counts as the app's, since
// the app ends with it.
var ofChromium = lazyregexp.New(
	`^DevTools listening on|^\[(?:\d+:)?\d{4}/\d+\.\d+:(?:INFO|WARNING|ERROR|VERBOSE\d*):`)

// colors are what programs set colors of a terminal with.
var colors = lazyregexp.New(`\x1b\[[0-9;]*m`)

// String returns the end of what the app said: its own lines, without what is printed for debuggers, and without
// Chromium's log, unless there is nothing else.
func (w *words) String() string {
	own, all := w.lines()
	if strings.TrimSpace(own) == "" {
		return all
	}
	return own
}

// endedWell is how a process ended that had nothing to complain about.
const endedWell = "exit status 0"

// lines returns what the app said last without what is printed for debuggers: without Chromium's log, and with it.
func (w *words) lines() (own, all string) { return sift(w.Tail.String()) }

// sift leaves out of an app's output what is printed for debuggers, and, for own, Chromium's log.
func sift(output string) (own, all string) {
	var ownLines, allLines strings.Builder
	for line := range strings.Lines(output) {
		line = colors.ReplaceAllString(line, "")
		if slices.ContainsFunc(ofDebugging, func(beginning string) bool { return strings.HasPrefix(line, beginning) }) {
			continue
		}
		allLines.WriteString(line)
		if !ofChromium.MatchString(line) {
			ownLines.WriteString(line)
		}
	}
	return ownLines.String(), allLines.String()
}

// lastWords returns the end of what an app printed, or "" where an earlier run of this program started it.
func (l *launch) lastWords() string {
	if l.words == nil {
		return ""
	}
	own, all := l.words.lines()
	if exit := l.exit(); strings.TrimSpace(own) != "" || exit == endedWell || crashed(exit) {
		all = own // a crash comes before anything is said of it
	}
	return wording.ClipBytes(chrome.LastWords(all), maxWords)
}

// exit returns how the app's process ended, or "" as long as it runs, or where it was not ours to wait for.
func (l *launch) exit() string {
	if l.group == nil || l.restarted.Load() {
		return ""
	}
	select {
	case <-l.group.Done():
		return l.group.Exit()
	default:
		return ""
	}
}

// Printed returns the end of what an app printed, without what is printed for debuggers, and without Chromium's log
// unless that is wanted. Of an app that an earlier run of this program started, only its last words are known. Its
// error is LaunchNotFound.
func (k *Launcher) Printed(launchID string, chromium bool) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, a := k.launches[launchID], k.finished[launchID]
	output := cmp.Or(a.printed, a.LastWords)
	switch {
	case l == nil && a.LaunchID == "":
		return "", launchNotFound(launchID)
	case l != nil && l.words != nil:
		output = l.words.printed.tail.String()
	}
	own, all := sift(output)
	if chromium {
		return all, nil
	}
	return own, nil
}

// Of what Electron prints of an app that threw before it was ready.
const (
	threwAtStart = "A JavaScript error occurred in the main process"
	thrownBelow  = "Uncaught Exception:\n" // precedes the error
)

// StartError returns the error that the main process of a running app threw at its start and did not catch, or "". Such
// an app goes on, most likely without a window.
func (k *Launcher) StartError(launchID string) string {
	own := k.printedBy(launchID)
	_, said, threw := strings.Cut(own, threwAtStart)
	_, said, named := strings.Cut(said, thrownBelow)
	if !threw || !named {
		return ""
	}
	line, _, _ := strings.Cut(said, "\n")
	return wording.ClipBytes(strings.TrimSpace(line), maxWords)
}

// printedBy returns the end of what a running app itself printed, or "".
func (k *Launcher) printedBy(launchID string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.launches[launchID]
	if l == nil || l.words == nil {
		return ""
	}
	own, _ := sift(l.words.printed.tail.String())
	return own
}

// LastSaid returns the end of what a running app printed: the last error that its main process did not catch, if there
// is one, else its last lines. A native box often shows what it says.
func (k *Launcher) LastSaid(launchID string) string {
	own := k.printedBy(launchID)
	if at := strings.LastIndex(own, uncaught); at >= 0 {
		own, _, _ = strings.Cut(own[at+len(reportMark):], "\n")
	}
	return wording.ClipBytes(chrome.LastWords(own), maxWords)
}

// The beginnings of lines that skua has an app print; see inspector.Process.Report.
const (
	reportMark = "[skua] "
	uncaught   = reportMark + "uncaught exception: "
)

// HowEnded returns how an app that has ended did so, and what it printed last: "exit status 1. It said: …". It is empty
// for an unknown launch, and where neither is known.
func (k *Launcher) HowEnded(launchID string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.finished[launchID]
	if l := k.launches[launchID]; l != nil {
		a.Exit, a.LastWords = l.exit(), l.lastWords()
	}
	how := a.Exit
	if a.LastWords != "" {
		how = strings.TrimPrefix(how+". It said: "+a.LastWords, ". ")
	}
	if crashed(a.Exit) {
		how = withDump(how, k.dumpsOf(launchID))
	}
	return how
}

// settle waits a little for the last words of a process that has ended.
func (w *words) settle() {
	select {
	case <-w.copied:
	case <-time.After(2 * poll):
	}
}

func (w *words) close() {
	_ = w.pipe.Close()
	<-w.copied
}

const (
	debuggerListens = "Debugger listening on "      // precedes the address of Node.js's inspector
	devToolsListens = "DevTools listening on ws://" // precedes the address of Chromium's debugging port
)

// inspectorLine finds the address of an app's inspector in what the app prints. It stops looking after a while.
type inspectorLine struct {
	mu      sync.Mutex
	text    []byte
	address string
}

// maxBeforeInspector is how much an app may print before the address, in bytes. It is in the first lines.
const maxBeforeInspector = 64 << 10

// Write looks for the address in p; it never fails.
func (i *inspectorLine) Write(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.address != "" || len(i.text) > maxBeforeInspector {
		return len(p), nil
	}
	i.text = append(i.text, p...)
	if _, rest, found := bytes.Cut(i.text, []byte(debuggerListens)); found {
		if line, _, whole := bytes.Cut(rest, []byte("\n")); whole {
			i.address, i.text = string(bytes.TrimSpace(line)), nil
		}
	}
	return len(p), nil
}

// again forgets the address, for an app that restarts itself and prints another.
func (i *inspectorLine) again() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.address, i.text = "", nil
}

// found returns the address, or "" as long as it was not printed.
func (i *inspectorLine) found() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.address
}
