package launch

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/session/config"
)

// BrowsersOptions configure [Browsers]. The zero value works; a Profile needs a Registry.
type BrowsersOptions struct {
	Log     *slog.Logger
	Started func(err error) // called after each launch; nil means not called

	// Profile is a folder for cookies, storage and the browser's settings. If set, there is one browser with this profile,
	// and each session is a set of tabs in it. Empty means each session has its own temporary profile.
	Profile  string
	Registry *actions.Registry   // reads Args
	Args     []string            // launch options of the browser with the profile, as on the command line
	Getenv   func(string) string // the environment of those options; nil means empty
	Cwd      string              // the folder for their configuration files, or empty
}

// Browsers are the browsers of several managers' sessions. Sessions of different managers do not know each other.
type Browsers struct {
	pool    *pool
	log     *slog.Logger
	profile string
	launch  Options      // of the browser with the profile
	lock    *profileLock // the lock of the profile, or nil

	mu   sync.Mutex
	kept *Pooled         // the browser with the profile, which outlives its sessions
	last *engine.Browser // the last browser that was started
}

// NewBrowsers returns browsers, none of which runs yet. A profile that another process uses is refused; otherwise it is
// locked until Close.
func NewBrowsers(o BrowsersOptions) (*Browsers, error) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &Browsers{pool: newPool(log, o.Started), log: log, profile: o.Profile}
	if o.Profile == "" {
		return b, nil
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	opts := actions.ParseOptions{Getenv: o.Getenv}
	if o.Cwd != "" {
		opts.Configure = config.New().For(o.Cwd, o.Getenv)
	}
	in, err := o.Registry.Parse(append(append([]string(nil), o.Args...), "open"), opts)
	if err != nil {
		return nil, err
	}
	asIs := func(p string) string { return p }
	b.launch = Asked(in, o.Getenv, asIs)
	b.launch.Fill(in, asIs, log)
	b.launch.Browser.UserDataDir = o.Profile
	b.pool.launch = b.launchProfile
	if b.lock, err = lockProfile(o.Profile, profilePatience); err != nil {
		return nil, err
	}
	return b, nil
}

// SetAddress records the service's address, for another service that wants the same profile and is refused.
func (b *Browsers) SetAddress(address string) error {
	if b.lock == nil {
		return nil
	}
	b.lock.holder.Address = address
	return b.lock.write()
}

// CloseLimit bounds how long the end of all sessions and browsers may take.
const CloseLimit = 15 * time.Second // a browser with a persistent profile gets 10 s of it

// Close ends the running browsers. Close the managers first.
func (b *Browsers) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, CloseLimit)
	defer cancel()
	b.mu.Lock()
	kept := b.kept
	b.kept = nil
	b.mu.Unlock()
	if kept != nil {
		b.SaveLogins(ctx, kept.Browser)
		b.pool.release(ctx, kept)
	}
	b.pool.close(ctx)
	if b.lock != nil {
		b.lock.release()
	}
}

// retain keeps the browser until Close, and releases one that has ended.
func (b *Browsers) retain(ctx context.Context, p *Pooled) {
	b.mu.Lock()
	before := b.kept
	if before == p {
		b.mu.Unlock()
		return
	}
	b.kept = p
	b.pool.addUser(p)
	b.mu.Unlock()
	if before != nil {
		b.pool.release(ctx, before)
	}
}

// perSessionFlags are the launch options that each session of a shared browser may choose.
var perSessionFlags = map[string]bool{
	"user-agent": true, "ignore-https-errors": true, "color-scheme": true,
	policy.FlagDomains: true, policy.FlagResources: true, policy.FlagBlockPrivate: true, policy.FlagAllowPrivate: true,
}

// AcquireShared returns the browser with the profile for a session with the options l. Release gives it back.
func (b *Browsers) AcquireShared(ctx context.Context, l Options) (p *Pooled, started bool, err error) {
	for name, value := range l.Given {
		if !perSessionFlags[name] && b.launch.Given[name] != value {
			return nil, false, fault.New(fault.Usage,
				"--%s %s is not available here: all tasks share one browser, which is already running", name, value).
				About("--" + name).
				WithHint("Leave it out, or give it to the service when it is started.")
		}
	}
	p, started, err = b.pool.acquire(ctx, "profile", b.launch.Browser)
	if err == nil {
		b.retain(context.WithoutCancel(ctx), p)
	}
	return p, started, err
}

// Acquire returns a browser that is shared by sessions with the same key. Release gives it back.
func (b *Browsers) Acquire(ctx context.Context, key string, l Options) (p *Pooled, started bool, err error) {
	return b.pool.acquire(ctx, key, l.Browser)
}

// Release gives a browser back and ends it if no other session uses it.
func (b *Browsers) Release(ctx context.Context, p *Pooled) { b.pool.release(ctx, p) }

// Retire keeps other sessions from getting a browser.
func (b *Browsers) Retire(p *Pooled) { b.pool.drop(p) }

// Shared reports whether all sessions share one browser with a persistent profile.
func (b *Browsers) Shared() bool { return b.profile != "" }

// launchProfile starts the browser with the profile and restores the logins that Chromium does not save itself.
func (b *Browsers) launchProfile(ctx context.Context) (*engine.Browser, error) {
	b.mu.Lock()
	last := b.last
	b.mu.Unlock()
	if last != nil {
		_ = last.Close(ctx) // it ended by itself; the profile is free when all of its processes are gone
	}
	browser, err := b.launchWhenFree(ctx)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.last = browser
	b.mu.Unlock()
	if err := b.restoreLogins(ctx, browser); err != nil {
		b.log.Warn("logins of the last time are not restored", "err", err)
	}
	return browser, nil
}

// A killed service leaves a browser that takes a moment to write its profile and end. There is no event for that.
const (
	profilePatience = 5 * time.Second
	profilePause    = 50 * time.Millisecond
)

func (b *Browsers) launchWhenFree(ctx context.Context) (*engine.Browser, error) {
	for began := time.Now(); ; {
		browser, err := engine.Launch(ctx, b.launch.Browser)
		f, ok := errors.AsType[*fault.Error](err)
		if err == nil || !ok || f.Facts["reason"] != "profile-in-use" || time.Since(began) > profilePatience {
			return browser, err
		}
		if pause.For(ctx, profilePause) != nil {
			return nil, err
		}
	}
}
