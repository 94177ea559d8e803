package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// A foreign browser may have many tabs, some of them hung, frozen or crashed. They are listed from what the browser
// process knows, which wakes no page, and each is attached to on first use.

// Types of targets that are tabs to us.
const (
	pageType    = "page"
	TypeWebview = "webview" // a page inside another one: <webview> of Electron, guest views of Chromium
)

// ListPages returns the pages that a foreign browser shows in this context, the one last used as the last, without
// attaching to any: see [Page.Attach].
func (c *Context) ListPages(ctx context.Context) ([]*Page, error) {
	b := c.browser
	tabs := make(chan []endpoint.Tab, 1)
	if b.list == nil {
		tabs <- nil
	} else {
		b.Spawn(func(ending context.Context) {
			asked, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(ending, cancel)()
			tabs <- b.list(asked)
		})
	}
	infos, err := b.targets(ctx)
	var recent []endpoint.Tab
	select {
	case recent = <-tabs:
	case <-b.stop.Done(): // nothing is spawned any longer
	}
	if err != nil {
		if !fault.Is(err, fault.Protocol) || recent == nil {
			return nil, err
		}
		for _, tab := range recent { // in the other order, which is that of those whose use is not known
			infos = slices.Insert(infos, 0, target.Info{
				TargetID: target.ID(tab.ID),
				Type:     tab.Type,
				Title:    tab.Title,
				URL:      tab.URL,
			})
		}
	}
	rank, parent := make(map[target.ID]int, len(recent)), make(map[target.ID]string, len(recent))
	for i, tab := range recent {
		rank[target.ID(tab.ID)], parent[target.ID(tab.ID)] = len(recent)-i, tab.Parent
	}
	slices.SortStableFunc(infos, func(a, b target.Info) int { return cmp.Compare(rank[a.TargetID], rank[b.TargetID]) })
	for _, info := range infos {
		if info.ParentID == "" { // older browsers tell it here alone
			info.ParentID = target.ID(parent[info.TargetID])
		}
		c.list(info)
	}
	return c.Pages(), nil
}

// FindParents finds out which pages embed the webviews that came after the browser was attached to. Browsers up to
// Chromium 114, which desktop apps have, tell it in their list of tabs alone, and that has no events. It asks nothing
// if all parents are known.
func (c *Context) FindParents(ctx context.Context) {
	orphans := slices.DeleteFunc(c.pages.open(), func(p *Page) bool { return p.Type() != TypeWebview || p.Parent() != "" })
	if len(orphans) == 0 || c.browser.list == nil {
		return
	}
	for _, tab := range c.browser.list(ctx) {
		if i := slices.IndexFunc(orphans, func(p *Page) bool { return p.id == tab.ID }); i >= 0 {
			orphans[i].mu.Lock()
			orphans[i].told.parent = tab.Parent
			orphans[i].mu.Unlock()
		}
	}
}

// targets asks the browser for what it has.
func (b *Browser) targets(ctx context.Context) ([]target.Info, error) {
	var res struct {
		TargetInfos []target.Info `json:"targetInfos"`
	}
	err := b.root.Call(ctx, "Target.getTargets", nil, &res)
	return res.TargetInfos, err
}

// list adds a page to the context without attaching to it. It returns nil if the target is not a tab, is gone, or is
// known already.
func (c *Context) list(info target.Info) *Page {
	b, id := c.browser, string(info.TargetID)
	if !isTab(info) {
		return nil
	}
	b.mu.Lock()
	_, attaching := b.attaching[id]
	latest, here := b.discovered[id]
	if b.pages[id] != nil || attaching || !here && !b.blind {
		b.mu.Unlock()
		return nil
	}
	p := b.newPage(c, id, origin{opener: string(info.OpenerID)})
	p.setInfo(info)
	if here {
		p.setInfo(latest)
	}
	b.pages[id] = p
	b.mu.Unlock()
	c.pages.add(p)
	return p
}

// isAttachedTo reports whether a target is a page that is attached to.
func (b *Browser) isAttachedTo(id string) bool {
	b.mu.Lock()
	p := b.pages[id]
	b.mu.Unlock()
	return p != nil && p.Attached()
}

// cannotOpen explains why a foreign browser refuses to open a tab.
func (b *Browser) cannotOpen(err error) error {
	if b.Owned() || !fault.Is(err, fault.Protocol) {
		return err
	}
	return fault.New(fault.Protocol, "this browser opens no tabs for others: %w", err).
		WithHint("Use the tabs that it shows (`tab list`), or open one in its own window.").With("method",
		target.CommandCreateTarget)
}

// IsOpensNoTabs reports whether an error says that a browser opens no tabs for others, as those of apps do not.
func IsOpensNoTabs(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && f.Code == fault.Protocol && f.Facts["method"] == target.CommandCreateTarget
}

// isTab reports whether a target is a tab to anyone.
func isTab(info target.Info) bool {
	// what a page embeds is its content, whatever the address
	return info.Type == pageType && !urls.IsBrowserUI(info.URL) || info.Type == TypeWebview
}

// Unloaded returns a page that represents one which the browser does not have (any longer): it has an address and a
// title, and no target. Only these can be read; to use the page, the caller opens one of its own in its place.
func (c *Context) Unloaded(url, title string) *Page {
	p := c.browser.newPage(c, "", origin{})
	p.told.url, p.told.title = url, pagetext.Bounded(title, pagetext.MaxTitle)
	return p
}

// IsUnloaded reports whether the page represents one that the browser does not have, see [Context.Unloaded].
func (p *Page) IsUnloaded() bool { return p.id == "" }
