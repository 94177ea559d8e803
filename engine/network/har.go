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
	ContentLoad float64 // milliseconds after Started; -1 means not seen
	Load        float64

	target, loader string
	start          float64
	entries        int // that are of this page
}

// HAR is the recording for a HAR file.
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

// HARRecorder records the exchanges of a log for a HAR file, from Start to End. The log's mutex guards it.
type HARRecorder struct {
	log *Log
	now *harRecording // nil means that none is under way
}

// HAR returns what records the log for a HAR file.
func (l *Log) HAR() *HARRecorder { return &l.har }

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

// Start begins a recording for a HAR file. If one is already running, it continues; recorded is the number of its
// exchanges.
func (r *HARRecorder) Start(content HARContent, limits ring.Limits) (started bool, recorded int) {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	if r.now != nil {
		return false, r.now.entries.Len()
	}
	r.now = &harRecording{began: time.Now(), content: content, entries: ring.New[*exchange](limits)}
	return true, 0
}

// End ends the recording and forgets it.
func (r *HARRecorder) End() {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	if r.now != nil {
		r.endLocked()
	}
}

func (r *HARRecorder) endLocked() {
	h := r.now
	r.now = nil
	h.done(len(h.queue))
	h.queue = nil
	r.release(h.entries.All())
}

// done counts bodies that are no longer waited for.
func (h *harRecording) done(n int) {
	h.open -= n
	if h.open == 0 && h.drained != nil {
		close(h.drained)
		h.drained = nil
	}
}

// Recorded returns what was recorded so far once the bodies that are on their way are there, or ctx ends. Nil means
// that no recording is under way.
func (r *HARRecorder) Recorded(ctx context.Context) *HAR {
	r.log.mu.Lock()
	if r.now == nil {
		r.log.mu.Unlock()
		return nil
	}
	drained := r.now.drained
	r.log.mu.Unlock()
	if drained != nil {
		select {
		case <-drained:
		case <-ctx.Done():
		}
	}
	r.log.changes.awaitExtra(ctx, func() bool {
		return r.now != nil && slices.ContainsFunc(r.now.entries.All(), (*exchange).lacksExtra)
	})
	titles := map[string]string{}
	for _, p := range r.log.ctxt.Pages() {
		titles[p.ID()] = p.Title()
	}
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	h := r.now
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

// attribute gives a new entry the page that it belongs to, which begins when it is the navigation of a tab.
func (r *HARRecorder) attribute(from source, e *loggedEvent, x *exchange) {
	h := r.now
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
		ID:          "page_" + strconv.Itoa(h.lastID),
		Started:     x.Started,
		ContentLoad: -1,
		Load:        -1,
		target:      from.page.ID(),
		URL:         x.URL,
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
func (r *HARRecorder) lifecycle(p *engine.Page, ev cdp.Event) {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	if r.now == nil {
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
	for _, page := range slices.Backward(r.now.pages) {
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

// takeBody has the body of a response taken that is complete now: the browser drops it before long. It runs on the
// connection's reader.
func (r *HARRecorder) takeBody(x *exchange) {
	h := x.har
	if h == nil || h != r.now || h.content == HARNone && !x.lacksPostData() {
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
		r.log.ctxt.Browser().Spawn(func(ctx context.Context) { r.takeBodies(ctx, h) })
	}
}

func (x *exchange) lacksPostData() bool { return x.HasPostData && x.PostData == "" }

// wantsBody reports whether the recording takes the body of an exchange.
func (h *harRecording) wantsBody(x *Exchange) bool {
	switch {
	case h.content == HARNone, x.Status == 204, x.Status == 304 && x.Source == "", x.Method == "HEAD",
		x.Method == "OPTIONS":
		return false
	}
	return h.content == HARAll || IsText(x.MimeType)
}

// takeBodies takes bodies until none is left to take.
func (r *HARRecorder) takeBodies(ctx context.Context, h *harRecording) {
	for {
		r.log.mu.Lock()
		if len(h.queue) == 0 || r.now != h {
			h.takers--
			r.log.mu.Unlock()
			return
		}
		x := h.queue[0]
		h.queue = slices.Delete(h.queue, 0, 1)
		shown, sess, lacks := x.Exchange, x.sess, x.lacksPostData()
		r.log.mu.Unlock()

		limited, cancel := context.WithTimeout(ctx, bodyLimit)
		var body *Body
		var err error
		var post string
		if h.wantsBody(&shown) {
			body, err = r.log.fetchBody(limited, sess, &shown)
		}
		if lacks {
			post, _ = r.log.PostData(limited, shown.ID)
		}
		cancel()

		r.log.mu.Lock()
		x.taking = false
		if r.now == h && x.har == h {
			if body != nil {
				x.body = body
				r.grow(x, int64(len(body.Content)))
			}
			if err != nil {
				x.bodyError = err.Error()
			}
			if post != "" {
				x.PostData = post
				r.log.grow(x, len(post))
			}
			h.done(1)
		} else if r.now == h {
			h.done(1) // it has been dropped meanwhile
		}
		r.log.mu.Unlock()
	}
}

// add puts a new entry into the recording, if one is under way.
func (r *HARRecorder) add(x *exchange) {
	if h := r.now; h != nil {
		x.holds, x.har = x.holds+1, h
		r.release(h.entries.Add(x, x.size))
	}
}

// grow counts bytes that an entry has got.
func (r *HARRecorder) grow(x *exchange, by int64) {
	if r.now != nil {
		r.release(r.now.entries.Grow(func(o *exchange) bool { return o == x }, by))
	}
}

// release lets entries go that the recording has no more room for.
func (r *HARRecorder) release(gone []*exchange) {
	for _, x := range gone {
		if x.page != nil {
			x.page.entries--
		}
		x.har, x.page, x.body = nil, nil, nil
	}
	r.log.release(gone)
}
