package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// CaptureOptions say what of a context's storage is wanted.
type CaptureOptions struct {
	Kinds   StorageKinds
	Origins []string // only these; nil: all that are known
	Active  *Page    // the tab whose sessionStorage counts when several show an origin; may be nil
	Bytes   int      // of an origin, in characters of the file; 0: 32 MiB
	Visits  int      // of origins that no tab shows; 0: 50
}

const (
	mostVisits   = 50
	frameLimit   = 5 * time.Second // for a document that is open: one that is stuck is passed by, and its origin visited
	visitLimit   = 10 * time.Second
	visitorsMost = 3
)

// captured is what the script found in a document.
type captured struct {
	Origin    string          `json:"origin"`
	Local     []StorageItem   `json:"localStorage"`
	Session   []StorageItem   `json:"sessionStorage"`
	Databases []Database      `json:"databases"`
	Workers   []ServiceWorker `json:"workers"`
	Caches    []WorkerCache   `json:"caches"`
	Skipped   []struct {
		What string `json:"what"`
		Why  string `json:"why"`
	} `json:"skipped"`
}

func (c *captured) skipped() []SkippedStorage {
	all := make([]SkippedStorage, len(c.Skipped))
	for i, s := range c.Skipped {
		all[i] = SkippedStorage{Origin: c.Origin, What: s.What, Why: s.Why}
	}
	return all
}

// CaptureStorage reads what the context keeps. Documents that tabs show are asked themselves, each once and all at the same time; other origins
// that are known are shown in a page that nobody sees, without a request to their servers. What cannot be read is named in the state.
func (c *Context) CaptureStorage(ctx context.Context, o CaptureOptions) (*StorageState, error) {
	o.Bytes, o.Visits = cmp.Or(o.Bytes, storageBytes), cmp.Or(o.Visits, mostVisits)
	s := &StorageState{}
	var cookies *cdp.Pending
	if o.Kinds.Cookies || c.id == "" {
		cookies = c.browser.root.Start("Storage.getCookies", c.CallParams())
	}
	found, done := c.captureOpen(ctx, o, s)
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
		if c.id == "" { // pages of earlier times may have stored something
			for i := range all {
				others = append(others, cookieOrigin(&all[i]))
			}
		}
		if o.Kinds.Cookies {
			s.Cookies = CookiesOf(all, o.Origins)
		}
	}
	if o.wantsOrigins() {
		others = slices.Concat(c.origins.list(), o.Origins, others)
		if err := c.captureOthers(ctx, o, s, found, done, others); err != nil {
			return nil, err
		}
	}
	for _, origin := range found {
		if !origin.Empty() {
			s.Origins = append(s.Origins, *origin)
		}
	}
	slices.SortFunc(s.Origins, func(a, b OriginStorage) int { return strings.Compare(a.Origin, b.Origin) })
	return s, ctx.Err()
}

func (o *CaptureOptions) wantsOrigins() bool {
	k := o.Kinds
	return k.Local || k.Session || k.Databases || k.Workers || k.Caches
}

func (o *CaptureOptions) wants(origin string) bool {
	return ownOrigin(origin) && (o.Origins == nil || slices.Contains(o.Origins, origin))
}

// CookiesOf are the cookies that requests to the origins would carry; nil: all.
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
	if c.Secure && scheme != "https" && host != "localhost" && host != "127.0.0.1" && !strings.HasSuffix(host, ".localhost") {
		return false
	}
	return host == domain || domain != c.Domain && strings.HasSuffix(host, "."+domain)
}

func (o *CaptureOptions) arg(session bool) []byte {
	k := o.Kinds
	raw, _ := jsonv2.Marshal(map[string]any{ // booleans and a number
		"local": k.Local, "session": k.Session && session, "databases": k.Databases, "caches": k.Caches, "workers": k.Workers, "bytes": o.Bytes,
	})
	return raw
}

// captureOpen asks the documents that are open. It returns what they keep and which origins are done with.
func (c *Context) captureOpen(ctx context.Context, o CaptureOptions, s *StorageState) (found map[string]*OriginStorage, done map[string]bool) {
	found, done = map[string]*OriginStorage{}, map[string]bool{}
	if !o.wantsOrigins() {
		return found, done
	}
	ctx, cancel := context.WithTimeout(ctx, frameLimit)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	asked := map[string]bool{} // by origin, and by page and origin for sessionStorage
	pages := c.attachedPages()
	slices.SortStableFunc(pages, func(a, b *Page) int { return cmp.Compare(rank(a, o.Active), rank(b, o.Active)) })
	for _, p := range pages {
		if p.Err() != nil {
			continue
		}
		for _, f := range p.Frames(ctx) {
			origin := Origin(f.URL())
			if !o.wants(origin) || asked[origin] {
				continue
			}
			partitioned := f != p.main && origin != Origin(p.main.URL())
			if !partitioned {
				asked[origin] = true
			}
			all.Go(func() {
				got, err := c.captureFrame(ctx, f, &o, partitioned)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil || got == nil || got.Origin != origin:
					c.browser.log.Debug("a document's storage is not read", "origin", origin, "err", err)
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
func rank(p, active *Page) int {
	if p == active {
		return 0
	}
	return 1
}

func (c *captured) storage() *OriginStorage {
	return &OriginStorage{Origin: c.Origin, Local: c.Local, Session: c.Session, Databases: c.Databases, Workers: c.Workers, Caches: c.Caches}
}

// captureFrame asks one document. What a frame of a third party keeps belongs to the page around it: it cannot be put back from elsewhere, and is
// only named when there is any.
func (c *Context) captureFrame(ctx context.Context, f *Frame, o *CaptureOptions, partitioned bool) (*captured, error) {
	watched, stop := f.page.Watch(ctx, true)
	defer stop()
	if partitioned {
		key, err := f.storageKey(watched)
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
			got.Skipped = append(got.Skipped, struct {
				What string `json:"what"`
				Why  string `json:"why"`
			}{"what it keeps as a frame of " + Origin(f.page.main.URL()), "storage of a third party belongs to the page around it, and cannot be put back alone"})
		}
	}
	return &got, nil
}

// storageKey is the browser's name for the storage that the frame has. One of a third party has a "^".
func (f *Frame) storageKey(ctx context.Context) (string, error) {
	f.page.mu.Lock()
	sess := f.sess
	f.page.mu.Unlock()
	var res struct {
		StorageKey string `json:"storageKey"`
	}
	err := sess.Call(ctx, "Storage.getStorageKey", map[string]string{"frameId": f.id}, &res)
	if fault.Is(err, fault.Protocol) { // an older browser's name for it
		err = sess.Call(ctx, "Storage.getStorageKeyForFrame", map[string]string{"frameId": f.id}, &res)
	}
	return res.StorageKey, err
}

// captureOthers visits the origins that no document has told of.
func (c *Context) captureOthers(ctx context.Context, o CaptureOptions, s *StorageState, found map[string]*OriginStorage, done map[string]bool, origins []string) error {
	kinds := o.Kinds
	kinds.Session = false // no tab shows them
	var left []string
	for _, origin := range origins {
		if done[origin] || !o.wants(origin) {
			continue
		}
		done[origin] = true
		if kept, skipped, ok := c.origins.unchanged(origin, kinds); ok {
			found[origin] = kept
			s.Skipped = append(s.Skipped, skipped...)
			continue
		}
		if len(left) == o.Visits {
			s.Skipped = append(s.Skipped, SkippedStorage{Origin: origin, What: "what it keeps", Why: "too many origins are known; name it to have it"})
			continue
		}
		left = append(left, origin)
	}
	if len(left) == 0 {
		return nil
	}
	var mu sync.Mutex
	return c.eachVisited(ctx, left, func(ctx context.Context, v *visitor, origin string) {
		at := c.origins.visits(origin)
		var got captured
		err := v.visit(ctx, origin)
		if err == nil {
			err = v.run(ctx, captureFunction, o.arg(false), &got)
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			s.Skipped = append(s.Skipped, SkippedStorage{Origin: origin, What: "what it keeps", Why: plainText(err)})
		case got.Origin != origin:
			s.Skipped = append(s.Skipped, SkippedStorage{Origin: origin, What: "what it keeps", Why: "the browser shows " + got.Origin + " in its place"})
		default:
			found[origin] = got.storage()
			s.Skipped = append(s.Skipped, got.skipped()...)
			c.origins.keep(origin, at, kinds, found[origin], got.skipped())
		}
	})
}

// plainText is an error without the way to it.
func plainText(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	return err.Error()
}

// eachVisited calls do for each origin, with a visitor that it may use alone.
func (c *Context) eachVisited(ctx context.Context, origins []string, do func(context.Context, *visitor, string)) error {
	queue := make(chan string, len(origins))
	for _, origin := range origins {
		queue <- origin
	}
	close(queue)
	errs := make([]error, min(visitorsMost, len(origins)))
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			v, err := c.newVisitor(ctx)
			if err != nil {
				errs[i] = err
				return
			}
			defer v.close(ctx)
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
