package download

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func downloadCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "download",
			Group:   actions.GroupActions,
			Summary: "Click an element and save the file that it downloads",
			Help: "Clicks as `click` does, waits until the download that the click started is complete, and moves the file to " +
				"the path. A path that is a folder, or ends with a slash, gets the file under its own name. Fails early when the " +
				"click starts no download, and says what it did instead; --timeout waits longer. What a `click` downloads can be " +
				"saved afterwards with `wait --download`.",
			Args: []actions.Arg{actions.SelectorArg(), {
				Name:     "file",
				Value:    "path",
				Kind:     actions.Path,
				Optional: true,
				Help:     "Where to save the file: a file or a folder",
			}},
			Flags: []actions.Flag{
				{Name: "path", Kind: actions.Path, Value: "path", Help: "The same as the argument"},
			},
			Examples: []actions.Example{{Line: "download @e7 ./report.pdf"}, {Line: "download 'text=Export' --path ./exports/"}},
			Upstream: []string{"download <sel> <path>", "download <selector> <path>"},
		},
		Schedule: actions.Schedule{Effect: actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer, policy.WritesFiles)},
		Showing: actions.Showing{
			Traits: trait.Summarized, Refs: trait.Refs{Kept: true},
			Writes: &trait.Output{Kind: trait.Download, Arg: "file", Flag: "path"},
		},
		Bindings: actions.Bindings{Data: []any{DownloadResult{}}, Value: &actions.Value{
			Method: "download bytes", Member: "path", File: true,
		}, Playwright: []string{
			"await Promise.all([page.waitForEvent('download').then((file) => file.saveAs({file})), {selector}.click()]);",
			"await Promise.all([page.waitForEvent('download'), {selector}.click()]);",
		}},
		Run: element.OnTarget(download),
	}
}

// How long a page must have been quiet after a click until it is clear that the click began no download, and how long a
// page that is never quiet is watched. With --timeout, that counts.
const (
	DownloadQuiet    = 2 * time.Second
	downloadPatience = 10 * time.Second
)

func download(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	path := c.String("path")
	switch {
	case c.Has("file") && c.Has("path"):
		return actions.Result{}, c.Invalid("download takes one path, but got two.")
	case c.Has("file"):
		path = c.String("file")
	}
	if path == "" {
		return actions.Result{}, c.Missing("path")
	}
	place, err := files.NewPlace(c, path)
	if err != nil {
		return actions.Result{}, err
	}
	page := tab.Page
	browsing := page.Context()
	stop, err := embedder.CatchDownloads(ctx, browsing)
	if err != nil {
		return actions.Result{}, err
	}
	defer stop()
	recording := page.Traffic().Record()
	defer recording.Close()
	mark, tabs, url, clicked := browsing.Downloads().Mark(), browsing.Pages(), page.URL(), time.Now()
	if _, err := pointer.Click(ctx, c, tab, t, input.ClickOptions{}); err != nil {
		return actions.Result{}, err
	}
	ours := func(d *downloads.Item) bool { return d.Seq > mark && begunBy(d, page, tabs) }
	quiet, patience := DownloadQuiet, downloadPatience
	if c.Flagged("timeout") {
		quiet, patience = c.TimeLeft(), c.TimeLeft()
	}
	watched, unwatch := page.Watch(ctx, true)
	defer unwatch()
	d, begun, err := engine.AwaitDownloadOf(watched, page, recording, ours,
		min(quiet, c.TimeLeft()), min(patience, c.TimeLeft()))
	switch {
	case begun:
	case err != nil && !fault.Is(err, fault.DialogOpen) && !fault.Is(err, fault.Timeout):
		return actions.Result{}, err
	default:
		return actions.Result{}, notDownloaded(ctx, c, t, tab, recording, url, clicked)
	}
	for _, other := range browsing.Downloads().After(d.Seq) {
		if ours(&other) {
			c.Note("the click started another download, " + wording.Quote(other.Name) +
				"; save it with `wait --download [path]`")
		}
	}
	return SaveDownload(ctx, c, browsing, d, place, recording.Requests())
}

// begunBy reports whether a page began a download, or a tab that it has opened for it: one that was not there before.
func begunBy(d *downloads.Item, page *engine.Page, before []*engine.Page) bool {
	if d.Page == page.ID() {
		return true
	}
	return !slices.ContainsFunc(before, func(p *engine.Page) bool { return p.ID() == d.Page })
}

// SaveDownload waits until a download is complete and saves its file.
func SaveDownload(
	ctx context.Context, c *actions.Call, browsing *engine.Context, d downloads.Item, place *files.Place,
	seen []traffic.Request,
) (actions.Result, error) {
	limit, cancel := c.WithDeadline(ctx)
	defer cancel()
	d, err := browsing.Downloads().AwaitEnd(limit, d.Seq)
	switch {
	case fault.Is(err, fault.Timeout):
		return actions.Result{}, fault.New(fault.Timeout, "Operation timed out after %dms: the download of %s has %s.",
			c.Waited().Milliseconds(),
			wording.Quote(d.Name), progress(d)).About(d.URL).With("received", d.Received).With("total", d.Total).With("url",
			d.URL).
			WithHint("It goes on; `wait --download [path]` waits for it and saves it. --timeout waits longer.")
	case err != nil:
		return actions.Result{}, err
	case d.State != downloads.Complete:
		return actions.Result{}, brokenOff(d, seen)
	}
	browsing.Popups().Await(ctx) // a tab that was opened for it goes again
	if d.Gone() {
		return actions.Result{}, MovedAway(&d)
	}
	var saved string
	err = browsing.Downloads().Save(d.Seq, func(from string) (_ string, err error) {
		saved, err = place.Take(from, d.Name)
		return saved, err
	})
	if err != nil {
		return actions.Result{}, stillTemporary(err)
	}
	if place.Replaces {
		c.Note(saved + " already existed and was replaced")
	}
	return actions.Result{
		Data: DownloadResult{Name: d.Name, Path: saved, Size: d.Received, URL: d.URL},
		Text: "✓ Download saved to " + saved,
	}, nil
}

// stillTemporary is the error of a complete download that could not be saved at its path.
func stillTemporary(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.File {
		return f.WithHint("The browser keeps it until the session closes: `wait --download [path]` saves it elsewhere.")
	}
	return err
}

// MovedAway is the error of a download whose file existed and is gone.
func MovedAway(d *downloads.Item) error {
	return fault.New(fault.ArtifactMissing,
		"The download of %s was saved to %s, but is no longer there: it was moved or removed.", wording.Quote(d.Name),
		d.File()).
		About(d.File()).With("url", d.URL).With("name", d.Name).With("path", d.File()).
		WithHint("Use the file where it is now, or download it again.")
}

func progress(d downloads.Item) string {
	if d.Total > 0 {
		return fmt.Sprintf("%d of %d bytes", d.Received, d.Total)
	}
	return fmt.Sprintf("%d bytes, of an unknown number", d.Received)
}

// brokenOff is the error of a download that came to nothing. The browser does not say why; the requests may.
func brokenOff(d downloads.Item, seen []traffic.Request) error {
	why := "the browser canceled it at " + progress(d) +
		", as it does when the server answers with an error or closes the connection"
	e := fault.New(fault.DownloadFailed, "").About(d.URL).With("url", d.URL).With("name", d.Name).With("received",
		d.Received).With("total", d.Total)
	if d.Why != nil {
		e.Message, e.Err = fmt.Sprintf("The download of %s failed at %s: %v.", wording.Quote(d.Name), progress(d),
			d.Why), d.Why
		e.Hint = "Free space there, or start the browser with TMPDIR on another disk. Nothing was saved. Address: " + d.URL
		return e
	}
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
func notDownloaded(
	ctx context.Context, c *actions.Call, t *element.Target, tab *actions.Tab, heard *traffic.Recording, before string,
	clicked time.Time,
) error {
	e := fault.New(fault.DownloadFailed, "").About(t.Label)
	var did []string
	for _, r := range heard.Requests() {
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
	if d := tab.Page.Dialogs().Open(); d != nil {
		did = append(did, "a JavaScript "+d.Type+" dialog is open: "+wording.Quote(d.Message))
	}
	tab.Page.Context().Popups().Await(ctx)
	tabs, _ := c.Tabs.All()
	for _, other := range tabs {
		if other.Page.Opener() == tab.Page.ID() && other.Page.Err() == nil {
			did = append(did, "tab "+other.ID+" shows "+other.Page.URL())
		}
	}
	if to := tab.Page.Loading().To(); len(did) == 0 && to != "" {
		e.Message = fmt.Sprintf("The click on '%s' asked for %s, and no answer came within %s.", t.Label, to,
			time.Since(clicked).Round(10*time.Millisecond))
		e.Hint = "The server is slow or silent; the request goes on. `wait --download [path]` waits for what comes of it, " +
			"and --timeout waits longer."
		return e.With("asked", to)
	}
	if len(did) == 0 {
		did = append(did, "nothing else was seen to happen, which is how it looks before a slow or silent server answers")
	}
	e.Message = fmt.Sprintf("The click on '%s' started no download: %s.", t.Label, strings.Join(did, "; "))
	e.Hint = "Click the control that starts the download, or give it more time with --timeout; `wait --download` gets " +
		"one that starts later."
	return e
}
