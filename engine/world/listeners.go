package world

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// What scripts listen for cannot be seen by other scripts either. The browser lists the listeners of a whole document
// in about 1 ms for 10,000 elements, and some 13 µs more for each listener. What costs is to find the elements in the
// page, 0.1 ms each, which is done once.

// Listeners is the known facts about the listeners in the document of a frame. Walks of the frame take turns with it.
type Listeners struct {
	// EnterBelow installs the in-page script in the frames below that live in the same process. The list of listeners
	// includes theirs, and a node that is resolved in a document without an isolated world becomes, with everything
	// reached from it, an object of this frame's realm: in the child frame itself, elements would no longer be instances
	// of Element.
	EnterBelow func(context.Context)

	mu       sync.Mutex // held for a walk
	doc      string
	document string         // handle of the document
	ids      map[int64]bool // backend ids of the elements that the page has been given; nil means not requested yet
}

// mostNewListeners is how many elements a walk looks for at most; the next one goes on with the others.
const mostNewListeners = 1000

// clickEvents are the events by which an element reacts to a click.
var clickEvents = map[string]bool{
	"click": true, "dblclick": true, "mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true,
}

// open forgets what is known about another document.
func (l *Listeners) open(ctx context.Context, sess *cdp.Session, w World) {
	if l.doc == w.Doc {
		return
	}
	l.close()
	if w.pages != "" {
		l.doc, l.document = w.Doc, w.pages
	} else if document, err := documentHandle(ctx, sess, w); err == nil {
		l.doc, l.document = w.Doc, document
	}
}

// close forgets everything, so that the listeners are requested again. It is also called when the browser refuses a
// request: walks then continue without listeners, and report themselves what is wrong with the page.
func (l *Listeners) close() { l.doc, l.document, l.ids = "", "", nil }

func (l *Listeners) isOpen() bool { return l.doc != "" }

// expecting reports whether the page probably has listeners that it does not know yet: then they are requested before
// the walk, which would otherwise have to be repeated. On all other pages they are requested along with it.
func (l *Listeners) expecting() bool { return l.isOpen() && (l.ids == nil || len(l.ids) > 0) }

// documentHandle returns a handle of the world's document in the world of the page's scripts. Asked with a handle of
// another world, the browser mixes up the objects of the two worlds when it lists listeners, and the page crashes some
// time after. The handle belongs to no object group: then the functions are left out of the list, each of which would
// be kept alive for us, and cost twice as much as the rest.
func documentHandle(ctx context.Context, sess *cdp.Session, w World) (string, error) {
	raw, err := sess.CallRaw(ctx, "DOM.describeNode", map[string]string{"objectId": w.document})
	if err != nil {
		return "", err
	}
	var described struct {
		Node struct {
			BackendNodeID int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := cdp.Unmarshal(raw, &described); err != nil {
		return "", err
	}
	if raw, err = sess.CallRaw(ctx, "DOM.resolveNode",
		map[string]int64{"backendNodeId": described.Node.BackendNodeID}); err != nil {
		return "", err
	}
	var resolved struct {
		Object remoteObject `json:"object"`
	}
	if err := cdp.Unmarshal(raw, &resolved); err != nil {
		return "", err
	}
	return resolved.Object.ObjectID, nil
}

// listCall lists the listeners of all nodes of the document.
func (l *Listeners) listCall() cdp.Call {
	return cdp.Call{Method: "DOMDebugger.getEventListeners", Params: struct {
		ObjectID string `json:"objectId"`
		Depth    int    `json:"depth"`
		Pierce   bool   `json:"pierce"`
	}{l.document, -1, true}}
}

// take compares the reply to listCall with what is known, tells the page what has changed, and returns how much of it
// is news for a walk.
func (l *Listeners) take(ctx context.Context, sess *cdp.Session, w World, reply jsonv2.Value, err error) (news int) {
	var res struct {
		Listeners []listener `json:"listeners"`
	}
	if err == nil {
		err = cdp.Unmarshal(reply, &res)
	}
	if err != nil {
		l.close()
		return 0
	}
	gone, fresh := l.changes(res.Listeners)
	if len(fresh)+len(gone) == 0 {
		return 0
	}
	if len(fresh) > 0 {
		l.EnterBelow(ctx)
	}
	if news, err = tellListeners(ctx, sess, w, gone, fresh); err != nil {
		l.close()
		return 0
	}
	return news
}

// listener is DOMDebugger.EventListener of the protocol, the parts that we use.
type listener struct {
	Type string `json:"type"`
	Node int64  `json:"backendNodeId"`
}

// changes records a list of listeners and returns the nodes that are no longer in it and those that are new.
func (l *Listeners) changes(list []listener) (gone, fresh []int64) {
	gone, fresh = []int64{}, []int64{}
	now := make(map[int64]bool, len(l.ids))
	for _, one := range list {
		switch {
		case !clickEvents[one.Type] || now[one.Node]:
		case l.ids[one.Node]:
			now[one.Node] = true
		case len(fresh) < mostNewListeners:
			now[one.Node] = true
			fresh = append(fresh, one.Node)
		}
	}
	for id := range l.ids {
		if !now[id] {
			gone = append(gone, id)
		}
	}
	l.ids = now
	return gone, fresh
}

// tellListeners hands the elements of the nodes over to the page.
func tellListeners(ctx context.Context, sess *cdp.Session, w World, gone, fresh []int64) (news int, err error) {
	group := newGroup()
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	handles, at, err := w.resolve(ctx, sess, group, fresh)
	if err != nil {
		return 0, err
	}
	ids := make([]int64, len(at))
	args := make([]any, 2, 2+len(handles))
	for i, handle := range handles {
		ids[i] = fresh[at[i]]
		args = append(args, handle)
	}
	args[0], args[1] = valueRef{gone}, valueRef{ids}
	return w.count(ctx, sess, inpage.ListenFunction, args)
}
