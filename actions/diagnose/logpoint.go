package diagnose

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/logpoint"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func logpointCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "logpoint set",
				Group:   actions.GroupDiagnosis,
				Summary: "Read the value of an expression each time a line of code runs, without stopping the page",
				Help: "The place is the end of a script's path, or of a source's in its source map, and a line: cart.ts:42. " +
					"The expression is evaluated in the scope of that line before it runs; names of the source are translated " +
					"into those of a minified script, as far as the map tells; one that the minifier removed is a " +
					"ReferenceError. A line without code stands for the next one that has some.\n\n" +
					"It holds for the active tab, also after a reload, until `logpoint clear`. Scripts of workers and of frames " +
					"in other processes are not reached. `logpoint values` shows the newest 1,000 values.",
				Args: []actions.Arg{
					{Name: "place", Help: "file:line"},
					{Name: "expression", Kind: actions.Text, Help: "JavaScript, in the names of the source"},
				},
				Examples: []actions.Example{{Line: "logpoint set src/cart.ts:42 cart.total"}, {
					Line: "logpoint set app.js:7 '[a, b]'",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(policy.RunsScript), Like: []string{policy.Eval}, Blind: true},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{LogpointSet{}}},
			Run:      runLogpointSet,
		},
		{
			Spec: actions.Spec{
				Name: "logpoint list", Group: actions.GroupDiagnosis, Summary: "List the logpoints of the tab",
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Logpoints{}}},
			Run:      runLogpointList,
		},
		{
			Spec: actions.Spec{
				Name:    "logpoint values",
				Group:   actions.GroupDiagnosis,
				Summary: "Show the values that logpoints read",
				Help:    "Oldest first, each with the functions that led to it, innermost first.",
				Args:    []actions.Arg{{Name: "id", Optional: true, Help: "Only those of this logpoint"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{LogpointValues{}}},
			Run:      runLogpointValues,
		},
		{
			Spec: actions.Spec{
				Name:    "logpoint clear",
				Group:   actions.GroupDiagnosis,
				Summary: "Remove a logpoint with its values, or all of the tab",
				Args:    []actions.Arg{{Name: "id", Optional: true, Help: "As `logpoint list` prints it"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{LogpointsCleared{}}},
			Run:      runLogpointClear,
		},
	}
}

// Logpoint reads an expression at a line.
type Logpoint struct {
	At         CodePlace `json:"at"`
	Expression string    `json:"expression"`
	ID         string    `json:"id"`
	Runs       string    `json:"runs"` // the expression in the names of the served script
	Served     CodePlace `json:"served"`
}

// CodePlace is a place in a script or in a source. Lines and columns count from 1.
type CodePlace struct {
	Column   int    `json:"column,omitempty"`
	Function string `json:"function,omitempty"`
	Line     int    `json:"line"`
	URL      string `json:"url"`
}

// LogpointSet is the logpoint that was set.
type LogpointSet struct {
	Logpoint Logpoint `json:"logpoint"`
}

// Logpoints are those of a tab.
type Logpoints struct {
	Logpoints []Logpoint `json:"logpoints"`
}

// LogpointValues are what logpoints of a tab have read.
type LogpointValues struct {
	Dropped int             `json:"dropped"` // older ones, which had to go
	Values  []LogpointValue `json:"values"`
}

// LogpointValue is one value.
type LogpointValue struct {
	Failed    bool        `json:"failed,omitempty"` // the text is that of an error
	ID        string      `json:"id"`               // of the logpoint
	Stack     []CodePlace `json:"stack,omitempty"`
	Text      string      `json:"text"`
	Timestamp int64       `json:"timestamp"`
}

// LogpointsCleared says how many logpoints were removed.
type LogpointsCleared struct {
	Count int `json:"count"`
}

var placeForm = regexp.MustCompile(`^(.+):(\d+)$`)

func runLogpointSet(ctx context.Context, c *actions.Call) (actions.Result, error) {
	parts := placeForm.FindStringSubmatch(c.String("place"))
	if parts == nil {
		return actions.Result{}, c.Invalid("the place is written file:line, such as src/cart.ts:42")
	}
	line, err := strconv.Atoi(parts[2])
	if err != nil || line < 1 {
		return actions.Result{}, c.Invalid("lines count from 1")
	}
	tab, err := run.ReadyTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	p, err := logpoint.Of(tab.Page).Add(watched, parts[1], line, c.String("expression"))
	if err != nil {
		return actions.Result{}, err
	}
	if p.At.Line != line {
		c.Note(fmt.Sprintf("line %d has no code of its own; the logpoint is at line %d", line, p.At.Line))
	}
	return actions.Result{Data: LogpointSet{logpointData(&p)}, Text: "✓ Logpoint " + logpointLine(&p)}, nil
}

func logpointData(p *logpoint.Point) Logpoint {
	return Logpoint{
		ID: p.ID, Expression: p.Expression, Runs: p.Runs, At: codePlace(p.At), Served: codePlace(p.Served),
	}
}

func codePlace(p logpoint.Place) CodePlace {
	return CodePlace{URL: p.URL, Line: p.Line, Column: p.Column, Function: p.Function}
}

func logpointLine(p *logpoint.Point) string {
	line := fmt.Sprintf("[%s] %s:%d %s", p.ID, p.At.URL, p.At.Line, wording.OneLine(p.Expression))
	if p.At.URL != p.Served.URL {
		line += fmt.Sprintf(" (%s:%d:%d", path.Base(p.Served.URL), p.Served.Line, p.Served.Column)
		if p.Runs != p.Expression {
			line += ", as " + wording.OneLine(p.Runs)
		}
		line += ")"
	}
	return line
}

func runLogpointList(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	data, lines := Logpoints{Logpoints: []Logpoint{}}, []string{}
	for _, p := range logpoint.Of(tab.Page).Points() {
		data.Logpoints, lines = append(data.Logpoints, logpointData(&p)), append(lines, logpointLine(&p))
	}
	if len(lines) == 0 {
		lines = append(lines, "No logpoints")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

func runLogpointValues(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	points := map[string]logpoint.Point{}
	for _, p := range logpoint.Of(tab.Page).Points() {
		points[p.ID] = p
	}
	if id := c.String("id"); id != "" && points[id].ID == "" {
		return actions.Result{}, noLogpoint(id)
	}
	values, dropped := logpoint.Of(tab.Page).Values()
	data, lines := LogpointValues{Dropped: dropped, Values: []LogpointValue{}}, []string{}
	for i := range values {
		v := &values[i]
		if c.Has("id") && c.String("id") != v.Point {
			continue
		}
		row := LogpointValue{ID: v.Point, Text: v.Text, Failed: v.Failed, Timestamp: v.At.UnixMilli()}
		p := points[v.Point]
		line := fmt.Sprintf("[%s] %s = %s", v.Point, wording.OneLine(p.Expression), v.Text)
		if v.Failed {
			line = fmt.Sprintf("[%s] %s failed: %s", v.Point, wording.OneLine(p.Expression), v.Text)
		}
		for _, at := range v.Stack {
			row.Stack = append(row.Stack, codePlace(at))
			line += fmt.Sprintf("\n    at %s:%d:%d", at.URL, at.Line, at.Column)
			if at.Function != "" {
				line += " (" + at.Function + ")"
			}
		}
		data.Values, lines = append(data.Values, row), append(lines, line)
	}
	if dropped > 0 {
		c.Note(wording.Plural(dropped, "older value") + " were discarded for newer ones")
	}
	if len(lines) == 0 {
		lines = append(lines, "No values")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

func noLogpoint(id string) error {
	return fault.New(fault.Usage, "There is no logpoint %s in this tab.", wording.OneLine(id)).About(id).
		WithHint("`logpoint list` lists them.")
}

func runLogpointClear(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	count, err := logpoint.Of(tab.Page).Clear(ctx, c.String("id"))
	if err != nil {
		return actions.Result{}, err
	}
	if count == 0 && c.Has("id") {
		return actions.Result{}, noLogpoint(c.String("id"))
	}
	return actions.Result{Data: LogpointsCleared{count}, Text: "✓ " + wording.Plural(count, "logpoint") + " removed"}, nil
}
