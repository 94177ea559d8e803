package diagnose

import (
	"context"
	"io"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/insights"
	"github.com/skua-browser/skua/internal/userfile"
)

// insightsCommands returns the commands that read a recording and say what to look at in it.
func insightsCommands() []actions.Command {
	reads := policy.Does(policy.ReadsFiles)
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "insights trace",
				Group:   actions.GroupDiagnosis,
				Summary: "Say what to look at in a trace or profile",
				Help: "Prints at most twenty lines: the longest tasks with what began them and the functions that took the " +
					"time, layout shifts with the elements that moved, long animation frames, and what the main thread did. A file " +
					"of `profiler stop` names functions by samples; one of `trace stop` knows only which functions the browser " +
					"called. Elements are named while their page is open in the session.",
				Args:     []actions.Arg{{Name: "path", Kind: actions.Path, Help: "A file of `trace stop` or `profiler stop`"}},
				Examples: []actions.Example{{Line: "insights trace profile.json"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true},
			Safety:   actions.Safety{Families: reads},
			Bindings: actions.Bindings{Data: []any{insights.Trace{}}},
			Run:      runTraceInsights,
		},
		{
			Spec: actions.Spec{
				Name:    "insights heap",
				Group:   actions.GroupDiagnosis,
				Summary: "Say what a page keeps in memory, or what it keeps more of than before",
				Help: "With two snapshots of one page, prints at most twenty lines about what is new in the second one: " +
					"detached DOM nodes, what keeps them and by which way, and the kinds of objects that grew. With one snapshot, " +
					"what there is most of. Sizes are those of the objects themselves.",
				Args: []actions.Arg{
					{Name: "before", Kind: actions.Path, Help: "A file of `heap snapshot`"},
					{
						Name:     "after",
						Kind:     actions.Path,
						Optional: true,
						Help:     "A later one of the same page, which was not loaded again in between",
					},
				},
				Examples: []actions.Example{{Line: "insights heap before.heapsnapshot after.heapsnapshot"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: reads, PageText: true},
			Bindings: actions.Bindings{Data: []any{insights.HeapReport{}}},
			Run:      runHeapInsights,
		},
	}
}

// readRecording reads a file of the caller's.
func readRecording[T any](
	ctx context.Context, c *actions.Call, named string, read func(io.Reader) (*T, error),
) (*T, error) {
	path, err := files.Readable(c, named)
	if err != nil {
		return nil, err
	}
	file, err := userfile.Open(ctx, path)
	if err != nil {
		return nil, fault.New(fault.File, "Failed to read %s: %w", named, err).About(named)
	}
	defer file.Close()
	recording, err := read(file)
	if err != nil {
		return nil, fault.New(fault.File, "%s: %w", named, err).About(named)
	}
	return recording, nil
}

// nameLimit is how long pages may take to name elements. Without names, the report says where they are.
const nameLimit = 3 * time.Second

func runTraceInsights(ctx context.Context, c *actions.Call) (actions.Result, error) {
	trace, err := readRecording(ctx, c, c.String("path"), insights.ReadTrace)
	if err != nil {
		return actions.Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, nameLimit)
	defer cancel()
	tabs, _ := c.Tabs.All()
	trace.NameShifts(func(frame string, at float64, nodes []int64) []string {
		for _, tab := range tabs {
			if tab.Page.Main().ID() == frame && tab.Page.Attached() && tab.Page.Err() == nil &&
				tab.Page.Dialogs().Open() == nil {
				return capture.ShiftedElements(ctx, tab.Page, at, nodes)
			}
		}
		return nil
	})
	return actions.Result{Data: trace, Text: trace.Text()}, nil
}

func runHeapInsights(ctx context.Context, c *actions.Call) (actions.Result, error) {
	before, err := readRecording(ctx, c, c.String("before"), insights.ReadHeap)
	if err != nil {
		return actions.Result{}, err
	}
	now := before
	if c.Has("after") {
		if now, err = readRecording(ctx, c, c.String("after"), insights.ReadHeap); err != nil {
			return actions.Result{}, err
		}
	} else {
		before = nil
	}
	report := insights.CompareHeaps(before, now)
	return actions.Result{Data: report, Text: report.Text()}, nil
}
