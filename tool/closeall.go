package tool

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/conversation"

	"github.com/skua-browser/skua/tool/backend"
)

// closeVisible is `close --all` on our own engine, which other tools of the process may share: it ends the sessions that the caller can see, and
// leaves those alone that belong to another tool. The answer is that of the command.
func (c *call) closeVisible(ctx context.Context, inv backend.Invocation) backend.Answer {
	list := inv
	list.Args = []string{"--json", "session", "list"}
	answer := c.backend.Run(ctx, list)
	data, _ := answer.Data.(map[string]any)
	rows, ok := data["sessions"].([]any)
	if !answer.Success || !ok {
		return answer
	}
	closed, failed := []any{}, []any{}
	var lines []string
	for _, row := range rows {
		name, _ := row.(string)
		if c.sessions.Hides(name) {
			continue
		}
		one := inv
		one.Session = name
		one.Args = conversation.Key{Namespace: inv.Namespace, Name: name}.Line("close")
		if a := c.backend.Run(ctx, one); a.Success {
			closed, lines = append(closed, name), append(lines, "✓ Closed session: "+name)
		} else {
			failed = append(failed, name)
			answer.Success, answer.ExitCode, answer.Error, answer.Code = false, a.ExitCode, "closing "+name+": "+a.Error, a.Code
		}
	}
	if len(closed) == 0 {
		lines = []string{"No sessions are open"}
	}
	slices.Sort(lines)
	answer.Text, answer.Page = strings.Join(lines, "\n"), nil
	answer.Data = map[string]any{"closed": float64(len(closed)), "failed": failed, "sessions": closed}
	return answer
}
