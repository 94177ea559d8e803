package world

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// A script sees neither closed shadow roots nor the browser's own trees inside of controls; the protocol does. The
// in-page script knows which elements may have one (engine/inpage/js/ax/pierce.js), and is handed what the browser says
// that they have. What custom elements say by ElementInternals comes the same way, see internals.go.

// errUnpierced reports that an op found nothing, and that there are elements to be asked about before that is certain.
var errUnpierced = errors.New("there may be closed shadow trees")

// pierceRounds is how often a call is made again since there was more to be seen: closed trees may stand in closed
// trees.
const pierceRounds = 5

// groupSerial makes names of object groups.
var groupSerial atomic.Int64

// Walk runs op (walk, or capabilities, which walks as well) with arg (JSON), with what page scripts cannot access:
// closed shadow trees, the parts of controls, and which elements have event listeners, of which l has what is known. If
// a walk meets elements that have to be looked up through the protocol, it is repeated. Each element is looked up once,
// so a walk is one round trip as long as the page has no new ones.
func (w World) Walk(ctx context.Context, sess *cdp.Session, op string, arg []byte, l *Listeners) (jsonv2.Value, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open(ctx, sess, w)
	early := l.expecting()
	if early {
		list := l.listCall()
		raw, err := sess.CallRaw(ctx, list.Method, list.Params)
		l.take(ctx, sess, w, raw, err)
	}
	for round := 1; ; round++ {
		value, news, err := walkOnce(ctx, sess, w, op, arg, l, !early && l.isOpen() && round == 1)
		if round > pierceRounds || (news == 0 && !errors.Is(err, errUnpierced)) {
			return value, err
		}
	}
}

// walkOnce walks and then asks what the next walk needs to know, if there is anything; news counts what that would
// show. With listen, it also asks for listeners, at the same time.
func walkOnce(
	ctx context.Context, sess *cdp.Session, w World, op string, arg []byte, l *Listeners, listen bool,
) (value jsonv2.Value, news int, err error) {
	limit := timeFor(ctx)
	calls := []cdp.Call{{Method: "Runtime.evaluate", Params: w.Params(inpage.CallWalking(op, arg)).within(ctx)}}
	if listen {
		calls = append(calls, l.listCall())
	}
	pending := sess.Batch(calls...)
	walked, err := pending[0].Wait(ctx)
	if err != nil {
		w.unask(sess)
		return nil, 0, ContextError(readingEnded(err, limit))
	}
	value, err = Evaluated(walked)
	hasSuspects := len(value) > 0 && value[0] == '['
	if hasSuspects || errors.Is(err, errUnpierced) {
		list, group, err := w.listSuspects(ctx, sess)
		if err != nil {
			return nil, 0, err
		}
		if found, err := pierce(ctx, sess, w, list, group); err == nil { // else this walk has to do
			news += found
		}
	}
	if listen {
		raw, err := pending[1].Wait(ctx)
		news += l.take(ctx, sess, w, raw, err)
	}
	if hasSuspects {
		var results [1]jsonv2.Value
		if err := cdp.Unmarshal(value, &results); err != nil {
			return nil, 0, err
		}
		value = results[0]
	}
	return value, news, err
}

// Call runs an op of the in-page script with arg (JSON), and again when it did not find what may be in a closed shadow
// tree. Written, if it is not nil, is called each time when the call has been written and not answered.
func (w World) Call(
	ctx context.Context, sess *cdp.Session, op string, arg []byte, written func(),
) (jsonv2.Value, error) {
	for round := 1; ; round++ {
		params := w.CallParams(op, arg)
		if round > pierceRounds {
			params = w.Params(inpage.CallQuietly(op, arg))
		}
		value, err := evaluateAnd(ctx, sess, params, written)
		if !errors.Is(err, errUnpierced) || round > pierceRounds {
			return value, err
		}
		list, group, err := w.listSuspects(ctx, sess)
		if err != nil {
			return nil, err
		}
		if _, err := pierce(ctx, sess, w, list, group); err != nil {
			return nil, ContextError(err)
		}
	}
}

// listSuspects returns the elements to be asked about, as the reply with a handle of an array, or with a number when
// there are none, and the group of that handle.
func (w World) listSuspects(ctx context.Context, sess *cdp.Session) (list jsonv2.Value, group string, err error) {
	group = newGroup()
	list, err = sess.CallRaw(ctx, "Runtime.evaluate", Params{
		Expression:  inpage.Call("suspects", nil),
		ContextID:   w.Context,
		ObjectGroup: group,
	})
	if err != nil {
		w.unask(sess)
		return nil, "", ContextError(err)
	}
	return list, group, nil
}

// unask tells the page that those whom it wanted to be asked about were not, since the command that would have done it
// has ended.
func (w World) unask(sess *cdp.Session) {
	sess.Start("Runtime.evaluate", w.Params(inpage.Call("unask", nil)))
}

func newGroup() string { return "skua-" + strconv.FormatInt(groupSerial.Add(1), 10) }

// remoteObject is Runtime.RemoteObject of the protocol, the part that we use.
type remoteObject struct {
	ObjectID string `json:"objectId"`
}

// objectRef is Runtime.CallArgument of the protocol with an object; empty, it is undefined.
type objectRef struct {
	ObjectID string `json:"objectId,omitzero"`
}

// valueRef is one with a value.
type valueRef struct {
	Value any `json:"value"`
}

// functionCall are the parameters of Runtime.callFunctionOn.
type functionCall struct {
	Function  string `json:"functionDeclaration"`
	Context   int64  `json:"executionContextId"`
	Arguments any    `json:"arguments"`
	ByValue   bool   `json:"returnByValue"`
}

// pierce asks the browser for the shadow roots and internals of the elements in a list (as [World.listSuspects] returns
// it), registers them in the page and returns how many are new. The objects of the group are released.
func pierce(ctx context.Context, sess *cdp.Session, w World, list jsonv2.Value, group string) (found int, err error) {
	var made struct {
		Result remoteObject `json:"result"`
	}
	if err := cdp.Unmarshal(list, &made); err != nil || made.Result.ObjectID == "" {
		return 0, err
	}
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	defer func() {
		if err != nil {
			w.unask(sess)
		}
	}()
	hosts, customs, err := suspectsIn(ctx, sess, made.Result.ObjectID)
	if err != nil {
		return 0, err
	}
	if len(customs) > 0 {
		if found, err = w.tellInternals(ctx, sess, customs); err != nil {
			return 0, err
		}
	}
	roots, err := hiddenRoots(ctx, sess, hosts)
	if err != nil {
		return 0, err
	}
	handles, _, err := w.resolve(ctx, sess, group, roots)
	if err != nil || len(handles) == 0 {
		return found, err
	}
	registered, err := w.count(ctx, sess, inpage.PierceFunction, handles)
	return found + registered, err
}

// count calls a function of the page's script that yields a number.
func (w World) count(ctx context.Context, sess *cdp.Session, function string, args any) (n int, err error) {
	raw, err := sess.CallRaw(ctx, "Runtime.callFunctionOn", functionCall{function, w.Context, args, true})
	if err != nil {
		return 0, err
	}
	value, err := Evaluated(raw)
	if err != nil {
		return 0, err
	}
	return n, cdp.Unmarshal(value, &n)
}

// suspectsIn returns the handles of the elements in a list of the op suspects: those whose roots are asked for, and
// those whose internals are.
func suspectsIn(ctx context.Context, sess *cdp.Session, array string) (hosts, customs []string, err error) {
	raw, err := sess.CallRaw(ctx, "Runtime.getProperties", runtime.GetPropertiesParams{
		ObjectID:      runtime.RemoteObjectID(array),
		OwnProperties: new(true),
	})
	if err != nil {
		return nil, nil, err
	}
	var res struct {
		Result []struct {
			Value *struct {
				remoteObject
				Subtype string `json:"subtype"`
			} `json:"value"`
		} `json:"result"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, nil, err
	}
	list := &hosts
	for _, property := range res.Result {
		switch {
		case property.Value == nil:
		case property.Value.Subtype == "null":
			list = &customs
		case property.Value.ObjectID != "": // the array's length has none
			*list = append(*list, property.Value.ObjectID)
		}
	}
	return hosts, customs, nil
}

// hiddenRoots returns the backend ids of the shadow roots that the elements have and scripts do not see. An element
// that went away is left out.
func hiddenRoots(ctx context.Context, sess *cdp.Session, hosts []string) ([]int64, error) {
	calls := make([]cdp.Call, len(hosts))
	for i, host := range hosts {
		calls[i] = cdp.Call{Method: "DOM.describeNode", Params: describeParams{ObjectID: host, Depth: 1, Pierce: true}}
	}
	var roots []int64
	for _, pending := range sess.Batch(calls...) {
		raw, err := pending.Wait(ctx)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			continue
		}
		var res struct {
			Node struct {
				ShadowRoots []struct {
					BackendNodeID int64  `json:"backendNodeId"`
					Type          string `json:"shadowRootType"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if err := cdp.Unmarshal(raw, &res); err != nil {
			return nil, err
		}
		for _, root := range res.Node.ShadowRoots {
			if root.Type != "open" {
				roots = append(roots, root.BackendNodeID)
			}
		}
	}
	return roots, nil
}

type describeParams struct {
	ObjectID string `json:"objectId"`
	Depth    int    `json:"depth"`
	Pierce   bool   `json:"pierce"`
}

type resolveParams struct {
	BackendNodeID int64  `json:"backendNodeId"`
	ContextID     int64  `json:"executionContextId"`
	ObjectGroup   string `json:"objectGroup"`
}

// mostAtOnce is how many nodes are asked for before the answers are read: a browser that is asked without end stops
// listening.
const mostAtOnce = 1000

// resolve makes handles of nodes in the world, and tells which of the ids each of them is for: nodes that have gone
// have none.
func (w World) resolve(
	ctx context.Context, sess *cdp.Session, group string, backendIDs []int64,
) (handles []objectRef, at []int, err error) {
	for from := 0; from < len(backendIDs); from += mostAtOnce {
		ids := backendIDs[from:min(from+mostAtOnce, len(backendIDs))]
		calls := make([]cdp.Call, len(ids))
		for i, id := range ids {
			calls[i] = cdp.Call{
				Method: "DOM.resolveNode",
				Params: resolveParams{BackendNodeID: id, ContextID: w.Context, ObjectGroup: group},
			}
		}
		for i, pending := range sess.Batch(calls...) {
			var resolved struct {
				Object objectRef `json:"object"`
			}
			err := ContextError(pending.Decode(ctx, &resolved))
			switch {
			case err == nil:
				handles, at = append(handles, resolved.Object), append(at, from+i)
			case IsNavigated(err) || !fault.Is(err, fault.Protocol):
				return nil, nil, err
			}
		}
	}
	return handles, at, nil
}
