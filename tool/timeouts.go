package tool

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/lookup"
)

// exitExpired is the exit code of a command that the watchdog ended.
const exitExpired = 124

// recoveryPatience bounds each look at a session after its command ran out of time.
const recoveryPatience = 3 * time.Second

// expired says how far a command had come that the watchdog ended.
func (c *call) expired(ctx context.Context, after time.Duration) {
	d := c.details
	d.TimeoutMs, d.TimedOut = after.Milliseconds(), true
	c.answer.ExitCode = exitExpired
	said := fmt.Sprintf("agent_browser timed out after %d ms, and ended `%s`.", after.Milliseconds(), c.words.Name())
	if c.answer.Error != "" {
		said += " " + c.answer.Error
	}
	d.Error, c.answer.Error = said, said
	e := judging.Expired{
		Planned: c.plan.Rows, Rows: c.answer.Rows, Line: &c.words, Session: c.boundTo(), Fresh: d.SessionMode == contract.Fresh,
		Live: c.livePage(ctx), Cwd: c.tool.options.Cwd, Stat: size,
	}
	if job := d.CompiledJob; job != nil {
		for _, s := range job.Steps {
			e.Generated = append(e.Generated, s.GeneratedFrom)
		}
	}
	progress, list := judging.Progress(&e)
	if progress == nil {
		return
	}
	d.TimeoutPartialProgress = progress
	c.notes = append(c.notes, judging.ProgressText(progress, func(step int) string {
		if d.CompiledQAPreset == nil {
			return ""
		}
		return lookup.QATitle(d.CompiledQAPreset, step)
	}))
	c.verdict.after = append(c.verdict.after, list...)
}

// livePage is the page that the session shows after its command ran out of time: natively the engine has said it; else the session is
// asked, for a short while, and not for the title of a local file.
func (c *call) livePage(ctx context.Context) *contract.PageTarget {
	if c.answer.Page != nil || c.tellsPage() || c.plan.Stateless {
		return c.answer.Page
	}
	url := c.get(ctx, recoveryPatience, "url")
	if url == "" {
		return nil
	}
	page := &contract.PageTarget{URL: url}
	if !strings.HasPrefix(strings.ToLower(url), "file:") && url != "about:blank" {
		page.Title = c.get(ctx, recoveryPatience, "title")
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
