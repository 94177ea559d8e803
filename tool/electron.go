package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/showing"
)

// newApps returns the desktop apps of the tool.
func (t *Tool) newApps() *desktop.Apps {
	return desktop.New(desktop.Options{
		Shared: t.options.Apps, Records: t.appRecords(), Getenv: func(name string) string { return t.options.Env[name] }, Close: t.limits.Close, Sessions: t.on, Log: t.log,
	})
}

// appRecords is the folder of the records of the conversation's apps; empty: they end with the process.
func (t *Tool) appRecords() string {
	if t.options.StateDir == "" || t.options.SessionID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(t.options.SessionID))
	return filepath.Join(t.options.StateDir, "electron", hex.EncodeToString(sum[:8]))
}

// runElectron runs an action on desktop apps.
func (c *call) runElectron(ctx context.Context) *contract.Result {
	if r := c.reserveOutput(); r != nil {
		return c.refused(r)
	}
	mode := desktop.Mode{
		Apps: c.tool.apps, Wish: c.details.CompiledElectron, Backend: c.backend, Owner: c.tool.owner(c.backend), Env: c.tool.options.Env, Cwd: c.tool.options.Cwd,
		Close: c.tool.limits.Close, Progress: c.progress, Run: c.runIn,
	}
	o, d := mode.Do(ctx), c.details
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
		return c.refused(o.Refused)
	case o.Failure != "":
		d.ResultCategory, d.FailureCategory, d.Error = contract.Failure, o.Failure, o.Summary
		text = showing.Joined(text, showing.NextActions(o.After))
	default:
		d.ResultCategory, d.SuccessCategory = contract.Success, contract.Completed
	}
	d.Summary, c.content = o.Summary, []contract.Content{contract.TextOf(text)}
	if o.Account != "" {
		c.content = append(c.content, contract.TextOf("\n\n"+o.Account))
	}
	c.save()
	return c.result()
}

// runIn runs a command line for a mode, as every call is run.
func (c *call) runIn(ctx context.Context, line desktop.Line) desktop.Ran {
	inner := c.tool.newCall(Request{Params: line.Params, Backend: line.Backend, Progress: c.progress})
	result := inner.run(ctx)
	return desktop.Ran{Result: result, Data: inner.answer.Data, Session: desktop.Session{Backend: inner.backend, Key: inner.plan.Key}}
}

// app returns the launch whose app the call's session works in.
func (c *call) app() (electron.Record, bool) {
	if c.plan.Stateless {
		return electron.Record{}, false
	}
	return c.tool.apps.In(desktop.Session{Backend: c.backend, Key: c.plan.Key})
}
