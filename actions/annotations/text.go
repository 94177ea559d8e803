package annotations

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/wording"
)

// brief is the reply in words. What a person wrote is behind "person:", what the page says is in quotes behind a role.
func brief(all Annotations) string {
	if all.Waiting {
		return "No person has annotated the page in this time"
	}
	if len(all.Annotations) == 0 {
		return "There are no annotations. A person makes them in the dashboard, with \"Annotate\": `dashboard start`"
	}
	var lines []string
	add := func(depth int, line string) { lines = append(lines, strings.Repeat("  ", depth)+line) }
	for _, a := range all.Annotations {
		age := (time.Duration(a.AgeMS) * time.Millisecond).Round(time.Second).String() + " ago"
		if a.By == byAgent {
			what := "(not in the page any more)"
			if a.Rect != nil {
				what = at(*a.Rect)
			}
			if a.Target != "" {
				what = a.Target + " " + what
			}
			add(0, fmt.Sprintf("%s shown to the person %s in %s: %s %s", a.ID, age, a.Tab, what,
				strconv.Quote(wording.OneLine(a.Text))))
			continue
		}
		add(0, fmt.Sprintf("%s by a person %s, on %s %s", a.ID, age, a.Tab, a.URL))
		add(1, fmt.Sprintf("picture %s (shot %s, %dx%d pixels, scale %g)", a.Picture.Path, a.Picture.Shot, a.Picture.Width,
			a.Picture.Height, a.Picture.Scale))
		if line := pageLine(a); line != "" {
			add(1, line)
		}
		if a.Text != "" {
			add(1, "person: "+strconv.Quote(a.Text))
		}
		for _, m := range a.Marks {
			addMark(add, m)
		}
	}
	if all.Lost > 0 {
		add(0, wording.Plural(all.Lost, "older annotation")+" of a person had to go before it was read")
	}
	return strings.Join(lines, "\n")
}

// pageLine says how the page is now.
func pageLine(a Annotation) string {
	line := map[string]string{
		pageScrolled: "the page was scrolled since",
		pageChanged:  "the page has changed since: see the elements",
		pageLeft:     "the page was left or loaded again since: the refs are those of the page that was annotated",
		pageClosed:   "the tab is closed",
		pageUnknown:  "the page did not say whether it has changed since",
	}[a.Page]
	if a.Moves {
		line = strings.TrimPrefix(line+"; the page moved while it was pictured, so boxes of elements may be off", "; ")
	}
	return line
}

func addMark(add func(int, string), m Mark) {
	where := at(m.Rect)
	switch {
	case m.Tip != nil:
		where = fmt.Sprintf("to %g,%g", m.Tip.X, m.Tip.Y)
	case m.Rect.Width == 0 && m.Rect.Height == 0:
		where = fmt.Sprintf("at %g,%g", m.Rect.X, m.Rect.Y)
	}
	add(1, fmt.Sprintf("[%d] %s %s", m.Number, m.Kind, where))
	if m.Text != "" {
		add(2, "person: "+strconv.Quote(m.Text))
	}
	for _, e := range m.Elements {
		line := strings.TrimSpace(e.Ref + " " + e.Role)
		switch {
		case e.Name != "":
			line += " " + wording.Quote(e.Name)
		case e.Text != "":
			line += " with the text " + wording.Quote(e.Text)
		}
		switch e.Is {
		case elementMoved:
			line += " (moved, now " + at(*e.Now) + ")"
		case elementUnseen:
			line += " (not seen any more)"
		}
		add(2, line)
	}
	if m.More > 0 {
		add(2, "and "+wording.Plural(m.More, "more element"))
	}
	if m.None != "" {
		add(2, "no element is known: "+wording.OneLine(m.None))
	}
}

func at(r engine.Rect) string { return fmt.Sprintf("at %g,%g %gx%g", r.X, r.Y, r.Width, r.Height) }
