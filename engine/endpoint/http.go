package endpoint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
)

// hostRule is what Chromium answers when the host is a name other than localhost: web pages could use a name of their
// own for this machine. hostAllowed is the name that it accepts.
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

// Dial opens a browser's websocket, and returns the header with which that succeeded.
func Dial(ctx context.Context, address string, header http.Header) (cdp.Transport, http.Header, error) {
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
		return errors.New("the address is not a URL")
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

// httpStatus is the error of an answer with another status than 200.
type httpStatus struct {
	code int
	text string
}

func (s httpStatus) Error() string { return s.text }
