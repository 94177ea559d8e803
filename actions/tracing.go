package actions

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

// traceBytes bounds what a browser keeps of a trace; SKUA_TRACE_BYTES says otherwise.
const traceBytes = 200 << 20

// profileCategories are what DevTools' performance panel shows.
var profileCategories = []string{
	"devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame",
	"disabled-by-default-devtools.timeline.stack", "v8.execute", "disabled-by-default-v8.cpu_profiler",
	"disabled-by-default-v8.cpu_profiler.hires", "v8", "blink", "blink.console", "blink.user_timing", "loading", "latencyInfo",
	"renderer.scheduler", "toplevel", "disabled-by-default-v8.runtime_stats",
}

func traceCommands() []Command {
	const holds = "It holds what the tab's processes, the browser's own and the graphics process did. A browser, which several sessions may " +
		"share, records one at a time, be it a trace or a profile. The tab must be open until the recording is stopped. What is recorded " +
		"is bounded (SKUA_TRACE_BYTES, 200 MB); the reply says when that was not enough."
	path := func(what string) []Arg {
		return []Arg{{Name: "path", Kind: Path, Optional: true, Help: "Where to save " + what + "; without it the file gets a name of its own"}}
	}
	return []Command{
		{
			Name: "trace start", Group: GroupCapture, Summary: "Begin to record what the browser does", Help: holds,
			Flags:  []Flag{{Name: "categories", Kind: List, Help: "What is recorded; without it what the browser records by itself"}},
			Effect: Reads, Traits: trait.StartsTrace | trait.Summarized | trait.Once, Run: func(ctx context.Context, c *Call) (Result, error) {
				return c.startTrace(ctx, "trace", c.Strings("categories"))
			},
			Policy: Policy{Families: policy.Does(policy.WritesFiles)},
		},
		{
			Name: "trace stop", Group: GroupCapture, Summary: "Save the recording", Args: path("the trace"),
			Help:   "The file can be opened in DevTools (Performance) and at ui.perfetto.dev.",
			Effect: Reads, Traits: trait.StopsTrace | trait.Summarized, Writes: &trait.Output{Kind: trait.Trace, Arg: "path"}, Examples: []Example{{Line: "trace stop trace.json"}},
			Run:    func(ctx context.Context, c *Call) (Result, error) { return c.stopTrace(ctx, "trace") },
			Policy: Policy{Families: policy.Does(policy.WritesFiles)},
		},
		{
			Name:     "profiler start",
			Upstream: []string{"profiler start|stop [path]", "profiler <operation> [options]", "profiler start"},
			Group:    GroupCapture, Summary: "Begin to record a performance profile",
			Help: "It is a trace of the categories that DevTools shows. " + holds,
			Flags: []Flag{
				{Name: "categories", Kind: List, Help: "What is recorded in place of that"},
				{Name: "cpu", Kind: Bool, Help: "Sample what scripts do, and nothing else, for a .cpuprofile file"},
			},
			Effect: Reads, Traits: trait.StartsTrace | trait.Summarized | trait.Once,
			Examples: []Example{{Line: "profiler start --categories devtools.timeline,blink.user_timing"}, {Line: "profiler start --cpu"}},
			Run: func(ctx context.Context, c *Call) (Result, error) {
				categories := profileCategories
				if c.Has("categories") {
					categories = c.Strings("categories")
				}
				if !c.Bool("cpu") {
					return c.startTrace(ctx, "profile", categories)
				}
				if c.Has("categories") {
					return Result{}, c.Invalid("--cpu has no categories.")
				}
				return c.startTrace(ctx, engine.CPUProfile, nil)
			},
			Policy: Policy{Families: policy.Does(policy.WritesFiles)},
		},
		{
			Name: "profiler stop", Group: GroupCapture, Summary: "Save the profile", Args: path("the profile"),
			Effect: Reads, Traits: trait.StopsTrace | trait.Summarized, Writes: &trait.Output{Kind: trait.Profile, Arg: "path"}, Examples: []Example{{Line: "profiler stop profile.json"}},
			Run:    func(ctx context.Context, c *Call) (Result, error) { return c.stopTrace(ctx, "profile") },
			Policy: Policy{Families: policy.Does(policy.WritesFiles)},
		},
	}
}

func (c *Call) startTrace(ctx context.Context, kind string, categories []string) (Result, error) {
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	o := engine.TraceOptions{Kind: kind, Categories: categories, Bytes: int64(c.atMost("TRACE_BYTES", traceBytes))}
	if err := tab.Page.Context().StartTrace(ctx, tab.Page, o); err != nil {
		return Result{}, err
	}
	text := "✓ Profiling started"
	if kind == "trace" {
		text = "✓ Recording started"
	}
	return Result{Data: map[string]any{"started": true, "tab": tab.ID}, Text: text}, nil
}

// stopTrace saves what is recorded, if it is of the command's kind.
func (c *Call) stopTrace(ctx context.Context, command string) (Result, error) {
	none := "No profiling in progress"
	if command == "trace" {
		none = "No tracing in progress"
	}
	recorder, err := c.recorder(ctx, none)
	if err != nil {
		return Result{}, err
	}
	kind := recorder.Tracing()
	if kind == "" || (kind == "trace") != (command == "trace") {
		e := fault.New(fault.CaptureState, "%s", none)
		switch kind {
		case "":
			return Result{}, e
		case "trace":
			return Result{}, e.WithHint("What is recorded is a trace; use `trace stop`.")
		}
		return Result{}, e.WithHint("What is recorded is a profile; use `profiler stop`.")
	}
	ext := ".json"
	if kind == engine.CPUProfile {
		ext = ".cpuprofile"
	}
	folder := map[bool]string{true: "traces", false: "profiles"}[command == "trace"]
	file, err := c.Artifact(command, c.String("path"), c.ArtifactDir(folder), ext)
	if err != nil {
		return Result{}, err
	}
	out, err := file.Create()
	if err != nil {
		return Result{}, err
	}
	defer out.Abort()
	traced, err := recorder.StopTrace(ctx, out)
	if err != nil {
		return Result{}, err
	}
	if _, err := out.Commit(); err != nil {
		return Result{}, file.Failed(err)
	}
	data := map[string]any{}
	if err := file.Describe(data); err != nil {
		return Result{}, err
	}
	data["type"] = "application/json"
	text := "✓ " + strings.ToUpper(command[:1]) + command[1:] + " saved to " + file.Shown
	if kind != engine.CPUProfile {
		data["eventCount"] = traced.Events
	}
	if kind == "profile" {
		text += fmt.Sprintf(" (%d events)", traced.Events)
	}
	if traced.Lost {
		data["incomplete"] = true
		c.Note("the browser kept no more than SKUA_TRACE_BYTES of it; what came after that is missing")
	}
	return Result{Data: data, Text: text}, nil
}
