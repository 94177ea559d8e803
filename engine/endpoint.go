package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// discoverLimit bounds the question for a browser's websocket address. Something else that listens on the port may never answer.
const discoverLimit = 5 * time.Second

// Discover turns what people know of a running browser into its browser-level websocket URL: a port of this machine, an http URL, or
// the ws URL itself, which is returned as it is.
func Discover(ctx context.Context, target string) (string, error) {
	if n, err := strconv.ParseUint(target, 10, 16); err == nil && n > 0 {
		return discoverHTTP(ctx, "http://127.0.0.1:"+target)
	}
	u, err := url.Parse(target)
	if err == nil && u.Host != "" {
		switch u.Scheme {
		case "ws", "wss":
			return target, nil
		case "http", "https":
			return discoverHTTP(ctx, strings.TrimSuffix(u.Scheme+"://"+u.Host+u.Path, "/"))
		}
	}
	return "", fault.New(fault.Usage, "Invalid value: '%s' is not a valid port number or URL.", target).About(target).
		WithHint("Give a port such as 9222, or an http or ws address.")
}

// ShownAddress is an address without what in it may be secret: the user, the query and the fragment.
func ShownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

func discoverHTTP(ctx context.Context, base string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, discoverLimit)
	defer cancel()
	var version struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	err := getJSON(ctx, base+"/json/version", nil, &version)
	if err == nil && version.URL == "" {
		err = errors.New("the answer names no webSocketDebuggerUrl")
	}
	if err != nil {
		host := strings.TrimPrefix(strings.TrimPrefix(base, "http://"), "https://")
		return "", fault.New(fault.ConnectFailed, "All CDP discovery methods failed for %s: /json/version: %w.", host, err).About(base).
			WithHint("Start the browser with --remote-debugging-port, and give that port.")
	}
	return withHost(version.URL, base), nil
}

// withHost puts the host that was reached into the address that the browser tells, which names its own idea of it. They differ
// behind port forwards and in containers.
func withHost(ws, base string) string {
	u, err := url.Parse(ws)
	if err != nil {
		return ws
	}
	b, err := url.Parse(base)
	if err != nil {
		return ws
	}
	u.Host = b.Host
	if b.Scheme == "https" {
		u.Scheme = "wss"
	}
	return u.String()
}

// listLimit bounds the question which tab was used last: it is good to know and not needed.
const listLimit = time.Second

// recentTabs asks the HTTP side of a browser's endpoint for its tabs, which come with the one last used first. The protocol itself
// tells them in no order. Services that speak CDP over a websocket alone do not answer; then the result is nil.
func recentTabs(ctx context.Context, wsURL string, header http.Header) []string {
	u, err := url.Parse(wsURL)
	if err != nil {
		return nil
	}
	u.Scheme, u.Path = strings.Replace(u.Scheme, "ws", "http", 1), "/json/list"
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	var tabs []struct {
		ID string `json:"id"`
	}
	if getJSON(ctx, u.String(), header, &tabs) != nil {
		return nil
	}
	ids := make([]string, len(tabs))
	for i, tab := range tabs {
		ids[i] = tab.ID
	}
	return ids
}

// maxDiscovery bounds the answer that is read; the real one has a few hundred bytes.
const maxDiscovery = 1 << 20

func getJSON(ctx context.Context, address string, header http.Header, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	// A proxy must not be asked for a debugging port.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("it did not answer in time")
	}
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			return u.Err
		}
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %s", res.Status)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxDiscovery)).Decode(v); err != nil {
		return fmt.Errorf("what listens there does not speak CDP: %w", err)
	}
	return nil
}
