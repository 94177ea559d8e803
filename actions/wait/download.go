package wait

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/download"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// beginQuiet is how long the page is watched for a download of the last action when there is only an older one to take.
const beginQuiet = time.Second

// waitDownload is `wait --download [path]`: it takes a download that began with the last action or since, else one
// before that no command has taken, else waits for the next one. The page may still be about to begin the one of the
// last action: an older one has to wait. When none comes, and one of the last action had been saved there and is gone,
// that is what it tells.
func waitDownload(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	place, err := files.NewPlace(c, c.String("selector"))
	if err != nil {
		return actions.Result{}, err
	}
	browsing := tab.Page.Context()
	stop, err := embedder.CatchDownloads(ctx, browsing)
	if err != nil {
		return actions.Result{}, err
	}
	defer stop()
	d, found := leftDownload(browsing)
	older := false
	if found && d.Seq <= browsing.Downloads().Marked() {
		d, err = lateDownload(ctx, c, tab, d)
		if err != nil {
			return actions.Result{}, err
		}
		older = d.Seq <= browsing.Downloads().Marked()
	}
	if !found {
		last := 0
		if all := browsing.Downloads().After(0); len(all) > 0 {
			last = all[len(all)-1].Seq
		}
		limit, cancel := c.WithDeadline(ctx)
		defer cancel()
		d, err = browsing.Downloads().Await(limit, func(d *downloads.Item) bool { return d.Seq > last && !d.Taken })
		if fault.Is(err, fault.Timeout) {
			if gone := savedAndGone(browsing, place); gone != nil {
				return actions.Result{}, download.MovedAway(gone)
			}
			return actions.Result{}, c.TimedOut("no download began")
		}
		if err != nil {
			return actions.Result{}, err
		}
	}
	res, err := download.SaveDownload(ctx, c, browsing, d, place, nil)
	if data, ok := res.Data.(download.DownloadResult); ok && older {
		data.Older = true
		res.Data, res.Text = data, res.Text+" (an older download, "+wording.Quote(d.Name)+": the last action began none)"
	}
	return res, err
}

// leftDownload returns the download that `wait --download` takes of those that have begun. One that failed before the
// last action is past.
func leftDownload(browsing *engine.Context) (downloads.Item, bool) {
	mark := browsing.Downloads().Marked()
	var older *downloads.Item
	for _, d := range browsing.Downloads().After(0) {
		switch {
		case d.Taken:
		case d.Seq > mark:
			return d, true
		case d.State != downloads.Canceled && !d.Gone():
			older = &d
		}
	}
	if older == nil {
		return downloads.Item{}, false
	}
	return *older, true
}

// lateDownload returns the download that the last action is still about to begin, or else the older one. An action
// whose download was taken begins no other.
func lateDownload(
	ctx context.Context, c *actions.Call, tab *actions.Tab, older downloads.Item,
) (downloads.Item, error) {
	browsing := tab.Page.Context()
	mark := browsing.Downloads().Marked()
	if len(browsing.Downloads().After(mark)) > 0 {
		return older, nil
	}
	capture := run.CaptureRequests(tab)
	defer run.KeepCapture(tab, capture)
	watched, unwatch := tab.Page.Watch(ctx, true)
	defer unwatch()
	d, begun, err := engine.AwaitDownloadOf(watched, tab.Page, capture.Traffic, func(d *downloads.Item) bool {
		return d.Seq > mark
	},
		min(beginQuiet, c.TimeLeft()), min(download.DownloadQuiet, c.TimeLeft()))
	if !begun {
		d = older
	}
	if fault.Is(err, fault.DialogOpen) {
		err = nil
	}
	return d, err
}

// savedAndGone returns the newest download that began with the last action, or since, was saved to the place, and is
// not there any longer.
func savedAndGone(browsing *engine.Context, place *files.Place) *downloads.Item {
	for _, d := range slices.Backward(browsing.Downloads().After(browsing.Downloads().Marked())) {
		if d.Taken && place.Holds(d.File()) {
			if d.Gone() {
				return &d
			}
			return nil
		}
	}
	return nil
}
