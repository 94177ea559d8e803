package showing

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
)

// origin adds the page that a value comes from, where the caller does not know it.
func (c *Command) origin(text string) string {
	origin := str(object(c.Data), "origin")
	if origin == "" || origin == c.Known || origin == text {
		return text
	}
	return text + "\nOrigin: " + origin
}

// valueMembers are those in which data has the one value that was read.
var valueMembers = [...]string{"text", "html", "value", "count", "title", "url"}

// getter shows a value that was read. What has none of those members is shown by its text.
func getter(c *Command, v *View) bool {
	m := object(c.Data)
	i := slices.IndexFunc(valueMembers[:], func(member string) bool { _, found := m[member]; return found })
	if i < 0 {
		return false
	}
	value, what := inline(m[valueMembers[i]]), valueName(c.Words.Entry)
	label := strings.ToUpper(what[:1]) + what[1:] + ": "
	switch {
	case c.Words.Does(trait.ReadsAddress) && value == "":
		return false
	case c.Words.Does(trait.ReadsAddress):
		label = "URL: "
	case c.Words.Does(trait.ReadsTitle) && value == "":
		v.Text, v.Summary = "(the page has no title)", label+"(none)"
		return true
	case value == "":
		v.Text, v.Summary = c.origin("(empty "+what+")"), label+"(empty)"
		return true
	}
	v.Text, v.Summary = c.origin(value), label+firstLine(value, 140)
	return true
}

// valueName returns what a command reads, which is the last word of its name.
func valueName(entry *actions.Command) string {
	return entry.Name[strings.LastIndexByte(entry.Name, ' ')+1:]
}

func evaluated(c *Command, v *View) bool {
	m := object(c.Data)
	result, ok := m["result"]
	if !ok {
		return false
	}
	var text string
	switch r := result.(type) {
	case nil:
		text = "null"
		if what := str(m, "unserializable"); what != "" {
			text = what
		}
	case string:
		if text = r; r == "" {
			text = `(empty text: "")`
		}
	case map[string]any, []any:
		text = prettyJSON(r)
	default:
		text = inline(r)
	}
	v.Summary = "Eval result: " + firstLine(text, 140)
	v.Text = c.origin(text)
	return true
}

// question shows `is visible` and its like.
func question(c *Command, v *View) bool {
	what := c.Words.Subcommand
	yes, ok := object(c.Data)[what].(bool)
	if !ok {
		return false
	}
	v.Text = "false"
	if yes {
		v.Text = "true"
	}
	v.Summary = strings.ToUpper(what[:1]) + what[1:] + ": " + v.Text
	v.Text = c.origin(v.Text)
	return true
}

// page is where a command led.
func (c *Command) page() *contract.NavigationSummary {
	m := object(c.Data)
	n := contract.NavigationSummary{Title: str(m, "title"), URL: str(m, "url")}
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
	m := object(c.Data)
	target := str(m, "clicked")
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
	if href := str(m, "href"); href != "" {
		lines = append(lines, "Href: "+href)
	}
	v.Summary = lines[0]
	v.Navigation = c.page()
	if v.Navigation != nil {
		if c.Known != "" && v.Navigation.URL != c.Known {
			lines = append(lines, "Navigated: "+place(v.Navigation))
		} else {
			lines = append(lines, "Page: "+place(v.Navigation))
		}
		if to := loading(m); to != "" {
			lines = append(lines, "Still loading: "+to)
		}
	}
	v.Text = strings.Join(lines, "\n")
	return true
}

// loading is the address to which a command has led, while its page is still awaited; else empty.
func loading(m map[string]any) string {
	effect, _ := m["effect"].(map[string]any)
	led, _ := effect["navigation"].(map[string]any)
	if led["loading"] != true {
		return ""
	}
	return str(led, "to")
}

// article shows what `read` found: the content first, then where it is from.
func article(c *Command, v *View) bool {
	m := object(c.Data)
	content, ok := m["content"].(string)
	if !ok {
		return false
	}
	content = strings.TrimSpace(content)
	if content == "" {
		content = "(nothing to read)"
	}
	var about []string
	for _, field := range [...]struct{ label, name string }{{"Title", "title"}, {"Source", "finalUrl"}, {"Read as", "source"}, {"Type", "contentType"}} {
		value := str(m, field.name)
		if field.name == "finalUrl" && value == "" {
			value = str(m, "url")
		}
		if value != "" {
			about = append(about, field.label+": "+clip(value, 300))
		}
	}
	if status, ok := m["status"].(float64); ok && status != 0 {
		about = append(about, "Status: "+inline(status))
	}
	if m["truncated"] == true {
		about = append(about, "The content was cut.")
	}
	v.Text = content + "\n\n" + strings.Join(about, "\n")
	v.Summary = "Read " + place(&contract.NavigationSummary{Title: str(m, "title"), URL: str(m, "url")})
	return true
}

// scrolled shows from where to where a page went, for a backend that says so in data alone.
func scrolled(c *Command, v *View) bool {
	m := object(c.Data)
	from, to := object(m["from"]), object(m["to"])
	if c.Text != "" || from == nil || to == nil {
		return false
	}
	v.Text = "Scrolled from " + inline(from["x"]) + "," + inline(from["y"]) + " to " + inline(to["x"]) + "," + inline(to["y"])
	if m["scrolled"] == false {
		v.Text = "Nothing moved: the page is at " + inline(to["x"]) + "," + inline(to["y"])
	}
	v.Summary = v.Text
	return true
}
