package scout

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/engine/fault"
)

// Tools is a page that is looked at with the tools of planners. Look runs one of them; it makes no pictures.
type Tools struct {
	Look func(ctx context.Context, call toolbox.Call) (toolbox.Result, error)
	Tab  string // empty: the active one
}

var _ Page = Tools{}

// Summary returns what the page offers.
func (t Tools) Summary(ctx context.Context) (*pcd.Summary, error) {
	s, err := look[*pcd.Summary](ctx, t, "getMiniPCD", map[string]any{})
	if err == nil && s == nil {
		err = fault.New(fault.Internal, "what the page offers cannot be read")
	}
	return s, err
}

// Query finds what the page offers by words.
func (t Tools) Query(ctx context.Context, q pcd.Question) ([]pcd.Candidate, error) {
	args := map[string]any{"text": q.Text}
	if len(q.Of) > 0 {
		args["kind"] = strings.Join(q.Of, "|")
	}
	if q.Top > 0 {
		args["topK"] = q.Top
	}
	got, err := look[struct {
		Candidates []pcd.Candidate `json:"candidates"`
	}](ctx, t, "pcd.query", args)
	return got.Candidates, err
}

// Details returns how elements are found.
func (t Tools) Details(ctx context.Context, ids ...string) ([]pcd.Detail, error) {
	got, err := look[struct {
		Details []pcd.Detail `json:"details"`
	}](ctx, t, "getDetails", map[string]any{"ids": ids})
	return got.Details, err
}

// Picture fails: the picture of the tool is a file, which this page does not read.
func (t Tools) Picture(context.Context, ...string) (Picture, error) {
	return Picture{}, fault.New(fault.TargetUnsuitable, "A page behind tools has no pictures.")
}

func look[T any](ctx context.Context, t Tools, tool string, args map[string]any) (T, error) {
	var none T
	if t.Tab != "" {
		args["tabId"] = t.Tab
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return none, err
	}
	res, err := t.Look(ctx, toolbox.Call{Name: tool, Args: raw})
	switch {
	case err != nil:
		return none, err
	case !res.OK:
		code := fault.Code(res.Code)
		if code == "" {
			code = fault.Internal
		}
		return none, fault.New(code, "%s", res.Error)
	}
	return toolbox.Decode[T](toolbox.Reply{Data: res.Data})
}
