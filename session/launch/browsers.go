package launch

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/session/config"
)

// BrowsersOptions configure [Browsers]. The zero value works.
type BrowsersOptions struct {
	Log     *slog.Logger
	Started func(err error) // is told of each launch, and how it went; nil: nobody is

	// Profile is a folder that cookies, storage and the browser's settings are kept in. With it there is one browser, in which each session is
	// a set of tabs: they share what the profile keeps. Empty: browsers as the sessions want them, each session with a profile of its own.
	Profile string
	Args    []string            // of the browser with the profile: launch options, as on the command line
	Getenv  func(string) string // the same from the environment; nil: empty
	Cwd     string              // the same from the configuration files of whoever is there; empty: from none
}

// Browsers are what the sessions of several managers run in. Sessions of different managers know nothing of each other.
type Browsers struct {
	pool    *pool
	log     *slog.Logger
	profile string
	launch  Options      // of the browser with the profile
	hold    *profileHold // the claim of the profile; nil: there is none

	mu   sync.Mutex
	kept *Pooled         // the browser with the profile, which stays when its sessions end
	last *engine.Browser // that was started
}

// NewBrowsers returns browsers of which none runs. A profile that another process has is refused; otherwise it belongs to them until Close.
func NewBrowsers(o BrowsersOptions) (*Browsers, error) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &Browsers{pool: newPool(log, o.Started), log: log, profile: o.Profile}
	if o.Profile == "" {
		return b, nil
	}
	registry := catalog.Registry()
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	opts := actions.ParseOptions{Getenv: o.Getenv}
	if o.Cwd != "" {
		opts.Configure = config.New().For(o.Cwd, o.Getenv)
	}
	in, err := registry.Parse(append(append([]string(nil), o.Args...), "open"), opts)
	if err != nil {
		return nil, err
	}
	b.launch = Read(in, o.Getenv, func(p string) string { return p }, log)
	b.launch.Browser.UserDataDir = o.Profile
	b.pool.launch = b.launchKept
	if b.hold, err = holdProfile(o.Profile, profilePatience); err != nil {
		return nil, err
	}
	return b, nil
}

// ServeOn notes where the browsers are reached, for a service that wants the same profile and is refused.
func (b *Browsers) ServeOn(address string) error {
	if b.hold == nil {
		return nil
	}
	b.hold.holder.Address = address
	return b.hold.write()
}

// CloseLimit bounds how long the end of all sessions and browsers may take.
const CloseLimit = 15 * time.Second // browsers whose profile is kept get 10 s of it

// Close ends what runs. The managers are closed before.
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
	if b.hold != nil {
		b.hold.release()
	}
}

// keep holds the browser until Close, and lets go of one that has ended.
func (b *Browsers) keep(ctx context.Context, p *Pooled) {
	b.mu.Lock()
	before := b.kept
	if before == p {
		b.mu.Unlock()
		return
	}
	b.kept = p
	b.pool.hold(p)
	b.mu.Unlock()
	if before != nil {
		b.pool.release(ctx, before)
	}
}

// ofView are the launch options that each session of a shared browser may have as it likes.
var ofView = map[string]bool{
	"user-agent": true, "ignore-https-errors": true, "color-scheme": true,
	policy.FlagDomains: true, policy.FlagResources: true, policy.FlagBlockPrivate: true, policy.FlagAllowPrivate: true,
}

// AcquireShared takes the browser with the profile for a session whose call says l. Its user gives it back by leave.
func (b *Browsers) AcquireShared(ctx context.Context, l Options) (p *Pooled, started bool, err error) {
	for name, value := range l.Given {
		if !ofView[name] && b.launch.Given[name] != value {
			return nil, false, fault.New(fault.Usage, "--%s %s cannot be had here: all tasks share one browser, which runs already", name, value).About("--" + name).
				WithHint("Leave it out, or give it to the service when it is started.")
		}
	}
	p, started, err = b.pool.acquire(ctx, "profile", b.launch.Browser)
	if err == nil {
		b.keep(context.WithoutCancel(ctx), p)
	}
	return p, started, err
}

// Acquire takes a browser for the launch that no session has whose launch has another key; leave gives it back.
func (b *Browsers) Acquire(ctx context.Context, key string, l Options) (p *Pooled, started bool, err error) {
	return b.pool.acquire(ctx, key, l.Browser)
}

// Release gives a browser back, which ends it when nobody else has it.
func (b *Browsers) Release(ctx context.Context, p *Pooled) { b.pool.release(ctx, p) }

// Retire has no other session get a browser.
func (b *Browsers) Retire(p *Pooled) { b.pool.drop(p) }

// Shared reports whether all sessions have their tabs in one browser, with a profile that is kept.
func (b *Browsers) Shared() bool { return b.profile != "" }

// launchKept starts the browser with the profile and gives it the logins that it does not keep by itself.
func (b *Browsers) launchKept(ctx context.Context) (*engine.Browser, error) {
	b.mu.Lock()
	last := b.last
	b.mu.Unlock()
	if last != nil {
		_ = last.Close(ctx) // it has ended by itself; the profile is free when all of its processes are gone
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

// A service that was killed leaves a browser which takes a moment to write its profile and end. Nothing tells when it has.
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
