package diagnose

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

//go:embed reactjs/look.js
var reactLook string

func reactCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "react tree", Group: actions.GroupReact, Summary: "Show the tree of React components with their ids",
				Help: "All `react` commands need a page that was opened with --enable react-devtools.",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ReactTree{}}},
			Run:      runReactTree,
		},
		{
			Spec: actions.Spec{
				Name: "react inspect", Group: actions.GroupReact, Summary: "Show the props, state and hooks of a component",
				Args: []actions.Arg{{Name: "id", Kind: actions.Int, Help: "Its number in `react tree`"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ReactComponent{}}},
			Run:      runReactInspect,
		},
		{
			Spec:     actions.Spec{Name: "react renders start", Group: actions.GroupReact, Summary: "Start counting renders"},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{ReactRecording{}}},
			Run:      runReactStart,
		},
		{
			Spec: actions.Spec{
				Name: "react renders stop", Group: actions.GroupReact,
				Summary:  "Stop counting, and show which components rendered, how often, how long and why",
				Upstream: []string{"react renders stop [--json]"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{ReactRenders{}}},
			Run:      runReactStop,
		},
		{
			Spec: actions.Spec{
				Name:     "react suspense",
				Group:    actions.GroupReact,
				Summary:  "List the Suspense boundaries and which of them are suspended",
				Flags:    []actions.Flag{{Name: "only-dynamic", Kind: actions.Bool, Help: "Only those that are suspended"}},
				Upstream: []string{"react suspense [--only-dynamic] [--json]"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ReactSuspense{}}},
			Run:      runReactSuspense,
		},
	}
}

// react asks the hook of the page.
func react(ctx context.Context, c *actions.Call, op string, arg int, result any) error {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return err
	}
	v, err := tab.Page.Evaluate(ctx, "("+reactLook+")("+strconv.Quote(op)+", "+strconv.Itoa(arg)+")")
	if err != nil {
		return err
	}
	var failed struct{ Error string }
	if err := json.Unmarshal(v.JSON, &failed); err != nil {
		return err
	}
	switch failed.Error {
	case "":
		return json.Unmarshal(v.JSON, result)
	case "hook":
		return fault.New(fault.EvalFailed, "React DevTools hook not installed - open with --enable react-devtools").
			WithHint("For example: open %s --enable react-devtools.", tab.Page.URL())
	case "renderer":
		return fault.New(fault.EvalFailed, "No React renderer attached").
			WithHint("The page does not use React, or has not loaded it yet.")
	case "recording":
		return fault.New(fault.EvalFailed, "renders recording not active - run `react renders start` first")
	case "element":
		return fault.New(fault.EvalFailed, "element %d not found (page reloaded?)", arg).
			WithHint("Run `react tree` for the valid ids.")
	}
	return fault.New(fault.Internal, "the hook does not know %s", op)
}

func runReactTree(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var tree struct {
		Rows [][]any
		Cut  bool
	}
	if err := react(ctx, c, "tree", 0, &tree); err != nil {
		return actions.Result{}, err
	}
	lines := []string{
		"# React component tree", "# Columns: depth id parent name [key=...]",
		"# Use `react inspect <id>` for props/hooks/state. IDs valid until next navigation.",
	}
	for _, row := range tree.Rows {
		parent := "-"
		if n, _ := row[2].(float64); n != 0 {
			parent = fmt.Sprint(n)
		}
		line := fmt.Sprintf("%v %v %s %v", row[0], row[1], parent, row[3])
		if key, ok := row[4].(string); ok {
			line += " key=" + strconv.Quote(key)
		}
		lines = append(lines, line)
	}
	if tree.Cut {
		lines = append(lines, "# The rest was left out.")
	}
	text := strings.Join(lines, "\n")
	return actions.Result{Data: ReactTree{text}, Text: text}, nil
}

func runReactInspect(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var e struct {
		Name, ID            any
		Props, State, Hooks [][2]string
		Owners              []string
		Source              any
	}
	if err := react(ctx, c, "inspect", c.Int("id"), &e); err != nil {
		return actions.Result{}, err
	}
	lines := []string{fmt.Sprintf("%v #%v", e.Name, e.ID)}
	section := func(title string, entries [][2]string, numbered bool) {
		if len(entries) > 0 {
			lines = append(lines, title+":")
		}
		for i, entry := range entries {
			prefix := "  "
			if numbered {
				prefix = fmt.Sprintf("  [%d] ", i)
			}
			lines = append(lines, prefix+entry[0]+": "+entry[1])
		}
	}
	section("props", e.Props, false)
	section("state", e.State, false)
	section("hooks", e.Hooks, true)
	if len(e.Owners) > 0 {
		lines = append(lines, "rendered by: "+strings.Join(e.Owners, " > "))
	}
	text := strings.Join(lines, "\n")
	return actions.Result{Data: ReactComponent{Text: text, Source: e.Source}, Text: text}, nil
}

func runReactStart(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if err := react(ctx, c, "start", 0, &struct{}{}); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: ReactRecording{
			Recording: true,
			Message:   "recording renders - interact with the page, then run `react renders stop`",
		},
		Text: "✓ Done",
	}, nil
}

// renderedComponent is how often the components of a name were rendered.
type renderedComponent struct {
	Name    string         `json:"name"`
	Mounts  int            `json:"mounts"`
	Renders int            `json:"renders"`
	Reasons map[string]int `json:"reasons"`
	TotalMS float64        `json:"total"`
	SelfMS  float64        `json:"self"`
}

func runReactStop(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var r struct {
		Seconds    float64
		Commits    int
		Dropped    int
		Components []renderedComponent
	}
	if err := react(ctx, c, "stop", 0, &r); err != nil {
		return actions.Result{}, err
	}
	mounts, renders := 0, 0
	for _, e := range r.Components {
		mounts, renders = mounts+e.Mounts, renders+e.Renders
	}
	slices.SortStableFunc(r.Components, func(a, b renderedComponent) int {
		return cmp.Or(cmp.Compare(b.TotalMS, a.TotalMS), cmp.Compare(b.Renders+b.Mounts, a.Renders+a.Mounts),
			strings.Compare(a.Name, b.Name))
	})
	lines := []string{
		fmt.Sprintf("# Render Profile - %.2fs recording", r.Seconds),
		fmt.Sprintf("# %d renders (%d mounts + %d re-renders) across %d components", mounts+renders, mounts, renders,
			len(r.Components)),
		fmt.Sprintf("# Commits: %d", r.Commits),
	}
	if len(r.Components) > 0 {
		lines = append(lines, "", "## Components by total render time",
			"| Component | Mounts | Re-renders | Total | Self | Top change reason |",
			"| --- | --- | --- | --- | --- | --- |")
	}
	for _, e := range r.Components {
		reason, most := "", 0
		for why, n := range e.Reasons {
			if n > most || n == most && why < reason {
				reason, most = why, n
			}
		}
		lines = append(lines,
			fmt.Sprintf("| %s | %d | %d | %.1fms | %.1fms | %s |", e.Name, e.Mounts, e.Renders, e.TotalMS, e.SelfMS, reason))
	}
	text := strings.Join(lines, "\n")
	return actions.Result{Data: ReactRenders{Report: text, Components: r.Components, Dropped: r.Dropped}, Text: text}, nil
}

func runReactSuspense(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var r struct {
		List []struct {
			ID          int
			Name, Owner string
			Suspended   bool
			Source      []any
		}
	}
	if err := react(ctx, c, "suspense", 0, &r); err != nil {
		return actions.Result{}, err
	}
	var waiting, static []string
	boundaries := []SuspenseBoundary{}
	for _, b := range r.List {
		if c.Bool("only-dynamic") && !b.Suspended {
			continue
		}
		boundaries = append(boundaries, SuspenseBoundary{
			ID:        b.ID,
			Name:      b.Name,
			Owner:     b.Owner,
			Suspended: b.Suspended,
			Source:    b.Source,
		})
		at := "-"
		if len(b.Source) == 3 {
			at = fmt.Sprintf("%v:%v:%v", b.Source...)
		}
		name := cmp.Or(b.Name, b.Owner, "#"+strconv.Itoa(b.ID))
		if b.Suspended {
			waiting = append(waiting, fmt.Sprintf("| %s | %d | %s | %s |", name, b.ID, cmp.Or(b.Owner, "-"), at))
		} else {
			static = append(static, "  "+name+" at "+at)
		}
	}
	lines := []string{"# Suspense Boundary Analysis"}
	if c.Bool("only-dynamic") {
		lines = append(lines,
			fmt.Sprintf("# %d dynamic holes (static boundaries hidden; pass without --only-dynamic to see them)", len(waiting)))
	} else {
		lines = append(lines,
			fmt.Sprintf("# %d boundaries: %d dynamic holes, %d static", len(r.List), len(waiting), len(static)))
	}
	if len(waiting) > 0 {
		lines = append(lines, "", "## Quick Reference", "| Boundary | Id | Rendered by | Source |",
			"| --- | --- | --- | --- |")
		lines = append(lines, waiting...)
	}
	if len(static) > 0 {
		lines = append(lines, "", "## Static (not suspended)")
		lines = append(lines, static...)
	}
	text := strings.Join(lines, "\n")
	return actions.Result{Data: ReactSuspense{Report: text, Boundaries: boundaries}, Text: text}, nil
}
