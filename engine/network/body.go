package network

import (
	"context"
	"encoding/base64"
	"mime"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// How much of bodies the browser keeps: in each document, and outside of it for those that survive the document.
const (
	bodiesKept   = 64 << 20
	bodyKept     = 16 << 20
	postDataKept = 64 << 10
)

// keeping says of a page that its bodies are kept.
var keeping = engine.NewState(func(*engine.Page) *atomic.Bool { return &atomic.Bool{} })

// keepBodies tells the browser to keep the bodies that come over the network longer than the document that asked for
// them. The setting of one session holds for all sessions of a page, except that this one gets no bodies from caches,
// service workers and routes. So it is a session that is used for nothing else. An older browser lacks this.
func keepBodies(ctx context.Context, p *engine.Page) {
	if keeping.Of(p).Swap(true) {
		return
	}
	sess, _, err := p.Sessions().Open(ctx)
	if err != nil {
		p.Context().Browser().Log().Debug("bodies not kept", "err", err)
		return
	}
	sess.Start("Network.configureDurableMessages",
		map[string]int{"maxTotalBufferSize": bodiesKept, "maxResourceBufferSize": bodyKept})
}

// Body is what a response carries.
type Body struct {
	Content []byte
	Binary  bool // it is not text
}

// Body asks the browser for the body of a response. It has those of the pages that are open, the newest within bounds.
func (l *Log) Body(ctx context.Context, id string) (*Body, error) {
	l.mu.Lock()
	x := l.findLocked(id)
	if x == nil {
		l.mu.Unlock()
		return nil, fault.New(fault.Usage, "Request not found: '%s'", id)
	}
	body, shown := x.body, x.shown()
	l.mu.Unlock()
	switch {
	case body != nil:
		return body, nil
	case shown.RedirectTo != "":
		return nil, errNoBody("a redirect has none that the browser keeps")
	case shown.Type == "WebSocket":
		return nil, errNoBody("a WebSocket carries messages")
	case !shown.Ended && !shown.Earlier:
		return nil, errNoBody("the response is not complete yet")
	case shown.Failure != "":
		return nil, errNoBody("the request failed")
	}
	if shown.Earlier {
		return l.earlierBody(ctx, &shown)
	}
	return l.fetchBody(ctx, x.sess, &shown)
}

// errNoBody is the error for a body that does not exist.
func errNoBody(why string) error { return fault.New(fault.Protocol, "%s", why) }

type bodyReply struct {
	Body    string `json:"body"`
	Content string `json:"content"` // of Page.getResourceContent
	Base64  bool   `json:"base64Encoded"`
}

// fetchBody requests the body on the session that reported the response, else on that of its page.
func (l *Log) fetchBody(ctx context.Context, sess *cdp.Session, x *Exchange) (*Body, error) {
	id, _, _ := strings.Cut(x.ID, ":")
	sessions := []*cdp.Session{sess}
	for _, p := range l.ctxt.Pages() {
		if p.ID() == x.PageID && p.Session() != sess {
			sessions = append(sessions, p.Session())
		}
	}
	var failed error
	for _, sess := range sessions {
		var reply bodyReply
		failed = sess.Call(ctx, "Network.getResponseBody", map[string]string{"requestId": id}, &reply)
		if failed == nil {
			return decodeBody(reply.Body, reply.Base64, x.MimeType)
		}
		if ctx.Err() != nil {
			return nil, failed
		}
	}
	return nil, bodyGone(failed)
}

// bodyGone says in words why the browser does not have a body.
func bodyGone(err error) error {
	switch msg := err.Error(); {
	case fault.Is(err, fault.PageGone):
		return errNoBody("the page or worker that asked for it is gone, and the body with it")
	case strings.Contains(msg, "evicted"):
		return errNoBody("the browser has dropped it for newer ones")
	case strings.Contains(msg, "No resource with given identifier"), strings.Contains(msg, "No data found"):
		return errNoBody(
			"the browser no longer has it, or never had: the page has gone on to another document, the response has no body, " +
				"or the page did not read it")
	}
	return err
}

// decodeBody makes bytes of what the browser sent. It encodes some texts too.
func decodeBody(body string, encoded bool, mimeType string) (*Body, error) {
	if !encoded {
		return &Body{Content: []byte(body)}, nil
	}
	content, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return nil, err
	}
	return &Body{Content: content, Binary: !IsText(mimeType) || !utf8.Valid(content)}, nil
}

// IsText reports whether a media type is one of texts.
func IsText(mimeType string) bool {
	kind, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(mimeType))
	}
	if strings.HasPrefix(kind, "text/") {
		return true
	}
	kind = strings.TrimPrefix(kind, "application/")
	for _, part := range []string{
		"json", "xml", "javascript", "ecmascript", "x-www-form-urlencoded", "graphql", "yaml",
		"x-ndjson", "x-sh",
	} {
		if strings.HasSuffix(kind, part) || strings.HasPrefix(kind, part) {
			return true
		}
	}
	return false
}

// PostData returns the body of a request, which the browser does not tell with the request when it is long.
func (l *Log) PostData(ctx context.Context, id string) (data string, err error) {
	l.mu.Lock()
	x := l.findLocked(id)
	if x == nil {
		l.mu.Unlock()
		return "", fault.New(fault.Usage, "Request not found: '%s'", id)
	}
	known, has, sess := x.PostData, x.HasPostData, x.sess
	l.mu.Unlock()
	if known != "" || !has {
		return known, nil
	}
	base, _, _ := strings.Cut(id, ":")
	var reply struct {
		PostData string `json:"postData"`
		Base64   bool   `json:"base64Encoded"`
	}
	if err := sess.Call(ctx, "Network.getRequestPostData", map[string]string{"requestId": base}, &reply); err != nil {
		return "", err
	}
	if reply.Base64 {
		raw, err := base64.StdEncoding.DecodeString(reply.PostData)
		if err != nil {
			return "", err
		}
		reply.PostData = string(raw)
	}
	return reply.PostData, nil
}

// bodyLimit is how long the browser may take to hand over a body.
const bodyLimit = 10 * time.Second
