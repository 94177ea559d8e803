package forms

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/pointer"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Scroll is a scroll in a form that the tool understands and a backend does not.
type Scroll struct {
	request contract.ScrollRequest // the zero value means that it is another command
	evals   bool                   // it runs as a script in the page
}

var directions = []string{"up", "down", "left", "right"}

// edgeScript scrolls the document to an edge and says where it was and is.
const edgeScript = `(() => { const d = document.scrollingElement || document.documentElement, from = { x: d.scrollLeft, y: d.scrollTop };
	d.scrollTo({ EDGE, behavior: "instant" }); const to = { x: d.scrollLeft, y: d.scrollTop };
	return { scrolled: from.x !== to.x || from.y !== to.y, from, to } })()`

var edges = map[string]string{
	"end": "top: d.scrollHeight", "bottom": "top: d.scrollHeight", "top": "top: 0", "start": "top: 0", "left": "left: 0",
	"right": "left: d.scrollWidth",
}

// Line rewrites `scroll <selector> <direction>` to the form that backends have, and `scroll to <edge>` for a backend
// that has none. The line is the one that w becomes; ownWords: the backend needs only the first of the two.
func (s *Scroll) Line(w *argv.Words, line []string, ownWords bool) []string {
	if !actions.Yields[pointer.ScrolledResult](w.Entry) {
		return line
	}
	at := slices.Index(line, w.Command)
	toPlace := !w.Entry.TakesDistance()
	edge, isEdge := edges[w.Positional(0)]
	if toPlace && isEdge {
		s.request.To = w.Positional(0)
		if ownWords || w.Has("selector") || len(w.LaunchScoped()) > 0 {
			return line
		}
		s.evals = true
		return append(slices.Clone(line[:at]), "eval", strings.Replace(edgeScript, "EDGE", edge, 1))
	}
	if n := len(w.Positionals); n > 0 && strings.HasSuffix(w.Positionals[n-1], "%") && !ownWords && !toPlace {
		return s.share(w, line, at)
	}
	if toPlace || len(w.Positionals) < 2 || slices.Contains(directions, w.Positional(0)) ||
		!slices.Contains(directions, w.Positional(1)) {
		return line
	}
	selector := w.Positional(0)
	s.request = contract.ScrollRequest{Selector: selector, Direction: w.Positional(1)}
	if far := w.Positional(2); strings.HasSuffix(far, "%") {
		s.request.Percent = strings.TrimSuffix(far, "%")
	} else if far != "" {
		s.request.Pixels = far
	}
	from := slices.Index(line[at:], selector)
	out := slices.Delete(slices.Clone(line), at+from, at+from+1)
	return append(out, "--selector", selector)
}

// shareScript scrolls an element, or the document, by a share of what it shows, and says where it was and is.
const shareScript = `(() => { const sel = SELECTOR, d = sel ? document.querySelector(sel) : document.scrollingElement || document.documentElement;
	if (!d) throw new Error("Element not found: " + sel); const from = { x: d.scrollLeft, y: d.scrollTop };
	d.scrollBy({ left: ACROSS * d.clientWidth, top: DOWN * d.clientHeight, behavior: "instant" }); const to = { x: d.scrollLeft, y: d.scrollTop };
	return { scrolled: from.x !== to.x || from.y !== to.y, from, to } })()`

// share writes a scroll by a percentage as a script, for a backend that has no word for it. What a script cannot do
// stays as it is.
func (s *Scroll) share(w *argv.Words, line []string, at int) []string {
	words := slices.Clone(w.Positionals)
	selector := w.Value("selector")
	if len(words) == 3 && selector == "" {
		selector, words = words[0], words[1:]
	}
	percent, err := strconv.Atoi(strings.TrimSuffix(words[len(words)-1], "%"))
	if err != nil || len(words) != 2 || !slices.Contains(directions, words[0]) || strings.HasPrefix(selector, "@") ||
		len(w.LaunchScoped()) > 0 {
		return line
	}
	s.evals, s.request = true, contract.ScrollRequest{
		Direction: words[0],
		Percent:   strconv.Itoa(percent),
		Selector:  selector,
	}
	across, down := 0.0, float64(percent)/100
	switch words[0] {
	case "up":
		down = -down
	case "left":
		across, down = -down, 0
	case "right":
		across, down = down, 0
	}
	quoted, _ := json.Marshal(selector) // strings can always be encoded
	script := strings.NewReplacer("SELECTOR", string(quoted), "ACROSS", fmt.Sprint(across), "DOWN", fmt.Sprint(down)).
		Replace(shareScript)
	return append(slices.Clone(line[:at]), "eval", script)
}

// Read reads what such a scroll did, and takes the script out of the answer. It returns nil for all else.
func (s *Scroll) Read(a *backend.Answer) (done *contract.ScrollResult, ofContainer bool) {
	if s.request == (contract.ScrollRequest{}) || !a.Success {
		return nil, false
	}
	if s.evals {
		moved := backend.Yielded[pointer.Movement](a)
		if moved == nil {
			return nil, false
		}
		a.Data = *moved
	}
	return &contract.ScrollResult{Request: s.request, Result: a.Data}, s.request.Selector != ""
}
