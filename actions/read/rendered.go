package read

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
)

// How long a page that is read by itself may go on changing after its load event. One that comes to rest is not kept
// waiting for longer than restQuiet.
const (
	restQuiet = 50 * time.Millisecond
	restLimit = time.Second
)

// renderedLimit is how long one page may take when nothing else is said.
const renderedLimit = 15 * time.Second

// tabReader reads addresses in a background tab of the session, one after another, so that only the first has to wait
// for the tab.
type tabReader struct {
	call     *actions.Call
	browsing *engine.Context
	page     *engine.Page // nil means that there is none yet, or the one that was there is of no use any longer
}

// renderedReaders makes readers for the session's browser. Done ends what they need.
func renderedReaders(ctx context.Context, c *actions.Call) (newReader func() reader, done func(), err error) {
	tab, err := run.ReadyTab(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	done, err = SavingNothing(ctx, c, tab.Page.Context())
	if err != nil {
		return nil, nil, err
	}
	return func() reader { return &tabReader{call: c, browsing: tab.Page.Context()} }, done, nil
}

// SavingNothing keeps what pages aside have a browser save from the folder of its user. A browser of ours has no such
// folder.
func SavingNothing(ctx context.Context, c *actions.Call, browsing *engine.Context) (done func(), err error) {
	if c.Browser.Endpoint() == "" {
		return func() {}, nil
	}
	return embedder.CatchDownloads(ctx, browsing)
}

// OpenAside opens a tab for pages that are only looked at.
func OpenAside(ctx context.Context, browsing *engine.Context, everything bool) (*engine.Page, error) {
	if everything {
		return browsing.NewBackgroundPage(ctx)
	}
	return browsing.NewTextOnlyPage(ctx)
}

func (t *tabReader) read(ctx context.Context, address string) (*reading, error) {
	limit := renderedLimit
	if t.call.Flagged("timeout") {
		limit = t.call.Duration("timeout")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fault.New(fault.Timeout, "the page did not load within %s", limit))
	defer cancel()
	if t.page == nil {
		page, err := OpenAside(ctx, t.browsing, t.call.Bool("pictures"))
		if err != nil {
			return nil, err
		}
		t.page = page
	}
	r, err := t.load(ctx, address)
	if err != nil { // whatever state the tab is in, the next page gets another one
		t.close(ctx)
	}
	return r, err
}

func (t *tabReader) load(ctx context.Context, address string) (*reading, error) {
	watched, stop := t.page.Watch(ctx, true)
	defer stop()
	requests := t.page.Traffic().Record()
	defer requests.Close()
	nav, err := t.page.Load(watched, address, engine.WaitLoad)
	if err != nil {
		return nil, err
	}
	if nav.Download {
		return nil, fetch.NotTextError(address, "a file that the browser downloads")
	}
	if err := t.rest(watched); err != nil {
		return nil, err
	}
	r, err := readPage(watched, t.call, t.page)
	if err != nil {
		return nil, err
	}
	r.url, r.source = address, "rendered"+r.source
	return r, nil
}

// rest waits until nothing is asked for and nothing changes, but not for what goes on for ever.
func (t *tabReader) rest(ctx context.Context) error {
	limited, cancel := context.WithTimeoutCause(ctx, restLimit, element.ErrNotStable)
	defer cancel()
	err := t.page.Traffic().AwaitQuiet(limited, traffic.Quiet{})
	if err == nil {
		_, _, err = element.FramesAtRest(limited, t.call, t.page.Main(), restQuiet, restLimit)
	}
	if err != nil && errors.Is(context.Cause(limited), element.ErrNotStable) && ctx.Err() == nil {
		return nil
	}
	return err
}

func (t *tabReader) close(ctx context.Context) {
	if t.page != nil {
		CloseAside(ctx, t.page)
		t.page = nil
	}
}

// Complete reloads a text-only page that left something out, so that the tab's next user sees all of it.
func Complete(ctx context.Context, c *actions.Call, page *engine.Page, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fault.New(fault.Timeout, "the page did not load within %s", limit))
	defer cancel()
	watched, stop := page.Watch(ctx, true)
	defer stop()
	incomplete, err := engine.LoadEverything(watched, page)
	if err == nil && incomplete {
		_, err = page.Reload(watched, engine.WaitLoad)
	}
	return err
}

// AsideLimit is how long the end of a tab aside may take.
const AsideLimit = 5 * time.Second

// CloseAside closes a background page, within asideLimit.
func CloseAside(ctx context.Context, page *engine.Page) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), AsideLimit)
	defer cancel()
	_ = page.Close(ctx) // the browser closes what does not close itself, with its context at the latest
}
