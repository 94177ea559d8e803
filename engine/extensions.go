package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/proto"
)

// LoadExtension loads an unpacked extension from its folder into the default context of a browser that we launched with extensions, and returns its id.
func (b *Browser) LoadExtension(ctx context.Context, dir string) (id string, err error) {
	return "", nil
}
