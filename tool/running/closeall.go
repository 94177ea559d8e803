package running

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// closeVisible is `close --all` where other tools of the process may share the sessions: it ends those that the caller can see, and
// leaves those alone that belong to another tool. The answer is that of the command.
func closeVisible(ctx context.Context, p *planning.Plan, inv backend.Invocation) backend.Answer {
	list := inv
	list.Args = []string{"--json", "session", "list"}
	answer := p.Run(ctx, list)
	data, _ := answer.Data.(map[string]any)
	rows, ok := data["sessions"].([]any)
	if !answer.Success || !ok {
		return answer
	}
	closed, failed := []any{}, []any{}
	var lines []string
	for _, row := range rows {
		name, _ := row.(string)
		if p.Sessions.Hides(name) {
			continue
		}
		one := inv
		one.Session = name
		one.Args = conversation.Key{Namespace: inv.Namespace, Name: name}.Line("close")
		if a := p.Run(ctx, one); a.Success {
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
