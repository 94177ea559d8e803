package tool

import "github.com/skua-browser/skua/tool/showing"

// ownViews are flags that the tool itself carries out on what a command hands over, and what they need to know.
type ownViews struct{}

// narrow reduces what is shown to what the tool's own flags ask for.
func (c *call) narrow(*showing.Command) {}
