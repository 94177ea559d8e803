package lease

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
)

// startDedicated starts the session's own browser.
func (s *Starter) startDedicated(ctx context.Context, l launch.Options) (*Lease, error) {
	wanted := l
	l, err := l.Resolved()
	if err != nil {
		return nil, err
	}
	l, guard, err := s.openGate(l)
	if err != nil {
		return nil, err
	}
	if l.UsesProfile() { // the proxy applies to the whole browser with the profile
		if p := l.Context.Proxy; p != "" {
			l.Browser.Args = append(slices.Clone(l.Browser.Args), "--proxy-server="+p,
				"--proxy-bypass-list="+l.Context.ProxyBypass)
		}
	}
	key := l.Browser.Key() + "session " + s.Session + " of " + s.Owner
	return s.leaseContext(ctx, key, l, wanted, guard,
		func(ctx context.Context, b *engine.Browser) (*engine.Context, error) {
			return s.newOwnContext(ctx, b, l)
		})
}

// newOwnContext creates the session's context in its own browser, in the profile if there is one.
func (s *Starter) newOwnContext(ctx context.Context, b *engine.Browser, l launch.Options) (*engine.Context, error) {
	if !l.UsesProfile() {
		return b.NewContext(ctx, l.Context)
	}
	for _, dir := range l.Browser.Extensions {
		if _, err := b.LoadExtension(ctx, dir); err != nil {
			return nil, err
		}
	}
	c := b.NewView(l.Context)
	noteMendedProfile(s, b)
	if p := b.Process(); p != nil && p.Copied() != nil {
		s.noteProfileCopy(ctx, c, l, p.Copied())
	}
	return c, nil
}

// noteMendedProfile reports what was put right in the profile of a browser that was just launched.
func noteMendedProfile(s *Starter, b *engine.Browser) {
	if p := b.Process(); p != nil && p.Mended() != "" {
		s.Notices.Add(p.Mended())
	}
}

// noteProfileCopy reports what a copied profile lacks or cannot decrypt.
func (s *Starter) noteProfileCopy(ctx context.Context, c *engine.Context, l launch.Options, copied *chrome.Copied) {
	name := l.Browser.Copy.Directory + " of " + l.Browser.Copy.UserData.Browser
	if len(copied.LeftOut) > 0 {
		s.Notices.Lack(fault.New(fault.File, "the copy of the profile %s lacks what is too large or not readable: %s", name,
			strings.Join(copied.LeftOut, ", ")))
	}
	if copied.Moving {
		s.Notices.Add("the profile " + name + " was written to while it was copied; the copy may lack what came last")
	}
	if copied.Keyring == 0 {
		return
	}
	if cookies, err := storage.Cookies(ctx, c); err == nil && len(cookies) == 0 {
		s.Notices.Lack(fault.New(fault.VaultLocked,
			"the cookies of the profile %s are encrypted with a key of the desktop's keyring, which is not available here: "+
				"none could be decrypted, and its logins are missing", name))
	}
}
