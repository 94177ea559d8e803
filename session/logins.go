package session

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/atomicfile"
)

// loginsFile has the cookies of a profile that end with the browser: many sites keep a login in such a one. Persons restore their tabs and with
// them these cookies when a browser starts again; for a service that restarts they are no less logged in.
const loginsFile = "skua-session-cookies.json"

// saveLogins writes the cookies that would end with the browser. What is not saved is logged: what a session does is not held up by it.
func (b *Browsers) saveLogins(ctx context.Context, browser *engine.Browser) {
	if browser.Err() != nil {
		return
	}
	if err := b.writeLogins(ctx, browser); err != nil {
		b.log.Warn("logins are not saved for the next start", "err", err)
	}
}

func (b *Browsers) writeLogins(ctx context.Context, browser *engine.Browser) error {
	view := browser.NewView(engine.ContextOptions{})
	defer func() { _ = view.Close(ctx) }() // it has no pages
	all, err := view.Cookies(ctx)
	if err != nil {
		return err
	}
	ending := []engine.NewCookie{}
	for _, c := range all {
		if c.Session {
			ending = append(ending, c.Again())
		}
	}
	text, err := json.Marshal(ending)
	if err != nil {
		return err
	}
	b.mu.Lock() // sessions end at the same time
	defer b.mu.Unlock()
	return atomicfile.Write(filepath.Join(b.profile, loginsFile), text)
}

// restoreLogins sets the cookies that saveLogins wrote.
func (b *Browsers) restoreLogins(ctx context.Context, browser *engine.Browser) error {
	text, err := os.ReadFile(filepath.Join(b.profile, loginsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var cookies []engine.NewCookie
	if err := json.Unmarshal(text, &cookies); err != nil {
		return err
	}
	view := browser.NewView(engine.ContextOptions{})
	defer func() { _ = view.Close(ctx) }()
	refused, err := view.SetCookies(ctx, cookies)
	if err != nil {
		return err
	}
	return errors.Join(refused...)
}
