package capture

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// captureCommands are those that write what a page is or does into files.
func captureCommands() []actions.Command {
	return slices.Concat([]actions.Command{pdfCommand()}, recordCommands())
}

// RunningContext is the session's context when it has a browser that works, without starting one. What says that
// nothing is recorded is the error when it has none.
func RunningContext(ctx context.Context, c *actions.Call, what string) (*engine.Context, error) {
	if !c.Browser.Running() {
		return nil, fault.New(fault.CaptureState, "%s", what)
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, err
	}
	return tab.Page.Context(), nil
}
