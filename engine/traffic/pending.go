package traffic

import (
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Which requests a page waits for. These count for --settle, for waits, for the note on a page that is still loading,
// and for the search for what a ref named.

// pending is a request that is under way.
type pending struct {
	Request
	loader  string
	apart   bool // no document waits for it
	awaited bool // without success, see AwaitParts
	begun   time.Time
	data    time.Time // when its response, or the last part of its body, came; zero means that it has no response yet
}

const (
	// heldFor is how long a request counts as one that is about to be answered. What a server holds for longer is a long
	// poll or a stream.
	heldFor = 10 * time.Second

	// nextPart is how soon behind a part of a body the next one comes. A page that leaves a body unread gets no more
	// parts, and no end.
	nextPart = 100 * time.Millisecond
)

// apartTypes are the types of requests whose answers no document waits for.
var apartTypes = []string{"EventSource", "WebSocket", "Ping", "Media", "Prefetch", "Preflight", "CSPViolationReport"}

// isApart reports whether no document waits for a request: it reports something, keeps a connection open, gets what a
// later page may need, or is the script of a worker, which belongs to no document and of whose end the page is not
// told.
func isApart(e *event) bool {
	return slices.Contains(apartTypes, e.Type) || e.LoaderID == "" && e.Type == "Script" ||
		e.Type == "Other" && isPrefetch(e.Request.Headers)
}

func isPrefetch(headers jsonv2.Value) bool {
	return headerOf(headers, "Sec-Purpose") != "" || headerOf(headers, "Purpose") == "prefetch"
}

// isEndless reports whether a response of this type ends only when the page closes it.
func isEndless(mimeType string) bool {
	return strings.HasPrefix(mimeType, "text/event-stream") || strings.HasPrefix(mimeType, "multipart/x-mixed-replace")
}

// until returns until when the page waits for the request if nothing more comes of it; zero means that it never does.
func (r *pending) until() time.Time {
	held := r.begun.Add(heldFor)
	switch next := r.data.Add(nextPart); {
	case r.apart:
		return time.Time{}
	case r.Type == "Fetch" && !r.data.IsZero() && next.Before(held):
		return next
	}
	return held
}

// UnderWay returns the requests that the page waits for and that did not begin before a moment, those first that began
// first as far as their ids tell.
func (t *Traffic) UnderWay(from time.Time) []Request {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	now := time.Now()
	var all []Request
	for _, r := range t.underWay {
		if !r.begun.Before(from) && r.until().After(now) {
			all = append(all, r.Request)
		}
	}
	slices.SortFunc(all, func(a, b Request) int { return strings.Compare(a.ID, b.ID) })
	return all
}
