package actions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/policy"
)

// Bounds of what is kept of messages, and as much again of errors, unless SKUA_CONSOLE_ENTRIES and SKUA_CONSOLE_BYTES say otherwise.
const (
	consoleEntries = 1_000
	consoleBytes   = 4 << 20
)

// consoleTypes are the types of messages by what callers may call them.
var consoleTypes = map[string][]string{
	"log": {"log"}, "debug": {"debug"}, "info": {"info"}, "error": {"error", "assert"}, "warning": {"warning"}, "warn": {"warning"},
	"dir": {"dir"}, "dirxml": {"dirxml"}, "table": {"table"}, "trace": {"trace"}, "clear": {"clear"}, "assert": {"assert"},
	"group": {"startGroup", "startGroupCollapsed", "endGroup"}, "startGroup": {"startGroup"}, "startGroupCollapsed": {"startGroupCollapsed"},
	"endGroup": {"endGroup"}, "profile": {"profile", "profileEnd"}, "count": {"count"}, "time": {"timeEnd"}, "timeEnd": {"timeEnd"},
}

func consoleCommands() []Command {
	since := "The browser is asked for nothing before the first `console` or `errors` of a session; it then tells what the documents that are " +
		"shown have logged before (the newest 1,000 messages). What earlier documents logged before that is not known."
	bounds := "The newest " + strconv.Itoa(consoleEntries) + " are kept, of at most " + strconv.Itoa(consoleBytes>>20) + " MiB; SKUA_CONSOLE_ENTRIES and " +
		"SKUA_CONSOLE_BYTES say otherwise. `dropped` in the data counts what had to go."
	return []Command{
		{
			Name:     "console",
			Upstream: []string{"console [--clear]"},
			Group:    GroupDiagnosis, Summary: "Show what pages have logged",
			Help: "Prints the messages of all tabs, of their frames and workers, oldest first; with --tab those of one. " + since + "\n\n" + bounds,
			Flags: []Flag{
				{Name: "clear", Kind: Bool, Help: "Forget the messages"},
				{Name: "type", Kind: List, Value: "types", Help: "Only messages of these types: error, warning, log, info, debug, table …"},
			},
			Effect: Reads, View: trait.ViewConsole, Run: runConsole,
			Examples: []Example{{Line: "console"}, {Line: "console --type error,warning"}, {Line: "console --clear"}},
			Policy:   Policy{Families: policy.Does()},
		},
		{
			Name:     "errors",
			Upstream: []string{"errors [--clear]"},
			Group:    GroupDiagnosis, Summary: "Show the errors that pages had",
			Help: "Prints exceptions and rejected promises that nobody handled, and errors that the browser reports, such as resources that " +
				"could not be loaded; `source` in the data says which. Lines and columns count from 1. " + since + "\n\n" + bounds,
			Flags:  []Flag{{Name: "clear", Kind: Bool, Help: "Forget the errors"}},
			Effect: Reads, View: trait.ViewPageErrors, Run: runErrors,
			Examples: []Example{{Line: "errors"}, {Line: "errors --clear"}},
			Policy:   Policy{Families: policy.Does()},
		},
	}
}

// Limits reads how much may be kept from the variables NAME_ENTRIES and NAME_BYTES.
func (c *Call) Limits(name string, entries, bytes int) (engine.ConsoleLimits, error) {
	read := func(suffix string, def int) (int, error) {
		text, from := FromEnv(name+suffix, c.Getenv)
		if text == "" {
			return def, nil
		}
		var n int
		if _, err := fmt.Sscanf(text+"\n", "%d\n", &n); err != nil || n < 1 {
			return 0, c.Invalid(from + " must be a whole number of 1 or more, got '" + text + "'")
		}
		return n, nil
	}
	count, err := read("_ENTRIES", entries)
	if err != nil {
		return engine.ConsoleLimits{}, err
	}
	size, err := read("_BYTES", bytes)
	return engine.ConsoleLimits{Count: count, Bytes: int64(size)}, err
}

// heard is what `console` and `errors` need: the tab, how much to keep, and the target id of the one tab that --tab names.
func (c *Call) heard(ctx context.Context) (tab *Tab, limits engine.ConsoleLimits, only string, err error) {
	if limits, err = c.Limits("CONSOLE", consoleEntries, consoleBytes); err != nil {
		return nil, limits, "", err
	}
	if tab, err = c.Session.Tab(ctx); err == nil && c.Has("tab") {
		only = tab.Page.ID()
	}
	return tab, limits, only, err
}

func runConsole(ctx context.Context, c *Call) (Result, error) {
	types := map[string]bool{}
	for _, name := range c.Strings("type") {
		kinds := consoleTypes[name]
		if kinds == nil {
			return Result{}, c.Invalid("--type does not know '" + name + "'. Types are: " + strings.Join(slices.Sorted(maps.Keys(consoleTypes)), ", "))
		}
		for _, kind := range kinds {
			types[kind] = true
		}
	}
	tab, limits, only, err := c.heard(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		if err := tab.Page.Context().ClearConsole(watched, tab.Page, only, false, limits); err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"cleared": true}, Text: "✓ Console log cleared"}, nil
	}
	messages, dropped, err := tab.Page.Context().ReadConsole(watched, tab.Page, limits)
	if err != nil {
		return Result{}, err
	}
	names := c.tabNames()
	list, lines := []map[string]any{}, []string{}
	for _, m := range messages {
		if only != "" && m.Page != only || len(types) > 0 && !types[m.Type] {
			continue
		}
		entry := map[string]any{"args": m.Args, "text": m.Text, "type": m.Type, "timestamp": m.Timestamp}
		withPlace(entry, m.URL, m.Line, m.Column, m.Stack, names[m.Page], m.Worker, m.Truncated)
		list = append(list, entry)
		lines = append(lines, "["+m.Type+"] "+m.Text)
	}
	return Result{Data: map[string]any{"messages": list, "dropped": dropped}, Text: strings.Join(lines, "\n")}, nil
}

func runErrors(ctx context.Context, c *Call) (Result, error) {
	tab, limits, only, err := c.heard(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		if err := tab.Page.Context().ClearConsole(watched, tab.Page, only, true, limits); err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"cleared": true}, Text: "✓ Page errors cleared"}, nil
	}
	errs, dropped, err := tab.Page.Context().ReadErrors(watched, tab.Page, limits)
	if err != nil {
		return Result{}, err
	}
	names := c.tabNames()
	list, lines := []map[string]any{}, []string{}
	for _, e := range errs {
		if only != "" && e.Page != only {
			continue
		}
		entry := map[string]any{"text": e.Text, "source": e.Source, "timestamp": e.Timestamp, "url": nil, "line": nil, "column": nil}
		withPlace(entry, e.URL, e.Line, e.Column, e.Stack, names[e.Page], e.Worker, e.Truncated)
		list = append(list, entry)
		lines = append(lines, errorLine(&e))
	}
	return Result{Data: map[string]any{"errors": list, "dropped": dropped}, Text: strings.Join(lines, "\n")}, nil
}

// errorLine is an error in text: what happened, and where unless its own text says so.
func errorLine(e *engine.PageError) string {
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

// withPlace adds what is known of where a message or an error comes from.
func withPlace(entry map[string]any, url string, line, column int, stack, tab, worker string, truncated bool) {
	if url != "" {
		entry["url"] = url
	}
	if line > 0 {
		entry["line"] = line
	}
	if column > 0 {
		entry["column"] = column
	}
	if stack != "" {
		entry["stack"] = stack
	}
	if tab != "" {
		entry["tab"] = tab
	}
	if worker != "" {
		entry["worker"] = worker
	}
	if truncated {
		entry["truncated"] = true
	}
}

// tabNames returns the ids of the open tabs by the ids of their targets.
func (c *Call) tabNames() map[string]string {
	names := map[string]string{}
	tabs, _ := c.Session.Tabs()
	for _, t := range tabs {
		names[t.Page.ID()] = t.ID
	}
	return names
}
