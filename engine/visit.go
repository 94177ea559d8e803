package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/skua-browser/skua/engine/neterror"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// visit is a navigation that a caller asks for.
type visit struct {
	page    *Page
	doing   string // in words
	until   WaitUntil
	leaving *departing
	before  point // it was asked for
}

// point is a moment in the life of a page.
type point struct {
	commits  int // of the main frame
	declined int // how often the page was told to stay
	refusals int // how often the tab was not to show something
}

func pointOf(p *Page) point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return point{commits: p.main.commits, declined: p.dialogs.Declined(), refusals: p.loading.refused.times}
}

// begin is called before a navigation is asked for.
func begin(ctx context.Context, p *Page, doing string, until WaitUntil) *visit {
	v := &visit{page: p, doing: doing, until: until, leaving: depart(ctx, p)}
	v.before = pointOf(p)
	return v
}

// end is called when the navigation is over, with its outcome.
func (v *visit) end(nav *Navigation, err error) error { return v.leaving.end(nav, err, v.doing) }

// stays reports whether the page has asked since whether it may be left, and was told no.
func (v *visit) stays() bool { return pointOf(v.page).declined > v.before.declined }

// stayed is the error of leaving a page that asked whether it may be left and was told no.
func stayed(doing string) error {
	return fault.New(fault.NavigationFailed,
		"%s: the page asked whether it may be left, and its dialog was dismissed: it stays.", doing).
		WithHint("Accept the dialog to leave the page.").With("netError", "net::ERR_ABORTED")
}

// refusal returns why the tab was not to show something since; nil means that has not been.
func (v *visit) refusal() error {
	v.page.mu.Lock()
	defer v.page.mu.Unlock()
	if v.page.loading.refused.times == v.before.refusals {
		return nil
	}
	return v.page.loading.refused.why
}

// open loads an address, again where a navigation of the page's own took its place.
func (v *visit) open(ctx context.Context, url string) (*Navigation, error) {
	for try := 1; ; try++ {
		v.before = pointOf(v.page)
		nav, err := v.load(ctx, url)
		if err == nil {
			nav.URL = v.page.URL()
			return nav, nil
		}
		gone, ok := errors.AsType[*droppedError](err)
		if !ok {
			return nil, err
		}
		to := v.wentElsewhere(gone.loader)
		if to == "" {
			return nil, neterror.New(url, gone.text)
		}
		if try == loadTries {
			return nil, neterror.New(url, gone.text).With("url", to).
				WithHint(
					"The page goes to %s by itself each time, and the browser drops what was asked for. `open about:blank` "+
						"leaves the page.", to)
		}
	}
}

// loadTries is how often an address is asked for that the page drops by going elsewhere.
const loadTries = 4

// droppedError says that the browser dropped a navigation, for a reason that it does not tell.
type droppedError struct{ text, loader string }

func (e *droppedError) Error() string { return e.text }

// wentElsewhere returns where the page has gone, or is on its way to, by another navigation than the one with the
// loader id; empty means nowhere.
func (v *visit) wentElsewhere(loader string) string {
	p := v.page
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.loading.started != "" && p.loading.started != loader:
		return urls.Public(p.loading.url)
	case p.main.commits > v.before.commits && p.main.loader != loader:
		return urls.Public(p.main.url)
	}
	return ""
}

// load asks for an address once.
func (v *visit) load(ctx context.Context, url string) (*Navigation, error) {
	res, err := proto.Call(ctx, v.page.sess, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		if fault.Is(err, fault.Protocol) {
			return nil, fault.New(fault.NavigationFailed,
				"Navigation failed: %s is not an address that the browser can open: %w", url, err).About(url)
		}
		return nil, err
	}
	if res.IsDownload {
		return &Navigation{Download: true}, nil
	}
	if res.ErrorText != "" {
		if err := crashedBy(ctx, v.page, url, res.ErrorText); err != nil {
			// chrome://crash is aborted, and that is not all there is to say
			return nil, err
		}
		if v.stays() {
			return nil, stayed(v.doing)
		}
		if refusal := v.refusal(); refusal != nil {
			return nil, refusal
		}
		if res.ErrorText == neterror.Aborted {
			return nil, &droppedError{neterror.Aborted, string(res.LoaderID)}
		}
		return nil, neterror.New(url, res.ErrorText)
	}
	return v.awaitLoaded(ctx, url, string(res.LoaderID))
}

// crashLimit is how long the news of a crash may take that the answer to its cause outran.
const crashLimit = time.Second

// commitLimit is how long a document may take to be shown that has been answered, once something has stopped in its
// tab.
const commitLimit = time.Second

// crashedBy returns why a page cannot be used behind a navigation that failed; nil means that it can. One whose page
// loses its process is aborted, and the news of that comes behind the answer: a page that answers something else is
// alive. An address of the browser's own may be one that crashes the page, which answers until it does.
func crashedBy(ctx context.Context, p *Page, url, text string) error {
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
	// only the navigation of the page meanwhile matters
	_, _ = p.sess.CallRaw(watched, "Runtime.evaluate", map[string]string{"expression": "0"})
	return p.Err()
}

// awaitCommit waits for the document that replaces the one of now, unless the page asks whether to be left and is told
// to stay.
func (v *visit) awaitCommit(ctx context.Context) (*Navigation, error) {
	p, before := v.page, v.before
	var loader, url string
	stays, refused := false, false
	err := p.mu.Await(ctx, "waiting for the page to arrive", func() bool {
		loader, url = p.main.loader, p.main.url
		stays = p.dialogs.Declined() > before.declined && p.main.commits == before.commits
		refused = p.loading.refused.times > before.refusals && p.main.commits == before.commits
		return p.main.commits > before.commits || stays || refused
	})
	switch {
	case err != nil:
		return nil, err
	case refused:
		return nil, v.refusal()
	case stays:
		return nil, stayed(v.doing)
	}
	nav, err := v.awaitDocument(ctx, url, loader)
	if err == nil && strings.HasPrefix(nav.URL, errorPage) {
		return nil, errorShown(ctx, p)
	}
	return nav, err
}

// awaitDocument waits for the moment in the life of the document with the loader id; an empty id means a same-document
// navigation. The address is for errors.
func (v *visit) awaitDocument(ctx context.Context, url, loader string) (*Navigation, error) {
	nav, err := v.awaitLoaded(ctx, url, loader)
	if gone, ok := errors.AsType[*droppedError](err); ok {
		return nil, neterror.New(url, gone.text)
	}
	if err != nil {
		return nil, err
	}
	if err := inform(ctx, v.page, nav); err != nil {
		return nil, err
	}
	return nav, nil
}

// awaitLoaded is awaitDocument that leaves the document alone.
func (v *visit) awaitLoaded(ctx context.Context, url, loader string) (*Navigation, error) {
	p := v.page
	p.mu.Lock()
	p.told.asked++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.told.asked--
	}()
	nav := &Navigation{SameDocument: loader == ""}
	if !nav.SameDocument {
		f := p.main
		at := func(done func(lifecycle) bool) func() bool {
			return func() bool {
				// Another navigation may have replaced the document: then its life is the one to wait for.
				return f.loader == f.loaded.loader &&
					(f.loader == loader || f.commits > v.before.commits && p.loading.started == "") && done(f.loaded)
			}
		}
		arrived, dropped := at(func(lifecycle) bool { return true }), false
		err := p.mu.Await(ctx, "waiting for the page to arrive", func() bool {
			dropped = f.loader != loader && p.loading.dropped == loader
			return dropped || arrived()
		})
		switch {
		case err != nil:
			return nil, err
		case dropped && v.stays():
			return nil, stayed("opening " + url)
		case dropped:
			if refusal := v.refusal(); refusal != nil {
				return nil, refusal
			}
			// What stopped may have been the load of the document before: one that the browser has answered comes a moment
			// later.
			limited, cancel := context.WithTimeout(ctx, commitLimit)
			err := p.mu.Await(limited, "waiting for the page to arrive", arrived)
			cancel()
			if err == nil {
				break
			}
			if err := crashedBy(ctx, p, url, neterror.Aborted); err != nil {
				return nil, err
			}
			return nil, &droppedError{neterror.Aborted, loader}
		}
		pending, err := v.awaitMoment(ctx, at)
		if err != nil {
			return nil, err
		}
		nav.Pending = pending
	}
	return nav, nil
}

// loadPatience is how long after the DOM is ready the load event may take before a navigation is reported as done with
// a list of what is still loading. Pages with a hung image or a long poll never fire it, and are usable all the same.
const loadPatience = 3 * time.Second

// awaitMoment waits for the moment; the load event only for loadPatience after the DOM is ready.
func (v *visit) awaitMoment(ctx context.Context, at func(func(lifecycle) bool) func() bool) ([]string, error) {
	dom := at(func(l lifecycle) bool { return l.dom || l.load })
	p := v.page
	switch v.until {
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
		return stillLoading(ctx, p)
	}
	return nil, err
}
