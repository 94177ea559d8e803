package network

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// The browser no longer tells what pages asked for before the recording began. Each document remembers it for its
// scripts, and the browser lists the resources of a document. Both together name address, type, status, sizes and
// timing; not the method and the headers.

// earlierLimit is how long a page may take to say what it remembers. One that hangs is left out.
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

// takeIn adds what existing pages remember: before the entries of the log, if these are the first pages it takes in.
func (l *Log) takeIn(ctx context.Context, pages []*engine.Page) {
	ctx, cancel := context.WithTimeout(ctx, earlierLimit)
	defer cancel()
	var mu sync.Mutex
	var found []*exchange
	var asked sync.WaitGroup
	for _, p := range pages {
		asked.Go(func() {
			keepBodies(ctx, p)
			of := remembered(ctx, p)
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
		if slices.ContainsFunc(since, func(o *exchange) bool { return x.repeats(o, l.began) }) {
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

// attached follows a page that has just been attached to. One that existed before may have loaded something already.
func (r *recorder) attached(ctx context.Context, p *engine.Page, known bool) {
	l := r.log.Load()
	switch {
	case l == nil:
	case known:
		l.ctxt.Browser().Spawn(func(ctx context.Context) { l.takeIn(ctx, []*engine.Page{p}) })
	default:
		keepBodies(ctx, p)
	}
}

// repeats reports whether what a page remembers is what a log has seen of the same page since it began.
func (e *exchange) repeats(seen *exchange, began time.Time) bool {
	const clocks = time.Second // how far the page's clock and ours may be apart
	if e.PageID != seen.PageID || e.URL != seen.URL {
		return false
	}
	return e.Started.After(began.Add(-clocks)) || seen.Partial
}

// remembered asks the documents of a page.
func remembered(ctx context.Context, p *engine.Page) (all []*exchange) {
	ctx, stop := p.Watch(ctx, true)
	defer stop()
	history := p.Session().Start("Page.getNavigationHistory", nil)
	frames := p.Frames().All(ctx)
	trees := map[string]*resourceTree{}
	asked := map[*cdp.Session]bool{}
	for _, f := range frames {
		sess := f.Session()
		if asked[sess] {
			continue
		}
		asked[sess] = true
		var reply struct {
			Tree resourceTree `json:"frameTree"`
		}
		if err := sess.Call(ctx, "Page.getResourceTree", nil, &reply); err != nil {
			p.Context().Browser().Log().Debug("resources not listed", "err", err)
			continue
		}
		reply.Tree.collect(trees)
	}
	for _, f := range frames {
		all = append(all, rememberedBy(ctx, f, trees[f.ID()])...)
	}
	if got := cameByGet(ctx, history); got && len(all) > 0 && all[0].Type == "Document" && all[0].FrameID == p.ID() &&
		all[0].Method == "" {
		all[0].Method = "GET"
	}
	return all
}

// cameByGet reports whether a page's document was asked for by its address alone, as all are except the result of a
// submitted form. It reads the page's history.
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

// rememberedBy asks the document of a frame.
func rememberedBy(ctx context.Context, f *engine.Frame, tree *resourceTree) []*exchange {
	var reply struct {
		Now     float64        `json:"now"`
		Entries []earlierEntry `json:"entries"`
	}
	if err := f.RunScript(ctx, earlierScript, nil, &reply); err != nil {
		f.Page().Context().Browser().Log().Debug("timings not read", "err", err)
		return nil
	}
	origin := time.Now().Add(-time.Duration(reply.Now * float64(time.Millisecond)))
	about := Exchange{
		PageID:      f.Page().ID(),
		FrameID:     f.ID(),
		LoaderID:    f.Loader(),
		DocumentURL: f.URL(),
		Earlier:     true,
		Ended:       true,
	}
	var all []*exchange
	listed := map[string]treeResource{}
	if tree != nil {
		for _, r := range tree.Resources {
			listed[r.URL] = r
		}
		listed[tree.Frame.URL] = treeResource{URL: tree.Frame.URL, Type: "Document", MIME: tree.Frame.MIME}
	}
	for _, e := range reply.Entries {
		url, fragment, _ := strings.Cut(e.URL, "#")
		if url == "" || url == ":" || strings.HasPrefix(url, "about:") {
			continue
		}
		x := about
		x.Fragment = fragment
		e.into(&x, origin)
		if r, ok := listed[url]; ok {
			delete(listed, url)
			r.into(&x)
		}
		findMethod(f.Page(), &x, url)
		x.URL, x.URLLength = shortURL(url)
		all = append(all, &exchange{Exchange: x})
	}
	for _, url := range slices.Sorted(maps.Keys(listed)) { // without timing, such as data
		r := listed[url]
		if r.URL == "" || r.URL == ":" || strings.HasPrefix(r.URL, "about:") {
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

// findMethod sets the method of a request: one seen while an action's effect was watched, or the only one possible.
func findMethod(p *engine.Page, x *Exchange, url string) {
	switch x.Type {
	case "Image", "Script", "Stylesheet", "Font", "Media", "TextTrack", "Manifest":
		x.Method = "GET" // elements ask in no other way
		return
	}
	for _, r := range p.Traffic().Recorded() {
		if r.Begun && r.Method != "" && strings.TrimSuffix(r.URL, "#"+x.Fragment) == url {
			x.Method = r.Method
		}
	}
}

// earlierBody asks for a resource of a document, which the browser has while it shows the document.
func (l *Log) earlierBody(ctx context.Context, x *Exchange) (*Body, error) {
	const gone = "it was loaded before the recording began, and the page does not keep it"
	if x.URLLength > 0 {
		return nil, errNoBody("it is in the address, which is not kept whole")
	}
	for _, p := range l.ctxt.Pages() {
		if p.ID() != x.PageID {
			continue
		}
		f := p.Frames().ByID(x.FrameID)
		if f == nil {
			return nil, errNoBody(gone)
		}
		if loader := f.Loader(); loader != "" && x.LoaderID != "" && loader != x.LoaderID {
			return nil, errNoBody(gone)
		}
		sess := f.Session()
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
		return nil, errNoBody(gone)
	}
	return nil, errNoBody(gone)
}
