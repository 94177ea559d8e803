package diagnose

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/home"
)

// heapBytes bounds a heap snapshot; SKUA_HEAP_BYTES says otherwise.
const heapBytes = 4 << 30

func heapCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "heap snapshot",
			Group:   actions.GroupCapture,
			Summary: "Save a snapshot of the page's JavaScript heap",
			Help: "The file can be opened in DevTools (Memory). The browser collects garbage first, so every object in " +
				"the file is still in use. The file is about as large as the heap, at most SKUA_HEAP_BYTES (4 GB).",
			Args: []actions.Arg{{
				Name:     "path",
				Kind:     actions.Path,
				Optional: true,
				Help:     "Where to save it; without it the file gets a generated name",
			}},
			Examples: []actions.Example{{Line: "heap snapshot before.heapsnapshot"}},
		},
		Schedule: actions.Schedule{Effect: actions.Reads},
		Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
		Showing:  actions.Showing{Traits: trait.Once, Writes: &trait.Output{Kind: trait.File, Arg: "path"}},
		Bindings: actions.Bindings{Data: []any{files.SavedFile{}}},
		Run:      runHeapSnapshot,
	}
}

func runHeapSnapshot(ctx context.Context, c *actions.Call) (actions.Result, error) {
	file, err := files.NewArtifact(c, "heap", c.String("path"), files.ArtifactDir(c, home.Heaps), ".heapsnapshot")
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	out, err := file.Create()
	if err != nil {
		return actions.Result{}, err
	}
	defer out.Abort()
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := capture.HeapSnapshot(watched, tab.Page, out, int64(c.Limit("HEAP_BYTES", heapBytes))); err != nil {
		return actions.Result{}, err
	}
	size, err := out.Commit()
	if err != nil {
		return actions.Result{}, err
	}
	data, err := file.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	data.Type = "application/json"
	return actions.Result{
		Data: data,
		Text: fmt.Sprintf("✓ Heap snapshot saved to %s (%.1f MB)", file.Shown, float64(size)/1e6),
	}, nil
}
