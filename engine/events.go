package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// pageEvent has the fields of all the events that we follow; each uses some.
type pageEvent struct {
	FrameID        string    `json:"frameId"`
	ParentFrameID  string    `json:"parentFrameId"`
	LoaderID       string    `json:"loaderId"`
	Name           string    `json:"name"`
	URL            string    `json:"url"`
	Reason         string    `json:"reason"`
	Disposition    string    `json:"disposition"`
	NavigationType string    `json:"navigationType"`
	Frame          frameInfo `json:"frame"`
	Type           string    `json:"type"`
	Timestamp      float64   `json:"timestamp"`

	Message       string `json:"message"`
	DefaultPrompt string `json:"defaultPrompt"`
	Result        bool   `json:"result"`

	SessionID  string `json:"sessionId"`
	Waiting    bool   `json:"waitingForDebugger"`
	TargetInfo struct {
		TargetID      string `json:"targetId"`
		Type          string `json:"type"`
		ParentFrameID string `json:"parentFrameId"`
		URL           string `json:"url"`
	} `json:"targetInfo"`
}

// takeIn handles events of the page's sessions on the connection's reader: it only changes state and wakes waiters.
func (p *Page) takeIn(sess *cdp.Session, ev cdp.Event) {
	domain, _, _ := strings.Cut(ev.Method, ".")
	switch domain {
	case "Network":
		p.traffic.OnEvent(ev)
		return
	case "Runtime", "Log": // of no interest here, and as many as documents and messages
		return
	}
	switch domain {
	case "Fetch":
		p.ctxt.requests.OnEvent(&p.tab, sess, ev)
		return
	}
	if domain != "Page" && domain != "Target" && domain != "Inspector" {
		return
	}
	switch {
	case strings.HasPrefix(ev.Method, "Page.download"):
		p.onDownload(ev)
		return
	case ev.Method == "Page.screencastFrame": // large, and of no interest here
		return
	}
	var e pageEvent
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev.Method {
	case "Page.lifecycleEvent":
		p.lifecycleLocked(&e)
	case "Page.frameAttached":
		p.ensureFrameLocked(e.FrameID, e.ParentFrameID, sess)
	case "Page.frameDetached":
		// A frame that moves to another process is "detached" from this one and goes on living.
		if e.Reason != "swap" {
			p.removeFrameLocked(p.frames[e.FrameID])
		}
	case "Page.frameNavigated":
		p.committedLocked(sess, &e)
	case "Page.navigatedWithinDocument":
		if f := p.frames[e.FrameID]; f != nil {
			f.url = e.URL
			f.commits++
			if f == p.main {
				p.ctxt.notice.tell()
			}
		}
	case "Page.frameRequestedNavigation", "Page.frameScheduledNavigation":
		p.nav.requestedLocked(p, &e)
	case "Page.frameClearedScheduledNavigation":
		// It precedes or follows the start of the navigation; only the start and the end tell something.
	case "Page.frameStartedNavigating":
		p.nav.startedLocked(p, &e)
	case "Page.frameStoppedLoading":
		if p.processless.returning {
			p.processless.stopped = &e
			break
		}
		p.nav.stoppedLocked(p, &e)
	case "Page.javascriptDialogOpening":
		p.dialogs.OnOpening(&dialogs.Dialog{Type: e.Type, Message: pagetext.Bounded(e.Message, pagetext.MaxMessage), DefaultPrompt: pagetext.Bounded(e.DefaultPrompt, pagetext.MaxMessage), URL: urls.Public(e.URL)})
	case "Page.javascriptDialogClosed":
		p.dialogs.OnClosed(e.Result)
	case "Inspector.targetCrashed":
		switch {
		case sess != p.sess:
			sess.Fail(frameCrash())
		case !p.attached && !p.fresh: // later ones come over the browser's session, too
			p.failLocked(fault.New(fault.PageCrashed, "the tab shows nothing: its page crashed, or the browser put it to sleep to save memory").
				WithHint("Use `reload`, or `open <url>`."))
		}
	case "Inspector.detached":
		if e.Reason == processGone {
			p.processGoneLocked(sess)
		}
	case "Inspector.targetReloadedAfterCrash":
		if sess == p.sess {
			p.processCameLocked()
		}
	case "Target.attachedToTarget":
		p.frameTargetLocked(sess, &e)
	case "Target.detachedFromTarget":
		p.frameTargetGoneLocked(&e)
	default:
		return
	}
	tellDeparture(p, cmp.Or(e.Frame.ID, e.FrameID))
	p.mu.Broadcast()
}

func (p *Page) lifecycleLocked(e *pageEvent) {
	f := p.frames[e.FrameID]
	if f == nil {
		return
	}
	if e.LoaderID != f.loaded.loader {
		// Events of a document can come before its frameNavigated; those of the one before it come no more then.
		f.loaded = lifecycle{loader: e.LoaderID, came: time.Now()}
	}
	switch e.Name {
	case "DOMContentLoaded":
		f.loaded.dom = true
	case "load":
		f.loaded.load, f.loaded.loadedAt = true, time.Now()
		p.traffic.DocumentLoaded(e.LoaderID)
		if f == p.main && p.title == "" && p.asked == 0 {
			p.ctxt.browser.Spawn(func(ctx context.Context) { refreshInfo(ctx, p) }) // the document itself is not asked
		}
	case "networkIdle":
		f.loaded.networkIdle = true
	}
}

// committedLocked puts a new document into a frame.
func (p *Page) committedLocked(sess *cdp.Session, e *pageEvent) {
	sess.Fail(nil) // a renderer that shows a document has not crashed
	delete(p.exited, sess)
	f := p.ensureFrameLocked(e.Frame.ID, e.Frame.ParentID, sess)
	if f == nil {
		return
	}
	p.dropChildrenLocked(f)
	f.sess = sess
	f.loader = e.Frame.LoaderID
	f.started = ""
	f.url = e.Frame.URL + e.Frame.Fragment
	f.name = pagetext.Bounded(e.Frame.Name, pagetext.MaxTitle)
	f.commits++
	p.ctxt.origins.KnowDocument(f.url)
	f.world = world.World{}
	if f.loaded.loader != f.loader {
		f.loaded = lifecycle{loader: f.loader, came: time.Now()}
	}
	if e.Type == "BackForwardCacheRestore" {
		// A document from the back-forward cache loaded long ago and says nothing again.
		f.loaded.dom, f.loaded.load, f.loaded.networkIdle = true, true, true
	}
	p.arrivals++
	p.traffic.Leave(f.id, f.parent == nil, f.loader)
	if f == p.main {
		p.failed = nil
		p.title = "" // that of the document before
		p.nav.committedLocked(f)
		p.ctxt.notice.tell()
	}
}

// frameTargetLocked takes a frame that lives in another process: its events and its document come over a session of their own.
func (p *Page) frameTargetLocked(parent *cdp.Session, e *pageEvent) {
	switch e.TargetInfo.Type {
	case "iframe":
	case "worker", "service_worker":
		p.workerLocked(e)
		return
	default:
		return
	}
	id := e.TargetInfo.TargetID // the target id of an out-of-process frame is its frame id
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	f := p.ensureFrameLocked(id, e.TargetInfo.ParentFrameID, sess)
	if f == nil {
		f = p.newFrame(id, sess, p.main)
		p.frames[id] = f
		p.main.children = append(p.main.children, f)
	}
	p.dropChildrenLocked(f)
	f.sess = sess
	f.loader, f.started = "", ""
	f.world = world.World{}
	f.url = e.TargetInfo.URL
	f.loaded = lifecycle{}
	p.sessID[e.SessionID] = id
	p.arrivals++
	opening := make(chan struct{})
	f.opening = opening
	sess.Tap(func(ev cdp.Event) { p.onEvent(sess, ev) })
	if p.traffic.IsRecorded() && !p.ctxt.HasOverride(networkKey) {
		sess.Start(networkEnable.Method, networkEnable.Params)
	}
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		defer func() {
			p.mu.Lock()
			if f.opening == opening {
				f.opening = nil
			}
			p.mu.Unlock()
			close(opening)
		}()
		calls := slices.Concat(p.ctxt.sessionSetup(), p.setupFor(FrameSession), []cdp.Call{{Method: "Page.getFrameTree"}})
		if e.Waiting {
			calls = append(calls, runCall)
		}
		for i, call := range sess.Batch(calls...) {
			raw, err := call.Wait(ctx)
			if fault.Is(err, fault.Protocol) { // an older browser, or one that does not know of frames what it knows of pages
				p.ctxt.browser.log.Debug("frame setup call refused", "method", calls[i].Method, "err", err)
				continue
			}
			if err != nil {
				if !fault.Is(err, fault.PageGone) {
					p.ctxt.browser.log.Debug("frame session", "err", err)
				}
				return
			}
			if calls[i].Method == "Page.getFrameTree" {
				p.readFrameTree(sess, raw)
			}
			tellAnswer(sess, calls[i], raw)
		}
	})
}

// frameTargetGoneLocked ends the session of an out-of-process frame. The frame itself may go on in its parent's process.
func (p *Page) frameTargetGoneLocked(e *pageEvent) {
	if w := p.workers[e.SessionID]; w != nil {
		p.workerGoneLocked(w)
		delete(p.workers, e.SessionID)
		return
	}
	id, ok := p.sessID[e.SessionID]
	if !ok {
		return
	}
	delete(p.sessID, e.SessionID)
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	delete(p.exited, sess)
	sess.Detached()
	p.alive.Set(sess, "", "")
	if f := p.frames[id]; f != nil && f.sess == sess {
		f.world = world.World{}
		if f.parent != nil {
			f.sess = f.parent.sess
		}
	}
}
