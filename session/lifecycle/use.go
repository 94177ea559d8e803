package lifecycle

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
	"github.com/skua-browser/skua/session/launch"
)

// Use is what one call does with its session's browser.
type Use struct {
	*Browser
	Launch   launch.Options                // the call's; what only the start of a browser needs may be missing
	Rest     func(o *launch.Options) error // loads the missing settings into Launch; nil means that none is missing
	Getenv   func(string) string           // the call's environment
	Recovery Recovery                      // how the call recovers what a crash took
	// called with how long the call waited for a tab and, if needed, for a browser to start; nil means not called
	OnTab func(took time.Duration)

	Started bool // the call started the browser
	Lost    bool // the started browser replaced one that had ended
}

// ReadRest reads what is missing in Launch. The start of a browser calls it.
func (u *Use) ReadRest() error {
	if u.Rest == nil {
		return nil
	}
	if err := u.Rest(&u.Launch); err != nil {
		return err
	}
	u.Rest = nil
	return nil
}

// FindTab returns the tab with an id, a label or a target id.
func (u *Use) FindTab(name string) (*actions.Tab, error) {
	tabs, _ := u.Tabs()
	if t := Named(tabs, name); t != nil {
		return t, nil
	}
	return nil, noTab(name)
}

// All returns the open tabs and the active one.
func (u *Use) All() (tabs []*actions.Tab, active *actions.Tab) { return u.Tabs() }

// Active returns the tab that commands go to, or nil.
func (u *Use) Active() *actions.Tab {
	_, active := u.Tabs()
	return active
}

// NewTab opens a tab, in its own window if wanted, and activates it.
func (u *Use) NewTab(ctx context.Context, label string, window bool) (*actions.Tab, error) {
	if err := checkLabel(label, u.View().Tabs); err != nil {
		return nil, err
	}
	if !u.Running() {
		tab, err := u.Tab(ctx) // a new browser comes with a new tab
		if err == nil {
			u.mu.Lock()
			tab.Label = label
			u.mu.Unlock()
		}
		return tab, err
	}
	var page *engine.Page
	err := u.withRetry(ctx, func() (err error) {
		lease := u.Lease()
		if lease == nil {
			return Closed()
		}
		open := lease.Context.NewPage
		if window {
			open = lease.Context.NewWindow
		}
		page, err = u.openPage(ctx, lease, open)
		return err
	})
	if err != nil {
		return nil, err
	}
	return u.addTab(page, label, true), nil
}

// AdoptTab turns a background page into a tab of the session, and activates it if wanted.
func (u *Use) AdoptTab(page *engine.Page, activate bool) (*actions.Tab, error) {
	lease := u.Lease()
	if lease == nil || lease.Context != page.Context() {
		return nil, fault.New(fault.PageGone, "the session has another browser now").About(page.URL())
	}
	if err := page.Err(); err != nil {
		return nil, err
	}
	page.Adopt()
	return u.addTab(page, "", activate), nil
}

// SwitchTab activates a tab.
func (u *Use) SwitchTab(ctx context.Context, name string) (*actions.Tab, error) {
	var tab *actions.Tab
	err := u.withRetry(ctx, func() (err error) {
		if tab, err = u.FindTab(name); err == nil {
			tab, err = u.ensureUsable(ctx, tab, Recovery{})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	u.tabs.activate(tab)
	u.mu.Unlock()
	u.Changed()
	return tab, nil
}

// CloseTab closes a tab and returns it with the tab that is active afterwards.
func (u *Use) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	tabs, active := u.Tabs()
	tab := active
	if name != "" {
		if tab, err = u.FindTab(name); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case tab == nil:
		return nil, nil, fault.New(fault.TabNotFound, "No tab is open")
	case len(tabs) == 1:
		return nil, nil, fault.New(fault.TabNotFound, "Cannot close the last tab").WithHint("Use `close` to end the session.")
	}
	if !tab.Page.IsUnloaded() {
		if err := tab.Page.Close(ctx); err != nil {
			return nil, nil, err
		}
	}
	u.mu.Lock()
	u.tabs.remove(tab)
	active = u.tabs.active
	u.mu.Unlock()
	u.Changed()
	return tab, active, nil
}

// Lane returns the id of a tab in which a command can work at once and alone; empty if the browser has to start, to
// restore or to replace something first.
func (u *Use) Lane(tab *actions.Tab) string {
	u.mu.Lock()
	lease, whole := u.lease, u.loss != nil || u.ended != nil || u.tabs.lost != nil
	u.mu.Unlock()
	if tab == nil || whole || lease == nil || lease.Browser.Err() != nil || tab.Page.Err() != nil ||
		len(u.Launch.NotIn(lease.Launch)) > 0 {
		return ""
	}
	return tab.ID
}

// Connect attaches to the browser at an address, in place of the session's current one.
func (u *Use) Connect(ctx context.Context, address string, header http.Header) error {
	if err := u.ReadRest(); err != nil {
		return err
	}
	return u.ConnectTo(ctx, u.Launch.ConnectTo(launch.At(address, header), "cdp", address))
}

// ConnectAny attaches to a running browser of this machine, in place of the session's current one.
func (u *Use) ConnectAny(ctx context.Context) error {
	if err := u.ReadRest(); err != nil {
		return err
	}
	return u.ConnectTo(ctx, u.Launch.ConnectTo(launch.AnyRunning(u.Getenv), "auto-connect", "true"))
}

// ConnectTo attaches to a running browser, in place of the session's current one.
func (u *Use) ConnectTo(ctx context.Context, l launch.Options) error {
	before, err := u.swap(ctx, l)
	if err == nil && len(before) > 0 {
		u.Notices.Add("left the session's previous browser; lost: " + strings.Join(before, ", "))
	}
	return err
}

// Leaves reports whether the session's browser keeps running when the session closes.
func (u *Use) Leaves() bool {
	l := u.Lease()
	return l != nil && l.Launch.Connect != nil && l.At.Release == nil && l.Browser.Err() == nil
}

// Endpoint returns the CDP address of a connected browser, without the tokens in it; "" for a browser that the session
// started.
func (u *Use) Endpoint() string {
	l := u.Lease()
	if l == nil {
		return ""
	}
	return endpoint.ShownAddress(l.Endpoint)
}

// Windowed reports whether the session started its browser with visible windows.
func (u *Use) Windowed() bool {
	l := u.Lease()
	return l != nil && l.Endpoint == "" && !l.Launch.Browser.Headless
}

// Road returns how this process makes requests of its own for the session: by the options of its browser, also of one
// that has ended, else by those of the call.
func (u *Use) Road(ctx context.Context) (fetch.Options, error) {
	if lease := u.Lease(); lease != nil {
		l := lease.Launch
		l.Network = u.Launch.Network
		return u.Browser.Road(ctx, l, u.Getenv)
	}
	again, err := u.relaunch()
	if err != nil {
		return fetch.Options{}, err
	}
	return u.Browser.Road(ctx, again.options, u.Getenv)
}

// Restoring describes the outcome of --restore.
func (u *Use) Restoring() actions.RestoreReport { return u.saved.report() }

// CheckRestored checks a restored state once the first page is open.
func (u *Use) CheckRestored(ctx context.Context) { u.saved.check(ctx, u.ActiveTab()) }
