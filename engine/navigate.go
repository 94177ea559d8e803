package engine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/neterror"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

//go:embed bundle/documentinfo.js
var documentInfoFunction string

// WaitUntil is the moment of a page's load that a navigation waits for.
type WaitUntil string

// The moments, by their names on the command line.
const (
	WaitLoad        WaitUntil = "load"
	WaitDOM         WaitUntil = "domcontentloaded"
	WaitNetworkIdle WaitUntil = "networkidle"
	WaitNone        WaitUntil = "none"
)

// loadPatience is how long after the DOM is ready the load event may take before a navigation is reported as done with a list of
// what is still loading. Pages with a hung image or a long poll never fire it, and are usable all the same.
const loadPatience = 3 * time.Second

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
}

// Navigate loads a URL in the main frame.
func (p *Page) Navigate(ctx context.Context, url string, until WaitUntil) (*Navigation, error) {
	nav, err := p.Load(ctx, url, until)
	if err != nil || nav.Download {
		return nav, err
	}
	if err := p.inform(ctx, nav); err != nil {
		return nil, err
	}
	return nav, nil
}

// Load is [Page.Navigate] for those who ask the document themselves: the outcome has neither its title nor its status.
//
// A page may go somewhere by itself in the same moment, and the browser then drops one of the two: the caller's is asked for again.
func (p *Page) Load(ctx context.Context, url string, until WaitUntil) (*Navigation, error) {
	if err := p.ctxt.requests.Rules().Navigate(url); err != nil {
		return nil, err
	}
	p.revive()
	p.mu.Do(p.dialogs.EndRow)
	leaving := p.depart(ctx)
	nav, err := p.loadAgain(ctx, url, until)
	return nav, leaving.end(nav, err, "opening "+url)
}

// loadAgain loads an address, again where a navigation of the page's own took its place.
func (p *Page) loadAgain(ctx context.Context, url string, until WaitUntil) (*Navigation, error) {
	for try := 1; ; try++ {
		before := p.point()
		nav, err := p.load(ctx, url, until, before)
		if err == nil {
			nav.URL = p.URL()
			return nav, nil
		}
		gone, ok := errors.AsType[*droppedError](err)
		if !ok {
			return nil, err
		}
		to := p.wentElsewhere(before, gone.loader)
		if to == "" {
			return nil, neterror.New(url, gone.text)
		}
		if try == loadTries {
			return nil, neterror.New(url, gone.text).With("url", to).
				WithHint("The page goes to %s by itself each time, and the browser drops what was asked for. `open about:blank` leaves the page.", to)
		}
	}
}

// loadTries is how often an address is asked for that the page drops by going elsewhere.
const loadTries = 4

// droppedError says that the browser dropped a navigation, for a reason that it does not tell.
type droppedError struct{ text, loader string }

func (e *droppedError) Error() string { return e.text }

// wentElsewhere returns where the page has gone, or is on its way to, by another navigation than the one with the loader id; empty: nowhere.
func (p *Page) wentElsewhere(before point, loader string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.nav.started != "" && p.nav.started != loader:
		return urls.Public(p.nav.url)
	case p.main.commits > before.commits && p.main.loader != loader:
		return urls.Public(p.main.url)
	}
	return ""
}

// load asks for an address once.
func (p *Page) load(ctx context.Context, url string, until WaitUntil, before point) (*Navigation, error) {
	res, err := proto.Call(ctx, p.sess, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		if fault.Is(err, fault.Protocol) {
			return nil, fault.New(fault.NavigationFailed, "Navigation failed: %s is not an address that the browser can open: %w", url, err).About(url)
		}
		return nil, err
	}
	if res.IsDownload {
		return &Navigation{Download: true}, nil
	}
	if res.ErrorText != "" {
		if err := p.crashedBy(ctx, url, res.ErrorText); err != nil { // chrome://crash is aborted, and that is not all there is to say
			return nil, err
		}
		if p.point().declined > before.declined {
			return nil, stayed("opening " + url)
		}
		if refusal := p.refusedSince(before); refusal != nil {
			return nil, refusal
		}
		if res.ErrorText == neterror.Aborted {
			return nil, &droppedError{neterror.Aborted, string(res.LoaderID)}
		}
		return nil, neterror.New(url, res.ErrorText)
	}
	return p.awaitLoaded(ctx, url, string(res.LoaderID), before, until)
}

// crashLimit is how long the news of a crash may take that the answer to its cause outran.
const crashLimit = time.Second

// commitLimit is how long a document may take to be shown that has been answered, once something has stopped in its tab.
const commitLimit = time.Second

// crashedBy returns why a page cannot be used behind a navigation that failed; nil: it can. One whose page loses its process is aborted, and the news of
// that comes behind the answer: a page that answers something else is alive. An address of the browser's own may be one that crashes the page, which
// answers until it does.
func (p *Page) crashedBy(ctx context.Context, url, text string) error {
	if err := p.Err(); err != nil || text != neterror.Aborted {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, crashLimit)
	defer cancel()
	if strings.HasPrefix(url, "chrome://") {
		_ = p.mu.Await(ctx, "hearing of a crash", func() bool { return false }) // it ends with the page, or with the limit
		return p.Err()
	}
	watched, stop := p.Watch(ctx, true)
	defer stop()
	_, _ = p.sess.CallRaw(watched, "Runtime.evaluate", map[string]string{"expression": "0"}) // only the navigation of the page meanwhile matters
	return p.Err()
}

// revive lets a crashed page be asked for a navigation, which gives it a new renderer.
func (p *Page) revive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.exited, p.sess)
	if p.failed != nil {
		p.failed = nil
		p.sess.Fail(nil)
	}
}

// awaitDocument waits for the moment in the life of the document with the loader id; an empty id means a same-document navigation. The
// address is for errors, before is the point at which the navigation began.
func (p *Page) awaitDocument(ctx context.Context, url, loader string, before point, until WaitUntil) (*Navigation, error) {
	nav, err := p.awaitLoaded(ctx, url, loader, before, until)
	if gone, ok := errors.AsType[*droppedError](err); ok {
		return nil, neterror.New(url, gone.text)
	}
	if err != nil {
		return nil, err
	}
	if err := p.inform(ctx, nav); err != nil {
		return nil, err
	}
	return nav, nil
}

// inform asks the document for the rest of the outcome, and has what commands need installed in it.
func (p *Page) inform(ctx context.Context, nav *Navigation) error {
	info, err := p.Info(ctx)
	switch {
	case IsNavigated(err) && Departing(p) != nil: // it has come, and goes on to a server that is slow
		nav.URL, nav.Title = p.URL(), p.Title()
		return nil
	case err != nil:
		return err
	}
	p.prepare()
	nav.URL, nav.Title, nav.Status, nav.Suspect = p.URL(), info.Title, int(info.Status), info.Suspect
	return nil
}

func (p *Page) awaitLoaded(ctx context.Context, url, loader string, before point, until WaitUntil) (*Navigation, error) {
	p.mu.Lock()
	p.asked++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked--
	}()
	nav := &Navigation{}
	if loader != "" {
		f := p.main
		at := func(done func(lifecycle) bool) func() bool {
			return func() bool {
				// Another navigation may have replaced the document: then its life is the one to wait for.
				return f.loader == f.loaded.loader && (f.loader == loader || f.commits > before.commits && p.nav.started == "") && done(f.loaded)
			}
		}
		arrived, dropped := at(func(lifecycle) bool { return true }), false
		err := p.mu.Await(ctx, "waiting for the page to arrive", func() bool {
			dropped = f.loader != loader && p.nav.dropped == loader
			return dropped || arrived()
		})
		switch {
		case err != nil:
			return nil, err
		case dropped && p.point().declined > before.declined:
			return nil, stayed("opening " + url)
		case dropped:
			if refusal := p.refusedSince(before); refusal != nil {
				return nil, refusal
			}
			// What stopped may have been the load of the document before: one that the browser has answered comes a moment later.
			limited, cancel := context.WithTimeout(ctx, commitLimit)
			err := p.mu.Await(limited, "waiting for the page to arrive", arrived)
			cancel()
			if err == nil {
				break
			}
			if err := p.crashedBy(ctx, url, neterror.Aborted); err != nil {
				return nil, err
			}
			return nil, &droppedError{neterror.Aborted, loader}
		}
		pending, err := p.awaitMoment(ctx, until, at)
		if err != nil {
			return nil, err
		}
		nav.Pending = pending
	}
	return nav, nil
}

// awaitMoment waits for the moment; the load event only for loadPatience after the DOM is ready.
func (p *Page) awaitMoment(ctx context.Context, until WaitUntil, at func(func(lifecycle) bool) func() bool) ([]string, error) {
	dom := at(func(l lifecycle) bool { return l.dom || l.load })
	switch until {
	case WaitNone:
		return nil, nil
	case WaitDOM:
		return nil, p.mu.Await(ctx, "waiting for the document to be parsed", dom)
	case WaitNetworkIdle:
		arrived := at(func(lifecycle) bool { return true })
		return nil, p.traffic.AwaitIdle(ctx, "waiting for the network to fall idle", func() (time.Time, bool) {
			if !arrived() {
				return time.Time{}, false
			}
			return p.traffic.IdleAt()
		})
	}
	if err := p.mu.Await(ctx, "waiting for the document to be parsed", dom); err != nil {
		return nil, err
	}
	patience, cancel := context.WithTimeoutCause(ctx, loadPatience, errSettleLimit)
	defer cancel()
	err := p.mu.Await(patience, "waiting for the load event", at(func(l lifecycle) bool { return l.load }))
	if errors.Is(err, errSettleLimit) {
		return p.stillLoading(ctx)
	}
	return nil, err
}

// Info is what a document says of itself.
type Info struct {
	Title      string  `json:"title"`
	ReadyState string  `json:"readyState"`
	Status     float64 `json:"status"`  // HTTP status that it came with; 0: none
	Suspect    bool    `json:"suspect"` // it may keep visitors out: it is worth asking why
}

// Info asks the main frame's document for its title and state, in its own world, so that nothing needs to be installed for it.
func (p *Page) Info(ctx context.Context) (Info, error) {
	var info Info
	for try := 0; ; try++ {
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
		break
	}
	p.SawTitle(info.Title)
	info.Title = pagetext.Bounded(info.Title, pagetext.MaxTitle)
	return info, nil
}

// prepare installs the in-page script in the new document in advance, while no caller waits for it.
func (p *Page) prepare() {
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if _, err := p.main.Document(ctx); err != nil {
			p.ctxt.browser.log.Debug("in-page script not installed ahead", "target", p.id, "err", err)
		}
	})
}

// titleLimit is how long a page may take to tell its title for a list. A busy page shows the last known one.
const titleLimit = 300 * time.Millisecond

// RefreshTitle asks the page for its title, for a short time, so that Title is current.
func (p *Page) RefreshTitle(ctx context.Context) {
	if p.IsUnloaded() {
		return
	}
	if !p.Attached() {
		p.refreshInfo(ctx)
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

// refreshInfo asks the browser, which does not tell of a new title by itself, what a page shows. The page is not asked.
func (p *Page) refreshInfo(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, titleLimit)
	defer cancel()
	b := p.ctxt.browser
	raw, err := b.root.CallRaw(ctx, "Target.getTargetInfo", map[string]string{"targetId": p.id})
	if err != nil {
		b.log.Debug("title not refreshed", "target", p.id, "err", err)
		return
	}
	var res struct {
		TargetInfo target.Info `json:"targetInfo"`
	}
	if cdp.Unmarshal(raw, &res) == nil && res.TargetInfo.URL != "" {
		p.setInfo(res.TargetInfo)
	}
}

func (p *Page) stillLoading(ctx context.Context) ([]string, error) {
	var res struct {
		Pending []string `json:"pending"`
	}
	if err := p.main.Call(ctx, "loading", nil, &res); err != nil {
		return nil, err
	}
	if len(res.Pending) == 0 {
		res.Pending = []string{"(the browser does not say what)"}
	}
	return res.Pending, nil
}

// Reload loads the main frame's document again.
func (p *Page) Reload(ctx context.Context, until WaitUntil) (*Navigation, error) {
	p.revive()
	leaving, before := p.depart(ctx), p.point()
	_, err := p.sess.CallRaw(ctx, "Page.reload", nil)
	var nav *Navigation
	if err == nil {
		nav, err = p.awaitCommit(ctx, before, until, "reloading the page")
	}
	return nav, leaving.end(nav, err, "reloading the page")
}

// stayed is the error of leaving a page that asked whether it may be left and was told no.
func stayed(doing string) error {
	return fault.New(fault.NavigationFailed, "%s: the page asked whether it may be left, and its dialog was dismissed: it stays.", doing).
		WithHint("Accept the dialog to leave the page.").With("netError", "net::ERR_ABORTED")
}

// point is a moment in the life of a page.
type point struct {
	commits  int // of the main frame
	declined int // how often the page was told to stay
	refusals int // how often the tab was not to show something
}

func (p *Page) point() point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return point{commits: p.main.commits, declined: p.dialogs.Declined(), refusals: p.refusals}
}

// awaitCommit waits for the document that replaces the one of now, unless the page asks whether to be left and is told to stay.
func (p *Page) awaitCommit(ctx context.Context, before point, until WaitUntil, doing string) (*Navigation, error) {
	var loader, url string
	stays, refused := false, false
	err := p.mu.Await(ctx, "waiting for the page to arrive", func() bool {
		loader, url = p.main.loader, p.main.url
		stays = p.dialogs.Declined() > before.declined && p.main.commits == before.commits
		refused = p.refusals > before.refusals && p.main.commits == before.commits
		return p.main.commits > before.commits || stays || refused
	})
	switch {
	case err != nil:
		return nil, err
	case refused:
		return nil, p.refusedSince(before)
	case stays:
		return nil, stayed(doing)
	}
	nav, err := p.awaitDocument(ctx, url, loader, before, until)
	if err == nil && strings.HasPrefix(nav.URL, errorPage) {
		return nil, p.errorShown(ctx)
	}
	return nav, err
}

// History goes back (delta -1) or forward (+1) in the tab's history.
func (p *Page) History(ctx context.Context, delta int, until WaitUntil) (*Navigation, error) {
	raw, err := p.sess.CallRaw(ctx, "Page.getNavigationHistory", nil)
	if err != nil {
		return nil, err
	}
	var h struct {
		CurrentIndex int `json:"currentIndex"`
		Entries      []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := cdp.Unmarshal(raw, &h); err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	i := h.CurrentIndex + delta
	if i < 0 || i >= len(h.Entries) {
		info, err := p.Info(ctx)
		return &Navigation{URL: p.URL(), Title: info.Title, Edge: true}, err
	}
	leaving, before, doing := p.depart(ctx), p.point(), "going to "+urls.Public(h.Entries[i].URL)
	_, err = p.sess.CallRaw(ctx, "Page.navigateToHistoryEntry", map[string]int64{"entryId": h.Entries[i].ID})
	var nav *Navigation
	if err == nil {
		nav, err = p.awaitCommit(ctx, before, until, doing)
	}
	return nav, leaving.end(nav, err, doing)
}
