package stream

import (
	"net/url"
	"strings"

	"github.com/skua-browser/skua/engine"
)

// Source is a session as those who watch it see it.
type Source interface {
	// State returns what there is to see now.
	State() State
	// OnChange has fn called whenever the state may have changed, until stop is called. fn does not block.
	OnChange(fn func()) (stop func())
	// Worked is told of input.
	Worked()
}

// State is what a session shows.
type State struct {
	Running   bool // it has a browser that works
	Recording bool // a video is being made
	Tabs      []Tab
	Active    *engine.Page
}

// Tab is one tab, as messages tell of it.
type Tab struct {
	Active   bool    `json:"active"`
	Label    *string `json:"label"`
	TabID    string  `json:"tabId"`
	TargetID string  `json:"targetId"`
	Title    string  `json:"title"`
	Type     string  `json:"type"`
	URL      string  `json:"url"`
	Dialog   string  `json:"dialog,omitempty"` // the kind of dialog that it shows
}

// LocalHost reports whether a Host header or the host of an origin names this machine's loopback. What else names it is a web page's trick to
// reach us by a name of its own.
func LocalHost(host string) bool {
	u, err := url.Parse("http://" + host)
	if err != nil {
		return false
	}
	switch name := strings.ToLower(u.Hostname()); name {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// LocalOrigin reports whether an Origin header is that of a program, which sends none, of a file, or of a page that this machine serves to
// itself.
func LocalOrigin(origin string) bool {
	if origin == "" || origin == "file://" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && LocalHost(u.Host)
}
