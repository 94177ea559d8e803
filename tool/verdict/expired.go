package verdict

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/lookup"
)

// patience bounds each look at a session after its command ran out of time.
const patience = 3 * time.Second

// expire says how far a command had come that the watchdog ended.
func (t *trial) expire(ctx context.Context) {
	p, a := t.Plan, t.Answer
	if !a.TimedOut {
		return
	}
	t.TimeoutMs = p.Watchdog.Milliseconds()
	e := judging.Expired{
		Planned: p.Rows,
		Rows:    a.Rows,
		Line:    &p.Words,
		Session: t.bound(),
		Fresh:   t.SessionMode == contract.Fresh,
		Live:    t.livePage(ctx),
		Cwd:     p.Sessions.Cwd(),
		Stat:    size,
	}
	if job := t.CompiledJob; job != nil {
		for _, s := range job.Steps {
			e.Generated = append(e.Generated, s.GeneratedFrom)
		}
	}
	progress, list := judging.Progress(&e)
	if progress == nil {
		return
	}
	t.TimeoutPartialProgress = progress
	t.Notes = append(t.Notes, judging.ProgressText(progress, func(step int) string {
		if t.CompiledQAPreset == nil {
			return ""
		}
		return lookup.QATitle(t.CompiledQAPreset, step)
	}))
	t.after = append(t.after, list...)
}

// livePage returns the page that the session shows after its command timed out: the page of the answer if answers have
// one, otherwise what the session reports within a short time. The title of a local file is not requested.
func (t *trial) livePage(ctx context.Context) *contract.PageTarget {
	p := t.Plan
	if t.Answer.Page != nil || p.Can().TellsPage || p.Stateless {
		return t.Answer.Page
	}
	url := p.Get(ctx, patience, "url")
	if url == "" {
		return nil
	}
	page := &contract.PageTarget{URL: url}
	if !strings.HasPrefix(strings.ToLower(url), "file:") && url != "about:blank" {
		page.Title = p.Get(ctx, patience, "title")
	}
	return page
}

// size looks for a file.
func size(path string) (int64, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
