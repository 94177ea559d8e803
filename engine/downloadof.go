package engine

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
)

// errQuiet tells that nothing has happened for a while.
var errQuiet = fault.New(fault.DownloadFailed, "no download began")

// AwaitDownloadOf waits for a download that something in the page is to begin, with a number above after and taken by accept. It gives up,
// with begun false, when the page has been quiet for a while: it loads nothing, and no request that began since is without an answer. A page
// that is never quiet has patience of it.
func AwaitDownloadOf(ctx context.Context, p *Page, heard *traffic.Recording, accept func(*downloads.Item) bool, quiet, patience time.Duration) (_ downloads.Item, begun bool, err error) {
	find := func() (downloads.Item, bool) { return p.ctxt.downloads.Find(accept) }
	patient, cancel := context.WithTimeoutCause(ctx, patience, errQuiet)
	defer cancel()
	for {
		var was activity
		p.mu.Do(func() { was = activityOf(p, heard) })
		waiting, stop := patient, func() {}
		if !was.busy {
			waiting, stop = context.WithTimeoutCause(patient, quiet, errQuiet)
		}
		err := p.mu.Await(waiting, "waiting for a download", func() bool {
			_, found := find()
			return found || activityOf(p, heard) != was
		})
		stop()
		if d, found := find(); found {
			return d, true, nil
		}
		switch {
		case err == nil:
		case errors.Is(err, errQuiet) || fault.Is(err, fault.PageGone):
			return downloads.Item{}, false, nil
		default:
			return downloads.Item{}, false, err
		}
	}
}

// activity is what a page has done so far.
type activity struct {
	requests, ended, commits int
	busy                     bool
}

// activityOf counts what a page has done. The caller holds p.mu.
func activityOf(p *Page, heard *traffic.Recording) activity {
	a := activity{commits: p.main.commits}
	a.requests, a.ended = heard.Counts()
	a.busy = p.nav.started != "" || a.ended < a.requests
	return a
}
