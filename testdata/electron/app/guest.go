//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// dressGuests gives each guest its page, until ctx ends. The first is told to dressed.
func (b *browser) dressGuests(ctx context.Context, guests <-chan string, p *process, dressed chan<- error) {
	for first := true; ; {
		select {
		case id := <-guests:
			err := b.dress(ctx, id, p)
			if first {
				dressed <- err
				first = false
			}
		case <-ctx.Done():
			return
		case <-b.ended:
			return
		}
	}
}

// dress replaces what a guest shows. The only guests that Debian's Chromium has are those of its PDF viewer, and they refuse to navigate; so
// the page's text is put into the document, and its script is run there, since the viewer's policy forbids scripts that are in the text.
func (b *browser) dress(ctx context.Context, id string, p *process) error {
	page, err := p.archive.ReadFile("webview.html")
	if err != nil {
		return err
	}
	script, err := p.archive.ReadFile("webview.js")
	if err != nil {
		return err
	}
	s, err := b.attach(ctx, id)
	if err != nil {
		return err
	}
	// The viewer must have built itself, or it would do so in our page. Until its document is there, contexts come and go.
	for s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": viewerIsThere, "awaitPromise": true}, nil) != nil {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		case <-b.ended:
			return nil
		}
	}
	for _, step := range []struct {
		method string
		params map[string]any
	}{
		{"Page.setDocumentContent", map[string]any{"frameId": id, "html": string(page)}},
		{"Runtime.evaluate", map[string]any{"expression": "history.replaceState(null, '', 'webview.html');" + string(script)}},
	} {
		var result struct {
			ExceptionDetails json.RawMessage `json:"exceptionDetails"`
		}
		if err := s.Call(ctx, step.method, step.params, &result); err != nil {
			return fmt.Errorf("the guest's page: %s: %w", step.method, err)
		}
		if result.ExceptionDetails != nil {
			return fmt.Errorf("the guest's page: %s: %s", step.method, result.ExceptionDetails)
		}
	}
	return nil
}

const viewerIsThere = `new Promise((resolve) => {
	const look = () => document.readyState === "complete" && document.title ? resolve() : setTimeout(look, 20); // the title comes last
	look();
})`
