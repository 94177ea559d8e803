package perceive

import (
	"context"
	"encoding/json"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// Rows reads the items of a collection of p as they are now: at most limit of them, 0 for all, with all their fields. page is the page that p was
// read of. Items and what can be done with them have refs.
func (p *Page) Rows(ctx context.Context, page *engine.Page, c *Collection, limit int) (*pcd.Rows, error) {
	frame := page.Frame(c.At.FrameID)
	if frame == nil {
		return nil, fault.New(fault.FrameGone, "The frame of the collection %s is no longer on the page.", c.Name).About("@" + c.ID).
			WithHint("Read the capabilities of the page again.")
	}
	arg, err := json.Marshal(struct {
		Token int64 `json:"token"`
		Limit int   `json:"limit,omitempty"`
	}{c.At.Token, limit})
	if err != nil {
		return nil, err
	}
	value, doc, err := frame.CallRaw(ctx, "rows", arg)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Error *struct{ Code fault.Code }
		Rows  []struct {
			Token  int64             `json:"token"`
			Fields map[string]string `json:"fields"`
			In     []int64           `json:"in"`
		} `json:"rows"`
		Total  int      `json:"total"`
		Fields []string `json:"fields"`
	}
	if err := json.Unmarshal(value, &reply); err != nil {
		return nil, fault.New(fault.Internal, "reading the items of a collection: %w", err)
	}
	if reply.Error != nil || doc != c.At.DocID {
		return nil, fault.New(fault.RefStale, "The collection @%s (%s) is gone from the page.", c.ID, c.Name).About("@" + c.ID).
			WithHint("Read the capabilities of the page again.")
	}
	actions := p.actionsOf(c)
	rows := &pcd.Rows{CollectionID: c.ID, Name: c.Name, Fields: reply.Fields, Items: []pcd.Item{}, Total: reply.Total}
	if rows.Fields == nil {
		rows.Fields = []string{}
	}
	for _, row := range reply.Rows {
		at := c.At
		at.Token, at.Role, at.Name, at.Nth = row.Token, "", "", 0
		item := pcd.Item{ID: p.ID(at), Fields: row.Fields}
		for _, token := range row.In {
			a := actions[token]
			if a == nil {
				continue
			}
			if item.Actions == nil {
				item.Actions = map[string]string{}
			}
			if _, taken := item.Actions[a.Label]; !taken && a.Label != "" {
				item.Actions[a.Label] = a.ID
			}
		}
		rows.Items = append(rows.Items, item)
	}
	return rows, nil
}

// actionsOf returns the actions in the document of a collection by their tokens.
func (p *Page) actionsOf(c *Collection) map[int64]*Action {
	actions := map[int64]*Action{}
	for i := range p.Actions {
		if a := &p.Actions[i]; a.At.DocID == c.At.DocID {
			actions[a.At.Token] = a
		}
	}
	return actions
}
