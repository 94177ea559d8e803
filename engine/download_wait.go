package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// news returns a channel that is closed when a download begins or goes on. Take it before looking at the list.
func (d *downloads) news() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changed == nil {
		d.changed = make(chan struct{})
	}
	return d.changed
}

// AwaitDownload waits for a download that accept takes, which may have begun before.
func (c *Context) AwaitDownload(ctx context.Context, accept func(Download) bool) (Download, error) {
	for {
		news := c.downloads.news()
		all := c.Downloads(0)
		if i := slices.IndexFunc(all, accept); i >= 0 {
			return all[i], nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return Download{}, WaitEnded(ctx, "waiting for a download")
		case <-c.browser.Done():
			return Download{}, c.browser.Err()
		}
	}
}

// AwaitDownloadEnd waits until a download is complete or has come to nothing. With an error it is told as far as it came.
func (c *Context) AwaitDownloadEnd(ctx context.Context, seq int) (Download, error) {
	d, err := c.AwaitDownload(ctx, func(d Download) bool { return d.Seq == seq && d.State != DownloadRunning })
	if err != nil {
		for _, one := range c.Downloads(seq - 1) {
			if one.Seq == seq {
				d = one
			}
		}
	}
	return d, err
}

// errQuiet tells that nothing has happened for a while.
var errQuiet = fault.New(fault.DownloadFailed, "no download began")

// AwaitDownloadOf waits for a download that something in the page is to begin, with a number above after and taken by accept. It gives up,
// with begun false, when the page has been quiet for a while: it loads nothing, and no request that began since is without an answer. A page
// that is never quiet has patience of it.
func (p *Page) AwaitDownloadOf(ctx context.Context, t *Traffic, accept func(Download) bool, quiet, patience time.Duration) (_ Download, begun bool, err error) {
	find := func() (Download, bool) {
		all := p.ctxt.Downloads(0)
		i := slices.IndexFunc(all, accept)
		if i < 0 {
			return Download{}, false
		}
		return all[i], true
	}
	patient, cancel := context.WithTimeoutCause(ctx, patience, errQuiet)
	defer cancel()
	for {
		was := p.activity(t)
		waiting, stop := patient, func() {}
		if !was.busy {
			waiting, stop = context.WithTimeoutCause(patient, quiet, errQuiet)
		}
		err := p.await(waiting, "waiting for a download", func() bool {
			_, found := find()
			return found || p.activityLocked(t) != was
		})
		stop()
		if d, found := find(); found {
			return d, true, nil
		}
		switch {
		case err == nil:
		case errors.Is(err, errQuiet) || fault.Is(err, fault.PageGone):
			return Download{}, false, nil
		default:
			return Download{}, false, err
		}
	}
}

// activity is what a page has done so far.
type activity struct {
	requests, ended, commits int
	busy                     bool
}

func (p *Page) activity(t *Traffic) activity {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.activityLocked(t)
}

func (p *Page) activityLocked(t *Traffic) activity {
	a := activity{commits: p.main.commits, busy: p.nav.started != ""}
	for _, r := range t.requests {
		if !r.Begun {
			continue
		}
		a.requests++
		if r.Ended {
			a.ended++
		}
	}
	a.busy = a.busy || a.ended < a.requests
	return a
}
