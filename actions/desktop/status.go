package desktop

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/wording"
)

type appStatus struct {
	Action            string            `json:"action"`
	Status            string            `json:"status"`
	Launches          []electron.Record `json:"launches"`
	Statuses          []electron.Status `json:"statuses"`
	Targets           []electron.Target `json:"targets"`
	Identifiers       *identifiers      `json:"identifiers,omitempty"`
	IdentifierList    []identifiers     `json:"identifierList,omitempty"`
	SessionMismatch   *mismatch         `json:"sessionMismatch,omitempty"`
	SessionMismatches []mismatch        `json:"sessionMismatches,omitempty"`
}

// mismatch says that the session which was attached to an app does not work in it any more.
type mismatch struct {
	Reason      string            `json:"reason"` // no-session
	LaunchID    string            `json:"launchId"`
	SessionName string            `json:"sessionName"`
	LiveTargets []electron.Target `json:"liveTargets"`
	Summary     string            `json:"summary"`
}

// mismatchOf compares a launch whose port answers with what its session works in.
func mismatchOf(c *actions.Call, r electron.Record, s electron.Status) *mismatch {
	if !s.PortAlive || r.SessionName == "" || c.Session.Apps().Of(r.SessionName) == r.LaunchID {
		return nil
	}
	return &mismatch{
		Reason: "no-session", LaunchID: r.LaunchID, SessionName: r.SessionName, LiveTargets: electron.Attachable(s.Targets),
		Summary: "session " + r.SessionName + " does not work in the app any more; `connect " + strconv.Itoa(r.Port) + "` attaches to it again",
	}
}

func runElectronStatus(ctx context.Context, c *actions.Call) (actions.Result, error) {
	k, err := c.Session.Apps().Keeper()
	if err != nil {
		return actions.Result{}, err
	}
	records, err := selected(c, k)
	if err != nil {
		return actions.Result{}, err
	}
	data := appStatus{Action: "status", Status: "succeeded", Launches: append([]electron.Record{}, records...), Statuses: []electron.Status{}, Targets: []electron.Target{}}
	var lines []string
	for _, r := range records {
		s, err := k.Status(ctx, r.LaunchID)
		if err != nil {
			return actions.Result{}, err
		}
		data.Statuses, data.Targets = append(data.Statuses, s), append(data.Targets, s.Targets...)
		data.IdentifierList = append(data.IdentifierList, identify(r))
		lines = append(lines, statusLines(r, s)...)
		if m := mismatchOf(c, r, s); m != nil {
			data.SessionMismatches = append(data.SessionMismatches, *m)
			lines = append(lines, "  "+m.Summary)
		}
	}
	if len(records) == 1 {
		data.Identifiers, data.IdentifierList = &data.IdentifierList[0], nil
		if len(data.SessionMismatches) == 1 {
			data.SessionMismatch, data.SessionMismatches = &data.SessionMismatches[0], nil
		}
	}
	if len(lines) == 0 {
		lines = []string{"No apps are launched"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// statusLines tell of a launch: a line for itself, and a tree of what it shows.
func statusLines(r electron.Record, s electron.Status) []string {
	alive := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	line := r.LaunchID + " " + s.State + ": " + r.AppName + ", process " + strconv.Itoa(r.PID) + alive(s.PIDAlive, "", " (ended)") +
		", port " + strconv.Itoa(r.Port) + alive(s.PortAlive, "", " (closed)")
	if r.SessionName != "" {
		line += ", session " + r.SessionName
	}
	lines := append([]string{line}, electron.Tree(s.Targets, "  ")...)
	if s.TargetsCut > 0 {
		lines = append(lines, "  "+wording.Plural(s.TargetsCut, "more target"))
	}
	return lines
}
