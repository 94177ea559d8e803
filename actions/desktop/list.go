package desktop

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/internal/wording"
)

func runElectronList(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Bool("running") {
		return listRunning(c)
	}
	if c.Int("max") < 1 {
		return actions.Result{}, c.Invalid("--max takes 1 to " + strconv.Itoa(electron.MaxResults) + ", got " +
			c.String("max"))
	}
	query := electron.Query{Text: c.String("query"), MaxResults: min(c.Int("max"), electron.MaxResults)}
	r, err := lifecycle.List(ctx, electron.Here(c.Getenv), query, connectCommand(c))
	if err != nil {
		return actions.Result{}, err
	}
	lines := r.AppLines()
	switch {
	case r.Platform == electron.Unsupported:
		lines = append(lines, "Apps cannot be listed on this system; launch one with --executable-path")
	case len(lines) == 0 && r.Query != "":
		lines = append(lines,
			"No Electron app has "+wording.Quote(r.Query)+" in its name or path; launch an app in another place by its path")
	case len(lines) == 0:
		lines = append(lines, "No Electron apps were found; launch an app in another place by its path")
	case r.OmittedCount > 0:
		lines = append(lines, wording.Plural(r.OmittedCount, "more app")+" left out; give a query, or --max")
	}
	return actions.Result{Data: r, Text: strings.Join(lines, "\n")}, nil
}
