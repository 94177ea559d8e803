package lifecycle

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// Host is the caller of an action.
type Host interface {
	// Launcher launches apps and ends them.
	Launcher() (*electron.Launcher, error)
	// Attached returns the session that works in an app, or nil.
	Attached(app *electron.Record) Session
	// Closer returns what closes the session of an app in a cleanup. Nil means a cleanup leaves the session alone.
	Closer(app *electron.Record) func(ctx context.Context, session string) error
	// Reattach says how a session attaches to an app again.
	Reattach(app *electron.Record) string
}

// Session is a session that works in an app, or is going to.
type Session interface {
	Name() string
	// Attach makes the session work in an app. Target, the ID of a window or webview, becomes its active tab if the
	// session can choose it now.
	Attach(ctx context.Context, app *electron.Record, target string) error
	// Run runs a command line in the session.
	Run(ctx context.Context, words ...string) (Answer, error)
	// Eval runs a script in the active page.
	Eval(ctx context.Context, script string) (Answer, error)
}

// Answer is the result of a command line.
type Answer struct {
	Data any    // as in --json
	Text string // as the caller's user reads it
}

// into decodes the data, which has its JSON form.
func (a *Answer) into(v any) error {
	raw, err := plainjson.Marshal(a.Data)
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	if err != nil {
		return fault.New(fault.Internal, "data of a command: cannot be decoded: %w", err)
	}
	return nil
}

// sessionTab is a tab of a session, with the target that it shows.
type sessionTab struct {
	electron.ProbeTab
	TargetID string `json:"targetId"`
}

func askTabs(ctx context.Context, s Session) ([]sessionTab, error) {
	var data struct{ Tabs []sessionTab }
	answer, err := s.Run(ctx, "tab", "list")
	if err == nil {
		err = answer.into(&data)
	}
	return data.Tabs, err
}

func probeTabs(tabs []sessionTab) []electron.ProbeTab {
	list := make([]electron.ProbeTab, 0, len(tabs))
	for _, t := range tabs {
		list = append(list, t.ProbeTab)
	}
	return list
}

// askPage asks for a property of the active page: its url or its title.
func askPage(ctx context.Context, s Session, property string) (string, error) {
	var data struct{ URL, Title string }
	answer, err := s.Run(ctx, "get", property)
	if err == nil {
		err = answer.into(&data)
	}
	if property == "title" {
		return data.Title, err
	}
	return data.URL, err
}

func askFocus(ctx context.Context, s Session) (*electron.Focused, error) {
	var data struct{ Result *electron.Focused }
	answer, err := s.Eval(ctx, electron.FocusScript)
	if err == nil && answer.into(&data) != nil {
		return nil, nil // the page's own script may answer in another form
	}
	return data.Result, err
}

// pageSnapshot is the interactive snapshot of the active page.
type pageSnapshot struct {
	raw  json.RawMessage // the data
	text string          // as the caller's user reads it
	tree string
	refs []string // sorted by their numbers
}

func askSnapshot(ctx context.Context, s Session) (*pageSnapshot, error) {
	answer, err := s.Run(ctx, "snapshot", "-i")
	if err != nil {
		return nil, err
	}
	shot := &pageSnapshot{text: answer.Text}
	if shot.raw, err = plainjson.Marshal(answer.Data); err != nil {
		return nil, fault.New(fault.Internal, "data of a snapshot: cannot be encoded: %w", err)
	}
	var data struct {
		Snapshot string
		Refs     map[string]json.RawMessage
	}
	if err := json.Unmarshal(shot.raw, &data); err != nil {
		return nil, fault.New(fault.Internal, "data of a snapshot: cannot be decoded: %w", err)
	}
	shot.tree = data.Snapshot
	for ref := range data.Refs {
		shot.refs = append(shot.refs, ref)
	}
	slices.SortFunc(shot.refs, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return shot, nil
}
