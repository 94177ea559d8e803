package network

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/ring"
)

// HARContent says which bodies a recording for a HAR file takes.
type HARContent string

// The choices.
const (
	HARText HARContent = "text" // those of texts
	HARAll  HARContent = "all"
	HARNone HARContent = "none"
)

// HARPage is a document that a tab of the recording showed.
type HARPage struct {
	ID          string
	Title       string
	URL         string
	Started     time.Time
	ContentLoad float64 // milliseconds after Started; -1: not seen
	Load        float64

	target, loader string
	start          float64
	entries        int // that are of this page
}

// HAR is what was recorded for a HAR file.
type HAR struct {
	Began   time.Time
	Content HARContent
	Pages   []HARPage
	Entries []HAREntry
	Dropped int // entries that had to go for others
	Missing int // bodies that were not available
}

// HAREntry is an exchange of a recording.
type HAREntry struct {
	Exchange
	PageRef   string
	Body      *Body
	BodyError string // why there is none
}

// harRecording is a recording that is under way.
type harRecording struct {
	began   time.Time
	content HARContent
	entries *ring.Buffer[*exchange]
	pages   []*HARPage
	lastID  int

	queue   []*exchange // whose bodies are to be taken
	takers  int
	open    int           // bodies that are waited for
	drained chan struct{} // closed when open falls to 0
}

// Bounds of what a recording does at a time.
const (
	harTakers = 4
	harQueue  = 2000
	harPages  = 2000
)

// StartHAR begins a recording for a HAR file. One that is under way goes on instead; recorded is the number of its exchanges.
func (l *Log) StartHAR(content HARContent, limits ring.Limits) (started bool, recorded int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.har != nil {
		return false, l.har.entries.Len()
	}
	l.har = &harRecording{began: time.Now(), content: content, entries: ring.New[*exchange](limits)}
	return true, 0
}

// EndHAR ends the recording and forgets it.
func (l *Log) EndHAR() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.har != nil {
		l.endHAR()
	}
}

func (l *Log) endHAR() {
	h := l.har
	l.har = nil
	h.done(len(h.queue))
	h.queue = nil
	l.leaveHAR(h.entries.All())
}

// done counts bodies that are no longer waited for.
func (h *harRecording) done(n int) {
	h.open -= n
	if h.open == 0 && h.drained != nil {
		close(h.drained)
		h.drained = nil
	}
}

// HAR returns what was recorded so far once the bodies that are on their way are there, or ctx ends. Nil: no recording is under way.
func (l *Log) HAR(ctx context.Context) *HAR {
	l.mu.Lock()
	if l.har == nil {
		l.mu.Unlock()
		return nil
	}
	drained := l.har.drained
	l.mu.Unlock()
	if drained != nil {
		select {
		case <-drained:
		case <-ctx.Done():
		}
	}
	l.awaitExtra(ctx, func() bool { return l.har != nil && slices.ContainsFunc(l.har.entries.All(), (*exchange).lacksExtra) })
	titles := map[string]string{}
	for _, p := range l.ctxt.Pages() {
		titles[p.ID()] = p.Title()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.har
	if h == nil {
		return nil
	}
	out := &HAR{Began: h.began, Content: h.content, Dropped: h.entries.Dropped()}
	used := map[*HARPage]bool{}
	for _, x := range h.entries.All() {
		entry := HAREntry{Exchange: x.shown(), Body: x.body, BodyError: x.bodyError}
		if x.page != nil {
			entry.PageRef = x.page.ID
			used[x.page] = true
		}
		if x.taking && h.content != HARNone {
			entry.BodyError = "the browser had not handed it over when the recording ended"
		}
		if entry.BodyError != "" {
			out.Missing++
		}
		out.Entries = append(out.Entries, entry)
	}
	for i, p := range h.pages {
		if !used[p] {
			continue
		}
		page := *p
		newest := !slices.ContainsFunc(h.pages[i+1:], func(o *HARPage) bool { return o.target == p.target })
		if title := titles[p.target]; newest && title != "" {
			page.Title = title
		}
		if page.Title == "" {
			page.Title = page.URL
		}
		out.Pages = append(out.Pages, page)
	}
	return out
}

// harPage gives a new entry the page that it belongs to, which begins when it is the navigation of a tab.
func (l *Log) harPage(from source, e *loggedEvent, x *exchange) {
	h := l.har
	if h == nil {
		return
	}
	defer func() { x.page.entries++ }()
	var last *HARPage
	for _, p := range slices.Backward(h.pages) {
		if p.target != from.page.ID() {
			continue
		}
		if last == nil {
			last = p
		}
		if e.LoaderID != "" && p.loader == e.LoaderID {
			x.page = p
			return
		}
	}
	navigates := from.worker == "" && x.Type == "Document" && e.FrameID == from.page.ID() && e.LoaderID == e.RequestID
	if last != nil && !navigates {
		x.page = last
		return
	}
	if last != nil && last.Title == "" {
		last.Title = from.title
	}
	h.lastID++
	p := &HARPage{
		ID: "page_" + strconv.Itoa(h.lastID), Started: x.Started, ContentLoad: -1, Load: -1, target: from.page.ID(), URL: x.URL,
	}
	switch {
	case navigates:
		p.loader, p.start = e.LoaderID, x.start
	case x.DocumentURL != "":
		p.URL = x.DocumentURL // the document was there before the recording
	}
	x.page = p
	h.pages = slices.DeleteFunc(h.pages, func(o *HARPage) bool { return o.target == p.target && o.entries == 0 })
	h.pages = append(h.pages, p)
	if len(h.pages) > harPages {
		h.pages = slices.Delete(h.pages, 0, 1)
	}
}

// lifecycle notes when a document of the recording was loaded.
func (l *Log) lifecycle(p *engine.Page, ev cdp.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.har == nil {
		return
	}
	var e struct {
		FrameID   string  `json:"frameId"`
		LoaderID  string  `json:"loaderId"`
		Name      string  `json:"name"`
		Timestamp float64 `json:"timestamp"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.FrameID != p.ID() || e.Name != "DOMContentLoaded" && e.Name != "load" {
		return
	}
	for _, page := range slices.Backward(l.har.pages) {
		if page.target != p.ID() || page.loader != e.LoaderID || page.start == 0 {
			continue
		}
		after := max(0, 1000*(e.Timestamp-page.start))
		if e.Name == "load" {
			page.Load = after
		} else {
			page.ContentLoad = after
		}
		return
	}
}

// harBody has the body of a response taken that is complete now: the browser drops it before long. It runs on the connection's reader.
func (l *Log) harBody(x *exchange) {
	h := x.har
	if h == nil || h != l.har || h.content == HARNone && !x.lacksPostData() {
		return
	}
	if x.Decoded > bodyKept {
		x.bodyError = "the body is larger than what the browser keeps"
		return
	}
	if len(h.queue) >= harQueue {
		x.bodyError = "too many bodies came at a time"
		return
	}
	h.queue, x.taking = append(h.queue, x), true
	h.open++
	if h.drained == nil {
		h.drained = make(chan struct{})
	}
	if h.takers < harTakers {
		h.takers++
		l.ctxt.Browser().Spawn(func(ctx context.Context) { l.takeBodies(ctx, h) })
	}
}

func (x *exchange) lacksPostData() bool { return x.HasPostData && x.PostData == "" }

// wantsBody reports whether the recording takes the body of an exchange.
func (h *harRecording) wantsBody(x *Exchange) bool {
	switch {
	case h.content == HARNone, x.Status == 204, x.Status == 304 && x.Source == "", x.Method == "HEAD", x.Method == "OPTIONS":
		return false
	}
	return h.content == HARAll || IsText(x.MimeType)
}

// takeBodies takes bodies until none is left to take.
func (l *Log) takeBodies(ctx context.Context, h *harRecording) {
	for {
		l.mu.Lock()
		if len(h.queue) == 0 || l.har != h {
			h.takers--
			l.mu.Unlock()
			return
		}
		x := h.queue[0]
		h.queue = slices.Delete(h.queue, 0, 1)
		shown, sess, lacks := x.Exchange, x.sess, x.lacksPostData()
		l.mu.Unlock()

		limited, cancel := context.WithTimeout(ctx, bodyLimit)
		var body *Body
		var err error
		var post string
		if h.wantsBody(&shown) {
			body, err = l.fetchBody(limited, sess, &shown)
		}
		if lacks {
			post, _ = l.PostData(limited, shown.ID)
		}
		cancel()

		l.mu.Lock()
		x.taking = false
		if l.har == h && x.har == h {
			if body != nil {
				x.body = body
				l.growHAR(x, int64(len(body.Content)))
			}
			if err != nil {
				x.bodyError = err.Error()
			}
			if post != "" {
				x.PostData = post
				l.grow(x, len(post))
			}
			h.done(1)
		} else if l.har == h {
			h.done(1) // it has been dropped meanwhile
		}
		l.mu.Unlock()
	}
}

// growHAR counts the bytes of a body, which only the recording holds.
func (l *Log) growHAR(x *exchange, by int64) {
	l.leaveHAR(l.har.entries.Grow(func(o *exchange) bool { return o == x }, by))
}

// leaveHAR lets entries go that the recording has no more room for.
func (l *Log) leaveHAR(gone []*exchange) {
	for _, x := range gone {
		if x.page != nil {
			x.page.entries--
		}
		x.har, x.page, x.body = nil, nil, nil
	}
	l.release(gone)
}
