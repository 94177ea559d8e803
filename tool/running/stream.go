package running

import (
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/live"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
)

// streams is the known facts about a stream that was on. It is part of what `stream enable` tells.
type streams struct {
	AlreadyEnabled bool     `json:"alreadyEnabled"`
	Enabled        bool     `json:"enabled"`
	Port           *float64 `json:"port,omitempty"`
	URL            string   `json:"url,omitempty"`
}

// Handed is that of [live.Stream].
func (s streams) Handed() []string { return live.Stream{URL: s.URL}.Handed() }

// alreadyStreams makes a success of `stream enable` in a session that streams already: what was asked for is so. Any
// other failure stays one.
func (a *Answer) alreadyStreams(w *argv.Words) {
	if a.Success || !actions.Yields[live.Stream](w.Entry) {
		return
	}
	switch a.Code {
	case "": // a subprocess has prose alone
		if !strings.Contains(strings.ToLower(a.Error), "already enabled") {
			return
		}
	case fault.StreamState:
		if !strings.Contains(a.Error, "already enabled") {
			return
		}
	default:
		return
	}
	data := streams{AlreadyEnabled: true, Enabled: true}
	if port, ok := number(a.Facts["port"]); ok {
		data.Port = &port
	}
	data.URL, _ = a.Facts["url"].(string)
	a.Success, a.ExitCode, a.Data, a.Error, a.Code, a.Facts = true, 0, data, "", "", nil
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}
