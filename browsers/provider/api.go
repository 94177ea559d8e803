package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
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

// api is the HTTP side of a provider. Redirects are not followed: keys would go with them.
type api struct {
	call   *call
	base   string // without a slash at the end
	keyVar string // the variable with the key, for hints; may be empty
	header http.Header
	sign   func(req *http.Request, body []byte) error // nil means that the headers suffice
	client http.Client
}

func (c *call) api(base string, keyVar string, header http.Header) *api {
	get := func(name string) string { return c.firstOf("", strings.ToUpper(name), name) }
	choose := (&httpproxy.Config{
		HTTPProxy:  get("http_proxy"),
		HTTPSProxy: get("https_proxy"),
		NoProxy:    get("no_proxy"),
	}).ProxyFunc()
	return &api{
		call:   c,
		base:   base,
		keyVar: keyVar,
		header: header,
		client: http.Client{
			Transport: &http.Transport{
				Proxy:             func(r *http.Request) (*url.URL, error) { return choose(r.URL) },
				DisableKeepAlives: true, // two requests in the life of a session
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Bounds of a request.
const (
	maxAnswer = 1 << 20
	maxSaid   = 300 // of what a server says in an error
	// for the answer to a request that makes a browser, once the command no longer waits for it
	cancelGrace = 8 * time.Second
	makeLimit   = 2 * time.Minute // for making one; a grid may have a queue
	tries       = 3               // of requests that can be repeated
	firstPause  = 250 * time.Millisecond
	maxPause    = 5 * time.Second
)

// make asks for a browser. When ctx ends it still waits a little for the answer: without it, what was made could not be
// ended. It is repeated only when the server says that it did nothing, and when.
func (a *api) make(ctx context.Context, method, path string, body, out any) error {
	alive, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeLimit)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(cancelGrace, cancel) })
	defer stop()
	for try := 1; ; try++ {
		err := a.once(alive, method, path, body, out)
		f, _ := errors.AsType[*answerError](err)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil && f == nil:
			return fault.New(fault.CodeOf(ctx.Err()), "%s did not answer in time; it may have started a browser all the same",
				a.call.title).
				WithHint("Such a browser ends by its own timeout; you can also end it there by hand.")
		case f == nil || try == tries || f.wait <= 0 || f.wait > maxPause || pause.For(ctx, f.wait) != nil:
			return err
		}
	}
}

// do sends a request that may be repeated: it is, when the server cannot be reached or is not well.
func (a *api) do(ctx context.Context, method, path string, body, out any) error {
	wait := firstPause
	for try := 1; ; try++ {
		err := a.once(ctx, method, path, body, out)
		f, answered := errors.AsType[*answerError](err)
		if err == nil || try == tries || answered && !retry.IsTransient(f.status) {
			return err
		}
		if answered {
			wait = max(wait, f.wait)
		}
		if wait > maxPause || pause.For(ctx, wait) != nil {
			return err
		}
		wait *= 2
	}
}

// answerError is an answer that is not a success.
type answerError struct {
	fault  *fault.Error
	status int
	wait   time.Duration // after which the server wants to be asked again; 0 means that it does not say
}

func (e *answerError) Error() string { return e.fault.Error() }

func (e *answerError) Unwrap() error { return e.fault }

// once sends one request. The path may be a whole address.
func (a *api) once(ctx context.Context, method, path string, body, out any) error {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return err
		}
	}
	address := path
	if !isAddress(path) {
		address = a.base + path
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(payload))
	if err != nil {
		return a.call.failed("has no usable address: %s", unquoted(err))
	}
	maps.Copy(req.Header, a.header)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	if a.sign != nil {
		if err := a.sign(req, payload); err != nil {
			return err
		}
	}
	res, err := a.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return a.call.failed("request failed: %s", unquoted(err))
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return a.refused(res, text)
	}
	if err != nil {
		return a.call.failed("answer could not be read: %s", unquoted(err))
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return a.call.failed("answer is not what its API describes: %s", err)
	}
	return nil
}

// refused turns an answer that is not a success into an error with the provider's own words.
func (a *api) refused(res *http.Response, text []byte) error {
	f := fault.New(fault.ProviderFailed, "%s API error (%d): %s", a.call.title, res.StatusCode,
		a.call.clean(said(res, text))).
		About(a.call.name).With("status", res.StatusCode)
	switch res.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		if a.keyVar != "" {
			f.WithHint("Check that %s has the right key.", a.keyVar)
		}
	case http.StatusPaymentRequired, http.StatusTooManyRequests:
		f.WithHint("The account has no room for another browser: end one, wait, or ask for more there.")
	}
	e := &answerError{fault: f, status: res.StatusCode}
	if e.status == http.StatusTooManyRequests || e.status == http.StatusServiceUnavailable {
		e.wait = retry.After(res.Header)
	}
	return e
}

// said finds what a server says about its refusal, in the shapes that the APIs have; else the beginning of what came,
// else the status.
func said(res *http.Response, text []byte) string {
	var shape struct {
		Message string          `json:"message"`
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Value   struct {
			Message string `json:"message"`
		} `json:"value"` // of WebDriver
	}
	words := ""
	if json.Unmarshal(text, &shape) == nil {
		words = firstText(shape.Message, shape.Value.Message, fault.MessageIn(shape.Error), fault.MessageIn(shape.Detail))
	}
	if words == "" {
		words = strings.ToValidUTF8(string(text), "")
	}
	words = strings.Join(strings.Fields(words), " ")
	words = wording.ClipBytes(words, maxSaid)
	if words == "" {
		words = http.StatusText(res.StatusCode)
	}
	return words
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if t != "" && t != "null" {
			return t
		}
	}
	return ""
}

// unquoted returns what is behind a *url.Error, whose text repeats the address with what may be secret in it.
func unquoted(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// gone reports whether the provider says that what should be ended is not there any longer, which is what was wanted.
func gone(err error) bool {
	e, ok := errors.AsType[*answerError](err)
	return ok && (e.status == http.StatusNotFound || e.status == http.StatusGone)
}

// unlessGone is err, or nil when it says that nothing is left to end.
func unlessGone(err error) error {
	if gone(err) {
		return nil
	}
	return err
}
