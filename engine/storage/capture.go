package storage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// CaptureOptions say what of a context's storage is wanted.
type CaptureOptions struct {
	Kinds   Kinds
	Origins []string     // only these; nil means all that are known
	Active  *engine.Page // the tab whose sessionStorage counts when several show an origin; may be nil
	Bytes   int          // of an origin, in characters of the file; 0 means 32 MiB
	Visits  int          // of origins that no tab shows; 0 means 50
}

const (
	mostVisits   = 50
	frameLimit   = 5 * time.Second // for a document that is open: one that is stuck is passed by, and its origin visited
	visitLimit   = 10 * time.Second
	settleLimit  = 10 * time.Second // for a tab that shows about:blank again
	visitorsMost = 3
)

// captured is what the script found in a document.
type captured struct {
	Origin    string          `json:"origin"`
	Local     []Item          `json:"localStorage"`
	Session   []Item          `json:"sessionStorage"`
	Databases []Database      `json:"databases"`
	Workers   []ServiceWorker `json:"workers"`
	Caches    []WorkerCache   `json:"caches"`
	Skipped   []Skipped       `json:"skipped"` // without the origin
}

func (c *captured) skipped() []Skipped {
	all := make([]Skipped, len(c.Skipped))
	for i, s := range c.Skipped {
		s.Origin = c.Origin
		all[i] = s
	}
	return all
}

// Capture reads the context's cookies and storage. Origins that tabs show are read in their documents, concurrently;
// other known origins are loaded in a hidden page, without a request to their servers. The state lists what could not
// be read.
func Capture(ctx context.Context, c *engine.Context, o CaptureOptions) (*State, error) {
	o.Bytes, o.Visits = cmp.Or(o.Bytes, storageBytes), cmp.Or(o.Visits, mostVisits)
	s := &State{}
	var cookies *cdp.Pending
	if o.Kinds.Cookies || c.ID() == "" {
		j := jarOf(ctx, c)
		cookies = j.session.Start(j.get, j.params)
	}
	found, done := captureOpen(ctx, c, o, s)
	var others []string
	if cookies != nil {
		raw, err := cookies.Wait(ctx)
		if err != nil {
			return nil, err
		}
		all, err := readCookies(raw)
		if err != nil {
			return nil, err
		}
		if c.ID() == "" { // pages of earlier times may have stored something
			for i := range all {
				others = append(others, cookieOrigin(&all[i]))
			}
		}
		if o.Kinds.Cookies {
			s.Cookies = CookiesOf(all, o.Origins)
		}
	}
	if o.wantsOrigins() {
		others = slices.Concat(c.Origins().List(), o.Origins, others)
		if err := captureOthers(ctx, c, o, s, found, done, others); err != nil {
			return nil, err
		}
	}
	for _, origin := range found {
		if !origin.Empty() {
			s.Origins = append(s.Origins, *origin)
		}
	}
	slices.SortFunc(s.Origins, func(a, b Origin) int { return strings.Compare(a.Origin, b.Origin) })
	return s, ctx.Err()
}

func (o *CaptureOptions) wantsOrigins() bool {
	k := o.Kinds
	return k.Local || k.Session || k.Databases || k.Workers || k.Caches
}

func (o *CaptureOptions) wants(origin string) bool {
	return ownOrigin(origin) && (o.Origins == nil || slices.Contains(o.Origins, origin))
}

// CookiesOf are the cookies that requests to the origins would carry; nil means all.
func CookiesOf(all []Cookie, origins []string) []Cookie {
	if origins == nil {
		return all
	}
	return slices.DeleteFunc(all, func(c Cookie) bool {
		return !slices.ContainsFunc(origins, func(origin string) bool { return c.reaches(origin) })
	})
}

// reaches reports whether requests to an origin carry the cookie, whatever their path.
func (c *Cookie) reaches(origin string) bool {
	scheme, host, _ := strings.Cut(origin, "://")
	if i := strings.LastIndexByte(host, ':'); i > strings.IndexByte(host, ']') {
		host = host[:i]
	}
	domain := strings.TrimPrefix(c.Domain, ".")
	if c.Secure && scheme != "https" && host != "localhost" && host != "127.0.0.1" &&
		!strings.HasSuffix(host, ".localhost") {
		return false
	}
	return host == domain || domain != c.Domain && strings.HasSuffix(host, "."+domain)
}

// captureArg is what the script that reads an origin gets.
type captureArg struct {
	Local     bool `json:"local"`
	Session   bool `json:"session"`
	Databases bool `json:"databases"`
	Caches    bool `json:"caches"`
	Workers   bool `json:"workers"`
	Bytes     int  `json:"bytes"`
}

func (o *CaptureOptions) arg(session bool) []byte {
	k := o.Kinds
	// booleans and a number
	raw, _ := jsonv2.Marshal(captureArg{k.Local, k.Session && session, k.Databases, k.Caches, k.Workers, o.Bytes})
	return raw
}

// captureOpen asks the documents that are open. It returns what they keep and which origins are done with.
func captureOpen(
	ctx context.Context, c *engine.Context, o CaptureOptions, s *State,
) (found map[string]*Origin, done map[string]bool) {
	found, done = map[string]*Origin{}, map[string]bool{}
	if !o.wantsOrigins() {
		return found, done
	}
	ctx, cancel := context.WithTimeout(ctx, frameLimit)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	asked := map[string]bool{} // by origin, and by page and origin for sessionStorage
	pages := slices.DeleteFunc(c.Pages(), func(p *engine.Page) bool { return !p.Attached() })
	slices.SortStableFunc(pages, func(a, b *engine.Page) int { return cmp.Compare(rank(a, o.Active), rank(b, o.Active)) })
	for _, p := range pages {
		if p.Err() != nil {
			continue
		}
		for _, f := range p.Frames().All(ctx) {
			origin := urls.Origin(f.URL())
			if !o.wants(origin) || asked[origin] {
				continue
			}
			partitioned := f != p.Main() && origin != urls.Origin(p.Main().URL())
			if !partitioned {
				asked[origin] = true
			}
			all.Go(func() {
				got, err := captureFrame(ctx, c, f, &o, partitioned)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil || got == nil || got.Origin != origin:
					c.Browser().Log().Debug("a document's storage is not read", "origin", origin, "err", err)
				case partitioned:
					s.Skipped = append(s.Skipped, got.skipped()...)
				default:
					found[origin], done[origin] = got.storage(), true
					s.Skipped = append(s.Skipped, got.skipped()...)
				}
			})
		}
	}
	all.Wait()
	return found, done
}

// rank puts the active tab first.
func rank(p, active *engine.Page) int {
	if p == active {
		return 0
	}
	return 1
}

func (c *captured) storage() *Origin {
	return &Origin{
		Origin:    c.Origin,
		Local:     c.Local,
		Session:   c.Session,
		Databases: c.Databases,
		Workers:   c.Workers,
		Caches:    c.Caches,
	}
}

// captureFrame asks one document. What a frame of a third party keeps belongs to the page around it: it cannot be put
// back from elsewhere, and is only named when there is any.
func captureFrame(
	ctx context.Context, c *engine.Context, f *engine.Frame, o *CaptureOptions, partitioned bool,
) (*captured, error) {
	watched, stop := f.Page().Watch(ctx, true)
	defer stop()
	if partitioned {
		key, err := storageKey(watched, f)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(key, "^") {
			return nil, nil // of the same site: it shares what the origin keeps, and is visited
		}
	}
	var got captured
	if err := f.RunScript(watched, captureFunction, o.arg(true), &got); err != nil {
		return nil, err
	}
	if partitioned {
		kept := got.storage()
		got.Skipped = nil
		if !kept.Empty() {
			got.Skipped = append(got.Skipped, Skipped{
				What: "what it keeps as a frame of " + urls.Origin(f.Page().Main().URL()), ThirdParty: true,
				Why: "storage of a third party belongs to the page around it, and cannot be put back alone",
			})
		}
	}
	return &got, nil
}

// storageKey is the browser's name for the storage that the frame has. One of a third party has a "^".
func storageKey(ctx context.Context, f *engine.Frame) (string, error) {
	sess := f.Session()
	var res struct {
		StorageKey string `json:"storageKey"`
	}
	err := sess.Call(ctx, "Storage.getStorageKey", map[string]string{"frameId": f.ID()}, &res)
	if fault.Is(err, fault.Protocol) { // an older browser's name for it
		err = sess.Call(ctx, "Storage.getStorageKeyForFrame", map[string]string{"frameId": f.ID()}, &res)
	}
	return res.StorageKey, err
}

// captureOthers captures the origins that no open document belongs to.
func captureOthers(
	ctx context.Context, c *engine.Context, o CaptureOptions, s *State, found map[string]*Origin, done map[string]bool,
	origins []string,
) error {
	kinds := o.Kinds
	kinds.Session = false // no tab shows them
	var left []string
	for _, origin := range origins {
		if done[origin] || !o.wants(origin) {
			continue
		}
		done[origin] = true
		if kept, skipped, ok := visited.Of(c).unchanged(origin, kinds); ok {
			found[origin] = kept
			s.Skipped = append(s.Skipped, skipped...)
			continue
		}
		if len(left) == o.Visits {
			s.Skipped = append(s.Skipped, Skipped{
				Origin: origin,
				What:   "what it keeps",
				Why:    "too many origins are known; name it to have it",
			})
			continue
		}
		left = append(left, origin)
	}
	if len(left) == 0 {
		return nil
	}
	if embedder.StandIn(ctx, c) != nil {
		shown := slices.Concat(c.Origins().List(), o.Origins)
		for _, origin := range left {
			if slices.Contains(shown, origin) { // the others are guesses from cookies
				s.Skipped = append(s.Skipped, Skipped{Origin: origin, What: "what it keeps", Why: opensNoPage})
			}
		}
		return nil
	}
	var mu sync.Mutex
	return eachVisited(ctx, c, left, func(ctx context.Context, v *engine.OriginLoader, origin string) {
		at := c.Origins().Last(origin)
		var got captured
		err := v.Load(ctx, origin)
		if err == nil {
			err = v.Run(ctx, captureFunction, o.arg(false), &got)
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			s.Skipped = append(s.Skipped, Skipped{Origin: origin, What: "what it keeps", Why: plainText(err)})
		case got.Origin != origin:
			s.Skipped = append(s.Skipped, Skipped{
				Origin: origin,
				What:   "what it keeps",
				Why:    "the browser shows " + got.Origin + " in its place",
			})
		default:
			found[origin] = got.storage()
			s.Skipped = append(s.Skipped, got.skipped()...)
			visited.Of(c).keep(origin, at, kinds, found[origin], got.skipped())
		}
	})
}

// opensNoPage is why an origin that no tab shows is left out in a browser that opens no page for us.
const opensNoPage = "this browser opens no page for it"

// plainText is an error without the way to it.
func plainText(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	return err.Error()
}

// eachVisited calls do for each origin, with a visitor that it may use alone.
func eachVisited(
	ctx context.Context, c *engine.Context, origins []string, do func(context.Context, *engine.OriginLoader, string),
) error {
	queue := make(chan string, len(origins))
	for _, origin := range origins {
		queue <- origin
	}
	close(queue)
	errs := make([]error, min(visitorsMost, len(origins)))
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			v, err := engine.NewOriginLoader(ctx, c)
			if err != nil {
				errs[i] = err
				return
			}
			defer v.Close(ctx)
			for origin := range queue {
				if ctx.Err() != nil {
					return
				}
				limited, cancel := context.WithTimeout(ctx, visitLimit)
				do(limited, v, origin)
				cancel()
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ownOrigin reports whether an address is one that an origin can be visited at.
func ownOrigin(origin string) bool {
	return strings.HasPrefix(origin, "http://") || strings.HasPrefix(origin, "https://")
}
