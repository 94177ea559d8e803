package engine

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// listLimit bounds the question which tab was used last: it is good to know and not needed.
const listLimit = time.Second

// recentTabs asks the HTTP side of a browser's endpoint for its tabs, which come with the one last used first. The protocol itself
// tells them in no order. Services that speak CDP over a websocket alone do not answer; then the result is nil.
func recentTabs(ctx context.Context, wsURL string, header http.Header) []listedTab {
	u, err := url.Parse(wsURL)
	if err != nil {
		return nil
	}
	u.Scheme, u.Path = strings.Replace(u.Scheme, "ws", "http", 1), "/json/list"
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	var tabs []listedTab
	if getJSON(ctx, u.String(), header, &tabs) != nil {
		return nil
	}
	return tabs
}

// listedTab is a tab as that side tells of it.
type listedTab struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Parent string `json:"parentId"`
}
