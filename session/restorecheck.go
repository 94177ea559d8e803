package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
)

// checkLimit is how long a page may take to show what it is checked for.
const checkLimit = 2 * time.Second

// checks tell whether a restored state is good: whether a page shows that its user is logged in.
type checks struct{ url, text, fn string }

func (c checks) none() bool { return c == checks{} }

// run looks at a page. It returns what is wrong, or "".
func (c checks) run(ctx context.Context, p *engine.Page) string {
	ctx, cancel := context.WithTimeout(ctx, checkLimit+time.Second)
	defer cancel()
	if c.url != "" && !matchesGlob(c.url, p.URL()) {
		return fmt.Sprintf("restore URL validation failed: '%s' did not match '%s'", p.URL(), c.url)
	}
	watched, stop := p.Watch(ctx, true)
	defer stop()
	if c.text != "" {
		var shown bool
		if err := p.Main().RunScript(watched, textScript, map[string]any{"text": c.text, "ms": checkLimit.Milliseconds()}, &shown); err != nil {
			return "restore text validation failed: " + messageOf(err)
		} else if !shown {
			return fmt.Sprintf("restore text validation failed: the page did not show '%s' within %dms", c.text, checkLimit.Milliseconds())
		}
	}
	if c.fn != "" {
		v, err := p.Evaluate(watched, "Promise.resolve("+c.fn+"\n).then(Boolean)")
		if err != nil {
			return "restore function validation failed: " + messageOf(err)
		} else if string(v.JSON) != "true" {
			return "restore function validation failed: the script's value is not true"
		}
	}
	return ""
}

// textScript waits for a text that the page shows.
const textScript = `({ text, ms }) => new Promise((done) => {
	const shows = () => (document.body ? document.body.innerText : "").includes(text)
	if (shows()) return done(true)
	const end = (v) => { seen.disconnect(); clearTimeout(timer); done(v) }
	const seen = new MutationObserver(() => { if (shows()) end(true) })
	seen.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
	const timer = setTimeout(() => end(shows()), ms)
})`

// matchesGlob reports whether a text fits a pattern in which * stands for anything.
func matchesGlob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, last)
}

// checkRestored does the checks of a restored state when a page is there for the first time.
func (s *Session) checkRestored(ctx context.Context) {
	s.mu.Lock()
	r := &s.restoring
	var page *engine.Page
	if r.pending && s.active != nil {
		page = s.active.Page
	}
	var c checks
	if r.wish != nil {
		c = r.wish.checks
	}
	s.mu.Unlock()
	if page == nil || page.Err() != nil || page.IsUnloaded() || page.URL() == "" || page.URL() == blankPage {
		return
	}
	wrong := c.run(ctx, page)
	s.mu.Lock()
	r.pending = false
	if wrong != "" {
		r.status, r.detail = restoreInvalid, wrong
	}
	keeps := r.savesLocked()
	s.mu.Unlock()
	if wrong != "" {
		note := wrong
		if !keeps {
			note += "; the state is not kept when the session ends, see --restore-save"
		}
		s.tell(note)
	}
}
