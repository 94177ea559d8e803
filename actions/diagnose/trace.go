package diagnose

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	captures "github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
)

// traceBytes bounds what a browser keeps of a trace; SKUA_TRACE_BYTES says otherwise.
const traceBytes = 200 << 20

// profileCategories are what DevTools' performance panel shows.
var profileCategories = []string{
	"devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame",
	"disabled-by-default-devtools.timeline.stack", "v8.execute", "disabled-by-default-v8.cpu_profiler",
	"disabled-by-default-v8.cpu_profiler.hires", "v8", "blink", "blink.console", "blink.user_timing", "loading",
	"latencyInfo",
	"renderer.scheduler", "toplevel", "disabled-by-default-v8.runtime_stats",
}

func traceCommands() []actions.Command {
	const holds = "The recording covers the tab's processes, the browser process and the GPU process. A browser, which " +
		"several sessions may share, makes one recording at a time, a trace or a profile. The tab must stay open until the " +
		"recording is stopped. A recording has at most SKUA_TRACE_BYTES (200 MB); the reply says when that was not enough."
	path := func(what string) []actions.Arg {
		return []actions.Arg{{
			Name:     "path",
			Kind:     actions.Path,
			Optional: true,
			Help:     "Where to save " + what + "; without it the file gets a generated name",
		}}
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "trace start",
				Group:   actions.GroupCapture,
				Summary: "Start recording a trace of the browser",
				Help:    holds,
				Flags: []actions.Flag{{
					Name: "categories",
					Kind: actions.List,
					Help: "The trace categories; the browser's defaults when not given",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
			Showing:  actions.Showing{Traits: trait.Summarized | trait.Once, Recording: trait.Recording{Begins: trait.Trace}},
			Bindings: actions.Bindings{Data: []any{RecordingStarted{}}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
				return startTrace(ctx, c, "trace", c.Strings("categories"))
			},
		},
		{
			Spec: actions.Spec{
				Name:     "trace stop",
				Group:    actions.GroupCapture,
				Summary:  "Stop recording and save the trace",
				Help:     "The file can be opened in DevTools (Performance) and at ui.perfetto.dev.",
				Args:     path("the trace"),
				Examples: []actions.Example{{Line: "trace stop trace.json"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
			Showing: actions.Showing{
				Traits:    trait.Summarized | trait.Once,
				Recording: trait.Recording{Ends: trait.Trace},
				Writes:    &trait.Output{Kind: trait.Trace, Arg: "path"},
			},
			Bindings: actions.Bindings{Data: []any{SavedRecording{}}},
			Run:      func(ctx context.Context, c *actions.Call) (actions.Result, error) { return stopTrace(ctx, c, "trace") },
		},
		{
			Spec: actions.Spec{
				Name:    "profiler start",
				Group:   actions.GroupCapture,
				Summary: "Start recording a performance profile",
				Help:    "Records a trace with the categories that DevTools shows. " + holds,
				Flags: []actions.Flag{
					{Name: "categories", Kind: actions.List, Help: "Trace categories to record instead"},
					{Name: "cpu", Kind: actions.Bool, Help: "Only sample scripts, for a .cpuprofile file"},
				},
				Examples: []actions.Example{{Line: "profiler start --categories devtools.timeline,blink.user_timing"}, {
					Line: "profiler start --cpu",
				}},
				Upstream: []string{"profiler start|stop [path]", "profiler <operation> [options]", "profiler start"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
			Showing:  actions.Showing{Traits: trait.Summarized | trait.Once, Recording: trait.Recording{Begins: trait.Profile}},
			Bindings: actions.Bindings{Data: []any{RecordingStarted{}}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
				categories := profileCategories
				if c.Has("categories") {
					categories = c.Strings("categories")
				}
				if !c.Bool("cpu") {
					return startTrace(ctx, c, "profile", categories)
				}
				if c.Has("categories") {
					return actions.Result{}, c.Invalid("--cpu has no categories.")
				}
				return startTrace(ctx, c, capture.CPUProfile, nil)
			},
		},
		{
			Spec: actions.Spec{
				Name:     "profiler stop",
				Group:    actions.GroupCapture,
				Summary:  "Stop recording and save the profile",
				Args:     path("the profile"),
				Examples: []actions.Example{{Line: "profiler stop profile.json"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
			Showing: actions.Showing{
				Traits:    trait.Summarized | trait.Once,
				Recording: trait.Recording{Ends: trait.Profile},
				Writes:    &trait.Output{Kind: trait.Profile, Arg: "path"},
			},
			Bindings: actions.Bindings{Data: []any{SavedRecording{}}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
				return stopTrace(ctx, c, "profile")
			},
		},
	}
}

func startTrace(ctx context.Context, c *actions.Call, kind string, categories []string) (actions.Result, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	o := capture.TraceOptions{Kind: kind, Categories: categories, Bytes: int64(c.Limit("TRACE_BYTES", traceBytes))}
	if err := capture.StartTrace(ctx, tab.Page.Context(), tab.Page, o); err != nil {
		return actions.Result{}, err
	}
	text := "✓ Profiling started"
	if kind == "trace" {
		text = "✓ Recording started"
	}
	return actions.Result{Data: RecordingStarted{Started: true, Tab: tab.ID}, Text: text}, nil
}

// stopTrace saves what is recorded, if it is of the command's kind.
func stopTrace(ctx context.Context, c *actions.Call, command string) (actions.Result, error) {
	none := "No profiling in progress"
	if command == "trace" {
		none = "No tracing in progress"
	}
	recorder, err := captures.RunningContext(ctx, c, none)
	if err != nil {
		return actions.Result{}, err
	}
	kind := capture.Tracing(recorder)
	if kind == "" || (kind == "trace") != (command == "trace") {
		e := fault.New(fault.CaptureState, "%s", none)
		switch kind {
		case "":
			return actions.Result{}, e
		case "trace":
			return actions.Result{}, e.WithHint("What is recorded is a trace; use `trace stop`.")
		}
		return actions.Result{}, e.WithHint("What is recorded is a profile; use `profiler stop`.")
	}
	ext := ".json"
	if kind == capture.CPUProfile {
		ext = ".cpuprofile"
	}
	folder := home.Profiles
	if command == "trace" {
		folder = home.Traces
	}
	file, err := files.NewArtifact(c, command, c.String("path"), files.ArtifactDir(c, folder), ext)
	if err != nil {
		return actions.Result{}, err
	}
	traced, err := writeTrace(ctx, command, recorder, file)
	if err != nil {
		return actions.Result{}, err
	}
	saved, err := file.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	saved.Type = "application/json"
	data := SavedRecording{SavedFile: saved, Incomplete: traced.Lost}
	text := "✓ " + strings.ToUpper(command[:1]) + command[1:] + " saved to " + file.Shown
	if kind != capture.CPUProfile {
		data.EventCount = &traced.Events
	}
	if kind == "profile" {
		text += fmt.Sprintf(" (%d events)", traced.Events)
	}
	if traced.Lost {
		c.Note("the browser kept only SKUA_TRACE_BYTES of it; everything after that is missing")
	}
	return actions.Result{Data: data, Text: text}, nil
}

// writeTrace ends the recording and saves it. Where the file cannot take it, the browser keeps it for another one.
func writeTrace(
	ctx context.Context, command string, recorder *engine.Context, file *files.Artifact,
) (capture.Traced, error) {
	out, err := file.Create()
	if err != nil {
		return capture.Traced{}, err
	}
	defer out.Abort()
	traced, kept, err := capture.StopTrace(ctx, recorder, out)
	if err == nil {
		if _, err = out.Commit(); err == nil {
			capture.ForgetTrace(recorder)
			return traced, nil
		}
	}
	if kept {
		err = file.KeptError(err, command+" stop")
	}
	return capture.Traced{}, err
}
