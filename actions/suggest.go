package actions

import (
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// didYouMean writes the line that suggests something, or "".
func didYouMean(suggestion string) string {
	if suggestion == "" {
		return ""
	}
	return "Did you mean `" + suggestion + "`?"
}

// suggestCommand returns the name or alias that an unknown word most likely means. The last word of a name means that name: "title" is
// "get title".
func (r *Registry) suggestCommand(typed string) string {
	var names []string
	for _, c := range r.commands {
		names = append(names, c.Name)
		names = append(names, c.Aliases...)
	}
	if name := wording.Nearest(typed, names); name != "" {
		return name
	}
	for _, name := range names {
		if len(typed) > 2 && strings.HasSuffix(name, " "+strings.ToLower(typed)) {
			return name
		}
	}
	var families []string
	for _, c := range r.commands {
		if first, _, more := strings.Cut(c.Name, " "); more {
			families = append(families, first)
		}
	}
	return wording.Nearest(typed, families)
}
