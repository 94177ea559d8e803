package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// Bounds of the questions for a browser's websocket. Something else that listens there may never answer. What has not answered one question
// is not given as long for the next one.
const (
	versionLimit = 5 * time.Second
	furtherLimit = 1 * time.Second
	browserLimit = 2 * time.Second // when there is a websocket to fall back on
)

// answerReserve is what is left of a deadline to say that it passed.
const answerReserve = 2500 * time.Millisecond

// Endpoint is where the protocol of a running browser is reached.
type Endpoint struct {
	URL    string      // the websocket, with the secrets that it holds
	Header http.Header // of the websocket's handshake, and of questions at the HTTP side; may be nil
	Tab    string      // the target id of the tab that the address names; empty: none
	Lone   bool        // URL is that tab's own websocket, as the browser's could not be had: the connection ends with the tab

	open cdp.Transport // the websocket, when it is open already
	mute bool          // the HTTP side tells nothing
}

// Discover turns what people know of a running browser into its websocket URL: a port of this machine, an http URL, or the ws URL itself,
// which is returned as it is.
func Discover(ctx context.Context, address string) (string, error) {
	e, err := find(ctx, address, nil)
	if err != nil {
		return "", err
	}
	if e.open != nil {
		_ = e.open.Close()
	}
	return e.URL, nil
}

// find asks for the browser at an address. The caller closes what is open of the endpoint.
func find(ctx context.Context, address string, header http.Header) (Endpoint, error) {
	w, err := parseAddress(address)
	if err != nil {
		return Endpoint{}, err
	}
	if w.tab != "" {
		return findOfTab(ctx, w, header), nil
	}
	if w.ws != nil {
		return Endpoint{URL: w.ws.String(), Header: header}, nil
	}
	var said []string
	for i, base := range w.bases {
		e, tried, err := findAt(ctx, base, header)
		if err == nil {
			return e, nil
		}
		if i > 0 && tried.nobody {
			said = append(said, base.Hostname()+": "+tried.version)
			continue
		}
		if i > 0 {
			said = append(said, base.Host)
		}
		said = append(said, "/json/version: "+tried.version, "/json/list: "+tried.list, "WebSocket: "+tried.socket)
	}
	shown := ShownAddress(address)
	f := fault.New(fault.ConnectFailed, "All CDP discovery methods failed for %s: %s.", w.given, strings.Join(said, "; ")).About(shown)
	return Endpoint{}, f.WithHint("Start the browser with --remote-debugging-port and a --user-data-dir of its own, and give that port.")
}

// findOfTab looks for the browser of a tab whose websocket is known.
func findOfTab(ctx context.Context, w whereabouts, header http.Header) Endpoint {
	for _, base := range w.bases {
		ctx, cancel := context.WithTimeout(ctx, browserLimit)
		e, err := askVersion(ctx, base, header)
		cancel()
		if err == nil {
			e.Tab = w.tab
			return e
		}
	}
	return Endpoint{URL: w.ws.String(), Header: header, Tab: w.tab, Lone: true, mute: true}
}

// attempts is what the ways to find a browser at one host came to.
type attempts struct {
	version, list, socket string
	nobody                bool // nothing listens there
}

// findAt tries the ways to find the browser at one host, one after the other.
func findAt(ctx context.Context, base *url.URL, header http.Header) (Endpoint, attempts, error) {
	var tried attempts
	limit := versionLimit
	ask := func(fn func(context.Context, *url.URL, http.Header) (Endpoint, error)) (Endpoint, error) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		e, err := fn(ctx, base, header)
		if err != nil && time.Since(began) >= limit {
			limit = furtherLimit
		}
		return e, err
	}
	e, err := ask(askVersion)
	if err == nil {
		return e, tried, nil
	}
	tried.version = err.Error()
	tried.nobody = errors.As(err, new(*net.OpError))
	if e, err = ask(askList); err == nil {
		return e, tried, nil
	}
	tried.list = err.Error()
	if limit == versionLimit && !tried.nobody { // what answers questions may ask a person before it opens the websocket
		if deadline, ok := ctx.Deadline(); ok {
			limit = max(limit, time.Until(deadline)-answerReserve)
		}
	}
	if e, err = ask(openDirectly); err == nil {
		return e, tried, nil
	}
	tried.socket = err.Error()
	return Endpoint{}, tried, err
}

// askVersion asks the browser for its websocket.
func askVersion(ctx context.Context, base *url.URL, header http.Header) (Endpoint, error) {
	e, _, err := version(ctx, base, header)
	return e, err
}

func version(ctx context.Context, base *url.URL, header http.Header) (e Endpoint, product string, err error) {
	var version struct {
		Browser string `json:"Browser"`
		URL     string `json:"webSocketDebuggerUrl"`
	}
	header, err = question(ctx, base, "/json/version", header, &version)
	switch {
	case err != nil:
		return e, "", err
	case strings.HasPrefix(version.Browser, "node.js/"):
		return e, "", fmt.Errorf("a program of Node.js listens there (%s), and no browser", version.Browser)
	case version.URL == "":
		return e, "", errors.New("the answer names no webSocketDebuggerUrl")
	}
	e, err = told(version.URL, base, header)
	return e, version.Browser, err
}

// askList asks for the tabs. Over the websocket of one of them the whole browser can be worked with where the browser allows it.
func askList(ctx context.Context, base *url.URL, header http.Header) (Endpoint, error) {
	var targets []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		URL  string `json:"webSocketDebuggerUrl"`
	}
	header, err := question(ctx, base, "/json/list", header, &targets)
	if err != nil {
		return Endpoint{}, err
	}
	for _, kind := range []string{"browser", "page", "webview"} {
		for _, t := range targets {
			if t.Type != kind || t.URL == "" {
				continue
			}
			e, err := told(t.URL, base, header)
			if kind != "browser" {
				e.Tab, e.Lone = t.ID, true
			}
			return e, err
		}
	}
	return Endpoint{}, fmt.Errorf("it lists %d targets, and no page with a webSocketDebuggerUrl among them", len(targets))
}

// openDirectly opens the websocket where a browser has it that answers no questions.
func openDirectly(ctx context.Context, base *url.URL, header http.Header) (Endpoint, error) {
	u := *base
	u.Scheme = strings.Replace(u.Scheme, "http", "ws", 1)
	u.Path = strings.TrimSuffix(u.Path, "/") + "/devtools/browser"
	t, header, err := dial(ctx, u.String(), header)
	switch {
	case fault.Is(err, fault.Timeout):
		return Endpoint{}, errors.New("it did not answer in time; a dialog of the browser may be asking whether debugging is allowed")
	case err != nil:
		return Endpoint{}, errors.New(err.Error())
	}
	return Endpoint{URL: u.String(), Header: header, open: t, mute: true}, nil
}

func told(ws string, base *url.URL, header http.Header) (Endpoint, error) {
	u, err := reached(ws, base)
	if err != nil {
		return Endpoint{}, errors.New("the webSocketDebuggerUrl that it tells is no URL")
	}
	return Endpoint{URL: u.String(), Header: header}, nil
}

// hostRule is what Chromium says when it is asked by a name that is not localhost: web pages could make themselves a name for this machine.
// hostAllowed is the name that it answers to.
const (
	hostRule    = "Host header is specified and is not an IP address or localhost"
	hostAllowed = "localhost"
)

// asLocalhost is the header of requests to a Chromium that is reached by a name.
func asLocalhost(header http.Header) http.Header {
	h := header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Host", hostAllowed)
	return h
}

// question asks one thing of the HTTP side of a browser, and returns the header with which that answered.
func question(ctx context.Context, base *url.URL, path string, header http.Header, v any) (http.Header, error) {
	address := *base
	address.Path = strings.TrimSuffix(address.Path, "/") + path
	err := getJSON(ctx, address.String(), header, v)
	if err != nil && strings.Contains(err.Error(), hostRule) && header.Get("Host") == "" {
		header = asLocalhost(header)
		err = getJSON(ctx, address.String(), header, v)
	}
	return header, err
}

// dial opens a browser's websocket, and returns the header with which that went.
func dial(ctx context.Context, address string, header http.Header) (cdp.Transport, http.Header, error) {
	t, err := cdp.DialWebSocket(ctx, address, header)
	if err != nil && strings.Contains(err.Error(), hostRule) && header.Get("Host") == "" {
		header = asLocalhost(header)
		t, err = cdp.DialWebSocket(ctx, address, header)
	}
	return t, header, err
}

// maxDiscovery bounds the answer that is read; the real one has a few hundred bytes.
const maxDiscovery = 1 << 20

// getJSON asks a browser's HTTP side. Its errors show nothing of the address but the host.
func getJSON(ctx context.Context, address string, header http.Header, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errors.New("the address is no URL")
	}
	for name, values := range header {
		req.Header[name] = slices.Clone(values)
	}
	req.Host = cmp.Or(header.Get("Host"), req.Host)
	transport := &http.Transport{DisableKeepAlives: true}
	if req.URL.Scheme == "https" { // a proxy must not be asked for a debugging port; services are reached through it
		transport.Proxy = http.ProxyFromEnvironment
	}
	client := &http.Client{
		Transport: transport,
		// The headers are for this host alone.
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			if to.URL.Host != via[0].URL.Host || len(via) > 3 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	res, err := client.Do(req)
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("it did not answer in time")
	}
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			return u.Err
		}
		return err
	}
	defer res.Body.Close()
	body := json.NewDecoder(io.LimitReader(res.Body, maxDiscovery))
	if res.StatusCode != http.StatusOK {
		return refusal(res)
	}
	if err := body.Decode(v); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return errors.New("it did not answer in time")
		}
		return fmt.Errorf("what listens there does not speak CDP: %w", err)
	}
	return nil
}

// refusal is what a server said in place of an answer.
func refusal(res *http.Response) error {
	said, _ := io.ReadAll(io.LimitReader(res.Body, 300)) // what could be read is all that matters
	first, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(said), "")), "\n")
	text := "HTTP " + res.Status
	switch res.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		text += ": it wants to know who asks; --cdp-headers can tell it"
	}
	if strings.Contains(first, hostRule) {
		text += " (" + first + ")"
	}
	return httpStatus{code: res.StatusCode, text: text}
}

// httpStatus is an answer that is none.
type httpStatus struct {
	code int
	text string
}

func (s httpStatus) Error() string { return s.text }
