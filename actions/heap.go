package actions

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/policy"
)

// heapBytes bounds a heap snapshot; SKUA_HEAP_BYTES says otherwise.
const heapBytes = 4 << 30

func heapCommand() Command {
	return Command{
		Name: "heap snapshot", Group: GroupCapture, Summary: "Save what the page's scripts keep in memory",
		Help: "The file can be opened in DevTools (Memory). The browser collects garbage first, so that what is in it is really held. It has " +
			"about the size of the heap, at most SKUA_HEAP_BYTES (4 GB).",
		Args:   []Arg{{Name: "path", Kind: Path, Optional: true, Help: "Where to save it; without it the file gets a name of its own"}},
		Effect: Reads, Traits: trait.Once, Writes: &trait.Output{Kind: trait.File, Arg: "path"},
		Examples: []Example{{Line: "heap snapshot before.heapsnapshot"}},
		Run:      runHeapSnapshot,
		Policy:   Policy{Families: policy.Does(policy.WritesFiles)},
	}
}

func runHeapSnapshot(ctx context.Context, c *Call) (Result, error) {
	file, err := c.Artifact("heap", c.String("path"), c.ArtifactDir("heaps"), ".heapsnapshot")
	if err != nil {
		return Result{}, err
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	out, err := file.Create()
	if err != nil {
		return Result{}, err
	}
	defer out.Abort()
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := tab.Page.HeapSnapshot(watched, out, int64(c.atMost("HEAP_BYTES", heapBytes))); err != nil {
		return Result{}, err
	}
	size, err := out.Commit()
	if err != nil {
		return Result{}, file.Failed(err)
	}
	data := map[string]any{}
	if err := file.Describe(data); err != nil {
		return Result{}, err
	}
	data["type"] = "application/json"
	return Result{Data: data, Text: fmt.Sprintf("✓ Heap snapshot saved to %s (%.1f MB)", file.Shown, float64(size)/1e6)}, nil
}
