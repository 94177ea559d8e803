package engine

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// What pages asked for before the recording began is not told by the browser any more. Each document remembers it for its scripts, and the
// browser lists what a document consists of. The two together name address, type, status, sizes and timing; not the method and the headers.

// earlierLimit is how long a page may take to say what it remembers. One that is stuck is left out.
const earlierLimit = 5 * time.Second

// treeResource is Page.FrameResource.
type treeResource struct {
	URL      string  `json:"url"`
	Type     string  `json:"type"`
	MIME     string  `json:"mimeType"`
	Size     float64 `json:"contentSize"`
	Failed   bool    `json:"failed"`
	Canceled bool    `json:"canceled"`
}

type resourceTree struct {
	Frame struct {
		ID   string `json:"id"`
		URL  string `json:"url"`
		MIME string `json:"mimeType"`
	} `json:"frame"`
	Children  []resourceTree `json:"childFrames"`
	Resources []treeResource `json:"resources"`
}

// takeIn has the log follow pages that are there already, and puts what they remember in front of what it has, if that is nothing yet that
// was over before.
func (l *NetworkLog) takeIn(ctx context.Context, pages []*Page) {
	ctx, cancel := context.WithTimeout(ctx, earlierLimit)
	defer cancel()
	var mu sync.Mutex
	var found []*exchange
	var asked sync.WaitGroup
	for _, p := range pages {
		asked.Go(func() {
			p.keepBodies(ctx)
			of := p.remembered(ctx)
			mu.Lock()
			defer mu.Unlock()
			found = append(found, of...)
		})
	}
	asked.Wait()
	slices.SortStableFunc(found, func(a, b *exchange) int { return a.Started.Compare(b.Started) })
	l.mu.Lock()
	defer l.mu.Unlock()
	since := l.log.All()
	first := l.last == 0 && l.log.Dropped() == 0
	if first {
		l.log.Clear()
	}
	for _, x := range found {
		if slices.ContainsFunc(since, func(o *exchange) bool { return l.isSame(x, o) }) {
			continue
		}
		l.last++
		x.ID = "earlier-" + strconv.Itoa(l.last)
		x.chain = &chain{steps: []*exchange{x}}
		l.byID[x.ID] = x.chain
		x.size, x.holds = x.weight(), 1
		l.release(l.log.Add(x, x.size))
	}
	if first {
		for _, x := range since {
			l.release(l.log.Add(x, x.size))
		}
	}
}

// follow has the log follow a page that has just been attached to. One that another page opened may have begun to load before that.
func (l *NetworkLog) follow(ctx context.Context, p *Page, existing bool) {
	if existing {
		l.ctxt.browser.Spawn(func(ctx context.Context) { l.takeIn(ctx, []*Page{p}) })
		return
	}
	p.keepBodies(ctx)
}

// isSame reports whether what a page remembers is what the log has seen of the same page since it began.
func (l *NetworkLog) isSame(remembered, seen *exchange) bool {
	const clocks = time.Second // how far the page's clock and ours may be apart
	if remembered.PageID != seen.PageID || remembered.URL != seen.URL {
		return false
	}
	return remembered.Started.After(l.began.Add(-clocks)) || seen.Partial
}

// remembered asks the documents of a page.
func (p *Page) remembered(ctx context.Context) (all []*exchange) {
	ctx, stop := p.Watch(ctx, true)
	defer stop()
	history := p.sess.Start("Page.getNavigationHistory", nil)
	frames := p.Frames(ctx)
	trees := map[string]*resourceTree{}
	asked := map[*cdp.Session]bool{}
	for _, f := range frames {
		p.mu.Lock()
		sess := f.sess
		p.mu.Unlock()
		if asked[sess] {
			continue
		}
		asked[sess] = true
		var reply struct {
			Tree resourceTree `json:"frameTree"`
		}
		if err := sess.Call(ctx, "Page.getResourceTree", nil, &reply); err != nil {
			p.ctxt.browser.log.Debug("resources not listed", "err", err)
			continue
		}
		reply.Tree.collect(trees)
	}
	for _, f := range frames {
		all = append(all, f.remembered(ctx, trees[f.id])...)
	}
	if got := cameByGet(ctx, history); got && len(all) > 0 && all[0].Type == "Document" && all[0].FrameID == p.id && all[0].Method == "" {
		all[0].Method = "GET"
	}
	return all
}

// cameByGet reports whether a page's document was asked for by its address alone, as all are but those that a form was sent to. It reads the
// page's history.
func cameByGet(ctx context.Context, asked *cdp.Pending) bool {
	var history struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			Transition string `json:"transitionType"`
		} `json:"entries"`
	}
	if err := asked.Decode(ctx, &history); err != nil || history.Current < 0 || history.Current >= len(history.Entries) {
		return false
	}
	switch history.Entries[history.Current].Transition {
	case "typed", "address_bar", "link", "auto_bookmark", "auto_toplevel", "generated", "keyword":
		return true
	}
	return false
}

func (t *resourceTree) collect(into map[string]*resourceTree) {
	into[t.Frame.ID] = t
	for i := range t.Children {
		t.Children[i].collect(into)
	}
}

func (f *Frame) remembered(ctx context.Context, tree *resourceTree) []*exchange {
	raw, _, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		return evaluate(ctx, sess, w.params(earlierScript))
	})
	if err != nil {
		f.page.ctxt.browser.log.Debug("timings not read", "err", err)
		return nil
	}
	var said struct {
		Now     float64        `json:"now"`
		Entries []earlierEntry `json:"entries"`
	}
	if cdp.Unmarshal(raw, &said) != nil {
		return nil
	}
	origin := time.Now().Add(-time.Duration(said.Now * float64(time.Millisecond)))
	about := Exchange{PageID: f.page.id, FrameID: f.id, LoaderID: f.Loader(), DocumentURL: f.URL(), Earlier: true, Ended: true}
	var all []*exchange
	listed := map[string]treeResource{}
	if tree != nil {
		for _, r := range tree.Resources {
			listed[r.URL] = r
		}
		listed[tree.Frame.URL] = treeResource{URL: tree.Frame.URL, Type: "Document", MIME: tree.Frame.MIME}
	}
	for _, e := range said.Entries {
		url, fragment, _ := strings.Cut(e.URL, "#")
		if isEmptyAddress(url) || strings.HasPrefix(url, "about:") {
			continue
		}
		x := about
		x.Fragment = fragment
		e.into(&x, origin)
		if r, ok := listed[url]; ok {
			delete(listed, url)
			r.into(&x)
		}
		f.page.methodOf(&x, url)
		x.URL, x.URLLength = shortURL(url)
		all = append(all, &exchange{Exchange: x})
	}
	for _, url := range slices.Sorted(maps.Keys(listed)) { // what has no timing, such as data
		r := listed[url]
		if isEmptyAddress(r.URL) || strings.HasPrefix(r.URL, "about:") {
			continue
		}
		x := about
		x.Started, x.Phases = origin, Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1}
		r.into(&x)
		x.Decoded = int64(r.Size)
		x.URL, x.URLLength = shortURL(r.URL)
		all = append(all, &exchange{Exchange: x})
	}
	return all
}

func (r *treeResource) into(x *Exchange) {
	x.Type, x.MimeType = r.Type, r.MIME
	if x.Decoded == 0 {
		x.Decoded = int64(r.Size)
	}
	x.Canceled = r.Canceled
	if r.Failed {
		x.Failure = "it could not be loaded; why is not known any more"
	}
}

// methodOf finds out how something was asked for: as an action's effect was seen to, or as only one method can be meant.
func (p *Page) methodOf(x *Exchange, url string) {
	switch x.Type {
	case "Image", "Script", "Stylesheet", "Font", "Media", "TextTrack", "Manifest":
		x.Method = "GET" // elements ask in no other way
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.traffic {
		for _, r := range t.requests {
			if r.Begun && r.Method != "" && strings.TrimSuffix(r.URL, "#"+x.Fragment) == url {
				x.Method = r.Method
			}
		}
	}
}

// earlierBody asks for what a document consists of, which the browser has while it shows it.
func (l *NetworkLog) earlierBody(ctx context.Context, x *Exchange) (*Body, error) {
	const gone = "it was loaded before the recording began, and the page does not keep it"
	if x.URLLength > 0 {
		return nil, noBody("it is in the address, which is not kept whole")
	}
	for _, p := range l.ctxt.Pages() {
		if p.id != x.PageID {
			continue
		}
		p.mu.Lock()
		f := p.frames[x.FrameID]
		if f == nil || f.loader != "" && x.LoaderID != "" && f.loader != x.LoaderID {
			p.mu.Unlock()
			return nil, noBody(gone)
		}
		sess := f.sess
		p.mu.Unlock()
		for _, url := range []string{x.URL, x.URL + "#" + x.Fragment} {
			var reply bodyReply
			err := sess.Call(ctx, "Page.getResourceContent", map[string]string{"frameId": x.FrameID, "url": url}, &reply)
			if err == nil {
				return decodeBody(reply.Content, reply.Base64, x.MimeType)
			}
			if ctx.Err() != nil {
				return nil, err
			}
		}
		return nil, noBody(gone)
	}
	return nil, noBody(gone)
}
