package endpoint

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// listLimit bounds the question which tab was used last: the answer is useful, not necessary.
const listLimit = time.Second

// RecentTabs asks the HTTP side of a browser's endpoint for its tabs, which come with the one last used first. The
// protocol itself lists them in no order. Services that offer CDP only over a websocket do not answer; then the result
// is nil.
func RecentTabs(ctx context.Context, wsURL string, header http.Header) []Tab {
	u, err := url.Parse(wsURL)
	if err != nil {
		return nil
	}
	u.Scheme, u.Path = strings.Replace(u.Scheme, "ws", "http", 1), "/json/list"
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	var tabs []Tab
	if getJSON(ctx, u.String(), header, &tabs) != nil {
		return nil
	}
	return tabs
}

// Tab is a tab as the HTTP side lists it.
type Tab struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Parent string `json:"parentId"`
}

// NotATab is the error of an address that names something which is not a tab of the browser.
func (e Endpoint) NotATab(ctx context.Context, address string) error {
	shown := ShownAddress(address)
	kind := ""
	for _, tab := range RecentTabs(ctx, e.URL, e.Header) {
		if tab.ID == e.Tab {
			kind = tab.Type
		}
	}
	f := fault.New(fault.ConnectFailed, "%s: %s is a %s and not a tab.", shown, e.Tab, kind)
	switch kind {
	case "":
		f = fault.New(fault.ConnectFailed, "%s: the browser has no page %s.", shown, e.Tab)
	case "page":
		f = fault.New(fault.ConnectFailed, "%s: %s belongs to the browser's own interface and is not a tab.", shown, e.Tab)
	}
	whole := url.URL{Scheme: "http"}
	if u, err := url.Parse(shown); err == nil {
		whole.Host, whole.Scheme = u.Host, strings.Replace(u.Scheme, "ws", "http", 1)
	}
	return f.About(shown).
		WithHint("`connect %s` connects to the browser; `tab list` shows its tabs, and `tab ID` switches to one.", &whole)
}
