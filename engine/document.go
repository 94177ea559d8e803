package engine

import (
	"cmp"
	"context"
	_ "embed"
	"strings"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/neterror"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/fault"
)

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../internal/pagescript/bundle -tools ../scripts/packaging/go.mod .
//go:embed bundle/documentinfo.js
var documentInfoFunction string

// Info is what a document reports about itself.
type Info struct {
	Title      string  `json:"title"`
	ReadyState string  `json:"readyState"`
	Status     float64 `json:"status"`  // HTTP status that it came with, or 0
	Suspect    bool    `json:"suspect"` // it may keep visitors out: it is worth asking why
}

// Info asks the main frame's document for its title and state, in its own world, so that nothing needs to be installed
// for it.
func (p *Page) Info(ctx context.Context) (Info, error) {
	var info Info
	for try := 0; ; try++ {
		loader := p.main.Loader()
		limited, end := p.alive.Call(ctx, p.sess) // the document may go on at once to a server that is silent
		v, err := p.Evaluate(limited, "("+documentInfoFunction+")()")
		end()
		if IsNavigated(err) && try < 3 && Departing(p) == nil {
			continue
		}
		if err != nil {
			return info, err
		}
		if err := cdp.Unmarshal(v.JSON, &info); err != nil {
			return info, fault.New(fault.EvalFailed, "the page does not tell its title: %w", err)
		}
		if p.SawTitle(loader, info.Title) || try == 3 {
			break
		}
	}
	info.Title = pagetext.Bounded(info.Title, pagetext.MaxTitle)
	return info, nil
}

// inform asks the document for the rest of the outcome, and has what commands need installed in it.
func inform(ctx context.Context, p *Page, nav *Navigation) error {
	info, err := p.Info(ctx)
	switch {
	case IsNavigated(err) && Departing(p) != nil: // it has come, and goes on to a server that is slow
		nav.URL, nav.Title = p.URL(), p.Title()
		return nil
	case err != nil:
		return err
	}
	installAhead(p)
	nav.URL, nav.Title, nav.Status, nav.Suspect = p.URL(), info.Title, int(info.Status), info.Suspect
	return nil
}

// installAhead installs the in-page script in the new document in advance, while no caller waits for it.
func installAhead(p *Page) {
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if _, err := p.main.Document(ctx); err != nil {
			p.ctxt.browser.log.Debug("in-page script not installed ahead", "target", p.id, "err", err)
		}
	})
}

// pending is what a document waits for.
type pending struct {
	Pending []string `json:"pending"`
}

var opLoading = inpage.Define[inpage.None, pending]("loading")

// stillLoading asks the document what it waits for.
func stillLoading(ctx context.Context, p *Page) ([]string, error) {
	res, err := opLoading.In(ctx, p.main, inpage.None{})
	if err != nil {
		return nil, err
	}
	if len(res.Pending) == 0 {
		res.Pending = []string{"(the browser does not say what)"}
	}
	return res.Pending, nil
}

// titleLimit is how long a page may take to tell its title for a list. A busy page shows the last known one.
const titleLimit = 300 * time.Millisecond

// RefreshTitle asks the page for its title, for a short time, so that Title is current.
func (p *Page) RefreshTitle(ctx context.Context) {
	if p.IsUnloaded() {
		return
	}
	if !p.Attached() {
		refreshInfo(ctx, p)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, titleLimit)
	defer cancel()
	ctx, stop := p.Watch(ctx, true)
	defer stop()
	if _, err := p.Info(ctx); err != nil {
		p.ctxt.browser.log.Debug("title not refreshed", "target", p.id, "err", err)
	}
}

// refreshInfo asks the browser, which does not report a new title by itself, what a page shows. The page is not asked.
func refreshInfo(ctx context.Context, p *Page) {
	ctx, cancel := context.WithTimeout(ctx, titleLimit)
	defer cancel()
	b := p.ctxt.browser
	var res struct {
		TargetInfo target.Info `json:"targetInfo"`
	}
	if err := b.root.Call(ctx, "Target.getTargetInfo", map[string]string{"targetId": p.id}, &res); err != nil {
		b.log.Debug("title not refreshed", "target", p.id, "err", err)
		return
	}
	if res.TargetInfo.URL != "" {
		p.setInfo(res.TargetInfo)
	}
}

// errorPage is the scheme of the page that the browser shows in place of one that could not be loaded.
const errorPage = "chrome-error://"

// ErrorShown is why a page shows the browser's error page; nil means that it shows another one.
func ErrorShown(ctx context.Context, p *Page) error {
	if !strings.HasPrefix(p.Main().URL(), errorPage) {
		return nil
	}
	return errorShown(ctx, p)
}

// errorShown is the error of a navigation that ended on the browser's error page, for navigations that do not get it
// from the protocol. The error page of a headless browser is empty; the reason is known only while the page's traffic
// is recorded.
func errorShown(ctx context.Context, p *Page) error {
	address := p.URL()
	if h, err := historyOf(ctx, p); err == nil && h.CurrentIndex >= 0 && h.CurrentIndex < len(h.Entries) {
		address = h.Entries[h.CurrentIndex].URL
	}
	return neterror.New(address, cmp.Or(p.traffic.DocumentFailure(), "net::ERR_FAILED"))
}
