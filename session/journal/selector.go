package journal

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
)

// Selector returns a skua selector for the element: its role with its whole name. It is empty if the element has no
// role.
func (t *Target) Selector() string {
	if t.Role == "" {
		return ""
	}
	if len(t.Frame) == 0 && !strings.ContainsAny(t.Name, "\"\\\n") {
		s := "role=" + t.Role + `[name="` + t.Name + `"]`
		if t.Name == "" {
			s = "role=" + t.Role
		}
		if t.Nth > 0 || t.Name == "" {
			s += "[nth=" + strconv.Itoa(t.Nth) + "]"
		}
		return s
	}
	type exact struct {
		Exact string `json:"exact"`
	}
	var name *exact
	if t.Name != "" {
		name = &exact{t.Name}
	}
	b, err := json.Marshal(struct { // strings and numbers only
		Role string   `json:"role"`
		Name *exact   `json:"name,omitempty"`
		Nth  int      `json:"nth,omitempty"`
		Path []string `json:"framePath,omitempty"`
	}{t.Role, name, t.Nth, t.Frame})
	if err != nil {
		return ""
	}
	return string(b)
}

// locator returns the Playwright locator of the element.
func (t *Target) locator() string {
	var s strings.Builder
	s.WriteString("page")
	for _, frame := range t.Frame {
		s.WriteString(".frameLocator(" + literal(frameSelector(frame)) + ")")
	}
	s.WriteString(".getByRole(" + literal(t.Role))
	if t.Name != "" {
		s.WriteString(", { name: " + literal(t.Name) + ", exact: true }")
	}
	return s.String() + ").nth(" + strconv.Itoa(t.Nth) + ")"
}

// frameSelector returns a CSS selector for a frame's element by its name, id or URL.
func frameSelector(frame string) string {
	quoted := strconv.Quote(frame)
	if strings.Contains(frame, "/") {
		return "iframe[src=" + quoted + "]"
	}
	return "iframe[name=" + quoted + "], iframe[id=" + quoted + "]"
}

// Locator returns the Playwright locator for a skua selector, or for the target that it names. It is empty if there is
// none.
func Locator(selector string, t *Target) string {
	if t != nil {
		return t.locator()
	}
	for prefix, method := range map[string]string{
		"label=": "getByLabel", "placeholder=": "getByPlaceholder", "alt=": "getByAltText", "title=": "getByTitle",
		"testid=": "getByTestId",
	} {
		if value, ok := strings.CutPrefix(selector, prefix); ok {
			return "page." + method + "(" + literal(strings.Trim(value, `"`)) + ").first()"
		}
	}
	switch {
	case strings.HasPrefix(selector, "{"):
		return "" // skua's own fields
	case strings.HasPrefix(selector, "//"):
		selector = "xpath=" + selector
	}
	return "page.locator(" + literal(selector) + ").first()"
}

// literal returns a text as a JavaScript string literal.
func literal(text string) string {
	return plainjson.Quote(text)
}
