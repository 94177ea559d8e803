package engine

import (
	"context"
	"encoding/json"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
)

// LoadExtension loads an unpacked extension from its folder into the default context of a browser that we launched with extensions, and returns its
// id.
func (b *Browser) LoadExtension(ctx context.Context, dir string) (id string, err error) {
	reply, err := b.root.CallRaw(ctx, "Extensions.loadUnpacked", map[string]any{"path": dir})
	if err != nil {
		return "", fault.New(fault.BrowserLaunch, "The extension in %s cannot be loaded: %w", dir, err).About(dir).
			WithHint("It must be the folder of an unpacked extension, with its manifest.json.")
	}
	var loaded struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(reply, &loaded); err != nil {
		return "", fault.New(fault.Protocol, "the browser's reply about an extension is not readable: %w", err)
	}
	return loaded.ID, nil
}

// Copied describes the copy of a user's profile that a launched browser runs with; nil if it does not run with one.
func (b *Browser) Copied() *chrome.Copied {
	if b.proc == nil {
		return nil
	}
	return b.proc.Copied()
}
