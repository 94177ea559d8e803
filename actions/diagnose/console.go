package diagnose

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/console"
	"github.com/skua-browser/skua/guard/policy"
)

// Bounds of what is kept of messages, and as much again of errors, unless SKUA_CONSOLE_ENTRIES and SKUA_CONSOLE_BYTES
// say otherwise.
const (
	consoleEntries = 1_000
	consoleBytes   = 4 << 20
)

// consoleTypes are the types of messages by what callers may call them.
var consoleTypes = map[string][]string{
	"log": {"log"}, "debug": {"debug"}, "info": {"info"}, "error": {"error", "assert"}, "warning": {"warning"},
	"warn": {"warning"},
	"dir":  {"dir"}, "dirxml": {"dirxml"}, "table": {"table"}, "trace": {"trace"}, "clear": {"clear"},
	"assert": {"assert"},
	"group":  {"startGroup", "startGroupCollapsed", "endGroup"}, "startGroup": {"startGroup"},
	"startGroupCollapsed": {"startGroupCollapsed"},
	"endGroup":            {"endGroup"}, "profile": {"profile", "profileEnd"}, "count": {"count"}, "time": {"timeEnd"},
	"timeEnd": {"timeEnd"},
}

func consoleCommands() []actions.Command {
	since := "Recording begins with the first `console` or `errors` of a session. That one also shows what the open " +
		"documents have logged before (the newest 1,000 messages), but nothing from earlier documents."
	bounds := "The newest " + strconv.Itoa(consoleEntries) + " are kept, at most " + strconv.Itoa(consoleBytes>>20) +
		" MiB; SKUA_CONSOLE_ENTRIES and " +
		"SKUA_CONSOLE_BYTES change these limits. `dropped` in the data counts those that were discarded."
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "console",
				Group:   actions.GroupDiagnosis,
				Summary: "Show the console messages of pages",
				Help: "Prints the messages of all tabs, of their frames and workers, oldest first; with --tab those of one. " +
					since + "\n\n" + bounds,
				Flags: []actions.Flag{
					{Name: "clear", Kind: actions.Bool, Help: "Discard the messages"},
					{
						Name:  "type",
						Kind:  actions.List,
						Value: "types",
						Help:  "Only messages of these types: error, warning, log, info, debug, table …",
					},
				},
				Examples: []actions.Example{{Line: "console"}, {Line: "console --type error,warning"}, {Line: "console --clear"}},
				Upstream: []string{"console [--clear]"},
			},
			Schedule: actions.Schedule{
				Effect: actions.InTab | actions.Reads, Alters: func(in *actions.Input) bool { return in.Bool("clear") },
			},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Console{}, actions.Given("clear", Cleared{})}},
			Run:      runConsole,
		},
		{
			Spec: actions.Spec{
				Name:    "errors",
				Group:   actions.GroupDiagnosis,
				Summary: "Show the errors of pages",
				Help: "Prints uncaught exceptions, unhandled promise rejections, and errors that the browser reports, such as " +
					"resources that could not be " +
					"loaded; `source` in the data says which kind it is. Lines and columns count from 1. " + since + "\n\n" + bounds,
				Flags:    []actions.Flag{{Name: "clear", Kind: actions.Bool, Help: "Discard the errors"}},
				Examples: []actions.Example{{Line: "errors"}, {Line: "errors --clear"}},
				Upstream: []string{"errors [--clear]"},
			},
			Schedule: actions.Schedule{
				Effect: actions.InTab | actions.Reads, Alters: func(in *actions.Input) bool { return in.Bool("clear") },
			},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Errors{}, actions.Given("clear", Cleared{})}},
			Run:      runErrors,
		},
	}
}

// listener is what `console` and `errors` need to read what a page has said.
type listener struct {
	tab    *actions.Tab
	limits console.Limits // how much is kept
	only   string         // the target id of the one tab that --tab names; empty means of all
}

func newListener(ctx context.Context, c *actions.Call) (l listener, err error) {
	if l.limits, err = c.Limits("CONSOLE", consoleEntries, consoleBytes); err != nil {
		return listener{}, err
	}
	if l.tab, err = c.Tabs.Tab(ctx); err == nil && c.Has("tab") {
		l.only = l.tab.Page.ID()
	}
	return l, err
}

func runConsole(ctx context.Context, c *actions.Call) (actions.Result, error) {
	types := map[string]bool{}
	for _, name := range c.Strings("type") {
		kinds := consoleTypes[name]
		if kinds == nil {
			return actions.Result{}, c.Invalid("--type does not know '" + name + "'. Types are: " +
				strings.Join(slices.Sorted(maps.Keys(consoleTypes)), ", "))
		}
		for _, kind := range kinds {
			types[kind] = true
		}
	}
	l, err := newListener(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := l.tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		if err := console.Clear(watched, l.tab.Page.Context(), l.tab.Page, l.only, false, l.limits); err != nil {
			return actions.Result{}, err
		}
		return actions.Result{Data: Cleared{true}, Text: "✓ Console log cleared"}, nil
	}
	messages, dropped, err := console.Messages(watched, l.tab.Page.Context(), l.tab.Page, l.limits)
	if err != nil {
		return actions.Result{}, err
	}
	names := tabNames(c)
	list, lines := []Message{}, []string{}
	for _, m := range messages {
		if l.only != "" && m.Page != l.only || len(types) > 0 && !types[m.Type] {
			continue
		}
		list = append(list, Message{
			Args:      m.Args,
			Text:      m.Text,
			Type:      m.Type,
			Timestamp: m.Timestamp,
			URL:       m.URL,
			Line:      max(0, m.Line),
			Column: max(0,
				m.Column),
			Stack:     m.Stack,
			Tab:       names[m.Page],
			Worker:    m.Worker,
			Truncated: m.Truncated,
		})
		lines = append(lines, "["+m.Type+"] "+m.Text)
	}
	return actions.Result{Data: Console{Messages: list, Dropped: dropped}, Text: strings.Join(lines, "\n")}, nil
}

func runErrors(ctx context.Context, c *actions.Call) (actions.Result, error) {
	l, err := newListener(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := l.tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		if err := console.Clear(watched, l.tab.Page.Context(), l.tab.Page, l.only, true, l.limits); err != nil {
			return actions.Result{}, err
		}
		return actions.Result{Data: Cleared{true}, Text: "✓ Page errors cleared"}, nil
	}
	errs, dropped, err := console.Errors(watched, l.tab.Page.Context(), l.tab.Page, l.limits)
	if err != nil {
		return actions.Result{}, err
	}
	names := tabNames(c)
	list, lines := []Error{}, []string{}
	for _, e := range errs {
		if l.only != "" && e.Page != l.only {
			continue
		}
		entry := Error{
			Text:      e.Text,
			Source:    e.Source,
			Timestamp: e.Timestamp,
			Stack:     e.Stack,
			Tab:       names[e.Page],
			Worker:    e.Worker,
			Truncated: e.Truncated,
		}
		if e.URL != "" {
			entry.URL = &e.URL
		}
		if e.Line > 0 {
			entry.Line = &e.Line
		}
		if e.Column > 0 {
			entry.Column = &e.Column
		}
		list = append(list, entry)
		lines = append(lines, errorLine(&e))
	}
	return actions.Result{Data: Errors{Errors: list, Dropped: dropped}, Text: strings.Join(lines, "\n")}, nil
}

// errorLine is an error in text: what happened, and where unless its own text says so.
func errorLine(e *console.Error) string {
	line := "✗ " + e.Text
	switch e.Source {
	case "exception":
	case "rejection":
		line = "✗ (in promise) " + strings.TrimPrefix(e.Text, "Uncaught (in promise) ")
	default:
		line = "✗ [" + e.Source + "] " + e.Text
	}
	place := e.URL
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			place += ":" + strconv.Itoa(e.Column)
		}
	}
	if place == "" || strings.Contains(e.Text, place) {
		return line
	}
	return line + "\n    at " + place
}

// tabNames returns the ids of the open tabs by the ids of their targets.
func tabNames(c *actions.Call) map[string]string {
	names := map[string]string{}
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		names[t.Page.ID()] = t.ID
	}
	return names
}
