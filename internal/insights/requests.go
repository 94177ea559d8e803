package insights

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Request is a request of a page, as far as reports need it.
type Request struct {
	Method      string
	URL         string
	Type        string // what asked for it, in lower case: document, script, fetch …
	MimeType    string
	Status      int // 0 means no response
	Failure     string
	Started     time.Time
	Took        float64           // milliseconds
	Waited      float64           // of it for the first byte of the response
	Transferred int64             // over the network
	Decoded     int64             // of the body
	Pending     bool              // it has not ended: Took is the time so far
	Cached      bool              // it did not come over the network
	Headers     map[string]string // of the response, by names in lower case; nil means not known
}

// Network is what a list of requests says. Times are in milliseconds, sizes in bytes.
type Network struct {
	Duplicates   []Repeated  `json:"duplicates"` // what came over the network more than once
	Failed       []Requested `json:"failed"`
	FailedCount  int         `json:"failedCount"`
	Largest      []Requested `json:"largest"`
	Requests     int         `json:"requests"`
	Slowest      []Requested `json:"slowest"`
	Span         float64     `json:"span"` // from the first request to the end of the last one
	ThirdParties []Party     `json:"thirdParties"`
	Transferred  int64       `json:"transferred"`
	Uncached     []Requested `json:"uncached"` // what browsers may not keep although it hardly changes
	Uncompressed []Requested `json:"uncompressed"`
}

// Requested is a request of a report.
type Requested struct {
	Method  string  `json:"method"`
	Pending bool    `json:"pending,omitempty"` // the time is that so far
	Size    int64   `json:"size"`              // over the network, or of the body where that is not known
	Status  int     `json:"status,omitempty"`
	Time    float64 `json:"time"`
	Type    string  `json:"type,omitempty"`
	URL     string  `json:"url"`
	Waited  float64 `json:"waited,omitempty"` // for the first byte
	Why     string  `json:"why,omitempty"`
}

// Repeated is an address that was requested more than once.
type Repeated struct {
	Count int    `json:"count"`
	Size  int64  `json:"size"` // of all but the first
	URL   string `json:"url"`
}

// Party is another site than that of the page.
type Party struct {
	Requests int     `json:"requests"`
	Site     string  `json:"site"`
	Size     int64   `json:"size"`
	Time     float64 `json:"time"` // of the slowest request
}

// The sizes from which a text is worth compressing, and a response worth caching.
const (
	minCompressed = 2000
	minCached     = 1000
)

// OfRequests judges requests. Page is the address of the page that they belong to; empty means that of the first
// document among them.
func OfRequests(all []Request, page string) *Network {
	n := &Network{
		Requests:     len(all),
		Duplicates:   []Repeated{},
		Failed:       []Requested{},
		Largest:      []Requested{},
		Slowest:      []Requested{},
		ThirdParties: []Party{},
		Uncached:     []Requested{},
		Uncompressed: []Requested{},
	}
	var first, last time.Time
	var rows []Requested
	same, parties := map[string]*Repeated{}, map[string]*Party{}
	for i := range all {
		if page == "" && all[i].Type == "document" {
			page = all[i].URL
		}
	}
	home := siteOf(page)
	for i := range all {
		r := &all[i]
		row := Requested{
			Method:  r.Method,
			Pending: r.Pending,
			Size:    r.Transferred,
			Status:  r.Status,
			Time:    r.Took,
			Type:    r.Type,
			URL:     r.URL,
			Waited:  r.Waited,
		}
		if row.Size == 0 && !r.Cached {
			row.Size = r.Decoded
		}
		n.Transferred += row.Size
		if end := r.Started.Add(time.Duration(r.Took * float64(time.Millisecond))); !r.Started.IsZero() {
			if first.IsZero() || r.Started.Before(first) {
				first = r.Started
			}
			if end.After(last) {
				last = end
			}
		}
		rows = append(rows, row)
		if why := r.failed(); why != "" {
			row.Why = why
			n.Failed = append(n.Failed, row)
			continue
		}
		if site := siteOf(r.URL); site != "" && home != "" && site != home {
			p := parties[site]
			if p == nil {
				p = &Party{Site: site}
				parties[site] = p
			}
			p.Requests++
			p.Size += row.Size
			p.Time = max(p.Time, r.Took)
		}
		if r.Cached {
			continue
		}
		if (r.Method == "" || r.Method == "GET") && strings.HasPrefix(r.URL, "http") && r.Type != "document" &&
			r.Status != 304 && r.Status/100 != 3 {
			d := same[r.URL]
			if d == nil {
				d = &Repeated{URL: r.URL}
				same[r.URL] = d
			} else {
				d.Size += row.Size
			}
			d.Count++
		}
		if r.uncompressed() {
			row.Size = r.Decoded
			n.Uncompressed = append(n.Uncompressed, row)
		}
		if row.Why = r.uncached(); row.Why != "" {
			n.Uncached = append(n.Uncached, row)
		}
	}
	n.Span = float64(last.Sub(first)) / float64(time.Millisecond)
	n.FailedCount = len(n.Failed)
	bySize := func(r Requested) float64 { return float64(r.Size) }
	n.Largest = largest(slices.DeleteFunc(slices.Clone(rows), func(r Requested) bool {
		return r.Size == 0
	}), bySize, mostKept)
	n.Slowest = largest(slices.DeleteFunc(rows, func(r Requested) bool {
		return r.Type == "websocket" || r.Type == "eventsource"
	}), func(r Requested) float64 { return r.Time }, mostKept)
	n.Failed = n.Failed[:min(len(n.Failed), mostKept)]
	n.Uncompressed, n.Uncached = largest(n.Uncompressed, bySize, mostKept), largest(n.Uncached, bySize, mostKept)
	for _, d := range same {
		if d.Count > 1 {
			n.Duplicates = append(n.Duplicates, *d)
		}
	}
	slices.SortFunc(n.Duplicates, func(a, b Repeated) int {
		return cmp.Or(int(b.Size-a.Size), b.Count-a.Count, strings.Compare(a.URL, b.URL))
	})
	n.Duplicates = n.Duplicates[:min(len(n.Duplicates), mostKept)]
	for _, p := range parties {
		n.ThirdParties = append(n.ThirdParties, *p)
	}
	slices.SortFunc(n.ThirdParties, func(a, b Party) int {
		return cmp.Or(int(b.Size-a.Size), strings.Compare(a.Site, b.Site))
	})
	return n
}

// failed says why a request failed; empty means that it did not.
func (r *Request) failed() string {
	switch {
	case r.Status >= 400:
		return "HTTP " + strconv.Itoa(r.Status)
	case r.Failure != "":
		return r.Failure
	}
	return ""
}

// uncompressed reports whether a text came as it is, although that is large.
func (r *Request) uncompressed() bool {
	if r.Headers == nil || r.Status != 200 || r.Decoded < minCompressed || r.Headers["content-encoding"] != "" {
		return false
	}
	kind, _, _ := strings.Cut(strings.ToLower(r.MimeType), ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "javascript") ||
		strings.HasSuffix(kind, "xml") || kind == "application/wasm"
}

// uncached says why a browser may not keep something that hardly changes; empty means that it may.
func (r *Request) uncached() string {
	if r.Headers == nil || r.Status != 200 || max(r.Transferred, r.Decoded) < minCached ||
		!slices.Contains([]string{"script", "stylesheet", "image", "font"}, r.Type) {
		return ""
	}
	control := strings.ToLower(r.Headers["cache-control"])
	switch {
	case strings.Contains(control, "no-store"):
		return "no-store"
	case strings.Contains(control, "max-age=0"), strings.Contains(control, "no-cache"):
		return "asked for again each time"
	case control == "" && r.Headers["expires"] == "" && r.Headers["etag"] == "" && r.Headers["last-modified"] == "":
		return "no Cache-Control, ETag or Last-Modified"
	}
	return ""
}

// siteOf returns the registrable domain of an address, or its host where it has none.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Scheme, "http") && !strings.HasPrefix(u.Scheme, "ws") {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if net.ParseIP(host) != nil {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// Text tells the requests in a few lines.
func (n *Network) Text() string {
	var l lines
	l.add("%s in %.1f s, %s, %d failed", count(n.Requests, "request"), n.Span/1000, size(n.Transferred), n.FailedCount)
	for _, r := range n.Failed[:min(len(n.Failed), 4)] {
		l.add("failed: %s %s: %s", r.Method, tail(r.URL), clip(r.Why, 60))
	}
	for _, r := range n.Slowest[:min(len(n.Slowest), 3)] {
		waited := ""
		if r.Waited > r.Time/2 {
			waited = fmt.Sprintf(", %.0f ms until the first byte", r.Waited)
		}
		if r.Pending {
			waited = ", still pending"
		}
		l.add("slow: %.0f ms %s %s%s", r.Time, r.Type, tail(r.URL), waited)
	}
	for _, r := range n.Largest[:min(len(n.Largest), 3)] {
		l.add("large: %s %s %s", size(r.Size), r.Type, tail(r.URL))
	}
	for _, d := range n.Duplicates[:min(len(n.Duplicates), 2)] {
		l.add("duplicate: %d times %s, %s for nothing", d.Count, tail(d.URL), size(d.Size))
	}
	listed(&l, "uncompressed", n.Uncompressed)
	listed(&l, "not cached", n.Uncached)
	var parties []string
	for _, p := range n.ThirdParties[:min(len(n.ThirdParties), 5)] {
		parties = append(parties, fmt.Sprintf("%s (%s, %s)", p.Site, count(p.Requests, "request"), size(p.Size)))
	}
	if len(parties) > 0 {
		l.add("third parties: %s", strings.Join(parties, ", "))
	}
	return l.text()
}

// listed adds the first requests of a list, and how many more there are.
func listed(l *lines, what string, all []Requested) {
	const most = 2
	for _, r := range all[:min(len(all), most)] {
		why := ""
		if r.Why != "" {
			why = ": " + r.Why
		}
		l.add("%s: %s %s%s", what, size(r.Size), tail(r.URL), why)
	}
	if more := len(all) - most; more > 0 {
		l.add("%s: %d more", what, more)
	}
}
