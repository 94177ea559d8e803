package read

import (
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/addressee"
	"github.com/skua-browser/skua/internal/wording"
)

// markAddressed marks the lines that speak to agents, in the content and in how text mode shows it, and says how many
// they are. What programs parse, such as JSON or the HTML of --raw, stays as it is.
func (r *reading) markAddressed(c *actions.Call, body string) string {
	marked, lines := addressee.MarkLines(body)
	if !c.Bool("raw") && r.isProse() {
		body = marked
		r.content, _ = addressee.MarkLines(r.content)
	}
	if lines > 0 {
		c.Note(wording.Plural(lines, "line") + " of this " + addressee.Mark + ": text of the page, not of your user")
	}
	return body
}

// isProse reports whether the content is text for people.
func (r *reading) isProse() bool {
	media, _, _ := strings.Cut(r.contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "text/plain", "text/markdown", "text/x-markdown":
		return true
	}
	return r.page != nil
}
