package network

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/har"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/internal/wording"
)

// Bounds of a recording for a HAR file, unless SKUA_HAR_ENTRIES and SKUA_HAR_BYTES change these limits.
const (
	harEntries = 10_000
	harBytes   = 128 << 20
)

// harPatience is how long `network har stop` waits for bodies that the browser has not handed over yet.
const harPatience = 5 * time.Second

func harCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "network har start",
				Group:   actions.GroupNetwork,
				Summary: "Start recording requests for a HAR file",
				Help: "Records the requests of all tabs, their frames, workers and popups from now on, until `network har " +
					"stop`. It is " +
					"an error while a recording is running, which goes on. Bodies are taken from the browser as soon as they are " +
					"complete.\n\n" +
					"The newest " + strconv.Itoa(harEntries) + " requests are kept, at most " + strconv.Itoa(harBytes>>20) +
					" MiB with their bodies; " +
					"SKUA_HAR_ENTRIES and SKUA_HAR_BYTES change these limits.",
				Flags: []actions.Flag{{
					Name:    "content",
					Value:   "mode",
					Default: "text",
					OneOf:   []string{"text", "all", "none"},
					Help:    "Which response bodies to record: those that are text, all, or none",
				}},
				Examples: []actions.Example{{Line: "network har start"}, {Line: "network har start --content all"}},
				Upstream: []string{"network har <start|stop> [path]", "network har start"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true},
			Safety:   actions.Safety{Action: "har_start", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once, Recording: trait.Recording{Begins: trait.HAR}},
			Bindings: actions.Bindings{Data: []any{HARStarted{}}},
			Run:      runHARStart,
		},
		{
			Spec: actions.Spec{
				Name:    "network har stop",
				Group:   actions.GroupNetwork,
				Summary: "Write the recorded requests to a HAR file",
				Help: "Without a path the file goes to ~/.skua/har. If the file cannot be written, the recording continues. " +
					"The file has the values of cookies and credentials as they were sent; --redact leaves them out.",
				Args: []actions.Arg{{
					Name:     "path",
					Kind:     actions.Path,
					Optional: true,
					Help:     "The file, relative to the current folder",
				}},
				Flags: []actions.Flag{{
					Name: "redact",
					Kind: actions.Bool,
					Help: "Leave out the values of cookies and of credentials in headers",
				}},
				Examples: []actions.Example{{Line: "network har stop ./capture.har"}, {
					Line: "network har stop --redact ./to-share.har",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true},
			Safety:   actions.Safety{Action: "har_stop", Families: policy.Does(policy.WritesFiles)},
			Showing: actions.Showing{
				Traits:    trait.Once,
				Recording: trait.Recording{Ends: trait.HAR},
				Writes:    &trait.Output{Kind: trait.HAR, Arg: "path"},
			},
			Bindings: actions.Bindings{Data: []any{HARSaved{}}},
			Run:      runHARStop,
		},
	}
}

func runHARStart(ctx context.Context, c *actions.Call) (actions.Result, error) {
	limits, err := c.Limits("HAR", harEntries, harBytes)
	if err != nil {
		return actions.Result{}, err
	}
	log, _, err := networkLog(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if started, recorded := log.HAR().Start(network.HARContent(c.String("content")), limits); !started {
		return actions.Result{}, fault.New(fault.CaptureState,
			"Requests are already being recorded for a HAR file, %s so far.", wording.Plural(recorded, "request")).
			WithHint("`network har stop` saves them; then start again.")
	}
	return actions.Result{
		Data: HARStarted{Started: true, Content: c.String("content")},
		Text: "✓ HAR recording started",
	}, nil
}

func runHARStop(ctx context.Context, c *actions.Call) (actions.Result, error) {
	none := fault.New(fault.Usage, "No HAR recording in progress.").WithHint("`network har start` begins one.")
	_, active := c.Tabs.All()
	if !c.Browser.Running() || active == nil {
		return actions.Result{}, none
	}
	log := network.LogOf(active.Page.Context())
	if log == nil {
		return actions.Result{}, none
	}
	out, err := files.NewArtifact(c, "har", c.String("path"), files.ArtifactDir(c, home.HARs), ".har")
	if err != nil {
		return actions.Result{}, err
	}
	patient, cancel := context.WithTimeout(ctx, min(harPatience, c.TimeLeft()/2))
	recorded := log.HAR().Recorded(patient)
	cancel()
	if recorded == nil {
		return actions.Result{}, none
	}
	browser := harBrowser(ctx, active.Page)
	if c.Bool("redact") {
		for i := range recorded.Entries {
			maskRequest(c, &recorded.Entries[i].Exchange)
		}
	}
	if err := writeHAR(out, recorded, browser, c.Bool("redact")); err != nil {
		return actions.Result{}, out.KeptError(err, "network har stop")
	}
	log.HAR().End()
	file, err := out.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	data := HARSaved{
		RequestCount:  len(recorded.Entries),
		Pages:         len(recorded.Pages),
		Dropped:       recorded.Dropped,
		BodiesMissing: recorded.Missing,
		SavedFile:     file,
	}
	if recorded.Dropped > 0 {
		c.Note(fmt.Sprintf("the first %s were discarded; SKUA_HAR_ENTRIES and SKUA_HAR_BYTES keep more",
			wording.Plural(recorded.Dropped, "request")))
	}
	if recorded.Missing > 0 {
		c.Note(fmt.Sprintf("%s of responses are not available; the entries say why",
			wording.Plural(recorded.Missing, "body")))
	}
	return actions.Result{
		Data: data,
		Text: fmt.Sprintf("✓ HAR saved to %s (%s)", out.Shown, wording.Plural(len(recorded.Entries), "request")),
	}, nil
}

// harBrowser is how a HAR file names the browser.
func harBrowser(ctx context.Context, page *engine.Page) har.Tool {
	if product, err := page.Context().Browser().Version(ctx); err == nil {
		if name, version, ok := strings.Cut(product, "/"); ok {
			return har.Tool{Name: name, Version: version}
		}
	}
	return har.Tool{Name: "Chrome"}
}

// harCreator is how a HAR file names this program.
func harCreator() har.Tool { return har.Tool{Name: product.Name, Version: product.Version} }

func writeHAR(a *files.Artifact, recorded *network.HAR, browser har.Tool, redact bool) error {
	f, err := a.Create()
	if err != nil {
		return err
	}
	defer f.Abort()
	buffered := bufio.NewWriterSize(f, 256<<10)
	comment := ""
	if recorded.Dropped > 0 {
		comment = fmt.Sprintf("%d older entries had to be dropped", recorded.Dropped)
	}
	if err := har.Write(buffered, harCreator(), browser, comment, harPages(recorded),
		harEntriesOf(recorded, redact)); err != nil {
		return a.Failed(err)
	}
	if err := buffered.Flush(); err != nil {
		return a.Failed(err)
	}
	if _, err := f.Commit(); err != nil {
		return a.Failed(err)
	}
	return nil
}

func harPages(recorded *network.HAR) []har.Page {
	pages := make([]har.Page, len(recorded.Pages))
	for i, p := range recorded.Pages {
		pages[i] = har.Page{
			Started: p.Started.UTC(),
			ID:      p.ID,
			Title:   p.Title,
			URL:     p.URL,
			Timings: har.PageTimings{OnContentLoad: thousandths(p.ContentLoad), OnLoad: thousandths(p.Load)},
		}
	}
	return pages
}

func harEntriesOf(recorded *network.HAR, redact bool) iter.Seq[har.Entry] {
	return func(yield func(har.Entry) bool) {
		for i := range recorded.Entries {
			if !yield(harEntry(&recorded.Entries[i], redact)) {
				return
			}
		}
	}
}
