package annotations

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/engine"
	pictures "github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/annotate"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/dashboard"
	"github.com/skua-browser/skua/snapshot"
)

// AtDashboard is what a person does at the dashboard with the annotations of the call's session. No rule of the
// session's agents applies to it. Changed is called after a change, with notes for the agent.
func AtDashboard(c *actions.Call, changed func(notes ...string)) dashboard.Annotations {
	return person{c, changed}
}

type person struct {
	call    *actions.Call
	changed func(notes ...string)
}

// Freeze pictures the active tab, and remembers where its elements are in the picture.
func (p person) Freeze(ctx context.Context) (dashboard.Frozen, error) {
	tab := p.call.Tabs.Active()
	if tab == nil {
		return dashboard.Frozen{}, fault.New(fault.PageGone, "the session has no page to annotate")
	}
	ctx, stop := tab.Page.Watch(ctx, true)
	defer stop()
	snap, err := look.TakeSnapshot(ctx, p.call, tab, tab.Page.Main(), snapshot.Options{Depth: -1})
	if err != nil {
		return dashboard.Frozen{}, err
	}
	f := &frozen{tab: tab, url: tab.Page.URL(), title: tab.Page.Title(), tree: snap.Tree}
	before := len(p.call.Notes)
	err = capture.WhileTreeStill(ctx, p.call, tab, snap.Tree, true, func(*capture.Places) (err error) {
		if f.shot, err = element.Depict(ctx, p.call, tab, false); err != nil {
			return err
		}
		f.raw, err = pictures.Screenshot(ctx, tab.Page, pictures.ScreenshotOptions{})
		return err
	}, func(places *capture.Places) error {
		f.places = places
		return nil
	})
	if err != nil {
		return dashboard.Frozen{}, err
	}
	f.moves = len(p.call.Notes) > before
	width, height, err := annotate.Size(f.raw)
	if err != nil {
		return dashboard.Frozen{}, fault.New(fault.Internal, "%w", err)
	}
	f.shot.Sized(nil, width, height)
	b := of(p.call)
	b.mu.Lock()
	f.id = f.shot.ID
	b.draft = f
	b.mu.Unlock()
	return dashboard.Frozen{
		ID:     f.id,
		Tab:    tab.ID,
		URL:    f.url,
		Title:  f.title,
		Width:  width,
		Height: height,
		Moves:  f.moves,
	}, nil
}

// draftOf returns the picture that the person draws on.
func (p person) draftOf(id string) (*frozen, error) {
	b := of(p.call)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draft == nil || b.draft.id != id {
		return nil, fault.New(fault.SessionInvalid, "this picture is not kept any more; annotate the page again").About(id)
	}
	return b.draft, nil
}

// Picture returns the picture that the person draws on.
func (p person) Picture(id string) ([]byte, error) {
	f, err := p.draftOf(id)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(f.raw), nil
}

// maxNote is how long the words about one mark may be.
const maxNote = 2000

// Send finds the elements below the marks, as they were in the picture, and leaves all for the agent.
func (p person) Send(ctx context.Context, id string, d dashboard.Drawn) error {
	f, err := p.draftOf(id)
	if err != nil {
		return err
	}
	text := pagetext.Bounded(strings.TrimSpace(d.Text), maxNote)
	switch {
	case len(d.Marks) == 0 && text == "":
		return fault.New(fault.Usage, "nothing is drawn or written; draw a box, or write a note")
	case len(d.Marks) > maxMarks:
		return fault.New(fault.Usage, "%d marks are the most for one picture; send some of them first", maxMarks)
	}
	ctx, stop := f.tab.Page.Watch(ctx, true)
	defer stop()
	sent := &drawing{frozen: f, text: text}
	for _, m := range d.Marks {
		made, err := f.mark(ctx, p.call, m)
		if err != nil {
			return err
		}
		sent.marks = append(sent.marks, made)
	}
	if sent.raw, err = f.paint(sent.marks); err != nil {
		return fault.New(fault.Internal, "%w", err)
	}
	f.shot.Keep(f.tab)
	if of(p.call).add(sent) {
		p.changed() // the command that waits tells it
		return nil
	}
	p.changed("a person has annotated " + f.tab.ID + " (" + wording.Plural(len(sent.marks), "mark") +
		"); read it with `annotations`")
	return nil
}

// Remove takes an annotation away.
func (p person) Remove(id string) error {
	if len(of(p.call).remove(id)) == 0 {
		return fault.New(fault.SessionInvalid, "there is no annotation %s", id).About(id)
	}
	p.changed()
	return nil
}

// Places looks where the agent's annotations are.
func (p person) Places(ctx context.Context) ([]dashboard.Shown, error) {
	list := []dashboard.Shown{}
	_, all, _ := of(p.call).list()
	active := p.call.Tabs.Active()
	for _, s := range all {
		one := dashboard.Shown{ID: s.id, Text: s.text}
		switch {
		case s.tab != active:
			one.Where = "in tab " + s.tab.ID
		default:
			rect, err := s.place(ctx, p.call)
			switch {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case err != nil:
				one.Where = "not in the page any more"
			default:
				one.Rect = rect
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// place returns where a mark of the agent is in the document now.
func (s *shown) place(ctx context.Context, c *actions.Call) (*engine.Rect, error) {
	ctx, stop := s.tab.Page.Watch(ctx, true)
	defer stop()
	if s.target != nil {
		again := *s.target // an op notes in it what it found
		return capture.PlaceOf(ctx, impatient(c), s.tab, &again)
	}
	doc, err := s.tab.Page.Main().Document(ctx)
	if err == nil && doc != s.doc {
		err = fault.New(fault.PageGone, "the page was left")
	}
	return &s.rect, err
}

// impatient is the call for a question that is answered at once or not at all.
func impatient(c *actions.Call) *actions.Call {
	return &actions.Call{Input: c.Input, Caller: actions.Caller{Getenv: c.Getenv}, Scope: c.Scope, Deadline: time.Now()}
}

// Noted lists the annotations of a session for the dashboard, oldest first.
func Noted(states *actions.States) []dashboard.Noted {
	drawn, shown, _ := actions.StateOf[Board](states).list()
	list := []dashboard.Noted{}
	for _, d := range drawn {
		n := dashboard.Noted{
			ID:    d.id,
			By:    byPerson,
			Tab:   d.tab.ID,
			URL:   d.url,
			Made:  d.made.UnixMilli(),
			Texts: []string{},
			Read:  d.read,
		}
		for _, text := range append([]string{d.text}, texts(d.marks)...) {
			if text != "" {
				n.Texts = append(n.Texts, text)
			}
		}
		list = append(list, n)
	}
	for _, s := range shown {
		list = append(list, dashboard.Noted{
			ID:    s.id,
			By:    byAgent,
			Tab:   s.tab.ID,
			URL:   s.url,
			Made:  s.made.UnixMilli(),
			Texts: []string{s.text},
			Read:  true,
		})
	}
	slices.SortStableFunc(list, func(a, b dashboard.Noted) int { return cmp.Compare(a.Made, b.Made) })
	return list
}

func texts(marks []mark) []string {
	list := make([]string, len(marks))
	for i, m := range marks {
		list[i] = m.Text
	}
	return list
}
