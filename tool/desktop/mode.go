package desktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// Mode is one call of the electron mode.
type Mode struct {
	Apps     *Apps
	Wish     *contract.CompiledElectron
	Backend  backend.Backend
	Owner    *policy.Owner // of the backend; nil means that nothing is forbidden
	Env      map[string]string
	Cwd      string
	Close    time.Duration // bounds a cleanup that says no other time
	Progress func(text string)
	Run      func(ctx context.Context, line Line) Ran // runs a command line as every call of the tool

	out Outcome
}

// Line is a command line that a mode has run.
type Line struct {
	Backend backend.Backend
	Params  contract.Params
}

// Ran is what a command line came to.
type Ran struct {
	Result  *contract.Result
	Data    any     // of the answer, whole
	Session Session // that it ran in
}

// Outcome is what an action came to.
type Outcome struct {
	Report  *lifecycle.Report
	Refused *contract.Refusal // the action was not done; nil if it was, as far as Failure shows

	Failure contract.FailureCategory // empty means that it succeeded
	Summary string                   // of a success, and the message of a failure
	Text    string
	Account string // what happened to the managed session, or empty
	After   []contract.NextAction
	Code    string
	Facts   map[string]any

	Session *contract.SessionDetails // that the action worked in; nil means in none
	Target  *contract.PageTarget     // that the session shows; nil means that it was not asked
	Refs    *contract.RefSnapshot
}

func (o *Outcome) succeed(summary, text string) { o.Summary, o.Text = summary, text }

// fail makes the action a failure whose text is more than its message.
func (o *Outcome) fail(category contract.FailureCategory, message, text string, after []contract.NextAction) {
	o.Failure, o.Summary, o.Text = category, message, text
	o.After = judging.AppendUnique(o.After, after...)
}

// Do runs the action.
func (m *Mode) Do(ctx context.Context) Outcome {
	m.out = Outcome{Report: &lifecycle.Report{Action: m.Wish.Action, Status: lifecycle.Succeeded}}
	switch m.Wish.Action {
	case "list":
		m.out.Refused = m.listApps(ctx)
	case "launch":
		if m.out.Refused = m.mayLaunch(); m.out.Refused == nil {
			m.out.Refused = m.launchApp(ctx)
		}
	case "status":
		m.out.Refused = m.statusOfApps(ctx)
	case "cleanup":
		m.out.Refused = m.cleanUpApps(ctx)
	case "probe":
		m.out.Refused = m.probeApp(ctx)
	}
	if m.out.Refused != nil {
		m.out.Report.Status = lifecycle.Unsuccessful
	}
	return m.out
}

// refusalOf refuses a call because of an error of an app.
func refusalOf(err error) *contract.Refusal {
	if r, ok := errors.AsType[*contract.Refusal](err); ok { // of a command in the app's session
		return contract.Refuse(r.Category, err.Error())
	}
	return contract.Refuse(judging.OfCode(fault.CodeOf(err)), err.Error())
}

// selectApps returns the launches that the call means.
func (m *Mode) selectApps() ([]electron.Record, *contract.Refusal) {
	wish := m.Wish
	k, err := m.Apps.Launcher()
	if err != nil {
		return nil, refusalOf(err)
	}
	records, err := k.Select(wish.LaunchID, wish.All)
	switch {
	case err == nil:
		return records, nil
	case !fault.Is(err, fault.LaunchNotFound):
		return nil, refusalOf(err)
	case wish.LaunchID != "":
		return nil, contract.Refuse(contract.ValidationError,
			"No wrapper-tracked Electron launch found for launchId "+wish.LaunchID+
				". electron.status with all: true lists the launches.")
	}
	var running []string
	for _, r := range k.Records() {
		if r.CleanupState != electron.Cleaned {
			running = append(running, r.LaunchID+" ("+r.AppName+")")
		}
	}
	if len(running) == 0 {
		return nil, contract.Refuse(contract.ValidationError,
			"There is no active wrapper-tracked Electron launch. Only apps that electron.launch started are tracked.")
	}
	return nil, contract.Refuse(contract.ValidationError,
		fmt.Sprintf("%d launches are tracked: %s. Name the one you mean: pass electron.launchId or electron.all.",
			len(running), strings.Join(running, ", ")))
}

// followMismatch adds what may be done about a mismatch.
func (m *Mode) followMismatch(wrong *lifecycle.Mismatch, app judging.Electron) {
	after := app.AfterMismatch()
	for _, a := range after {
		wrong.NextActionIDs = append(wrong.NextActionIDs, a.ID)
	}
	m.out.After = judging.AppendUnique(m.out.After, after...)
}
