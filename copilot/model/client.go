package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/retry"
	"github.com/skua-browser/skua/internal/wording"
)

// dialect is how an endpoint is spoken to.
type dialect interface {
	// body makes the body of a request.
	body(model string, r Request, stream bool) any
	// sign puts the key, if there is one, and what else the endpoint wants, into a request's headers.
	sign(h http.Header, key string)
	// whole reads an answer that came at once.
	whole(b []byte) (Answer, error)
	// stream returns what reads the events of an answer that comes in pieces.
	stream(onText func(string)) pieces
}

// pieces puts the events of an answer together.
type pieces interface {
	// add takes one event. Done says that the answer is complete.
	add(event, data string) (done bool, err error)
	// answer returns what there is; complete says whether the endpoint has said that it is all.
	answer() (a Answer, complete bool)
}

// Bounds of a request.
const (
	tries       = 3
	firstPause  = 500 * time.Millisecond
	maxPause    = 20 * time.Second // that an endpoint may ask for
	silence     = 2 * time.Minute  // without a byte of an answer
	maxAnswer   = 8 << 20
	maxSaid     = 300 // of what an endpoint says in an error
	maxComplain = 16 << 10
)

// Client is a model at an HTTP endpoint. Close it.
type Client struct {
	endpoint
	http  http.Client
	pause func(ctx context.Context, d time.Duration) error // between two tries
}

// Open finds the model that the environment names, which it reaches by the proxies of that environment. Name is the
// model that was asked for; empty means the environment's, or the endpoint's first choice. Nothing is sent.
func Open(getenv func(string) string, name string) (*Client, error) {
	e, err := find(getenv, name)
	if err != nil {
		return nil, err
	}
	get := func(name string) string {
		if v := getenv(strings.ToUpper(name)); v != "" {
			return v
		}
		return getenv(name)
	}
	choose := (&httpproxy.Config{
		HTTPProxy:  get("http_proxy"),
		HTTPSProxy: get("https_proxy"),
		NoProxy:    get("no_proxy"),
	}).ProxyFunc()
	return &Client{
		endpoint: e,
		http: http.Client{
			Transport: &http.Transport{
				Proxy:             func(r *http.Request) (*url.URL, error) { return choose(r.URL) },
				ForceAttemptHTTP2: true,
				IdleConnTimeout:   time.Minute,
			},
			// the key stays with whom it is for
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		pause: pause.For,
	}, nil
}

// Name is what the endpoint calls the model.
func (c *Client) Name() string { return c.model }

// Close ends the connections that are open.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Complete asks the model. What did not reach it, or was too much for it, is sent again, as long as nothing of an
// answer has come.
func (c *Client) Complete(ctx context.Context, r Request) (Answer, error) {
	body, err := json.Marshal(c.speaks.body(c.model, r, r.OnText != nil))
	if err != nil {
		return Answer{}, fmt.Errorf("a request to %s: %w", c.host(), err)
	}
	said := false
	if onText := r.OnText; onText != nil {
		r.OnText = func(text string) {
			said = true
			onText(text)
		}
	}
	for try := 1; ; try++ {
		a, wait, err := c.once(ctx, body, r.OnText)
		switch {
		case err == nil:
			return a, nil
		case ctx.Err() != nil:
			return Answer{}, context.Cause(ctx)
		case wait < 0 || try == tries || said:
			return Answer{}, err
		case wait > maxPause:
			if f, ok := errors.AsType[*fault.Error](err); ok {
				return Answer{}, f.WithHint("It asks to retry in %s.", wait)
			}
			return Answer{}, err
		case wait == 0:
			wait = firstPause << (try - 1)
		}
		if err := c.pause(ctx, wait); err != nil {
			return Answer{}, err
		}
	}
}

// once sends a request one time. Wait says when it may be sent again after an error: after that time, 0 for some time,
// and never when negative.
func (c *Client) once(ctx context.Context, body []byte, onText func(string)) (a Answer, wait time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() {
		cancel(fault.New(fault.Timeout, "%s sent nothing for %s.", c.host(), silence).About(c.host()))
	})
	defer quiet.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return Answer{}, -1, c.failed("cannot be asked: %s", c.plain(err))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "skua (+https://github.com/skua-browser/skua)")
	if onText != nil {
		req.Header.Set("Accept", "text/event-stream")
	}
	c.speaks.sign(req.Header, c.key)
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, 0, c.broken(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return Answer{}, again(res), c.refused(res)
	}
	from := &heard{r: res.Body, left: maxAnswer, heard: func() { quiet.Reset(silence) }}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		// some stream, and some do not, whatever they are asked for
		a, err = c.read(from, onText)
	} else {
		var b []byte
		if b, err = io.ReadAll(from); err == nil {
			a, err = c.speaks.whole(b)
		}
		if err == nil && onText != nil && a.Text != "" {
			onText(a.Text)
		}
	}
	switch {
	case err == nil:
		return a, 0, nil
	case errors.As(err, new(said)):
		return Answer{}, -1, c.failed("says: %s", c.plain(err))
	}
	return Answer{}, 0, c.broken(ctx, err)
}

// read reads an answer that comes in pieces.
func (c *Client) read(from io.Reader, onText func(string)) (Answer, error) {
	p := c.speaks.stream(onText)
	err := events(from, p.add)
	a, complete := p.answer()
	if err == nil && !complete {
		err = errors.New("the answer was cut off")
	}
	return a, err
}

// said is an error that an endpoint reports in an answer.
type said string

func (s said) Error() string { return string(s) }

// broken is the error of a connection.
func (c *Client) broken(ctx context.Context, err error) error {
	if f, ok := errors.AsType[*fault.Error](context.Cause(ctx)); ok {
		return f
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address
	}
	return c.failed("did not answer: %s", c.plain(err))
}

// refused is the error of an answer with another status than 200.
func (c *Client) refused(res *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(res.Body, maxComplain))
	why := reason(b)
	if why != "" {
		why = ": " + c.plain(said(why))
	}
	f := c.failed("answered %d %s%s", res.StatusCode, http.StatusText(res.StatusCode), why).With("status", res.StatusCode)
	switch {
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		if c.key == "" {
			return f.WithHint("It wants a key: set %s.", c.keyVar)
		}
		return f.WithHint("It does not accept the key in %s.", c.keyVar)
	case res.StatusCode == http.StatusNotFound:
		return f.WithHint("The requested model was %s.", c.model)
	case res.StatusCode/100 == 3:
		return f.WithHint("Redirects are not followed, because the key is only for this endpoint.")
	}
	return f
}

// reason finds the message in the body of a refusal.
func reason(b []byte) string {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(b, &body) != nil {
		return strings.TrimSpace(string(b))
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(body.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	case json.Unmarshal(body.Error, &text) == nil && text != "":
		return text
	}
	return body.Message
}

// again says when a request that was refused may be sent again, as once says it.
func again(res *http.Response) time.Duration {
	if !retry.IsTransient(res.StatusCode) {
		return -1
	}
	return retry.After(res.Header)
}

func (c *Client) failed(format string, args ...any) *fault.Error {
	return fault.New(fault.ModelFailed, "The model's endpoint %s "+format, append([]any{c.host()}, args...)...).
		About(c.host())
}

// plain is an error's text on one line, without the key, and not long.
func (c *Client) plain(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, "…")
	}
	return wording.Clip(text, maxSaid)
}

// heard reads at most so many bytes, and tells when some came.
type heard struct {
	r     io.Reader
	left  int
	heard func()
}

func (h *heard) Read(p []byte) (int, error) {
	if h.left == 0 {
		return 0, errors.New("the answer is longer than 8 MiB")
	}
	n, err := h.r.Read(p[:min(len(p), h.left)])
	h.left -= n
	h.heard()
	return n, err
}
