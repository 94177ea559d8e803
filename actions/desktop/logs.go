package desktop

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/wording"
)

// usualLogLines is how many lines of an app's output are printed.
const usualLogLines = 100

// LogsResult is what an app printed.
type LogsResult struct {
	LaunchID string   `json:"launchId"`
	Lines    []string `json:"lines"`
	Omitted  int      `json:"omitted,omitzero"` // lines before these
	Exit     string   `json:"exit,omitempty"`   // how the app ended; empty: it runs, or it is not known
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
	printed, err := k.Printed(data.LaunchID, c.Bool("chromium"))
	if err != nil {
		return actions.Result{}, err
	}
	status, err := k.Status(ctx, data.LaunchID)
	if err != nil {
		return actions.Result{}, err
	}
	data.Exit = status.Exit
	for line := range strings.Lines(strings.TrimLeft(printed, "\r\n")) { // Chromium begins with an empty one
		data.Lines = append(data.Lines, strings.TrimRight(line, "\r\n"))
	}
	if over := len(data.Lines) - c.Int("lines"); over > 0 {
		data.Lines, data.Omitted = data.Lines[over:], over
	}
	lines := data.Lines
	switch {
	case len(lines) == 0 && c.Bool("chromium"):
		lines = []string{"The app has printed nothing"}
	case len(lines) == 0:
		lines = []string{"The app has printed nothing; --chromium prints Chromium's log, too"}
	case data.Omitted > 0:
		lines = append([]string{"… " + wording.Plural(data.Omitted, "line") + " before these; --lines prints more"}, lines...)
	}
	if data.Exit != "" {
		lines = append(slices.Clip(lines), "(ended, "+data.Exit+")")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}
