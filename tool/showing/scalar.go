package showing

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/read"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/contract"
)

// from adds the page that a value comes from, where the caller does not know it.
func (c *Command) from(origin, text string) string {
	if origin == "" || origin == c.Known || origin == text {
		return text
	}
	return text + "\nOrigin: " + origin
}

// reading is a value that was read.
type reading struct {
	value  string
	origin string // the address of the page that it is of, where the data says it
	of     string // what it is, in the words of agent-browser
}

// readingOf returns the value that data has. ok is false if it has none, such as a box of an element.
func readingOf(data any) (r reading, ok bool) {
	switch d := actions.Own(data).(type) {
	case look.TextResult:
		return reading{d.Text, d.Origin, "text"}, true
	case look.HTMLResult:
		return reading{d.HTML, "", "html"}, true
	case look.ValueResult:
		return reading{d.Value, "", "value"}, true
	case look.AttributeResult:
		if d.Value != nil {
			r.value = *d.Value
		}
		r.origin = d.Origin
		return r, true
	case look.CountResult:
		return reading{number(d.Count), "", "count"}, true
	case look.TitleResult:
		return reading{d.Title, "", "title"}, true
	case look.URLResult:
		return reading{d.URL, "", "url"}, true
	case map[string]any: // of another program
		for _, member := range [...]string{"text", "html", "value", "count", "title", "url"} {
			if value, found := d[member]; found {
				return reading{inline(value), str(d, "origin"), member}, true
			}
		}
	}
	return r, false
}

// getter shows a value that was read. What has none is shown by its text.
func getter(c *Command, v *View) bool {
	found, ok := readingOf(c.Data)
	if !ok {
		return false
	}
	value, what := found.value, valueName(c.Words.Entry)
	label := strings.ToUpper(what[:1]) + what[1:] + ": "
	switch {
	case found.of == "url" && value == "":
		return false
	case found.of == "url":
		label = "URL: "
	case found.of == "title" && value == "":
		v.Text, v.Summary = "(the page has no title)", label+"(none)"
		return true
	case value == "":
		v.Text, v.Summary = c.from(found.origin, "(empty "+what+")"), label+"(empty)"
		return true
	}
	if found.of == "text" { // the data has it as it is
		value = withoutGaps(value)
	}
	if value == "" {
		value = "(only white space)"
	}
	v.Text, v.Summary = c.from(found.origin, value), label+firstLine(value, 140)
	return true
}

// valueName returns what a command reads, which is the last word of its name.
func valueName(entry *actions.Command) string {
	return entry.Name[strings.LastIndexByte(entry.Name, ' ')+1:]
}

func evaluated(c *Command, v *View) bool {
	d := fact.Read[look.EvalResult](c.Data)
	var result any
	if d.Result == nil || json.Unmarshal(d.Result, &result) != nil {
		return false
	}
	var text string
	switch r := result.(type) {
	case nil:
		text = "null"
		if d.Unserializable != "" {
			text = d.Unserializable
		}
	case string:
		if text = r; r == "" {
			text = `(empty text: "")`
		}
	case bool, float64:
		text = inline(r)
	default:
		text = prettyJSON(r)
	}
	v.Summary = "Eval result: " + firstLine(text, 140)
	v.Text = c.from(d.Origin, text)
	return true
}

// answered is what `is visible` and its like found.
type answered struct {
	Visible, Enabled, Checked *bool
	Origin                    string
}

// question shows them.
func question(c *Command, v *View) bool {
	what, d := c.Words.Subcommand, fact.Read[answered](c.Data)
	yes := map[string]*bool{"visible": d.Visible, "enabled": d.Enabled, "checked": d.Checked}[what]
	if yes == nil {
		return false
	}
	v.Text = strconv.FormatBool(*yes)
	v.Summary = strings.ToUpper(what[:1]) + what[1:] + ": " + v.Text
	v.Text = c.from(d.Origin, v.Text)
	return true
}

// page is where a command led.
func (c *Command) page() *contract.NavigationSummary {
	var n contract.NavigationSummary
	if m, foreign := c.Data.(map[string]any); foreign {
		n = contract.NavigationSummary{Title: str(m, "title"), URL: str(m, "url")}
	} else {
		var facts fact.Facts
		fact.Add(actions.Own(c.Data), &facts)
		n = contract.NavigationSummary{Title: facts.Page.Title, URL: facts.Page.URL}
	}
	if n.URL == "" {
		n.URL = c.Page.URL
	}
	if n.Title == "" && n.URL == c.Page.URL {
		n.Title = c.Page.Title
	}
	if n == (contract.NavigationSummary{}) {
		return nil
	}
	return &n
}

// place is a page in a line.
func place(n *contract.NavigationSummary) string {
	switch {
	case n == nil:
		return ""
	case n.Title == "":
		return n.URL
	}
	return clip(n.Title, 120) + " — " + n.URL
}

func opened(c *Command, v *View) bool {
	n := c.page()
	if n == nil {
		return false
	}
	v.Summary, v.Text = "Opened "+n.URL, "Opened "+n.URL
	if n.Title != "" {
		v.Summary = "Opened " + clip(n.Title, 120)
		v.Text = "Opened " + clip(n.Title, 160) + "\n" + n.URL
	}
	v.Text += c.observed(n)
	return true
}

// observed is what the reply of a command that leads to a page shows of it, as lines below where it led.
func (c *Command) observed(led *contract.NavigationSummary) string {
	_, seen, shows := strings.Cut("\n"+strings.ReplaceAll(c.Text, "\n  "+led.URL, "\n"+led.URL), "\n"+led.URL+"\n")
	if !shows {
		return ""
	}
	return "\n" + seen
}

// moved shows what leads from page to page without a target of its own.
func moved(c *Command, v *View) bool {
	v.Navigation = c.page()
	if v.Navigation == nil {
		return false
	}
	v.Summary = c.Words.Entry.Did + ": " + place(v.Navigation)
	v.Text = v.Summary + c.observed(v.Navigation)
	return true
}

// clicked shows a click: what was hit, what the engine saw of its effect, and where the session is now.
func clicked(c *Command, v *View) bool {
	target := clickedIn(c.Data)
	if target == "" {
		target = c.Words.Positional(0)
	}
	lines := []string{"Clicked: " + target}
	if effect := strings.TrimPrefix(strings.TrimPrefix(c.Text, "✓ Done"), " · "); effect != "" {
		first, rest, more := strings.Cut(effect, "\n")
		lines[0] += " · " + first
		if more {
			lines = append(lines, rest)
		}
	}
	if m, foreign := c.Data.(map[string]any); foreign && str(m, "href") != "" {
		lines = append(lines, "Href: "+str(m, "href"))
	}
	v.Summary = lines[0]
	v.Navigation = c.page()
	if v.Navigation != nil {
		if c.Known != "" && v.Navigation.URL != c.Known {
			lines = append(lines, "Navigated: "+place(v.Navigation))
		} else {
			lines = append(lines, "Page: "+place(v.Navigation))
		}
		if to := loading(c.Data); to != "" {
			lines = append(lines, "Still loading: "+to)
		}
	}
	v.Text = strings.Join(lines, "\n")
	return true
}

// clickedIn is the element that was clicked, as the caller spelled it.
func clickedIn(data any) string {
	switch d := actions.Own(data).(type) {
	case pointer.ClickedResult:
		return d.Clicked
	case pointer.TappedResult:
		return d.Clicked
	case pointer.NewTabResult:
		return d.Clicked
	case map[string]any:
		return str(d, "clicked")
	}
	return ""
}

// loading is the address to which a command has led, while its page is still awaited; else empty.
func loading(data any) string {
	if reported, ok := data.(*actions.Reported); ok {
		if led := reported.Reports.Effect.Led(); led != nil && led.Loading {
			return led.To
		}
	}
	return ""
}

// article shows what `read` found: the content first, then where it is from.
func article(c *Command, v *View) bool {
	if m, foreign := c.Data.(map[string]any); foreign && m["content"] == nil {
		return false
	}
	d, ok := fact.As[read.DocumentResult](actions.Own(c.Data))
	if !ok { // of several addresses
		return false
	}
	content := strings.TrimSpace(d.Content)
	if content == "" {
		content = "(nothing to read)"
	}
	source := d.FinalURL
	if source == "" {
		source = d.URL
	}
	var about []string
	for _, field := range [...]struct {
		label, value string
	}{{"Title", d.Title}, {"Source", source}, {"Read as", d.Source}, {"Type", d.ContentType}} {
		if field.value != "" {
			about = append(about, field.label+": "+clip(field.value, 300))
		}
	}
	if d.Status != 0 {
		about = append(about, "Status: "+number(d.Status))
	}
	if d.Truncated {
		about = append(about, "The content was cut.")
	}
	v.Text = content + "\n\n" + strings.Join(about, "\n")
	v.Summary = "Read " + place(&contract.NavigationSummary{Title: d.Title, URL: d.URL})
	return true
}

// scrolled shows from where to where a page went, for a backend that says so in data alone.
func scrolled(c *Command, v *View) bool {
	d := fact.Read[struct {
		From, To *element.ScrollPosition
		Scrolled *bool
	}](c.Data)
	if c.Text != "" || d.From == nil || d.To == nil {
		return false
	}
	at := func(p *element.ScrollPosition) string { return inline(p.X) + "," + inline(p.Y) }
	v.Text = "Scrolled from " + at(d.From) + " to " + at(d.To)
	if d.Scrolled != nil && !*d.Scrolled {
		v.Text = "Nothing moved: the page is at " + at(d.To)
	}
	v.Summary = v.Text
	return true
}
