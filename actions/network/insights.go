package network

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/insights"
	"github.com/skua-browser/skua/internal/userfile"
)

func insightsCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "insights network",
			Group:   actions.GroupDiagnosis,
			Summary: "Say what to look at in the requests of the pages, or in a HAR file",
			Help: "Prints at most twenty lines: failed requests, the slowest and the largest ones, what came more than " +
				"once, texts that came uncompressed, what browsers may not cache, and other sites. Without a file it tells of " +
				"the session's requests, which are recorded from the first `network requests`, `insights network` or `network " +
				"har start` on; of earlier ones it knows what the page remembers, without headers.",
			Args: []actions.Arg{{
				Name:     "har",
				Kind:     actions.Path,
				Optional: true,
				Help:     "A HAR file, such as `network har stop` writes",
			}},
			Examples: []actions.Example{{Line: "insights network"}, {Line: "insights network page.har"}},
		},
		Schedule: actions.Schedule{Effect: actions.Reads | actions.Control},
		Safety:   actions.Safety{Families: policy.Does(), Further: actions.IfGiven(policy.ReadsFiles, "har")},
		Bindings: actions.Bindings{Data: []any{insights.Network{}}},
		Run:      runInsights,
	}
}

func runInsights(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("har") {
		return harInsights(ctx, c)
	}
	log, begun, err := networkLog(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if begun {
		c.Note(
			"recording began with this command: of earlier requests the page remembers little; `reload`, then ask " +
				"again, to see all")
	}
	all, dropped := log.All()
	page := ""
	if tab := c.Tabs.Active(); tab != nil {
		page = tab.Page.URL()
	}
	var requests []insights.Request
	for i := range all {
		if all[i].Canceled {
			continue
		}
		maskRequest(c, &all[i])
		requests = append(requests, requestOf(&all[i]))
	}
	if dropped > 0 {
		c.Note("older requests were discarded; see SKUA_NETWORK_ENTRIES and SKUA_NETWORK_BYTES")
	}
	return insightsResult(requests, page), nil
}

func insightsResult(requests []insights.Request, page string) actions.Result {
	report := insights.OfRequests(requests, page)
	return actions.Result{Data: report, Text: report.Text()}
}

// harInsights judges the requests of a file.
func harInsights(ctx context.Context, c *actions.Call) (actions.Result, error) {
	named := c.String("har")
	path, err := files.Readable(c, named)
	if err != nil {
		return actions.Result{}, err
	}
	file, err := userfile.Open(ctx, path)
	if err != nil {
		return actions.Result{}, fault.New(fault.File, "Failed to read %s: %w", named, err).About(named)
	}
	defer file.Close()
	requests, err := insights.ReadHAR(file)
	if err != nil {
		return actions.Result{}, fault.New(fault.File, "%s: %w", named, err).About(named)
	}
	return insightsResult(requests, ""), nil
}

// requestOf converts an exchange for reports.
func requestOf(x *network.Exchange) insights.Request {
	r := insights.Request{
		Method:      x.Method,
		URL:         x.URL,
		Type:        strings.ToLower(x.Type),
		MimeType:    x.MimeType,
		Status:      x.Status,
		Failure:     x.Failure,
		Started:     x.Started,
		Took:        float64(x.Took) / float64(time.Millisecond),
		Transferred: x.Transferred,
		Decoded:     x.Decoded,
		Cached:      x.Source != "",
	}
	switch {
	case x.Ended || x.Earlier:
	case x.Status != 0: // the page has the headers, and has not read the whole body
		r.Took = x.Phases.Total()
	default:
		r.Pending, r.Took = true, float64(time.Since(x.Started))/float64(time.Millisecond)
	}
	if x.Phases.Known {
		r.Waited = max(0, x.Phases.Wait)
	}
	if x.ResponseHeaders != nil && !x.Earlier {
		r.Headers = map[string]string{}
		for name, value := range x.ResponseHeaders {
			r.Headers[strings.ToLower(name)] = value
		}
	}
	return r
}
