package tool

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/refguard"
)

// follow notes what the command led to: which page the session shows, and which refs it has. Natively the engine says it with each answer;
// what agent-browser prints speaks of it here and there. Later steps find the page before the command in c.before, and the one after it in
// c.state.Target.
func (c *call) follow(ctx context.Context) {
	c.before = c.state.Target
	if c.plan.Stateless {
		c.followStateless()
		return
	}
	if c.plan.Managed && c.answer.Started {
		c.sessions.Own(c.plan.Key)
	}
	switch {
	case c.answer.Page != nil:
		c.state.Target = *c.answer.Page
		if c.titleOfBefore() {
			c.state.Target.Title = ""
		}
	default:
		c.state.Sees(conversation.PageOf(c.words.Entry, c.answer.Data))
		for _, row := range c.answer.Rows {
			if row.Success {
				w := argv.Read(row.Command)
				c.state.Sees(conversation.PageOf(w.Entry, row.Result))
			}
		}
	}
	if c.words.Does(trait.EndsSession) && c.answer.Success {
		c.state.Target = contract.PageTarget{}
	}
	c.hideOthers()
	c.observe(ctx)
	c.sawPage()
	c.recoverTab(ctx)
	c.checkPage()
	c.followRefs()
	if target := c.state.Target; target != (contract.PageTarget{}) {
		c.details.SessionTabTarget = &target
	}
}

// followStateless keeps what help and versions print, and takes what is not the caller's business out of lists.
func (c *call) followStateless() {
	if c.details.Inspection {
		c.details.Stdout = c.answer.Text
	}
	c.hideOthers()
}

// hideOthers takes the sessions of other tools out of lists of sessions.
func (c *call) hideOthers() {
	if c.words.Does(trait.ListsSessions) {
		c.answer.Text = c.withoutOthers(c.answer.Data, c.answer.Text)
	}
	for i := range c.answer.Rows {
		if row := &c.answer.Rows[i]; len(row.Command) > 1 && new(argv.Read(row.Command)).Akin(trait.AboutSession) {
			row.Text = c.withoutOthers(row.Result, row.Text)
		}
	}
}

// withoutOthers takes the sessions of other tools out of the data of a list, and returns its text without them.
func (c *call) withoutOthers(list any, text string) string {
	data, ok := list.(map[string]any)
	if !ok {
		return text
	}
	for _, list := range []string{"sessions", "details"} {
		if rows, ok := data[list].([]any); ok {
			data[list] = slices.DeleteFunc(rows, func(row any) bool { return c.sessions.Hides(sessionOf(row)) })
		}
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || !c.sessions.Hides(fields[len(fields)-1]) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// sessionOf is the name in a row of a list of sessions, which is a name or says more than that.
func sessionOf(row any) string {
	if name, ok := row.(string); ok {
		return name
	}
	about, _ := row.(map[string]any)
	for _, field := range []string{"name", "session"} {
		if name, ok := about[field].(string); ok {
			return name
		}
	}
	return ""
}

// reached reports whether the session has a browser that took the command's launch: the command succeeded, or a step of a batch did.
func (c *call) reached() bool {
	if c.answer.Success {
		return true
	}
	for _, row := range c.answer.Rows {
		if row.Success {
			return true
		}
	}
	return false
}

// titleOfBefore reports whether the title that the browser tells of the page may be that of the page before it: a page that has just been opened
// has none yet, and nothing that the command read says otherwise.
func (c *call) titleOfBefore() bool {
	page := c.answer.Page
	was, _, _ := strings.Cut(c.before.URL, "#")
	is, _, _ := strings.Cut(page.URL, "#")
	return was != "" && is != was && page.Title == c.before.Title && c.answer.Field("title") != page.Title
}

// followRefs notes which refs the session has after the command.
func (c *call) followRefs() {
	ran := []refguard.Outcome{{Words: c.words, Ran: c.answer.Started, Success: c.answer.Success, Error: c.answer.Error}}
	results := []any{c.answer.Data}
	if c.plan.Rows != nil {
		ran, results = nil, nil
		for _, row := range c.answer.Rows {
			o := refguard.Outcome{Words: argv.Read(row.Command), Ran: !row.Skipped, Success: row.Success, Error: row.Error}
			ran, results = append(ran, o), append(results, row.Result)
		}
		if len(ran) == 0 && c.answer.TimedOut { // which of them ran is not known
			for i := range c.plan.Rows {
				ran, results = append(ran, refguard.Outcome{Words: c.plan.Rows[i], Ran: true}), append(results, nil)
			}
		}
	}
	refs := &c.state.Refs
	seen, invalid := false, false
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Words.Does(trait.Snapshots) && o.Success {
			if s := refguard.Snapshot(results[i], c.state.Target); s != nil {
				*refs = conversation.Refs{State: refguard.State{Snapshot: s}}
				seen, invalid = true, false
			}
			continue
		}
		refs.Touched = refs.Touched || refguard.Invalidates(&o.Words)
		if c.backend.Can().KnowsRefs {
			continue // the engine knows which of them still hold
		}
		if v := refguard.Invalidation(o); v != nil {
			refs.Invalidation = v
			invalid = true
		}
	}
	if seen {
		c.details.RefSnapshot = refs.Snapshot
	}
	if invalid {
		c.details.RefSnapshotInvalidation = refs.Invalidation
	}
}
