package embedder

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// support is whether a browser manages browser contexts.
type support struct {
	mu           sync.Mutex
	asked, lacks bool
}

var supports = engine.NewState(func(*engine.Context) *support { return &support{} })

// lacking asks the browser once, by a request that does nothing.
func (s *support) lacking(ctx context.Context, c *engine.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked {
		_, err := c.Browser().Session().CallRaw(ctx, "Browser.cancelDownload", map[string]string{"guid": ""})
		s.asked = err == nil || fault.Is(err, fault.Protocol)
		s.lacks = err != nil && strings.Contains(err.Error(), "Browser context management is not supported")
	}
	return s.lacks
}

// StandIn returns the page to ask for what belongs to the context, or nil if the browser itself answers. Only a browser
// that we attached to and that manages no contexts needs one: the last of its pages that is attached to.
func StandIn(ctx context.Context, c *engine.Context) *engine.Page {
	pages := standIns(ctx, c)
	if len(pages) == 0 {
		return nil
	}
	return pages[len(pages)-1]
}

func standIns(ctx context.Context, c *engine.Context) []*engine.Page {
	if c.ID() != "" || c.Browser().Owned() || !supports.Of(c).lacking(ctx, c) {
		return nil
	}
	return slices.DeleteFunc(c.Pages(), func(p *engine.Page) bool { return !p.Attached() })
}

// downloadBehavior are the parameters of Page.setDownloadBehavior.
type downloadBehavior struct {
	Behavior string `json:"behavior"`
	Path     string `json:"downloadPath,omitzero"`
}

// CatchDownloads keeps the files that pages save from now on, until stop is called, as [engine.Downloads.Catch] does;
// where the browser takes no word for all pages, each is told.
func CatchDownloads(ctx context.Context, c *engine.Context) (stop func(), err error) {
	stop, err = c.Downloads().Catch(ctx)
	if !fault.Is(err, fault.Protocol) {
		return stop, err
	}
	pages, refused := standIns(ctx, c), err
	if len(pages) == 0 {
		return nil, refused
	}
	const method = "Page.setDownloadBehavior"
	stop = func() {
		for _, p := range pages {
			p.Session().Start(method, downloadBehavior{Behavior: "default"})
		}
	}
	for _, p := range pages {
		if _, err := p.Session().CallRaw(ctx, method, downloadBehavior{"allowAndName", c.Downloads().Folder()}); err != nil {
			stop()
			return nil, err
		}
	}
	return stop, nil
}
