package lifecycle

import (
	"context"

	"github.com/skua-browser/skua/actions"
)

// NamedTab is the use of a browser by a command with --tab: the named tab takes the place of the active one.
type NamedTab struct {
	*Use
	Name string
}

// Tab returns the named tab. It starts a browser only if that restores the tab.
func (n *NamedTab) Tab(ctx context.Context) (tab *actions.Tab, err error) {
	err = n.withRetry(ctx, func() (err error) {
		tab, err = n.find(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return tab, nil
}

func (n *NamedTab) find(ctx context.Context) (*actions.Tab, error) {
	n.Lost = n.reap(ctx) || n.Lost
	tab, err := n.FindTab(n.Name)
	if err != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		if _, gone := n.tabs.gone[n.Name]; gone {
			return nil, n.tabs.goneError(n.Name)
		}
		return nil, err
	}
	return n.ensureUsable(ctx, tab, n.Recovery)
}

// All returns the open tabs and the named one, which is nil if it is gone.
func (n *NamedTab) All() ([]*actions.Tab, *actions.Tab) {
	tabs, _ := n.Tabs()
	named, _ := n.FindTab(n.Name)
	return tabs, named
}

// CloseTab closes the named tab, unless the command names another one.
func (n *NamedTab) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	if name == "" {
		name = n.Name
	}
	return n.Use.CloseTab(ctx, name)
}
