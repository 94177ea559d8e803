package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/crash"
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
func takeIn(p *Page, sess *cdp.Session, ev cdp.Event) {
	switch domain, _, _ := strings.Cut(ev.Method, "."); domain {
	case "Network":
		p.traffic.OnEvent(ev)
		return
	case "Runtime":
		p.sessions.Left.TakeIn(ev)
		return
	case "Fetch":
		p.ctxt.requests.OnEvent(&p.tab, sess, ev)
		return
	case "Page", "Target", "Inspector":
	default:
		return
	}
	switch {
	case strings.HasPrefix(ev.Method, "Page.download"):
		p.ctxt.downloads.onPageEvent(p, ev)
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
		p.frames.lifecycleLocked(&e)
	case "Page.frameAttached":
		p.frames.ensure(e.FrameID, e.ParentFrameID, sess)
	case "Page.frameDetached":
		// A frame that moves to another process is "detached" from this one and goes on living.
		if e.Reason != "swap" {
			p.frames.remove(p.frames.byID[e.FrameID])
		}
	case "Page.frameNavigated":
		p.frames.committedLocked(sess, &e)
	case "Page.navigatedWithinDocument":
		if f := p.frames.byID[e.FrameID]; f != nil {
			f.url = e.URL
			f.commits++
			if f == p.main {
				p.ctxt.notice.tell()
			}
		}
	case "Page.frameRequestedNavigation", "Page.frameScheduledNavigation":
		p.loading.requestedLocked(p, &e)
	case "Page.frameClearedScheduledNavigation":
		// It precedes or follows the start of the navigation; only the start and the end tell something.
	case "Page.frameStartedNavigating":
		p.loading.startedLocked(p, &e)
	case "Page.frameStoppedLoading":
		if p.link.processless.returning {
			p.link.processless.stopped = &e
			break
		}
		p.loading.stoppedLocked(p, &e)
	case "Page.javascriptDialogOpening":
		p.dialogs.OnOpening(&dialogs.Dialog{
			Type:          e.Type,
			Message:       pagetext.Bounded(e.Message, pagetext.MaxMessage),
			DefaultPrompt: pagetext.Bounded(e.DefaultPrompt, pagetext.MaxMessage),
			URL:           urls.Public(e.URL),
		})
	case "Page.javascriptDialogClosed":
		p.dialogs.OnClosed(e.Result)
	case "Inspector.targetCrashed":
		switch {
		case sess != p.sess:
			sess.Fail(crash.OfFrame())
		case !p.link.is && !p.link.fresh: // later ones come over the browser's session, too
			p.life.crashLocked(fault.New(fault.PageCrashed,
				"the tab shows nothing: its page crashed, or the browser put it to sleep to save memory").
				WithHint("Use `reload`, or `open <url>`."))
		}
	case "Inspector.detached":
		if e.Reason == crash.ProcessGone {
			p.sessions.processGone(sess)
		}
	case "Inspector.targetReloadedAfterCrash":
		if sess == p.sess {
			p.link.processCame()
		}
	case "Target.attachedToTarget":
		p.sessions.take(&e)
	case "Target.detachedFromTarget":
		p.sessions.gone(&e)
	default:
		return
	}
	tellDeparture(p, cmp.Or(e.Frame.ID, e.FrameID))
	p.mu.Broadcast()
}

// lifecycleLocked takes in how far a frame's document is.
func (s *Frames) lifecycleLocked(e *pageEvent) {
	p := s.page
	f := p.frames.byID[e.FrameID]
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
		if f == p.main && p.told.title == "" && p.told.asked == 0 {
			p.ctxt.browser.Spawn(func(ctx context.Context) { refreshInfo(ctx, p) }) // the document itself is not asked
		}
	case "networkIdle":
		f.loaded.networkIdle = true
	}
}

// committedLocked puts a new document into a frame.
func (s *Frames) committedLocked(sess *cdp.Session, e *pageEvent) {
	p := s.page
	sess.Fail(nil) // a renderer that shows a document has not crashed
	delete(p.sessions.exited, sess)
	f := p.frames.ensure(e.Frame.ID, e.Frame.ParentID, sess)
	if f == nil {
		return
	}
	p.frames.dropChildren(f)
	f.sess = sess
	f.loader = e.Frame.LoaderID
	f.started = ""
	f.url = e.Frame.URL + e.Frame.Fragment
	f.name = pagetext.Bounded(e.Frame.Name, pagetext.MaxTitle)
	f.commits++
	p.ctxt.origins.KnowDocument(f.url)
	f.world.current = world.World{}
	if f.loaded.loader != f.loader {
		f.loaded = lifecycle{loader: f.loader, came: time.Now()}
	}
	if e.Type == "BackForwardCacheRestore" {
		// A document from the back-forward cache loaded long ago and says nothing again.
		f.loaded.dom, f.loaded.load, f.loaded.networkIdle = true, true, true
	}
	p.frames.arrivals++
	p.traffic.Leave(f.id, f.parent == nil, f.loader)
	if f == p.main {
		p.life.failed = nil
		p.told.title = "" // that of the document before
		p.loading.committedLocked(f)
		p.ctxt.notice.tell()
	}
}
