package lookup

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Where candidates come from.
const (
	fromReact     = "react-inspect"
	fromDOM       = "dom-attribute"
	fromWorkspace = "workspace-search"
	fromInitiator = "initiator"
)

// Attributes of elements that say where they come from, in the order of preference.
var (
	fileAttributes   = []string{"data-source-file", "data-file", "data-component-file", "data-source"}
	lineAttributes   = []string{"data-source-line", "data-line"}
	columnAttributes = []string{"data-source-column", "data-column"}
)

// OwnAttributes returns the rows that read the attributes of the element itself: `get html` reports only what is inside
// it.
func OwnAttributes(selector string) (rows [][]string) {
	for _, name := range slices.Concat(fileAttributes, lineAttributes, columnAttributes) {
		rows = append(rows, []string{"get", "attr", selector, name})
	}
	return rows
}

// Source says where an element may come from. Rows are those of the batch, own those of OwnAttributes.
func Source(
	ctx context.Context, c *contract.CompiledSourceLookup, rows, own []backend.Row, workspace string,
) *contract.SourceLookup {
	f := newFinder()
	reactFailed, inTree := false, false
	for i, step := range c.Steps {
		if i >= len(rows) || rows[i].Skipped {
			continue
		}
		row := &rows[i]
		switch {
		case step.Args[0] == "react" && !row.Success:
			reactFailed = true
			f.limit(strings.Join(step.Args[:2], " ") +
				" failed: the page must be opened with --enable react-devtools, and the app must expose its sources.")
		case !row.Success:
		case step.Action == "html":
			f.element("the element", attributesOf(own))
			f.html(fact.Read[look.HTMLResult](row.Result).HTML)
		case step.Action == "reactInspect":
			for _, p := range placesOf(fact.Read[any](row.Result)) {
				found := at(fromReact, "high", p, "react inspect "+c.ReactFiberID+" names it as the source")
				found.ComponentName = c.ComponentName
				f.add(found)
			}
		case step.Action == "reactTree":
			tree, _ := json.Marshal(row.Result)
			inTree = strings.Contains(string(tree), c.ComponentName)
		}
	}
	if c.ComponentName != "" {
		f.component(ctx, c.ComponentName, inTree, workspace, c.MaxWorkspaceFiles)
	}
	l := &contract.SourceLookup{Candidates: f.candidates, Limitations: f.limitations}
	switch n := len(f.candidates); {
	case n > 0:
		l.Status, l.Summary = "candidates-found", fmt.Sprintf("Source lookup: %d candidate(s), best: %s", n,
			shown(best(f.candidates)))
	case reactFailed:
		l.Status, l.Summary = "unsupported", "Source lookup: no candidates; React reported nothing about this page."
	default:
		l.Status, l.Summary = "no-candidates", "Source lookup: no candidates."
	}
	return l
}

// attributesOf reads what the rows of OwnAttributes brought. Attributes that the element lacks are null, or an error.
func attributesOf(own []backend.Row) map[string]string {
	attributes := map[string]string{}
	for _, row := range own {
		value := fact.Read[look.AttributeResult](row.Result).Value
		if row.Success && value != nil && *value != "" && len(row.Command) > 0 {
			attributes[row.Command[len(row.Command)-1]] = *value
		}
	}
	return attributes
}

// element takes what the attributes of one element say. whose names it in the evidence.
func (f *finder) element(whose string, attributes map[string]string) {
	for _, name := range fileAttributes {
		value := attributes[name]
		if value == "" {
			continue
		}
		p := readPlace(value)
		if p.line == 0 {
			p.line = number(attributes, lineAttributes)
		}
		if p.column == 0 {
			p.column = number(attributes, columnAttributes)
		}
		f.add(at(fromDOM, "medium", p, name+" of "+whose))
		return
	}
}

func number(attributes map[string]string, names []string) (n int) {
	for _, name := range names {
		if _, err := fmt.Sscanf(attributes[name], "%d", &n); err == nil {
			return n
		}
	}
	return 0
}

var (
	openTag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>`)
	})
	attribute = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	})
)

// html takes what the elements of a piece of HTML say, and the paths of source files in it.
func (f *finder) html(text string) {
	for _, tag := range openTag().FindAllString(text, -1) {
		attributes := map[string]string{}
		for _, m := range attribute().FindAllStringSubmatch(tag, -1) {
			attributes[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3])
		}
		name := strings.FieldsFunc(tag, func(r rune) bool { return strings.ContainsRune("<> \t\n\r\f/", r) })[0]
		f.element("a <"+strings.ToLower(name)+"> inside the element", attributes)
	}
	for _, p := range placesIn(html.UnescapeString(text)) {
		if !f.knows(fromDOM, p.file) {
			f.add(at(fromDOM, "medium", p, "path in the HTML inside the element"))
		}
	}
}

// component looks for the declaration of a component in the workspace.
func (f *finder) component(ctx context.Context, name string, inTree bool, workspace string, most int) {
	declared, err := regexp.Compile(`\b(?:function|class|const|let|var)\s+` + regexp.QuoteMeta(name) + `(?:[^\w$]|$)`)
	if err != nil || workspace == "" {
		return
	}
	cut := walk(ctx, workspace, most, func(path, content string) bool {
		if m := declared.FindStringIndex(content); m != nil {
			found := at(fromWorkspace, "low", place{file: path, line: lineAt(content, m[0])}, "declares "+name)
			found.ComponentName = name
			if inTree {
				found.Evidence = append(found.Evidence, "the React tree of the page has a "+name)
			}
			f.add(found)
		}
		return f.count(fromWorkspace) >= maxWorkspaceCandidates
	})
	if cut {
		f.limit(fmt.Sprintf("The workspace scan was limited to %d files.", most))
	}
}

// lineAt is the number of the line that an offset is in, from 1.
func lineAt(text string, offset int) int { return strings.Count(text[:offset], "\n") + 1 }

// best is the candidate of the greatest confidence, the first of several.
func best(list []contract.SourceCandidate) contract.SourceCandidate {
	order := []string{"low", "medium", "high"}
	chosen := list[0]
	for _, c := range list[1:] {
		if slices.Index(order, c.Confidence) > slices.Index(order, chosen.Confidence) {
			chosen = c
		}
	}
	return chosen
}

// shown is a candidate in words: src/Save.tsx:12:5 (dom-attribute, medium confidence).
func shown(c contract.SourceCandidate) string {
	where := c.File
	if c.Line > 0 {
		where += fmt.Sprintf(":%d", c.Line)
		if c.Column > 0 {
			where += fmt.Sprintf(":%d", c.Column)
		}
	}
	return fmt.Sprintf("%s (%s, %s confidence)", where, c.Source, c.Confidence)
}

// SourceText is what comes before the batch's own text.
func SourceText(l *contract.SourceLookup) string {
	return listed(l.Summary, l.Candidates, l.Limitations)
}

func listed(summary string, candidates []contract.SourceCandidate, limitations []string) string {
	var b strings.Builder
	b.WriteString(summary)
	for _, c := range candidates {
		b.WriteString("\n- " + shown(c) + ": " + strings.Join(c.Evidence, "; "))
	}
	for _, l := range limitations {
		b.WriteString("\nNote: " + l)
	}
	return b.String()
}
