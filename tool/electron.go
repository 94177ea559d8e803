package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/reply"
	"github.com/skua-browser/skua/tool/showing"
)

// newApps returns the desktop apps of the tool.
func (t *Tool) newApps() *desktop.Apps {
	return desktop.New(desktop.Options{
		Shared:  t.options.Apps,
		Records: t.appRecords(),
		Getenv: func(name string) string {
			return t.options.Env[name]
		},
		Close:    t.limits.Close,
		Sessions: t.on,
		Log:      t.log,
	})
}

// appRecords is the folder of the records of the conversation's apps; empty means that they end with the process.
func (t *Tool) appRecords() string {
	if t.options.StateDir == "" || t.options.SessionID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(t.options.SessionID))
	return filepath.Join(t.options.StateDir, "electron", hex.EncodeToString(sum[:8]))
}

// runElectron runs an action on desktop apps.
func (t *Tool) runElectron(
	ctx context.Context, r Request, line *input.Line, secrets *redact.Redactor,
) *contract.Result {
	d, report := reply.Begin(line), r.reporter(secrets)
	to, refusal := t.reserveOutput(r.Backend, line)
	if refusal != nil {
		return reply.Refused(d, refusal, nil, r.Caller).Result(secrets)
	}
	mode := desktop.Mode{
		Apps:     t.apps,
		Wish:     d.CompiledElectron,
		Backend:  r.Backend,
		Owner:    t.owner(r.Backend),
		Env:      t.options.Env,
		Cwd:      t.options.Cwd,
		Close:    t.limits.Close,
		Progress: report,
		Run: func(ctx context.Context, line desktop.Line) desktop.Ran {
			ran := t.run(ctx, Request{Params: line.Params, Backend: line.Backend, Progress: report})
			return desktop.Ran{Result: ran.Result, Data: ran.answer, Session: ran.session}
		},
	}
	o := mode.Do(ctx)
	if o.Session != nil {
		d.SessionDetails = *o.Session
	}
	if o.Target != nil {
		d.SessionTabTarget = o.Target
	}
	d.Electron, d.RefSnapshot, d.Code, d.Facts, d.NextActions = o.Report, o.Refs, o.Code, o.Facts, o.After
	text := o.Text
	switch {
	case o.Refused != nil:
		return reply.Refused(d, o.Refused, nil, r.Caller).Result(secrets)
	case o.Failure != "":
		d.ResultCategory, d.FailureCategory, d.Error = contract.Failure, o.Failure, o.Summary
		text = showing.Joined(text, showing.NextActions(o.After))
	default:
		d.ResultCategory, d.SuccessCategory = contract.Success, contract.Completed
	}
	d.Summary = o.Summary
	draft := reply.Made(d, text)
	if o.Account != "" {
		draft.Add("\n\n" + o.Account)
	}
	draft.Save(to, t.files)
	return draft.Result(secrets)
}
