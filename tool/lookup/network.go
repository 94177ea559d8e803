package lookup

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/traffic"
)

// maxTraced is how many failed requests are asked for what made them.
const maxTraced = 5

// Network says which requests failed and what may have made them. Rows are those of the batch, traced those of Traces.
// Redact takes secrets out of a text.
func Network(
	ctx context.Context, c *contract.CompiledNetworkSourceLookup, rows, traced []backend.Row, workspace string,
	redact func(string) string,
) *contract.NetworkSourceLookup {
	l := &contract.NetworkSourceLookup{FailedRequests: []contract.FailedRequest{}}
	f := newFinder()
	requests := requestsOf(rows)
	details := requestsOf(traced)
	var failed []traffic.Request
	for i := range requests {
		if requests[i].Failed {
			failed = append(failed, requests[i])
		}
	}
	for i := range failed {
		r := &failed[i]
		l.FailedRequests = append(l.FailedRequests, contract.FailedRequest{
			RequestID: r.ID,
			URL:       redact(r.URL),
			Status:    r.Status,
			Method:    r.Method,
			Error:     r.Error,
		})
		f.initiator(r, redact)
		if k := slices.IndexFunc(details, func(d traffic.Request) bool { return d.ID == r.ID }); k >= 0 {
			f.initiator(&details[k], redact)
		}
	}
	if len(failed) > 0 || len(requests) == 0 {
		f.literals(ctx, needles(c, failed), workspace, c.MaxWorkspaceFiles, redact)
	}
	l.Candidates, l.Limitations = f.candidates, f.limitations
	switch n := len(f.candidates); {
	case len(failed) > 0:
		l.Status, l.Summary = "failed-requests-found",
			fmt.Sprintf("Network source lookup: %d failed request(s), %d source candidate(s)", len(failed), n)
		if n > 0 {
			l.Summary += ", best: " + shown(best(f.candidates))
		}
	case len(requests) == 0 && n == 0:
		l.Status, l.Summary = "no-candidates", "Network source lookup: no such request, and no candidates."
	default:
		l.Status, l.Summary = "no-failed-requests", "Network source lookup: no failed requests."
	}
	return l
}

// requestsOf are the requests of all rows, each once.
func requestsOf(rows []backend.Row) (list []traffic.Request) {
	for _, row := range rows {
		if !row.Success {
			continue
		}
		for _, r := range traffic.Requests(row.Result) {
			known := func(o traffic.Request) bool { return o.ID != "" && o.ID == r.ID }
			if !slices.ContainsFunc(list, known) {
				list = append(list, r)
			}
		}
	}
	return list
}

// Traces are the rows that ask what made the requests which failed, as far as the batch has not said it.
func Traces(rows []backend.Row) (commands [][]string) {
	for _, r := range requestsOf(rows) {
		if r.Failed && r.ID != "" && r.Initiator() == nil && !r.Partial && len(commands) < maxTraced {
			commands = append(commands, []string{"network", "request", r.ID})
		}
	}
	return commands
}

// initiator takes what a request says of the script that made it.
func (f *finder) initiator(r *traffic.Request, redact func(string) string) {
	for _, cause := range r.Causes {
		for _, p := range placesOf(cause.Code) {
			c := at(fromInitiator, "medium", p, cause.Name+" of the request")
			c.RequestURL = redact(r.URL)
			f.add(c)
		}
	}
}

// needle is a text to look for in a workspace, and the address that it is of.
type needle struct{ text, url string }

// needles are what sources may have of an address: all of it, or its path. A path of one character says nothing.
func needles(c *contract.CompiledNetworkSourceLookup, failed []traffic.Request) (list []needle) {
	add := func(text, from string) {
		if len(text) > 1 && !slices.ContainsFunc(list, func(n needle) bool { return n.text == text }) {
			list = append(list, needle{text, from})
		}
	}
	addresses := []string{}
	for i := range failed {
		addresses = append(addresses, failed[i].URL)
	}
	if len(failed) == 0 {
		addresses = append(addresses, c.URL, c.Filter)
	}
	for _, address := range addresses {
		whole, _, _ := strings.Cut(address, "?")
		add(whole, address)
		if u, err := url.Parse(address); err == nil {
			add(strings.TrimSuffix(u.Path, "/"), address)
		}
	}
	return list
}

// literals looks for addresses in the sources of the workspace.
func (f *finder) literals(ctx context.Context, list []needle, workspace string, most int, redact func(string) string) {
	if len(list) == 0 || workspace == "" {
		return
	}
	cut := walk(ctx, workspace, most, func(path, content string) bool {
		for _, n := range list {
			if offset := literal(content, n.text); offset >= 0 {
				c := at(fromWorkspace, "low", place{file: path, line: lineAt(content, offset)}, "has the text "+redact(n.text))
				c.RequestURL = redact(n.url)
				f.add(c)
				break
			}
		}
		return f.count(fromWorkspace) >= maxWorkspaceCandidates
	})
	if cut {
		f.limit(fmt.Sprintf("The workspace scan was limited to %d files.", most))
	}
}

// literal finds a text that ends where an address may: /api/fail is not in /api/failures.
func literal(content, text string) int {
	for from := 0; ; {
		i := strings.Index(content[from:], text)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(text)
		if end == len(content) || !isWordByte(content[end]) {
			return i
		}
		from = i + 1
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// NetworkText is what comes before the batch's own text.
func NetworkText(l *contract.NetworkSourceLookup) string {
	var text strings.Builder
	text.WriteString(l.Summary)
	for _, r := range l.FailedRequests {
		line := strings.TrimSpace(r.Method+" "+r.URL) + ": "
		switch {
		case r.Error != "":
			line += r.Error
		case r.Status > 0:
			line += fmt.Sprintf("status %d", r.Status)
		default:
			line += "failed"
		}
		text.WriteString("\nFailed: " + line)
		if r.RequestID != "" {
			text.WriteString(" [" + r.RequestID + "]")
		}
	}
	return listed(text.String(), l.Candidates, l.Limitations)
}
