package actions

import (
	"context"

	"github.com/skua-browser/skua/copilot/toolbox"
)

// rows runs command lines in the session of a call, as the rows of a batch are run.
type rows struct{ call *Call }

var _ toolbox.Session = rows{}

// Do runs one command line.
func (r rows) Do(ctx context.Context, argv []string) (toolbox.Reply, error) {
	res, err := r.call.row(ctx, argv)
	if err != nil {
		return toolbox.Reply{Notes: res.Notes}, err
	}
	return replyOf(res), nil
}

func replyOf(res Result) toolbox.Reply {
	return toolbox.Reply{Data: res.Data, Text: res.Text, Notes: res.Notes, Effect: res.Effect, Held: res.Held}
}

// copilotToolCommands are those of the tools of planners.
func copilotToolCommands() []Command {
	return []Command{capabilitiesQueryCommand(), capabilitiesDetailsCommand(), extractCommand(), captureCandidatesCommand(), submitCommand()}
}
