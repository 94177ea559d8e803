//go:build linux

package main

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
)

// watcher follows which windows and guests the browser has.
type watcher struct {
	guests     chan string   // ids of new ones
	windowless chan struct{} // told when the last window was closed

	mu      sync.Mutex
	windows map[string]string // their addresses by their ids
	seen    map[string]bool   // guests that were told
	changed chan struct{}     // closed and replaced at each change of windows
}

func newWatcher() *watcher {
	return &watcher{
		guests: make(chan string, 16), windowless: make(chan struct{}, 1), windows: map[string]string{}, seen: map[string]bool{}, changed: make(chan struct{}),
	}
}

// see takes an event of the browser.
func (w *watcher) see(e cdp.Event) {
	var event struct {
		TargetInfo struct {
			TargetID, Type, URL string
		}
		TargetID string
	}
	if !strings.HasPrefix(e.Method, "Target.target") || json.Unmarshal(e.Params, &event) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch info := event.TargetInfo; {
	case info.Type == "page":
		w.windows[info.TargetID] = info.URL
	case info.Type == "webview":
		if !w.seen[info.TargetID] {
			w.seen[info.TargetID] = true // a target may become a guest after it was created
			w.guests <- info.TargetID
		}
	case e.Method == "Target.targetDestroyed":
		if _, ok := w.windows[event.TargetID]; !ok {
			return
		}
		if delete(w.windows, event.TargetID); len(w.windows) == 0 {
			select {
			case w.windowless <- struct{}{}:
			default:
			}
		}
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// mainWindow waits for the window with an address, or any other one when that one has gone elsewhere, and returns its id.
func (w *watcher) mainWindow(ctx context.Context, url string) (string, error) {
	for {
		w.mu.Lock()
		changed := w.changed
		any := ""
		for id, at := range w.windows {
			if at == url {
				w.mu.Unlock()
				return id, nil
			}
			if strings.HasPrefix(at, "http") {
				any = id
			}
		}
		w.mu.Unlock()
		if any != "" {
			return any, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
