package copilot

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// rows runs command lines in the session of a call, as the rows of a batch are run.
type rows struct{ call *actions.Call }

var _ toolbox.Session = rows{}

// Do runs one command line.
func (r rows) Do(ctx context.Context, argv []string) (toolbox.Reply, error) {
	res, err := batch.ParseRow(ctx, r.call, argv)
	if err != nil {
		return toolbox.Reply{Notes: res.Notes}, err
	}
	return replyOf(res), nil
}

func replyOf(res actions.Result) toolbox.Reply {
	return toolbox.Reply{
		Data:   res.Data,
		Text:   res.Text,
		Notes:  res.Notes,
		Effect: res.Effect,
		Held:   res.Held,
	}
}

// copilotToolCommands returns the commands of the tools of planners.
func copilotToolCommands() []actions.Command {
	return []actions.Command{
		capabilitiesQueryCommand(), capabilitiesDetailsCommand(), extractCommand(),
		captureCandidatesCommand(), forms.SubmitCommand(),
	}
}
