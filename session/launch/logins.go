package launch

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/atomicfile"
)

// loginsFile contains the cookies of a profile. Session cookies, because many sites keep a login in one: Chromium
// restores them with its tabs, and a restarted service should be logged in as well. Persistent cookies, because
// Chromium writes them to the profile up to 30 s later and loses the rest when it ends.
const loginsFile = "skua-session-cookies.json"

// SaveLogins saves the browser's cookies. Errors are only logged: they must not delay a session.
func (b *Browsers) SaveLogins(ctx context.Context, browser *engine.Browser) {
	if browser.Err() != nil {
		return
	}
	if err := b.writeLogins(ctx, browser); err != nil {
		b.log.Warn("logins are not saved for the next start", "err", err)
	}
}

func (b *Browsers) writeLogins(ctx context.Context, browser *engine.Browser) error {
	view := browser.NewView(engine.ContextOptions{})
	defer func() { _ = view.Close(ctx) }() // the view has no pages
	all, err := storage.Cookies(ctx, view)
	if err != nil {
		return err
	}
	cookies := make([]storage.NewCookie, len(all))
	for i := range all {
		cookies[i] = all[i].Again()
	}
	text, err := json.Marshal(cookies)
	if err != nil {
		return err
	}
	b.mu.Lock() // sessions may end at the same time
	defer b.mu.Unlock()
	return atomicfile.Write(filepath.Join(b.profile, loginsFile), text)
}

// restoreLogins sets the saved cookies. A persistent one is set only if the profile lacks it: the profile's may be
// newer.
func (b *Browsers) restoreLogins(ctx context.Context, browser *engine.Browser) error {
	text, err := os.ReadFile(filepath.Join(b.profile, loginsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var cookies []storage.NewCookie
	if err := json.Unmarshal(text, &cookies); err != nil {
		return err
	}
	view := browser.NewView(engine.ContextOptions{})
	defer func() { _ = view.Close(ctx) }()
	there, err := storage.Cookies(ctx, view)
	if err != nil {
		return err
	}
	now := float64(time.Now().Unix())
	cookies = slices.DeleteFunc(cookies, func(c storage.NewCookie) bool {
		return c.Expires > 0 && (c.Expires <= now || slices.ContainsFunc(there, func(have storage.Cookie) bool {
			return c.Replaces(&have)
		}))
	})
	refused, err := storage.SetCookies(ctx, view, cookies)
	if err != nil {
		return err
	}
	return errors.Join(refused...)
}
