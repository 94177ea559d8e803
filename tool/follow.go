package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// follow notes what the command led to: which page the session shows, and which refs it has. Natively the engine says it with each answer;
// what agent-browser prints speaks of it here and there. Later steps find the page before the command in c.before, and the one after it in
// c.state.target.
func (c *call) follow(ctx context.Context) {
	c.before = c.state.target
	if c.plan.stateless {
		c.followStateless()
		return
	}
	if c.plan.managed && c.answer.Started {
		c.sessions.own(c.plan.key)
	}
	switch {
	case c.answer.Page != nil:
		c.state.target = *c.answer.Page
	default:
		c.state.sees(planning.PageOf(c.words.Entry, c.answer.Data))
		for _, row := range c.answer.Rows {
			if row.Success {
				w := argv.Read(row.Command)
				c.state.sees(planning.PageOf(w.Entry, row.Result))
			}
		}
	}
	if c.words.Is("close") && c.answer.Success {
		c.state.target = contract.PageTarget{}
	}
	c.recoverTab(ctx)
	c.checkPage()
	c.followRefs()
	if target := c.state.target; target != (contract.PageTarget{}) {
		c.details.SessionTabTarget = &target
	}
}

// followStateless takes what is not the caller's business out of the answers of commands without a session.
func (c *call) followStateless() {
	if c.details.Inspection {
		c.details.Stdout = c.answer.Text
		return
	}
	data, ok := c.answer.Data.(map[string]any)
	if !ok || !c.words.Is("session list") {
		return
	}
	rows, _ := data["sessions"].([]any)
	shown := make([]any, 0, len(rows))
	for _, row := range rows {
		name, isName := row.(string)
		if about, ok := row.(map[string]any); ok {
			for _, field := range []string{"name", "session"} {
				if n, ok := about[field].(string); ok {
					name, isName = n, true
				}
			}
		}
		if !isName || !c.hides(name) {
			shown = append(shown, row)
		}
	}
	if len(shown) == len(rows) {
		return
	}
	data["sessions"] = shown
	c.details.Data = data
	c.answer.Text = strings.Join(keptLines(c.answer.Text, func(line string) bool {
		fields := strings.Fields(line)
		return len(fields) == 0 || !c.hides(fields[len(fields)-1])
	}), "\n")
}

func keptLines(text string, keep func(string) bool) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if keep(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// hides reports whether a session is that of another tool.
func (c *call) hides(name string) bool {
	if !planning.IsReserved(name) {
		return false
	}
	s := c.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.owned {
		if key.name == name {
			return false
		}
	}
	return true
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
