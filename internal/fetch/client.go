package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/skua-browser/skua/internal/fault"
)

// Options say how requests are made.
type Options struct {
	UserAgent   string
	Proxy       string         // for all requests; else the environment decides
	ProxyBypass string         // hosts, separated by commas or semicolons, that are reached without Proxy
	AnyCert     bool           // certificates are not checked
	Roots       *x509.CertPool // that sign the certificates of servers; nil means those of the system
	KeepTLS     bool           // a redirect from https to http is an error
	Getenv      func(string) string

	Road  http.RoundTripper          // makes all requests, by proxies and with trust of its own; nil means as above
	Allow func(address string) error // why an address may not be asked, or nil; nil means that all may be
}

// Client makes requests. Close it.
type Client struct {
	http      http.Client
	userAgent string
	allow     func(string) error
}

// New returns a client.
func New(o Options) *Client {
	get := func(name string) string {
		if v := o.Getenv(strings.ToUpper(name)); v != "" {
			return v
		}
		return o.Getenv(name)
	}
	proxies := httpproxy.Config{HTTPProxy: get("http_proxy"), HTTPSProxy: get("https_proxy"), NoProxy: get("no_proxy")}
	if o.Proxy != "" {
		proxies = httpproxy.Config{
			HTTPProxy:  o.Proxy,
			HTTPSProxy: o.Proxy,
			NoProxy:    strings.ReplaceAll(o.ProxyBypass, ";", ","),
		}
	}
	choose := proxies.ProxyFunc()
	t := &http.Transport{
		Proxy:             func(r *http.Request) (*url.URL, error) { return choose(r.URL) },
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: o.AnyCert, RootCAs: o.Roots}, // the caller asked for it
	}
	road := http.RoundTripper(t)
	if o.Road != nil {
		road = o.Road
	}
	agent := o.UserAgent
	if agent == "" {
		agent = "skua (+https://github.com/skua-browser/skua)"
	}
	c := &Client{http: http.Client{Transport: road}, userAgent: agent, allow: o.Allow}
	if o.KeepTLS || o.Allow != nil {
		c.http.CheckRedirect = func(r *http.Request, via []*http.Request) error { return followed(o, r, via) }
	}
	return c
}

// maxRedirects is how many are followed, as net/http does by itself.
const maxRedirects = 10

// followed says why a redirect is not followed, or nil.
func followed(o Options, r *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return errors.New("stopped after 10 redirects")
	}
	if o.KeepTLS && via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https" {
		// what was begun with encryption goes on with it
		return fmt.Errorf("%s redirects to %s, without encryption", via[len(via)-1].URL.Host, r.URL.Host)
	}
	if o.Allow != nil {
		return o.Allow(r.URL.String())
	}
	return nil
}

// Do sends the caller's request. The caller closes the body. An HTTP error status is not a Go error.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if c.allow != nil {
		if err := c.allow(r.URL.String()); err != nil {
			return nil, err
		}
	}
	r.Header.Set("User-Agent", c.userAgent)
	return c.http.Do(r)
}

// Close ends the connections that are still open.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Document is what a server answered with.
type Document struct {
	URL         string // that was asked for
	FinalURL    string // after redirects
	Status      int
	ContentType string // as the server says it, or as the body looks where it says nothing
	// how it was found: accept-markdown, markdown-url, llms-link, http-text, html-fallback, raw, llms-index, llms-full
	Source    string
	Body      []byte
	Truncated bool // the body is longer than what is read of it
}

// The media types that are asked for, in the order in which they are liked.
const accepted = "text/markdown, text/x-markdown;q=0.95, text/plain;q=0.9, application/json;q=0.8, " +
	"text/html;q=0.7, */*;q=0.1"

// bodyLimit is how much of a body is read. No agent reads more.
const bodyLimit = 16 << 20

// get makes one request. An HTTP error status is not a Go error here.
func (c *Client) get(ctx context.Context, address string) (*Document, error) {
	if c.allow != nil {
		if err := c.allow(address); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fault.New(fault.Usage, "%q is not an address to read: %w", address, err).About(address)
	}
	req.Header.Set("Accept", accepted)
	req.Header.Set("User-Agent", c.userAgent)
	start := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		return nil, failed(ctx, address, start, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, bodyLimit+1))
	if err != nil {
		return nil, failed(ctx, address, start, err)
	}
	d := &Document{
		URL:         address,
		FinalURL:    res.Request.URL.String(),
		Status:      res.StatusCode,
		ContentType: res.Header.Get("Content-Type"),
		Body:        body,
		Truncated:   len(body) > bodyLimit,
	}
	if d.Truncated {
		d.Body = body[:bodyLimit]
	}
	if d.ContentType == "" {
		d.ContentType = http.DetectContentType(body)
	}
	return d, nil
}

// failed says why a request got no answer.
func failed(ctx context.Context, address string, start time.Time, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		if fault.CodeOf(cause) != fault.Timeout {
			return cause
		}
		return fault.New(fault.Timeout, "Read request failed: no answer from %s within %s", address,
			time.Since(start).Round(10*time.Millisecond)).
			About(address).WithHint("--timeout waits longer; `open` shows the page while it loads.")
	}
	if f, ok := errors.AsType[*fault.Error](err); ok { // of the road: a rule, or a proxy
		return f
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, which is said already
	}
	return fault.New(fault.NavigationFailed, "Read request failed: error sending request for url (%s): %w", address, err).
		About(address)
}

// MediaType is the content type without its parameters, in lower case.
func (d *Document) MediaType() string {
	media, _, err := mime.ParseMediaType(d.ContentType)
	if err != nil {
		media, _, _ = strings.Cut(d.ContentType, ";")
	}
	return strings.ToLower(strings.TrimSpace(media))
}

// ok reports whether the server had what was asked for.
func (d *Document) ok() bool { return d.Status >= 200 && d.Status < 300 }

// isMarkdown reports whether a media type is Markdown's.
func isMarkdown(media string) bool { return media == "text/markdown" || media == "text/x-markdown" }

// IsHTML reports whether a media type is that of pages.
func IsHTML(media string) bool { return media == "text/html" || media == "application/xhtml+xml" }

// IsText reports whether what has the media type can be read as it is.
func IsText(media string) bool {
	if strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml") ||
		strings.HasSuffix(media, "+yaml") {
		return media != "image/svg+xml"
	}
	switch media {
	case "application/json", "application/xml", "application/javascript", "application/ecmascript", "application/yaml",
		"application/x-yaml",
		"application/toml", "application/x-ndjson", "application/jsonl", "application/sql", "application/graphql",
		"application/x-sh":
		return true
	}
	return false
}

// NotTextError is the error for content that is not text.
func NotTextError(address, media string) error {
	return fault.New(fault.TargetUnsuitable, "%s is %s, which cannot be read as text.", address, media).About(address).
		With("contentType", media).
		WithHint("`open` shows it, and `screenshot` makes a picture of what the browser shows.")
}

func httpError(what, address string, status int) error {
	return fault.New(fault.NavigationFailed, "%s failed with HTTP %d", what, status).About(address).With("status", status).
		With("url", address)
}

func expectedMarkdown(address, media string) error {
	return fault.New(fault.TargetUnsuitable, "Expected text/markdown, got %s", media).About(address).With("contentType",
		media).
		WithHint("Without --require-md the page itself is turned into Markdown.")
}

func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fault.New(fault.Usage, "read fetches http and https addresses, got %s.", fmt.Sprintf("%.200q", address)).
			About(address).
			WithHint("Open it, then `read` without an address reads the page that is shown.")
	}
	u.Fragment = ""
	return u, nil
}
