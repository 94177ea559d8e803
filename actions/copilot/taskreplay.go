package copilot

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/task/runner"
)

func runTaskReplay(ctx context.Context, c *actions.Call) (actions.Result, error) {
	store, t, err := loaded(c)
	if err != nil {
		return actions.Result{}, err
	}
	files, err := taskFolder(c, store, t.ID)
	if err != nil {
		return actions.Result{}, err
	}
	again := &runner.Replayer{Session: rows{c}, Secrets: secretsOf(c), Files: files, HighRisk: c.Bool("high-risk")}
	replay, err := again.Run(ctx, t)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: replay, Text: replayText(replay), Failed: !replay.Same}, nil
}

func replayText(r *runner.ReplayResult) string {
	var b strings.Builder
	if r.Same {
		fmt.Fprintf(&b, "✓ Task %s gave the same result again, in %s", r.Task, r.Tab)
	} else {
		fmt.Fprintf(&b, "✗ Task %s gave another result, in %s", r.Task, r.Tab)
	}
	for _, s := range r.Steps {
		mark := "✓"
		if s.Error != "" || len(s.Differs) > 0 {
			mark = "✗"
		}
		fmt.Fprintf(&b, "\n  %2d %s %s", s.N, mark, s.Description)
		if s.Error != "" {
			b.WriteString("\n       " + s.Error)
		}
		for _, d := range s.Differs {
			b.WriteString("\n       " + d)
		}
	}
	if r.Stopped != "" {
		b.WriteString("\n  It stopped: " + r.Stopped)
	}
	return b.String()
}
