package desktop

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

const (
	// usualLogLines is how many lines of an app's output are printed.
	usualLogLines = 100

	// unseenFollowLimit is how long an app is followed for a caller that sees nothing until the reply, and said no time.
	unseenFollowLimit = 10 * time.Second

	// followLimit is how long an app is followed for a caller that sees each line at once, and said no time.
	followLimit = 24 * time.Hour

	// exitLimit is how long the end of an app's process may come after that of its output.
	exitLimit = 2 * time.Second
)

func logsCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "electron logs",
			Group:   actions.GroupDesktop,
			Summary: "Print what the app has printed: console of its main process, and errors with their stacks",
			Help: "Has the end of the app's standard output and error, also after the app has ended. The console of a page is " +
				"in `console`. Lines that begin with [skua] say how a process of the app crashed, and " +
				"what its main process threw and did not catch; they need the inspector. Crash reports, which an app has " +
				"only if it " +
				"asks Electron for them, are named at the end.\n\n" +
				"--follow goes on with each line as it comes, until the app ends, you interrupt it, or --timeout is over. A " +
				"caller that sees nothing until the " +
				"reply, such as a tool or --json, gets what came within " + unseenFollowLimit.String() + ", or within --timeout.",
			Args: []actions.Arg{{
				Name:     "launch",
				Value:    "launch-id",
				Optional: true,
				Help:     "The launch; the only active one when not given",
			}},
			Flags: []actions.Flag{
				{
					Name:    "lines",
					Kind:    actions.Int,
					Value:   "n",
					Default: strconv.Itoa(usualLogLines),
					Help:    "How many lines at most, the last ones",
				},
				{Name: "chromium", Kind: actions.Bool, Help: "With the lines of Chromium's own log"},
				{Name: "follow", Short: "f", Kind: actions.Bool, Help: "Print what the app prints from now on, too"},
			},
			Examples: []actions.Example{{Line: "electron logs"}, {Line: "electron logs --lines 20 --chromium"}, {
				Line: "electron logs --follow --timeout 60000",
			}},
		},
		Schedule: actions.Schedule{
			Effect: actions.Control | actions.NoBrowser,
			AtLeast: func(in *actions.Input) time.Duration {
				if d, ok := givenTimeout(in); ok || !in.Bool("follow") {
					return d
				}
				return followLimit
			},
		},
		Safety:   actions.Safety{Families: policy.Does(), PageText: true},
		Bindings: actions.Bindings{Data: []any{LogsResult{}}},
		Run:      runElectronLogs,
	}
}

// LogsResult is the output of an app.
type LogsResult struct {
	LaunchID string   `json:"launchId"`
	Lines    []string `json:"lines"`
	Omitted  int      `json:"omitted,omitzero"` // lines before these
	Exit     string   `json:"exit,omitempty"`   // how the app ended; empty means that it runs, or it is not known
	// files that say where its processes crashed, the oldest first
	CrashReports []string `json:"crashReports,omitempty"`
}

func runElectronLogs(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Int("lines") < 1 {
		return actions.Result{}, c.Invalid("--lines takes a number from 1.")
	}
	k, err := apps(c).Launcher()
	if err != nil {
		return actions.Result{}, err
	}
	records, err := k.SelectIn(c.Session.Name(), c.String("launch"), false)
	if err != nil {
		return actions.Result{}, err
	}
	data := LogsResult{LaunchID: records[0].LaunchID, Lines: []string{}}
	if c.Bool("follow") {
		return followLogs(ctx, c, k, data)
	}
	printed, err := k.Printed(data.LaunchID, c.Bool("chromium"))
	if err != nil {
		return actions.Result{}, err
	}
	status, err := k.Status(ctx, data.LaunchID)
	if err != nil {
		return actions.Result{}, err
	}
	data.Exit, data.CrashReports = status.Exit, k.CrashReports(data.LaunchID)
	data.add(printed, c.Int("lines"))
	lines := data.Lines
	switch {
	case len(lines) == 0 && c.Bool("chromium"):
		lines = []string{"The app has printed nothing"}
	case len(lines) == 0:
		lines = []string{"The app has printed nothing; --chromium prints Chromium's log, too"}
	case data.Omitted > 0:
		lines = append([]string{"… " + wording.Plural(data.Omitted, "line") + " before these; --lines prints more"}, lines...)
	}
	return actions.Result{Data: data, Text: strings.Join(append(slices.Clip(lines), data.end()...), "\n")}, nil
}

// end says behind the lines how the app ended, and where its crash reports are.
func (r *LogsResult) end() (lines []string) {
	for _, path := range r.CrashReports {
		lines = append(lines, "(crash report: "+path+")")
	}
	if r.Exit != "" {
		lines = append(lines, "(ended, "+r.Exit+")")
	}
	return lines
}

// add appends the lines of a text and keeps the last ones, as many as most says. Omitted counts the others.
func (r *LogsResult) add(text string, most int) {
	if len(r.Lines) == 0 {
		text = strings.TrimLeft(text, "\r\n") // Chromium begins with an empty line
	}
	for line := range strings.Lines(text) {
		r.Lines = append(r.Lines, strings.TrimRight(line, "\r\n"))
	}
	if over := len(r.Lines) - most; over > 0 {
		r.Lines, r.Omitted = slices.Clone(r.Lines[over:]), r.Omitted+over
	}
}

// followLogs prints what the app prints as it comes, where the caller sees it, and collects it otherwise.
func followLogs(ctx context.Context, c *actions.Call, k *electron.Launcher, data LogsResult) (actions.Result, error) {
	// What is bounded or marked as a whole cannot be shown in pieces.
	seen := c.Out != nil && !c.Bool("json") && !c.Bool("content-boundaries") && !c.Has("max-output")
	until := c.Deadline
	if _, given := givenTimeout(c.Input); !seen && !given {
		until = time.Now().Add(unseenFollowLimit)
	}
	follower, before, err := k.Follow(data.LaunchID, c.Bool("chromium"))
	if err != nil {
		return actions.Result{}, err
	}
	data.add(before, c.Int("lines"))
	if seen && len(data.Lines) > 0 {
		_, _ = io.WriteString(c.Out, strings.Join(data.Lines, "\n")+"\n")
	}
	if follower != nil {
		defer follower.Close()
		following, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		for err == nil {
			var lines string
			if lines, err = follower.Next(following); lines == "" {
				continue
			}
			data.add(lines, c.Int("lines"))
			if seen {
				_, err = io.WriteString(c.Out, lines)
			}
		}
		if ctx.Err() != nil && !errors.Is(err, io.EOF) {
			return actions.Result{}, ctx.Err()
		}
	}
	if follower == nil || errors.Is(err, io.EOF) {
		data.Exit = exitOf(ctx, k, data.LaunchID)
	}
	data.CrashReports = k.CrashReports(data.LaunchID)
	var lines []string
	if !seen {
		lines = data.Lines
	}
	return actions.Result{Data: data, Text: strings.Join(append(slices.Clip(lines), data.end()...), "\n")}, nil
}

// exitOf returns how an app whose output has ended did so itself, or "" if it goes on, or if that is not known.
func exitOf(ctx context.Context, k *electron.Launcher, launchID string) string {
	select {
	case <-k.Ended(launchID):
	case <-time.After(exitLimit):
	case <-ctx.Done():
	}
	status, _ := k.Status(ctx, launchID)
	return status.Exit
}
