package capture

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// captureCommands returns the commands that write what a page is or does into files.
func captureCommands() []actions.Command {
	return slices.Concat([]actions.Command{pdfCommand()}, recordCommands())
}

// RunningContext returns the context of the session if it has a working browser, without starting one. Otherwise it
// fails with the text of what.
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
