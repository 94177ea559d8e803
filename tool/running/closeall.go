package running

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/tabs"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// closeVisible is `close --all` where other tools of the process may share the sessions: it ends those that the caller
// can see, and leaves those alone that belong to another tool. The answer is that of the command.
func closeVisible(ctx context.Context, p *planning.Plan, inv backend.Invocation) backend.Answer {
	list := inv
	list.Args = []string{"--json", "session", "list"}
	answer := p.Run(ctx, list)
	open := backend.Read[tabs.SessionsResult](&answer).Sessions
	if !answer.Success || open == nil {
		return answer
	}
	closed, failed := []string{}, []string{}
	var lines []string
	for _, name := range open {
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
	answer.Data = tabs.ClosedAllResult{Closed: len(closed), Failed: failed, Sessions: closed}
	return answer
}
