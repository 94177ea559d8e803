package endpoint

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// listLimit bounds the question which tab was used last: the answer is useful, not necessary.
const listLimit = time.Second

// RecentTabs asks the HTTP side of a browser's endpoint for its tabs, which come with the one last used first. The protocol itself lists them
// in no order. Services that offer CDP only over a websocket do not answer; then the result is nil.
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
