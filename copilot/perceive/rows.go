package perceive

import (
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// RowsOptions says which items of a collection are read.
type RowsOptions struct {
	Limit int   // at most so many; 0 means all
	Reach Reach // of a list that holds only what is in view
	// Again reads the page again, for the refs of items that were drawn again while the list was scrolled; nil means these
	// get none.
	Again func(context.Context) (*Page, error)
}

// Reach says how far a list is scrolled.
type Reach int

// How far a list is scrolled. It is where it was when all is read.
const (
	Held    Reach = iota // not at all: only what the page holds now
	Virtual              // to its end, if it keeps room for items that the page does not hold
	Endless              // to its end, and on as long as that brings more items
)

// Rows reads the items of a collection of p as they are now, with all their fields. page is the page that p was read
// of. Items that the page holds when all is read, and what can be done with them, have refs.
func (p *Page) Rows(ctx context.Context, page *engine.Page, c *Collection, o RowsOptions) (*pcd.Rows, error) {
	frame := page.Frames().ByID(c.At.FrameID)
	if frame == nil {
		return nil, fault.New(fault.FrameGone, "The frame of the collection %s is no longer on the page.", c.Name).
			About("@" + c.ID).
			WithHint("Read the capabilities of the page again.")
	}
	r := &rowReader{frame: frame, list: c, limit: o.Limit}
	held, err := r.ask(ctx, rowsArg{Limit: o.Limit})
	if err != nil {
		return nil, err
	}
	rows := &pcd.Rows{CollectionID: c.ID, Name: c.Name, Fields: held.Fields, Items: []pcd.Item{}}
	read, left := held.Rows, missing{}
	scrolled := o.Reach != Held && !r.enough(len(read)) && (held.hasMore() || o.Reach == Endless)
	if scrolled {
		if read, left, err = r.scroll(ctx, held, o.Reach); err != nil {
			return nil, err
		}
	} else if held.hasMore() && !r.enough(len(read)) {
		left = leftOf(held, len(read), pcd.NotScrolled)
	}
	rows.Total = max(held.Total, held.Count, len(read)+left.count)
	if left.why == "" && !r.enough(len(read)) && rows.Total > len(read) {
		left = leftOf(held, len(read), pcd.OnOtherPages)
		left.count = rows.Total - len(read)
	}
	rows.Unreached, rows.Why = left.count, left.why
	rows.ColumnsLeft = held.ColumnsLeft
	if scrolled && o.Again != nil {
		if p, err = o.Again(ctx); err != nil {
			return nil, err
		}
	}
	p.number(rows, c, read)
	return rows, nil
}

// number gives refs to the items that the page holds, and to what can be done with them.
func (p *Page) number(rows *pcd.Rows, c *Collection, read []rowReply) {
	actions := p.actionsOf(c)
	if rows.Fields == nil {
		rows.Fields = []string{}
	}
	for _, row := range read {
		item := pcd.Item{Fields: row.Fields}
		for _, name := range slices.Sorted(maps.Keys(row.Fields)) {
			if !slices.Contains(rows.Fields, name) {
				rows.Fields = append(rows.Fields, name)
			}
		}
		if !row.gone {
			at := c.At
			at.Token, at.Role, at.Name, at.Nth = row.Token, "", "", 0
			item.ID = p.ID(at)
			item.Actions = labeled(actions, row.In)
		}
		rows.Items = append(rows.Items, item)
	}
}

// labeled are the refs of the actions of an item, by their labels.
func labeled(actions map[int64]*Action, in []int64) map[string]string {
	var refs map[string]string
	for _, token := range in {
		a := actions[token]
		if a == nil || a.Label == "" {
			continue
		}
		if refs == nil {
			refs = map[string]string{}
		}
		if _, taken := refs[a.Label]; !taken {
			refs[a.Label] = a.ID
		}
	}
	return refs
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

type rowsArg struct {
	Token    int64 `json:"token"`
	Limit    int   `json:"limit,omitzero"`
	To       any   `json:"to,omitempty"` // "on", "end" or a place
	Patience int   `json:"patience,omitzero"`
}

var opRows = inpage.Define[rowsArg, rowsReply]("rows")

// rowsReply is what the in-page op says of the items that the page holds.
type rowsReply struct {
	Error  *inpage.Failure `json:"error"`
	Rows   []rowReply      `json:"rows"`
	Count  int             `json:"count"`  // items that the page holds
	Stated int             `json:"stated"` // items that the list says to have; 0 means that it does not
	Total  int             `json:"total"`  // the same, or what the page says of all its pages
	Fields []string        `json:"fields"`
	At     float64         `json:"at"`    // how far its box is scrolled
	Ended  bool            `json:"ended"` // it does not go on
	Keeps  bool            `json:"keeps"` // room is kept for items that the page does not hold
	// Columns that the list says to have, and that it does not draw.
	ColumnsLeft int `json:"columnsLeft"`
}

type rowReply struct {
	Token  int64             `json:"token"`
	Fields map[string]string `json:"fields"`
	In     []int64           `json:"in"`
	Number int               `json:"number"` // of the list, or -1
	Top    int               `json:"top"`
	Left   int               `json:"left"`
	Height int               `json:"height"`

	gone bool // the page does not hold it any longer
}

// hasMore reports whether the list has items that the page does not hold.
func (r *rowsReply) hasMore() bool { return r.Keeps || r.Stated > r.Count }

// rowReader reads the items of one collection.
type rowReader struct {
	frame *engine.Frame
	list  *Collection
	limit int
}

// enough reports whether no more than so many items are wanted.
func (r *rowReader) enough(n int) bool { return r.limit > 0 && n >= r.limit }

func (r *rowReader) ask(ctx context.Context, arg rowsArg) (*rowsReply, error) {
	arg.Token = r.list.At.Token
	value, doc, err := opRows.Raw(ctx, r.frame, arg)
	if err != nil {
		return nil, err
	}
	reply := &rowsReply{}
	if err := opRows.Read(value, reply); err != nil {
		return nil, err
	}
	if reply.Error != nil || doc != r.list.At.DocID {
		return nil, fault.New(fault.RefStale, "The collection @%s (%s) is gone from the page.", r.list.ID, r.list.Name).
			About("@" + r.list.ID).
			WithHint("Read the capabilities of the page again.")
	}
	return reply, nil
}
