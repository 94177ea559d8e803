package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/crash"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/private"
)

// closeLimit bounds how long ending a browser may take before it is killed.
const closeLimit = 15 * time.Second

// Browser is one running browser: one that we launched and own, or one that we attached to and leave running.
type Browser struct {
	conn *cdp.Conn
	root *cdp.Session
	proc *chrome.Process // nil when attached
	// of an attached one: its tabs, the one last used first; nil when it does not list them
	list  func(context.Context) []endpoint.Tab
	log   *slog.Logger
	ready time.Duration

	sessions targetSessions

	stop   context.Context // ends with the connection, or with Close
	cancel context.CancelFunc

	workMu  sync.Mutex
	ending  atomic.Bool    // Close was called: nothing is spawned any longer
	workers sync.WaitGroup // goroutines started by events; Close waits for them

	mu sync.Mutex
	// by key: a browser context id, or the name of a view; "" is the default context of an attached browser
	contexts map[string]*Context
	lastView int
	shared   sharedDownloads // of views
	// by target id: pages that are attached to, and those of a foreign browser that can be
	pages               map[string]*Page
	discovered          map[string]target.Info
	blind               bool                    // the browser tells nothing of its targets unasked
	attaching           map[string]*arrival     // targets that are being attached to
	crashedBeforeAttach map[string]*fault.Error // targets that crashed before they were attached to, of a browser of ours
}

// arrival is a target that is being attached to.
type arrival struct {
	page *Page
	gone bool // meanwhile
}

// Launch starts a browser with the options and returns when it answers. The caller owns it and must Close it.
func Launch(ctx context.Context, o chrome.Options) (*Browser, error) {
	start := time.Now()
	proc, err := chrome.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	r, w := proc.Pipe()
	b := newBrowser(cdp.NewConn(cdp.NewPipe(r, w)), o.Log)
	b.proc = proc
	// The pipe is read in order, so new pages wait and discovery is on before any later call; the last reply is the sign
	// that the browser runs.
	held := b.sessions.holdPages()
	err = b.startDiscovery(ctx)
	if err == nil {
		_, err = held.Wait(ctx)
	}
	if err != nil {
		closeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		cause := b.launchFailure(closeCtx, err)
		_ = b.Close(closeCtx)
		return nil, cause
	}
	b.ready = time.Since(start)
	return b, nil
}

// launchFailure prefers what the process says of its own end to the broken pipe that we saw.
func (b *Browser) launchFailure(ctx context.Context, seen error) error {
	if !fault.Is(seen, fault.BrowserGone) {
		return seen
	}
	select {
	case <-b.proc.Done():
		if err := b.proc.Err(); err != nil {
			return err
		}
	case <-ctx.Done():
	}
	return seen
}

func newBrowser(conn *cdp.Conn, log *slog.Logger) *Browser {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &Browser{
		conn:                conn,
		root:                conn.Root(),
		log:                 log,
		contexts:            map[string]*Context{},
		pages:               map[string]*Page{},
		discovered:          map[string]target.Info{},
		attaching:           map[string]*arrival{},
		crashedBeforeAttach: map[string]*fault.Error{},
	}
	b.sessions.browser = b
	b.stop, b.cancel = context.WithCancel(context.Background())
	b.root.Tap(b.onEvent)
	b.Spawn(func(ctx context.Context) {
		select {
		case <-conn.Done():
			b.cancel()
		case <-ctx.Done():
		}
	})
	return b
}

// startDiscovery asks for news of pages: popups, closed and crashed tabs, titles and addresses. Browsers that other
// people have built may know less than we ask for: without filters they report everything, and without news their tabs
// are those that they had when they were asked.
func (b *Browser) startDiscovery(ctx context.Context) error {
	params := target.SetDiscoverTargetsParams{Discover: true, Filter: target.Filter{{Type: pageType}, {Type: TypeWebview}}}
	if !b.Owned() {
		// which a webview is when it is made; news of it go by that
		params.Filter = append(params.Filter, target.FilterEntry{Type: "other"})
	}
	_, err := proto.Call(ctx, b.root, target.SetDiscoverTargets, params)
	if b.Owned() || !fault.Is(err, fault.Protocol) {
		return err
	}
	params.Filter = nil
	if _, err = proto.Call(ctx, b.root, target.SetDiscoverTargets, params); !fault.Is(err, fault.Protocol) {
		return err
	}
	if _, asked := b.targets(ctx); asked != nil {
		return err
	}
	b.log.Info("the browser tells nothing of its tabs unasked", "err", err)
	b.mu.Lock()
	b.blind = true
	b.mu.Unlock()
	return nil
}

// Owned reports whether we launched the browser.
func (b *Browser) Owned() bool { return b.proc != nil }

// PID returns the process id of a browser that we launched, else 0.
func (b *Browser) PID() int {
	if b.proc == nil {
		return 0
	}
	return b.proc.PID()
}

// Exposure says why a browser that we launched runs without Chromium's sandbox although its caller did not ask for
// that; it is empty for others.
func (b *Browser) Exposure() string {
	if b.proc == nil {
		return ""
	}
	return b.proc.SandboxRefused()
}

// About says in a sentence what runs and how, for people who ask for details.
func (b *Browser) About() string {
	if b.proc == nil {
		return "the browser was running already and is left running"
	}
	s := fmt.Sprintf("%s, process %d, answered after %s", b.proc.Path(), b.proc.PID(), b.ready.Round(time.Millisecond))
	if why := b.proc.Exposure(); why != "" {
		s += ", runs without its sandbox (--no-sandbox): " + why
	}
	return s
}

// makeTemp makes a folder that is private to the user. It is in the browser's temporary profile, if that has one: what
// a killed owner leaves behind is swept away with it.
func (b *Browser) makeTemp(prefix string) (string, error) {
	base := ""
	if b.proc != nil {
		base = b.proc.TempDir()
	}
	return private.MakeTemp(base, prefix)
}

// Session returns the protocol session of the browser itself, on which the packages on top of this one work.
func (b *Browser) Session() *cdp.Session { return b.root }

// Log is the logger for errors of background work, which no caller waits for.
func (b *Browser) Log() *slog.Logger { return b.log }

// Done is closed when the browser or the connection to it ended.
func (b *Browser) Done() <-chan struct{} { return b.conn.Done() }

// Err returns why the connection ended, or nil while it lives.
func (b *Browser) Err() error { return b.conn.Err() }

// Version returns the browser's product string, such as "HeadlessChrome/156.0.8078.73".
func (b *Browser) Version(ctx context.Context) (string, error) {
	var v struct {
		Product string `json:"product"`
	}
	err := b.root.Call(ctx, "Browser.getVersion", nil, &v)
	return v.Product, err
}

// Close ends a browser that we own, or only the connection to one that we attached to. It returns when the processes
// are gone.
func (b *Browser) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeLimit)
	defer cancel()
	b.workMu.Lock()
	b.ending.Store(true)
	b.workMu.Unlock()
	b.cancel()
	var errs []error
	if b.proc != nil {
		b.root.Start("Browser.close", nil)
		errs = append(errs, b.proc.Close(ctx))
	}
	_ = b.conn.Close() // an ended connection is what we want; how it ended is of no interest
	b.workers.Wait()
	b.mu.Lock()
	left := slices.Collect(maps.Values(b.contexts))
	b.mu.Unlock()
	for _, c := range left {
		c.downloads.end()
		c.requests.End()
	}
	b.removeShared()
	return errors.Join(errs...)
}

// Spawn runs fn on a goroutine that Close waits for. fn's context ends when the browser is closed or its connection
// ends.
func (b *Browser) Spawn(fn func(ctx context.Context)) {
	b.workMu.Lock()
	defer b.workMu.Unlock()
	if !b.ending.Load() {
		b.workers.Go(func() { fn(b.stop) })
	}
}

// onEvent handles browser-level events on the connection's reader.
func (b *Browser) onEvent(ev cdp.Event) {
	switch ev.Method {
	case "Target.targetCreated", "Target.targetInfoChanged":
		var p struct {
			TargetInfo target.Info `json:"targetInfo"`
		}
		if cdp.Unmarshal(ev.Params, &p) != nil {
			return
		}
		b.targetChanged(p.TargetInfo, ev.Method == "Target.targetCreated")
	case "Target.attachedToTarget":
		b.sessions.attachedTo(ev)
	case "Target.targetDestroyed":
		if id, ok := targetID(ev.Params); ok {
			b.sessions.resume(id, nil) // only to forget it
			if then := b.sessions.takeFree(id); then != nil {
				then()
			}
			b.targetGone(id, nil, true)
		}
	case "Target.targetCrashed":
		var p struct {
			TargetID  string `json:"targetId"`
			Status    string `json:"status"`
			ErrorCode int    `json:"errorCode"`
		}
		if cdp.Unmarshal(ev.Params, &p) == nil && p.TargetID != "" {
			b.targetGone(p.TargetID, crash.Of(p.Status, p.ErrorCode).About(p.TargetID), false)
		}
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		b.onDownload(ev)
	case "Target.detachedFromTarget":
		var p struct {
			SessionID string `json:"sessionId"`
		}
		if cdp.Unmarshal(ev.Params, &p) == nil {
			b.detached(p.SessionID)
		}
	}
}

// detached ends a session. A page's session ends shortly before its target does, and who hears of the one has to find
// the other: the page counts as closed from now on.
func (b *Browser) detached(session string) {
	b.mu.Lock()
	id := ""
	for _, p := range b.pages {
		if p.sess.ID() == session {
			id = p.id
		}
	}
	b.mu.Unlock()
	if id != "" {
		b.targetGone(id, nil, true)
		return
	}
	b.conn.Session(session).Detached()
}

func targetID(raw []byte) (string, bool) {
	var p struct {
		TargetID string `json:"targetId"`
	}
	return p.TargetID, cdp.Unmarshal(raw, &p) == nil
}

func (b *Browser) targetChanged(info target.Info, created bool) {
	id := string(info.TargetID)
	if info.Type != pageType && info.Type != TypeWebview { // of one that knows no filters
		return
	}
	b.mu.Lock()
	before, known := b.discovered[id]
	b.discovered[id] = info
	page := b.pages[id]
	c := b.contextOfLocked(info)
	b.mu.Unlock()
	switch {
	case page != nil && !b.Owned() && !isTab(info) && !page.Attached(): // its type was unknown until it had its address
		b.targetGone(id, nil, false)
	case page != nil:
		page.setInfo(info)
	case c == nil || b.Owned() && info.Type != pageType:
	case created && !known, !b.Owned() && (!known || !isTab(before) && isTab(info)): // a guest is made as something else
		c.discovered(info)
	}
}

// targetGone forgets a page. A nil cause means that it was closed; else it crashed and may come back by a navigation.
// ended says that the browser has no such target any longer.
func (b *Browser) targetGone(id string, crash *fault.Error, ended bool) {
	b.mu.Lock()
	page, coming := b.pages[id], b.attaching[id]
	if crash != nil && page == nil && b.Owned() {
		b.crashedBeforeAttach[id] = crash
		if coming != nil {
			page = coming.page
		}
	}
	if crash == nil {
		if ended {
			delete(b.discovered, id)
			delete(b.crashedBeforeAttach, id)
		}
		if coming != nil {
			coming.gone = true
		}
		delete(b.pages, id)
	}
	b.mu.Unlock()
	if page == nil {
		return
	}
	if crash != nil {
		page.life.crash(crash)
		return
	}
	page.life.end()
	page.ctxt.overrides.renew(ForProcess, page, page.ctxt.pages.all()...)
}

// LoadExtension loads an unpacked extension from its folder into the default context of a browser that we launched with
// extensions, and returns its id.
func (b *Browser) LoadExtension(ctx context.Context, dir string) (id string, err error) {
	reply, err := b.root.CallRaw(ctx, "Extensions.loadUnpacked", map[string]string{"path": dir})
	if err != nil {
		return "", fault.New(fault.BrowserLaunch, "The extension in %s cannot be loaded: %w", dir, err).About(dir).
			WithHint("It must be the folder of an unpacked extension, with its manifest.json.")
	}
	var loaded struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(reply, &loaded); err != nil {
		return "", fault.New(fault.Protocol, "the browser's reply about an extension is not readable: %w", err)
	}
	return loaded.ID, nil
}

// Process returns the process of a browser that we launched, else nil.
func (b *Browser) Process() *chrome.Process { return b.proc }
