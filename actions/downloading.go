package actions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

func downloadCommand() Command {
	return Command{
		Name:     "download",
		Upstream: []string{"download <sel> <path>", "download <selector> <path>"},
		Group:    GroupActions, Summary: "Click an element and save the file that it downloads",
		Help: "Clicks as `click` does, waits until the download that the click began is complete, and moves the file to the path. A path that " +
			"is a folder, or ends with a slash, gets the file under its own name. Fails soon when the click downloads nothing, and says what " +
			"it did instead; --timeout waits longer. What a `click` downloads can be saved afterwards with `wait --download`.",
		Args: []Arg{SelectorArg(), {Name: "file", Value: "path", Kind: Path, Optional: true, Help: "Where to save the file: a file or a folder"}},
		Flags: []Flag{
			{Name: "path", Kind: Path, Value: "path", Help: "The same as the argument"},
		},
		Effect: Mutates | Navigates, Traits: trait.SavesFile | trait.Downloads | trait.Summarized, Refs: trait.Refs{Kept: true}, Writes: &trait.Output{Kind: trait.Download, Arg: "file", Flag: "path"},
		Examples: []Example{{Line: "download @e7 ./report.pdf"}, {Line: "download 'text=Export' --path ./exports/"}},
		Run:      onTarget((*Call).download),
		Policy:   Policy{Families: policy.Does(policy.ActsByPointer, policy.WritesFiles)},
	}
}

// How long a page must have been quiet after a click until it is clear that the click began no download, and how long a page that is
// never quiet is watched. With --timeout, that counts.
const (
	downloadQuiet    = 2 * time.Second
	downloadPatience = 10 * time.Second
)

func (c *Call) download(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	path := c.String("path")
	switch {
	case c.Has("file") && c.Has("path"):
		return Result{}, c.Invalid("download takes one path, and got two.")
	case c.Has("file"):
		path = c.String("file")
	}
	if path == "" {
		return Result{}, c.Missing("path")
	}
	place, err := c.savePlace(path)
	if err != nil {
		return Result{}, err
	}
	page := tab.Page
	browsing := page.Context()
	stop, err := browsing.CatchDownloads(ctx)
	if err != nil {
		return Result{}, err
	}
	defer stop()
	traffic := page.WatchTraffic()
	defer traffic.Close()
	mark, tabs, url := browsing.MarkDownloads(), browsing.Pages(), page.URL()
	if _, err := c.click(ctx, tab, t, engine.ClickOptions{}); err != nil {
		return Result{}, err
	}
	ours := func(d engine.Download) bool { return d.Seq > mark && begunBy(d, page, tabs) }
	quiet, patience := downloadQuiet, downloadPatience
	if c.Flagged("timeout") {
		quiet, patience = c.Left(), c.Left()
	}
	watched, unwatch := page.Watch(ctx, true)
	defer unwatch()
	d, begun, err := page.AwaitDownloadOf(watched, traffic, ours, min(quiet, c.Left()), min(patience, c.Left()))
	switch {
	case begun:
	case err != nil && !fault.Is(err, fault.DialogOpen) && !fault.Is(err, fault.Timeout):
		return Result{}, err
	default:
		return Result{}, c.notDownloaded(ctx, t, tab, traffic, url)
	}
	for _, other := range browsing.Downloads(d.Seq) {
		if ours(other) {
			c.Note("the click began another download, " + wording.Quote(other.Name) + "; save it with `wait --download [path]`")
		}
	}
	return c.saveDownload(ctx, browsing, d, place, traffic.Requests())
}

// begunBy reports whether a page began a download, or a tab that it has opened for it: one that was not there before.
func begunBy(d engine.Download, page *engine.Page, before []*engine.Page) bool {
	if d.Page == page.ID() {
		return true
	}
	return !slices.ContainsFunc(before, func(p *engine.Page) bool { return p.ID() == d.Page })
}

// saveDownload waits until a download is complete and saves its file.
func (c *Call) saveDownload(ctx context.Context, browsing *engine.Context, d engine.Download, place *savePlace, seen []engine.Request) (Result, error) {
	limit, cancel := c.limited(ctx)
	defer cancel()
	d, err := browsing.AwaitDownloadEnd(limit, d.Seq)
	switch {
	case fault.Is(err, fault.Timeout):
		return Result{}, fault.New(fault.Timeout, "Operation timed out after %dms: the download of %s has %s.", c.waited().Milliseconds(),
			wording.Quote(d.Name), progress(d)).About(d.URL).With("received", d.Received).With("total", d.Total).With("url", d.URL).
			WithHint("It goes on; `wait --download [path]` waits for it and saves it. --timeout waits longer.")
	case err != nil:
		return Result{}, err
	case d.State != engine.DownloadComplete:
		return Result{}, brokenOff(d, seen)
	}
	browsing.AwaitPopups(ctx) // a tab that was opened for it goes again
	if d.Gone() {
		return Result{}, movedAway(&d)
	}
	var saved string
	err = browsing.SaveDownload(d.Seq, func(from string) (_ string, err error) {
		saved, err = place.take(from, d.Name)
		return saved, err
	})
	if err != nil {
		return Result{}, err
	}
	if place.replaces {
		c.Note(saved + " was there before and has been replaced")
	}
	return Result{
		Data: map[string]any{"path": saved, "name": d.Name, "size": d.Received, "url": d.URL},
		Text: "✓ Download saved to " + saved,
	}, nil
}

// movedAway is the error of a download whose file was there and is not any more.
func movedAway(d *engine.Download) error {
	return fault.New(fault.ArtifactMissing, "The download of %s was saved to %s, and is not there any more: it was moved or removed since.", wording.Quote(d.Name), d.File()).
		About(d.File()).With("url", d.URL).With("name", d.Name).With("path", d.File()).
		WithHint("Use the file where it is now, or do again what downloads it.")
}

func progress(d engine.Download) string {
	if d.Total > 0 {
		return fmt.Sprintf("%d of %d bytes", d.Received, d.Total)
	}
	return fmt.Sprintf("%d bytes, of an unknown number", d.Received)
}

// brokenOff is the error of a download that came to nothing. The browser does not say why; the requests may.
func brokenOff(d engine.Download, seen []engine.Request) error {
	why := "the browser gave it up at " + progress(d) + ", as it does when the server answers with an error, or breaks off"
	e := fault.New(fault.DownloadFailed, "").About(d.URL).With("url", d.URL).With("name", d.Name).With("received", d.Received).With("total", d.Total)
	for _, r := range seen {
		if r.URL != d.URL {
			continue
		}
		if r.Status >= 400 {
			why = fmt.Sprintf("the server answered with status %d", r.Status)
			e.With("status", r.Status)
		}
	}
	e.Message = fmt.Sprintf("The download of %s failed: %s.", wording.Quote(d.Name), why)
	e.Hint = "Nothing was saved. Address: " + d.URL
	return e
}

// notDownloaded is the error of a click that began no download. It says what the click did instead.
func (c *Call) notDownloaded(ctx context.Context, t *Target, tab *Tab, traffic *engine.Traffic, before string) error {
	e := fault.New(fault.DownloadFailed, "").About(t.Label)
	var did []string
	for _, r := range traffic.Requests() {
		if !r.Begun || r.Status < 400 && (r.Failure == "" || r.Failure == "net::ERR_ABORTED") {
			continue
		}
		if r.Status >= 400 {
			e.With("status", r.Status)
			did = append(did, fmt.Sprintf("the server answered %s with status %d", r.URL, r.Status))
		} else {
			did = append(did, fmt.Sprintf("%s could not be loaded (%s)", r.URL, r.Failure))
		}
		break
	}
	if now := tab.Page.URL(); now != before && !strings.HasPrefix(now, "chrome-error:") {
		e.With("url", now)
		did = append(did, "the page is now "+now)
	}
	if d := tab.Page.Dialog(); d != nil {
		did = append(did, "a JavaScript "+d.Type+" dialog is open: "+wording.Quote(d.Message))
	}
	tab.Page.Context().AwaitPopups(ctx)
	tabs, _ := c.Session.Tabs()
	for _, other := range tabs {
		if other.Page.Opener() == tab.Page.ID() && other.Page.Err() == nil {
			did = append(did, "tab "+other.ID+" shows "+other.Page.URL())
		}
	}
	if len(did) == 0 {
		did = append(did, "nothing else is to be seen of it either")
	}
	e.Message = fmt.Sprintf("The click on '%s' began no download: %s.", t.Label, strings.Join(did, "; "))
	e.Hint = "Click what starts the download, or give it more time with --timeout; `wait --download` takes one that begins later."
	return e
}

// beginQuiet is how long the page is watched for a download of the last action when there is only an older one to take.
const beginQuiet = time.Second

// waitDownload is `wait --download [path]`: it takes a download that began with the last action or since, else one before that nobody has
// taken, else waits for the next one. The page may still be about to begin the one of the last action: an older one has to wait. When none comes, and one of the last action had been saved there and is gone, that is what it tells.
func (c *Call) waitDownload(ctx context.Context) (Result, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	place, err := c.savePlace(c.String("selector"))
	if err != nil {
		return Result{}, err
	}
	browsing := tab.Page.Context()
	stop, err := browsing.CatchDownloads(ctx)
	if err != nil {
		return Result{}, err
	}
	defer stop()
	d, found := leftDownload(browsing)
	if found && d.Seq <= browsing.DownloadMark() {
		d, err = c.lateDownload(ctx, tab, d)
		if err != nil {
			return Result{}, err
		}
	}
	if !found {
		last := 0
		if all := browsing.Downloads(0); len(all) > 0 {
			last = all[len(all)-1].Seq
		}
		limit, cancel := c.limited(ctx)
		defer cancel()
		d, err = browsing.AwaitDownload(limit, func(d engine.Download) bool { return d.Seq > last && !d.Taken })
		if fault.Is(err, fault.Timeout) {
			if gone := savedAndGone(browsing, place); gone != nil {
				return Result{}, movedAway(gone)
			}
			return Result{}, c.timedOut("no download began", nil)
		}
		if err != nil {
			return Result{}, err
		}
	}
	return c.saveDownload(ctx, browsing, d, place, nil)
}

// leftDownload returns the download that `wait --download` takes of those that have begun. One that failed before the last action is past.
func leftDownload(browsing *engine.Context) (engine.Download, bool) {
	mark := browsing.DownloadMark()
	var older *engine.Download
	for _, d := range browsing.Downloads(0) {
		switch {
		case d.Taken:
		case d.Seq > mark:
			return d, true
		case d.State != engine.DownloadCanceled && !d.Gone():
			older = &d
		}
	}
	if older == nil {
		return engine.Download{}, false
	}
	return *older, true
}

// lateDownload returns the download that the last action is still about to begin, or else the older one. An action whose download was taken
// begins no other.
func (c *Call) lateDownload(ctx context.Context, tab *Tab, older engine.Download) (engine.Download, error) {
	browsing := tab.Page.Context()
	mark := browsing.DownloadMark()
	if len(browsing.Downloads(mark)) > 0 {
		return older, nil
	}
	heard := tab.hear()
	defer tab.keepHearing(heard)
	watched, unwatch := tab.Page.Watch(ctx, true)
	defer unwatch()
	d, begun, err := tab.Page.AwaitDownloadOf(watched, heard.traffic, func(d engine.Download) bool { return d.Seq > mark },
		min(beginQuiet, c.Left()), min(downloadQuiet, c.Left()))
	if !begun {
		d = older
	}
	if fault.Is(err, fault.DialogOpen) {
		err = nil
	}
	return d, err
}

// savedAndGone returns the newest download that began with the last action, or since, was saved to the place, and is not there any more.
func savedAndGone(browsing *engine.Context, place *savePlace) *engine.Download {
	for _, d := range slices.Backward(browsing.Downloads(browsing.DownloadMark())) {
		if d.Taken && place.holds(d.File()) {
			if d.Gone() {
				return &d
			}
			return nil
		}
	}
	return nil
}

// becomingLimit is how long the browser may take from the answer that is to be saved until it says that a download began: a few milliseconds.
const becomingLimit = 500 * time.Millisecond

// awaitDownload waits for the download of an action whose request for a document was answered and led to none: its answer is being saved.
func (a *acting) awaitDownload(ctx context.Context) {
	if a.traffic == nil || a.effect.Navigation != nil {
		return
	}
	if !slices.ContainsFunc(a.traffic.Requests(), func(r engine.Request) bool {
		return r.Begun && r.Type == "Document" && r.Status == 200 && r.Failure == "net::ERR_ABORTED"
	}) {
		return
	}
	limited, stop := context.WithTimeout(ctx, becomingLimit)
	defer stop()
	_, _ = a.tab.Page.Context().AwaitDownload(limited, func(d engine.Download) bool { return d.Seq > a.downloads }) // else the next reply tells
}

// keptLimit is how long a reply waits for files to come to where they are kept, so as to tell where they are.
const keptLimit = time.Second

// downloadsSince tells of the downloads that an action began.
func downloadsSince(ctx context.Context, browsing *engine.Context, mark int) []Downloading {
	var all []Downloading
	limited, stop := context.WithTimeout(ctx, keptLimit)
	defer stop()
	for _, d := range browsing.TellDownloads(mark) {
		if kept, err := browsing.AwaitKept(limited, d.Seq); err == nil {
			d = kept
		}
		one := Downloading{Name: d.Name, URL: d.URL}
		if !d.Taken {
			one.Path = d.Kept
		}
		all = append(all, one)
	}
	return all
}
