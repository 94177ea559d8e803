package launch

import (
	"context"
	"log/slog"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// pool shares browsers among sessions with equal launch options. A browser ends with its last user.
type pool struct {
	log     *slog.Logger
	started func(error)                                    // called after each launch; nil means not called
	launch  func(context.Context) (*engine.Browser, error) // instead of engine.Launch; nil means engine.Launch

	mu       sync.Mutex
	browsers map[string]*Pooled // by launch key
}

// Pooled is a browser of the pool. ready is closed when the launch has succeeded or failed.
type Pooled struct {
	key     string
	ready   chan struct{}
	Browser *engine.Browser
	err     error
	users   int // guarded by pool.mu
}

func newPool(log *slog.Logger, started func(error)) *pool {
	return &pool{log: log, started: started, browsers: map[string]*Pooled{}}
}

// acquire returns a running browser for the options, and whether this call started it. release gives it back.
func (p *pool) acquire(ctx context.Context, key string, o chrome.Options) (_ *Pooled, started bool, _ error) {
	for {
		p.mu.Lock()
		b := p.browsers[key]
		if b == nil {
			b = &Pooled{key: key, ready: make(chan struct{}), users: 1}
			p.browsers[key] = b
			p.mu.Unlock()
			b.Browser, b.err = p.start(ctx, o)
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
		if b.err == nil && b.Browser.Err() == nil {
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
	if p.started != nil {
		p.started(err)
	}
	return b, err
}

// addUser counts one more user of a browser that is in use.
func (p *pool) addUser(b *Pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b.users++
}

// drop removes a browser from the pool, so that no other session gets it.
func (p *pool) drop(b *Pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browsers[b.key] == b {
		delete(p.browsers, b.key)
	}
}

// release gives a browser back. The last user's release ends it and waits until its processes are gone.
func (p *pool) release(ctx context.Context, b *Pooled) {
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
	if b.Browser == nil {
		return
	}
	if err := b.Browser.Close(ctx); err != nil {
		p.log.Warn("browser did not end cleanly", "pid", b.Browser.PID(), "err", err)
	}
}

// close ends the remaining browsers.
func (p *pool) close(ctx context.Context) {
	p.mu.Lock()
	var left []*Pooled
	for _, b := range p.browsers {
		left = append(left, b)
	}
	clear(p.browsers)
	p.mu.Unlock()
	for _, b := range left {
		<-b.ready
		if b.Browser != nil {
			_ = b.Browser.Close(ctx)
		}
	}
}
