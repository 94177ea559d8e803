package annotations

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/session/dashboard"
)

func runList(ctx context.Context, c *actions.Call) (actions.Result, error) { return listed(ctx, c) }

func runWait(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if arrived := of(c).next(); arrived != nil {
		timer := time.NewTimer(run.PersonTime(c.Input))
		defer timer.Stop()
		select {
		case <-arrived:
		case <-timer.C:
			data := Annotations{Annotations: []Annotation{}, Waiting: true}
			return actions.Result{Data: data, Text: brief(data)}, nil
		case <-ctx.Done():
			return actions.Result{}, context.Cause(ctx)
		}
	}
	return listed(ctx, c)
}

// listed is the reply that has all annotations. Pictures are written when they are first asked for.
func listed(ctx context.Context, c *actions.Call) (actions.Result, error) {
	b := of(c)
	drawn, shown, lost := b.list()
	data := Annotations{Annotations: []Annotation{}, Lost: lost}
	now, asked := checked(ctx, c, drawn), time.Now()
	for i, d := range drawn {
		file := d.file
		if file == nil {
			saved, err := d.save(c)
			if err != nil {
				return actions.Result{}, err
			}
			file = &saved
		}
		if b.noteRead(d, file) {
			data.Path = file.Path
		}
		one := Annotation{
			ID:    d.id,
			By:    byPerson,
			Tab:   d.tab.ID,
			URL:   d.url,
			Title: d.title,
			AgeMS: asked.Sub(d.made).
				Milliseconds(),
			Text:    d.text,
			Moves:   d.moves,
			Picture: &Picture{*file, d.shot.ID, d.shot.Width, d.shot.Height, math.Round(d.shot.Scale*1e4) / 1e4, d.shot.Area},
			Page:    now[i].page,
			Marks:   now[i].marks,
		}
		data.Annotations = append(data.Annotations, one)
	}
	for _, s := range shown {
		one := Annotation{
			ID:     s.id,
			By:     byAgent,
			Tab:    s.tab.ID,
			URL:    s.url,
			AgeMS:  asked.Sub(s.made).Milliseconds(),
			Text:   s.text,
			Target: s.label,
		}
		one.Rect, one.Page = s.check(ctx, c)
		data.Annotations = append(data.Annotations, one)
	}
	slices.SortStableFunc(data.Annotations, func(a, b Annotation) int { return int(b.AgeMS - a.AgeMS) })
	return actions.Result{Data: data, Text: brief(data)}, nil
}

// save writes the picture.
func (d *drawing) save(c *actions.Call) (files.SavedFile, error) {
	file, err := files.NewArtifact(c, "annotation-"+d.id, "", files.ArtifactDir(c, home.Screenshots), ".png")
	if err != nil {
		return files.SavedFile{}, err
	}
	saved, err := file.Save(d.raw)
	saved.Type = "image/png"
	return saved, err
}

// state is the state of a drawing's page now.
type state struct {
	page  string
	marks []Mark
}

// checkLimit is how long a page may take to say where its elements are.
const checkLimit = 2 * time.Second

// checked looks at the pages of all drawings at the same time.
func checked(ctx context.Context, c *actions.Call, drawn []*drawing) []state {
	states := make([]state, len(drawn))
	var asking sync.WaitGroup
	for i, d := range drawn {
		asking.Go(func() {
			limited, cancel := context.WithTimeout(ctx, checkLimit)
			defer cancel()
			states[i] = d.check(limited, c)
		})
	}
	asking.Wait()
	return states
}

// check says how the page and the elements below the marks are now.
func (d *drawing) check(ctx context.Context, c *actions.Call) state {
	is := state{page: pageSame}
	var now *capture.Places
	if !d.tab.Page.Attached() {
		is.page = pageClosed
	} else {
		watched, stop := d.tab.Page.Watch(ctx, true)
		defer stop()
		ctx = watched
		var err error
		now, err = capture.PlacesOf(ctx, d.tab.Page, d.tree)
		switch {
		case fault.Is(err, fault.RefStale):
			is.page = pageLeft
		case err != nil:
			is.page = pageUnknown
		case now.Scroll() != d.places.Scroll():
			is.page = pageScrolled
		}
	}
	for i, m := range d.marks {
		one := Mark{
			Number:   i + 1,
			Kind:     m.Kind,
			Rect:     rounded(m.rect),
			Text:     m.Text,
			Elements: []Element{},
			More:     m.more,
			None:     m.none,
		}
		if m.Kind == dashboard.Arrow {
			tip := d.inDocument(m.To)
			one.Tip = &engine.Point{X: math.Round(tip.X), Y: math.Round(tip.Y)}
		}
		for _, el := range m.elements {
			e := Element{
				Ref:  el.ref,
				Role: el.role,
				Name: pagetext.Bounded(el.name, pagetext.MaxTitle),
				Text: el.text,
				Rect: rounded(el.rect),
			}
			if is.page == pageSame || is.page == pageScrolled || is.page == pageChanged {
				e.Now, e.Is = el.whereNow(ctx, c, d.tab, now)
			}
			if e.Is != "" {
				is.page = pageChanged
			}
			one.Elements = append(one.Elements, e)
		}
		is.marks = append(is.marks, one)
	}
	return is
}

// whereNow says where an element is now, if not where it was.
func (el *found) whereNow(
	ctx context.Context, c *actions.Call, tab *actions.Tab, now *capture.Places,
) (*engine.Rect, string) {
	var rect engine.Rect
	if el.node >= 0 {
		box, ok := now.Boxes[el.node]
		if !ok {
			return nil, elementUnseen
		}
		rect = engine.Rect{X: box.X + now.Scroll().X, Y: box.Y + now.Scroll().Y, Width: box.Width, Height: box.Height}
	} else {
		again := *el.target
		place, err := capture.PlaceOf(ctx, impatient(c), tab, &again)
		if err != nil {
			return nil, elementUnseen
		}
		rect = *place
	}
	if was, is := rounded(el.rect), rounded(rect); was != is {
		return &is, elementMoved
	}
	return nil, ""
}

// check says where a mark of the agent is now. Without a place it says why.
func (s *shown) check(ctx context.Context, c *actions.Call) (*engine.Rect, string) {
	if !s.tab.Page.Attached() {
		return nil, pageClosed
	}
	limited, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	rect, err := s.place(limited, c)
	switch {
	case limited.Err() != nil:
		return nil, pageUnknown
	case err != nil:
		return nil, pageLeft
	}
	now := rounded(*rect)
	return &now, ""
}

func rounded(r engine.Rect) engine.Rect {
	return engine.Rect{X: math.Round(r.X), Y: math.Round(r.Y), Width: math.Round(r.Width), Height: math.Round(r.Height)}
}

func runAdd(ctx context.Context, c *actions.Call) (actions.Result, error) {
	text := strings.TrimSpace(c.String("text"))
	switch {
	case text == "":
		return actions.Result{}, fault.New(fault.Usage, "text: is empty; say what the person is to see")
	case len(text) > maxNote:
		return actions.Result{}, fault.New(fault.Usage, "text: has %d bytes, %d are the most; say it shorter", len(text),
			maxNote)
	case c.Has("at") == c.Has("box"):
		return actions.Result{}, c.Invalid("Say what is meant with one of --at and --box.")
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	s := &shown{text: text, tab: tab, url: tab.Page.URL()}
	if c.Has("at") {
		err = s.findTarget(watched, c, c.String("at"))
	} else {
		err = s.findBox(watched, c, c.String("box"))
	}
	if err != nil {
		return actions.Result{}, err
	}
	if err := of(c).show(s); err != nil {
		return actions.Result{}, err
	}
	data := Shown{
		ID:       s.id,
		Tab:      tab.ID,
		Text:     text,
		Rect:     rounded(s.rect),
		Watching: c.Live.Dashboard().Running,
	}
	line := "✓ " + s.id + " is shown in the dashboard"
	if !data.Watching {
		line = "✓ " + s.id + " is kept; the dashboard does not run, so no person sees it yet: `dashboard start`"
	}
	return actions.Result{Data: data, Text: line}, nil
}

// findTarget keeps to the element that a selector finds now.
func (s *shown) findTarget(ctx context.Context, c *actions.Call, selector string) error {
	t, err := element.Resolve(ctx, c, s.tab, selector)
	if err != nil {
		return err
	}
	s.label = t.Label
	el, err := element.ReadBox(ctx, c, t)
	if err != nil {
		return err
	}
	s.target = element.NewTarget(s.tab, t.Frame, el.Doc, el.Token, t.Label)
	again := *s.target
	rect, err := capture.PlaceOf(ctx, c, s.tab, &again)
	if err == nil {
		s.rect = *rect
	}
	return err
}

// findBox keeps to a place of the document.
func (s *shown) findBox(ctx context.Context, c *actions.Call, words string) error {
	var n []float64
	for part := range strings.SplitSeq(words, ",") {
		if v, err := strconv.ParseFloat(strings.TrimSpace(part), 64); err == nil && v >= 0 && v <= 1e7 {
			n = append(n, v)
		}
	}
	if len(n) != 1+strings.Count(words, ",") || len(n) != 4 || n[2] < 1 || n[3] < 1 {
		return c.Invalid("--box takes x,y,width,height in CSS pixels, such as 0,0,400,300, got '" + words + "'")
	}
	s.rect = engine.Rect{X: n[0], Y: n[1], Width: n[2], Height: n[3]}
	var err error
	s.doc, err = s.tab.Page.Main().Document(ctx)
	return err
}

func runClear(_ context.Context, c *actions.Call) (actions.Result, error) {
	ids := strings.Fields(c.String("ids"))
	removed := of(c).remove(ids...)
	for _, id := range ids {
		if !slices.Contains(removed, id) {
			return actions.Result{}, fault.New(fault.Usage, "%s: there is no such annotation; `annotations` lists them", id).
				About(id)
		}
	}
	text := "There were no annotations"
	if len(removed) > 0 {
		text = "✓ Removed " + strings.Join(removed, ", ")
	} else {
		removed = []string{}
	}
	return actions.Result{Data: Cleared{removed}, Text: text}, nil
}
