package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/urls"
)

// WaitUntil is the moment of a page's load that a navigation waits for.
type WaitUntil string

// The moments, by their names on the command line.
const (
	WaitLoad        WaitUntil = "load"
	WaitDOM         WaitUntil = "domcontentloaded"
	WaitNetworkIdle WaitUntil = "networkidle"
	WaitNone        WaitUntil = "none"
)

// Navigation is the outcome of a navigation that succeeded.
type Navigation struct {
	URL      string
	Title    string
	Status   int      // HTTP status of the document, 0 where there is none
	Pending  []string // addresses that were still loading when it returned; empty when the awaited moment came
	Download bool     // the address was a download: the page stays where it was
	Suspect  bool     // the page may keep visitors out, see the op wall
	Freed    bool     // the script of the page before kept it busy, and was ended so that the page could be left
	GaveUp   string   // the address of a navigation that was under way, and was given up
	Edge     bool     // history has no entry in the direction asked for: nothing happened

	SameDocument bool // the document was not loaded: the address leads to another place in it, or its script took over
}

// Navigate loads a URL in the main frame.
func (p *Page) Navigate(ctx context.Context, url string, until WaitUntil) (*Navigation, error) {
	nav, err := p.Load(ctx, url, until)
	if err != nil || nav.Download {
		return nav, err
	}
	if err := inform(ctx, p, nav); err != nil {
		return nil, err
	}
	return nav, nil
}

// Load is [Page.Navigate] for those who ask the document themselves: the outcome has neither its title nor its status.
//
// A page may go somewhere by itself in the same moment, and the browser then drops one of the two: the caller's is
// asked for again.
func (p *Page) Load(ctx context.Context, url string, until WaitUntil) (*Navigation, error) {
	if err := p.ctxt.requests.Rules().Navigate(url); err != nil {
		return nil, err
	}
	p.life.revive()
	p.mu.Do(p.dialogs.EndRow)
	v := begin(ctx, p, "opening "+url, until)
	nav, err := v.open(ctx, url)
	return nav, v.end(nav, err)
}

// Reload loads the main frame's document again.
func (p *Page) Reload(ctx context.Context, until WaitUntil) (*Navigation, error) {
	p.life.revive()
	v := begin(ctx, p, "reloading the page", until)
	_, err := p.sess.CallRaw(ctx, "Page.reload", nil)
	var nav *Navigation
	if err == nil {
		nav, err = v.awaitCommit(ctx)
	}
	return nav, v.end(nav, err)
}

// history is that of a tab, as the browser has it.
type history struct {
	CurrentIndex int `json:"currentIndex"`
	Entries      []struct {
		ID  int64  `json:"id"`
		URL string `json:"url"`
	} `json:"entries"`
}

func historyOf(ctx context.Context, p *Page) (h history, err error) {
	err = p.sess.Call(ctx, "Page.getNavigationHistory", nil, &h)
	return h, err
}

// History goes back (delta -1) or forward (+1) in the tab's history.
func (p *Page) History(ctx context.Context, delta int, until WaitUntil) (*Navigation, error) {
	h, err := historyOf(ctx, p)
	if err != nil {
		return nil, err
	}
	i := h.CurrentIndex + delta
	if i < 0 || i >= len(h.Entries) {
		info, err := p.Info(ctx)
		return &Navigation{URL: p.URL(), Title: info.Title, Edge: true}, err
	}
	v := begin(ctx, p, "going to "+urls.Public(h.Entries[i].URL), until)
	_, err = p.sess.CallRaw(ctx, "Page.navigateToHistoryEntry", map[string]int64{"entryId": h.Entries[i].ID})
	var nav *Navigation
	if err == nil {
		nav, err = v.awaitCommit(ctx)
	}
	return nav, v.end(nav, err)
}
