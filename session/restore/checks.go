package restore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// checkLimit is how long a page may take to pass a check.
const checkLimit = 2 * time.Second

// Checks say how to recognize a valid restored state: what a page shows when its user is logged in.
type Checks struct{ URL, Text, Fn string }

// None reports whether there is nothing to check.
func (c Checks) None() bool { return c == Checks{} }

// Run checks a page. It returns what is wrong, or "".
func (c Checks) Run(ctx context.Context, p *engine.Page) string {
	ctx, cancel := context.WithTimeout(ctx, checkLimit+time.Second)
	defer cancel()
	if c.URL != "" && !matchesGlob(c.URL, p.URL()) {
		return fmt.Sprintf("restore URL validation failed: '%s' did not match '%s'", p.URL(), c.URL)
	}
	watched, stop := p.Watch(ctx, true)
	defer stop()
	if c.Text != "" {
		var shown bool
		if err := p.Main().RunScript(watched, textScript, sought{c.Text, checkLimit.Milliseconds()}, &shown); err != nil {
			return "restore text validation failed: " + fault.MessageOf(err)
		} else if !shown {
			return fmt.Sprintf("restore text validation failed: the page did not show '%s' within %dms", c.Text,
				checkLimit.Milliseconds())
		}
	}
	if c.Fn != "" {
		v, err := p.Evaluate(watched, "Promise.resolve("+c.Fn+"\n).then(Boolean)")
		if err != nil {
			return "restore function validation failed: " + fault.MessageOf(err)
		} else if string(v.JSON) != "true" {
			return "restore function validation failed: the script's value is not true"
		}
	}
	return ""
}

// sought is the argument of textScript.
type sought struct {
	Text string `json:"text"`
	MS   int64  `json:"ms"`
}

// textScript waits until the page shows a text.
const textScript = `({ text, ms }) => new Promise((done) => {
	const shows = () => (document.body ? document.body.innerText : "").includes(text)
	if (shows()) return done(true)
	const end = (v) => { seen.disconnect(); clearTimeout(timer); done(v) }
	const seen = new MutationObserver(() => { if (shows()) end(true) })
	seen.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
	const timer = setTimeout(() => end(shows()), ms)
})`

// matchesGlob reports whether a text matches a pattern in which * stands for anything.
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
