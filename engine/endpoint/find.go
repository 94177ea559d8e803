package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Bounds of the questions for a browser's websocket. Something else that listens there may never answer. What has not
// answered one question is not given as long for the next one.
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
	Tab    string      // the target id of the tab to show, or empty
	Named  bool        // the address names Tab, so that another tab is not what was asked for
	// URL is that tab's own websocket, since the browser's is not available: the connection ends with the tab
	Lone bool

	Open cdp.Transport // the websocket, if it is open already: the caller closes it
	Mute bool          // the HTTP side does not answer
}

// Discover returns the websocket URL of the browser at an address. A ws URL is returned unchanged.
func Discover(ctx context.Context, address string) (string, error) {
	e, err := Find(ctx, address, nil)
	if err != nil {
		return "", err
	}
	if e.Open != nil {
		_ = e.Open.Close()
	}
	return e.URL, nil
}

// Find asks for the browser at an address: a port of this machine, an http or a ws URL. The header goes with every
// question; it may be nil.
func Find(ctx context.Context, address string, header http.Header) (Endpoint, error) {
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
	var replies []string
	for i, base := range w.bases {
		e, tried, err := findAt(ctx, base, header)
		if err == nil {
			return e, nil
		}
		if i > 0 && tried.nobody {
			replies = append(replies, base.Hostname()+": "+tried.version)
			continue
		}
		if i > 0 {
			replies = append(replies, base.Host)
		}
		replies = append(replies, "/json/version: "+tried.version, "/json/list: "+tried.list, "WebSocket: "+tried.socket)
	}
	shown := ShownAddress(address)
	f := fault.New(fault.ConnectFailed, "All CDP discovery methods failed for %s: %s.",
		w.given, strings.Join(replies, "; ")).
		About(shown)
	return Endpoint{},
		f.WithHint("Start the browser with --remote-debugging-port and a --user-data-dir of its own, and give that port.")
}

// findOfTab looks for the browser of a tab whose websocket is known.
func findOfTab(ctx context.Context, w whereabouts, header http.Header) Endpoint {
	for _, base := range w.bases {
		ctx, cancel := context.WithTimeout(ctx, browserLimit)
		e, err := askVersion(ctx, base, header)
		cancel()
		if err == nil {
			e.Tab, e.Named = w.tab, true
			return e
		}
	}
	return Endpoint{
		URL:    w.ws.String(),
		Header: header,
		Tab:    w.tab,
		Named:  true,
		Lone:   true,
		Mute:   true,
	}
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
		if ofElectron(ctx, base, header) {
			return e, "",
				errors.New(
					"the main process of an Electron app listens there, and no browser; `electron attach` with the app's name or " +
						"process id works in it")
		}
		return e, "", fmt.Errorf("a program of Node.js listens there (%s), and no browser", version.Browser)
	case version.URL == "":
		return e, "", errors.New("the answer names no webSocketDebuggerUrl")
	}
	e, err = told(version.URL, base, header)
	return e, version.Browser, err
}

// ofElectron reports whether an inspector of Node.js is that of an Electron's main process, whose first script has this
// name.
func ofElectron(ctx context.Context, base *url.URL, header http.Header) bool {
	var targets []struct {
		Title string `json:"title"`
	}
	_, err := question(ctx, base, "/json/list", header, &targets)
	return err == nil && len(targets) > 0 && strings.HasPrefix(targets[0].Title, "electron/")
}

// askList asks for the tabs. Over the websocket of one of them the whole browser can be worked with where the browser
// allows it.
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
	t, header, err := Dial(ctx, u.String(), header)
	switch {
	case fault.Is(err, fault.Timeout):
		return Endpoint{},
			errors.New("it did not answer in time; a dialog of the browser may be asking whether debugging is allowed")
	case err != nil:
		return Endpoint{}, errors.New(err.Error())
	}
	return Endpoint{URL: u.String(), Header: header, Open: t, Mute: true}, nil
}

func told(ws string, base *url.URL, header http.Header) (Endpoint, error) {
	u, err := reached(ws, base)
	if err != nil {
		return Endpoint{}, errors.New("its webSocketDebuggerUrl is not a URL")
	}
	return Endpoint{URL: u.String(), Header: header}, nil
}
