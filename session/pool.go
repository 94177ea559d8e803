package session

import (
	"context"
	"log/slog"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// pool shares browsers among sessions whose launch options are equal. A browser ends with its last user.
type pool struct {
	log     *slog.Logger
	metrics *Metrics
	launch  func(context.Context) (*engine.Browser, error) // in place of engine.Launch; nil: that

	mu       sync.Mutex
	browsers map[string]*pooled // by launch key
}

// pooled is one browser of the pool. ready is closed when the launch has ended, well or not.
type pooled struct {
	key     string
	ready   chan struct{}
	browser *engine.Browser
	err     error
	users   int // guarded by pool.mu
}

func newPool(log *slog.Logger, metrics *Metrics) *pool {
	return &pool{log: log, metrics: metrics, browsers: map[string]*pooled{}}
}

// acquire returns a running browser for the options and whether it was started for this call. The caller gives it back by release.
func (p *pool) acquire(ctx context.Context, key string, o chrome.Options) (_ *pooled, started bool, _ error) {
	for {
		p.mu.Lock()
		b := p.browsers[key]
		if b == nil {
			b = &pooled{key: key, ready: make(chan struct{}), users: 1}
			p.browsers[key] = b
			p.mu.Unlock()
			b.browser, b.err = p.start(ctx, o)
			if b.err != nil {
				p.drop(b)
			}
			close(b.ready)
			return b, true, b.err
		}
		b.users++
		p.mu.Unlock()
		select {
		case <-b.ready:
		case <-ctx.Done():
			p.release(context.WithoutCancel(ctx), b)
			return nil, false, context.Cause(ctx)
		}
		if b.err == nil && b.browser.Err() == nil {
			return b, false, nil
		}
		// Its launch failed for another session, or it ended: the next round starts one of our own.
		p.drop(b)
	}
}

func (p *pool) start(ctx context.Context, o chrome.Options) (*engine.Browser, error) {
	launch := p.launch
	if launch == nil {
		launch = func(ctx context.Context) (*engine.Browser, error) { return engine.Launch(ctx, o) }
	}
	b, err := launch(ctx)
	p.metrics.launched(err)
	return b, err
}

// hold counts one more user of a browser that has one.
func (p *pool) hold(b *pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b.users++
}

// drop takes a browser out of the pool, so that nobody gets it any more.
func (p *pool) drop(b *pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browsers[b.key] == b {
		delete(p.browsers, b.key)
	}
}

// release gives a browser back. The last user's release ends it and waits until its processes are gone.
func (p *pool) release(ctx context.Context, b *pooled) {
	p.mu.Lock()
	b.users--
	last := b.users == 0
	if last && p.browsers[b.key] == b {
		delete(p.browsers, b.key)
	}
	p.mu.Unlock()
	if !last {
		return
	}
	<-b.ready
	if b.browser == nil {
		return
	}
	if err := b.browser.Close(ctx); err != nil {
		p.log.Warn("browser did not end in order", "pid", b.browser.PID(), "err", err)
	}
}

// close ends what is left.
func (p *pool) close(ctx context.Context) {
	p.mu.Lock()
	var left []*pooled
	for _, b := range p.browsers {
		left = append(left, b)
	}
	clear(p.browsers)
	p.mu.Unlock()
	for _, b := range left {
		<-b.ready
		if b.browser != nil {
			_ = b.browser.Close(ctx)
		}
	}
}
