package stream

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/console"
)

// viewer is one client that watches a session.
type viewer struct {
	socket  socket
	source  Source
	changed chan struct{} // has a token when the state may have changed
	framed  chan struct{} // has a token when there is a newer frame
	stale   chan struct{} // has a token when the title may be outdated

	mu       sync.Mutex
	options  Options
	frame    *capture.ScreencastPicture // the newest frame that was not sent
	seq      int64                      // of the last frame that was sent
	acked    int64
	settings chan struct{} // has a token when the options or acked have changed
	active   *engine.Page

	// Only the writer uses these.
	sentState sentState
	sent      time.Time // when the last frame was sent
	console   *console.Watch
}

func newViewer(s socket, source Source, o Options) *viewer {
	return &viewer{
		socket:   s,
		source:   source,
		options:  o,
		changed:  make(chan struct{}, 1),
		framed:   make(chan struct{}, 1),
		stale:    make(chan struct{}, 1),
		settings: make(chan struct{}, 1),
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// serve runs until reading, writing or ctx ends. It returns why, and whether it received the result of reading.
func (v *viewer) serve(ctx context.Context, read <-chan error) (done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { v.refreshTitles(ctx) })
	stop := v.source.OnChange(func() { wake(v.changed) })
	defer stop()
	return v.write(ctx, read, &wg)
}

// write sends messages, frames last: only frames can be skipped.
func (v *viewer) write(ctx context.Context, read <-chan error, wg *sync.WaitGroup) (done bool, err error) {
	endCast := func() {}
	defer func() { endCast() }()
	defer v.watchConsole(nil)
	timer := time.NewTimer(0)
	defer timer.Stop()
	wake(v.changed)
	for {
		var logged <-chan struct{}
		if v.console != nil {
			logged = v.console.Ready()
		}
		select {
		case <-v.changed:
			state := v.source.State()
			if page := v.setActive(state.Active); page {
				endCast()
				endCast = v.cast(ctx, state.Active, wg)
				v.watchConsole(state.Active)
			}
			if err := v.sendState(ctx, state); err != nil {
				return false, err
			}
			wake(v.stale)
		case <-logged:
			if err := v.sendConsole(ctx); err != nil {
				return false, err
			}
		case <-v.framed:
		case <-v.settings:
		case <-timer.C:
		case err := <-read:
			return true, err
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		wait, err := v.sendFrame(ctx)
		if err != nil {
			return false, err
		}
		if wait > 0 {
			timer.Reset(wait)
		}
	}
}

// setActive sets the active page and reports whether it changed.
func (v *viewer) setActive(page *engine.Page) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.active == page {
		return false
	}
	v.active, v.frame = page, nil
	return true
}

// titleLimit is how long a page may take to report its title.
const titleLimit = 10 * time.Second

// refreshTitles reads the active page's title, since the browser does not report titles that scripts set. A new one
// changes the state.
func (v *viewer) refreshTitles(ctx context.Context) {
	for {
		select {
		case <-v.stale:
		case <-ctx.Done():
			return
		}
		v.mu.Lock()
		page := v.active
		v.mu.Unlock()
		if page == nil {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, titleLimit)
		watched, stop := page.Watch(limited, true)
		_, _ = page.Info(watched) // a page that does not answer keeps its title
		stop()
		cancel()
	}
}

// cast starts the goroutine that captures a page. It ends with end, the page or ctx; wg waits for it.
func (v *viewer) cast(ctx context.Context, page *engine.Page, wg *sync.WaitGroup) (end func()) {
	if page == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	wg.Go(func() {
		defer wake(v.changed) // another page may be active now
		cast, err := capture.StartScreencast(ctx, page, v.screencast())
		if err != nil {
			return
		}
		defer cast.Close()
		for {
			picture, err := cast.Next(ctx)
			if err != nil {
				return
			}
			v.mu.Lock()
			if v.active == page {
				v.frame = picture
			}
			v.mu.Unlock()
			wake(v.framed)
		}
	})
	return cancel
}

func (v *viewer) screencast() capture.ScreencastOptions {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.options.screencast()
}

// sendFrame sends the newest frame if the client may have one now; otherwise wait is how long until it may, or 0.
func (v *viewer) sendFrame(ctx context.Context) (wait time.Duration, err error) {
	v.mu.Lock()
	picture := v.frame
	if picture == nil || v.options.ackPace && v.acked < v.seq {
		v.mu.Unlock()
		return 0, nil
	}
	if v.options.fps > 0 {
		if wait := time.Until(v.sent.Add(time.Duration(float64(time.Second) / v.options.fps))); wait > 0 {
			v.mu.Unlock()
			return wait, nil
		}
	}
	v.frame = nil
	v.seq++
	seq := v.seq
	v.mu.Unlock()
	v.sent = time.Now()
	if err := v.socket.write(ctx, frameMessage(seq, picture)); err != nil {
		return 0, err
	}
	return 0, v.sendSize(ctx, picture.Metadata)
}

// watchConsole watches the console of the page's context instead of the previous one.
func (v *viewer) watchConsole(page *engine.Page) {
	if v.console != nil {
		v.console.Stop()
		v.console = nil
	}
	if page != nil && v.options.Console {
		v.console = console.NewWatch(page.Context())
	}
}
