package scout

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Tools is a page that is looked at with the tools of planners. Look runs one of them; it makes no pictures.
type Tools struct {
	Look func(ctx context.Context, call toolbox.Call) (toolbox.Result, error)
	Tab  string // empty means the active one
}

var _ Page = Tools{}

// Summary returns what the page offers.
func (t Tools) Summary(ctx context.Context) (*pcd.Summary, error) {
	s, err := look[*pcd.Summary](ctx, t, "getMiniPCD", toolArgs{})
	if err == nil && s == nil {
		err = fault.New(fault.Internal, "what the page offers cannot be read")
	}
	return s, err
}

// Query finds what the page offers by words.
func (t Tools) Query(ctx context.Context, q pcd.Question) ([]pcd.Candidate, error) {
	got, err := look[struct {
		Candidates []pcd.Candidate `json:"candidates"`
	}](ctx, t, "pcd.query", toolArgs{Text: &q.Text, Kind: strings.Join(q.Of, "|"), Top: max(q.Top, 0)})
	return got.Candidates, err
}

// Alike returns the actions that the items of a list have under the label of one that a summary has for all of them.
func (t Tools) Alike(ctx context.Context, id string) (Alike, error) {
	s, err := t.Summary(ctx)
	if err != nil {
		return Alike{}, err
	}
	at := slices.IndexFunc(s.Actions, func(a pcd.Action) bool { return a.ID == id && a.CollectionID != "" })
	if at < 0 {
		return Alike{}, nil
	}
	rows, err := look[pcd.Rows](ctx, t, "dom.extract", toolArgs{Collection: s.Actions[at].CollectionID})
	if err != nil {
		return Alike{}, err
	}
	return AlikeIn(&rows, s.Actions[at].Label, func(string) (string, bool) { return "", true }), nil
}

// AlikeIn are the actions of a label in the rows of a list. Shown returns where a link leads, and whether a person sees
// it.
func AlikeIn(rows *pcd.Rows, label string, shown func(id string) (url string, ok bool)) Alike {
	alike := Alike{Unread: max(0, rows.Total-len(rows.Items))}
	for _, item := range rows.Items {
		id := item.Actions[label]
		url, ok := shown(id)
		if id == "" || !ok {
			continue
		}
		var values []string
		for _, name := range rows.Fields {
			if value := item.Fields[name]; value != "" {
				values = append(values, value)
			}
		}
		alike.Rows = append(alike.Rows, Row{ID: id, URL: url, Text: strings.Join(values, " | ")})
	}
	return alike
}

// Details returns how elements are found.
func (t Tools) Details(ctx context.Context, ids ...string) ([]pcd.Detail, error) {
	got, err := look[struct {
		Details []pcd.Detail `json:"details"`
	}](ctx, t, "getDetails", toolArgs{IDs: ids})
	return got.Details, err
}

// Picture fails: the picture of the tool is a file, which this page does not read.
func (t Tools) Picture(context.Context, ...string) (Picture, error) {
	return Picture{}, fault.New(fault.TargetUnsuitable, "A page behind tools has no pictures.")
}

// toolArgs are the arguments of the tools that look at a page. Each has a part of them.
type toolArgs struct {
	Collection string   `json:"collectionId,omitempty"`
	IDs        []string `json:"ids,omitzero"`
	Kind       string   `json:"kind,omitempty"`
	Tab        string   `json:"tabId,omitempty"`
	Text       *string  `json:"text,omitempty"`
	Top        int      `json:"topK,omitempty"`
}

func look[T any](ctx context.Context, t Tools, tool string, args toolArgs) (T, error) {
	var none T
	args.Tab = t.Tab
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
