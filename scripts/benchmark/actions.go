//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// act is a command on a page where little happens. It is measured from process start to process end; whether it
// happened is asked of the page before and after, or is to be read in what it prints.
type act struct {
	name, title string
	elements    int      // of the page; 0 means 30
	frames      int      // in the page
	first       []string // a command before the rounds
	before      []string // a command before each round
	lines       [][]string
	changes     string // an expression of the page's script whose value each of the commands changes
	prints      string
}

// actShare is what a changing command may take of the other's time.
const actShare = 0.6

// away takes the pointer from where the page before had it, which may be the element that is hovered first.
var away = []string{"mouse", "move", "1", "1"}

// acts are the changing commands. Those with two lines take turns, so that each has something to do. Words in braces
// are elements of the page.
func acts() []act {
	return []act{
		{
			name:    "click-quiet",
			title:   "click @ref, without an effect",
			lines:   [][]string{{"click", "{Other}"}},
			changes: "counts.click",
		},
		{name: "dblclick", title: "dblclick @ref", lines: [][]string{{"dblclick", "{Other}"}}, changes: "counts.dblclick"},
		{
			name:    "hover",
			title:   "hover @ref",
			first:   away,
			lines:   [][]string{{"hover", "{Other}"}, {"hover", "{Save main}"}},
			changes: "counts.mouseover",
		},
		{
			name:    "mouse-move",
			title:   "mouse move",
			lines:   [][]string{{"mouse", "move", "200", "200"}, {"mouse", "move", "220", "210"}},
			changes: "counts.mousemove",
		},
		{name: "type", title: "type @ref", lines: [][]string{{"type", "{Second}", "abc"}}, changes: "second.value"},
		{
			name:    "keyboard-type",
			title:   "keyboard type",
			first:   []string{"focus", "{Second}"},
			lines:   [][]string{{"keyboard", "type", "abc"}},
			changes: "second.value",
		},
		{name: "press", title: "press Tab", lines: [][]string{{"press", "Tab"}}, changes: "counts.keydown"},
		{
			name:    "focus",
			title:   "focus @ref",
			lines:   [][]string{{"focus", "{Second}"}, {"focus", "{Note for main}"}},
			changes: "counts.focusin",
		},
		{
			name:    "select",
			title:   "select @ref",
			lines:   [][]string{{"select", "{Size for main}", "Large"}, {"select", "{Size for main}", "Small"}},
			changes: "size.value",
		},
		{
			name:    "check",
			title:   "check, uncheck @ref",
			lines:   [][]string{{"check", "{Done with main}"}, {"uncheck", "{Done with main}"}},
			changes: "done.checked",
		},
		{
			name:    "scroll",
			title:   "scroll",
			lines:   [][]string{{"scroll", "down", "100"}, {"scroll", "up", "100"}},
			changes: "scrollY",
		},
		{
			name:    "scrollintoview",
			title:   "scrollintoview @ref",
			lines:   [][]string{{"scrollintoview", "{Far}"}, {"scrollintoview", "{Other}"}},
			changes: "scrollY",
		},
		{name: "drag", title: "drag @ref @ref", lines: [][]string{{"drag", "{Thing}", "{Place}"}}, changes: "counts.drop"},
		{
			name:    "upload",
			title:   "upload",
			lines:   [][]string{{"upload", "#file", "one.txt"}, {"upload", "#file", "two.txt"}},
			changes: "file.files[0]?.name",
		},
		{name: "reload", title: "reload", lines: [][]string{{"reload"}}, changes: "performance.timeOrigin"},
		{
			name:     "click-10000",
			title:    "click @ref, 10,000 elements",
			elements: 10000,
			lines:    [][]string{{"click", "{Other}"}},
			changes:  "counts.click",
		},
		{
			name:     "fill-10000",
			title:    "fill @ref, 10,000 elements",
			elements: 10000,
			lines:    [][]string{{"fill", "{Second}", "one"}, {"fill", "{Second}", "two"}},
			changes:  "second.value",
		},
		{
			name:     "hover-10000",
			title:    "hover @ref, 10,000 elements",
			elements: 10000,
			first:    away,
			lines:    [][]string{{"hover", "{Other}"}, {"hover", "{Save main}"}},
			changes:  "counts.mouseover",
		},
	}
}

// actPage has what the acts need in front of tables of orders: the elements of the first form and these.
func actPage(elements, frames int) string {
	p := tablePage("Orders", max(elements, 30))
	for i := range frames {
		p.write(1, 1,
			`<iframe title="Frame %[1]d" srcdoc='<p>Frame <button onclick="parent.clicked()">Inside %[1]d</button>'></iframe>`+
				"\n", i+1)
	}
	return `<p><button id="other" type="button">Other</button> <input id="second" aria-label="Second"> <input id="file" type="file" aria-label="File">
<button id="thing" type="button" draggable="true">Thing</button> <button id="place" type="button">Place</button></p>
` + p.body.String() + `<p style="margin-top:2000px"><button type="button">Far</button></p>
<script>
const counts = {};
function tally({type}) {
	counts[type] = (counts[type] ?? 0) + 1;
}
function clicked() {
	tally({type: 'click'});
}
for (const type of ['click', 'dblclick', 'mouseover', 'mousemove', 'keydown', 'focusin', 'drop']) addEventListener(type, tally, true);
place.addEventListener('dragover', (event) => event.preventDefault());
place.addEventListener('drop', (event) => event.preventDefault());
</script>
`
}

func (a act) operation() operation {
	return operation{name: a.name, results: duration(a.title, actShare), ready: a.ready, measure: a.measure}
}

func (a act) ready(ctx context.Context, s *side) error {
	if err := s.visit(ctx, a.name, actPage(a.elements, a.frames)); err != nil {
		return err
	}
	for _, name := range []string{"one.txt", "two.txt"} {
		if err := os.WriteFile(filepath.Join(s.warm.dir, "home", name), []byte(name), 0o600); err != nil {
			return err
		}
	}
	snapshot, err := s.warm.run(ctx, wholeSnapshot...)
	if err != nil {
		return err
	}
	s.snapshot = snapshot.stdout
	if a.first == nil {
		return nil
	}
	_, err = s.act(ctx, a.first)
	return err
}

func (a act) measure(ctx context.Context, s *side) ([]float64, error) {
	if a.before != nil {
		if _, err := s.act(ctx, a.before); err != nil {
			return nil, err
		}
	}
	before, err := s.state(ctx, a.changes)
	if err != nil {
		return nil, err
	}
	result, err := s.act(ctx, a.lines[s.count%len(a.lines)])
	if err != nil {
		return nil, err
	}
	s.count++
	after, err := s.state(ctx, a.changes)
	switch {
	case err != nil:
	case a.changes != "" && after == before:
		err = fmt.Errorf("%w: %s is %s as before", errNotSeen, a.changes, after)
	case !strings.Contains(result.stdout, a.prints):
		err = fmt.Errorf("%s does not print %q: %s", a.title, a.prints, firstLines(result.stdout, 3))
	}
	return milliseconds(result.took), err
}

// state is the value of an expression in the page.
func (s *side) state(ctx context.Context, expression string) (string, error) {
	if expression == "" {
		return "", nil
	}
	result, err := s.warm.run(ctx, "eval", expression)
	return strings.TrimSpace(result.stdout), err
}

// act runs a command whose elements are named in braces.
func (s *side) act(ctx context.Context, line []string) (outcome, error) {
	line = append([]string{}, line...)
	for i, word := range line {
		if name, ok := strings.CutPrefix(word, "{"); ok {
			ref, err := refOf(s.snapshot, "", strings.TrimSuffix(name, "}"))
			if err != nil {
				return outcome{}, err
			}
			line[i] = ref
		}
	}
	return s.warm.run(ctx, line...)
}
