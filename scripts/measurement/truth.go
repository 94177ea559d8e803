//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/agreement"
	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// verdict is how far skua's walk and Chrome's accessibility tree agree on a page.
type verdict struct {
	page  page
	nodes int
	found []agreement.Disagreement
	tree  []any // skua's
	err   error
}

// measureTruth compares the two sources of skua's snapshots on each page.
func (m *measurement) measureTruth(ctx context.Context) error {
	for i, p := range m.pages {
		v := m.judge(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.verdicts = append(m.verdicts, v)
		if v.err == nil {
			m.opinions = append(m.opinions, m.thirdOpinion(ctx, p, v.tree))
		}
		if v.err != nil {
			m.say("%3d %-60s %v\n", i+1, p.name(), v.err)
			continue
		}
		m.say("%3d %-60s nodes %5d, differing %3d\n", i+1, p.name(), v.nodes, len(v.found))
		var b strings.Builder
		for _, d := range v.found {
			fmt.Fprintf(&b, "%s | %s | %s\n", d.Node, d.Chrome, d.Skua)
		}
		for _, a := range m.opinions[len(m.opinions)-1].missing {
			fmt.Fprintf(&b, "clickable, says Chromium, and without a ref: %s\n", a)
		}
		if err := m.keep(p, "truth.txt", []byte(b.String())); err != nil {
			return err
		}
	}
	return nil
}

// stillTries is how often a page may have moved between two looks before it is taken as it is.
const stillTries = 3

func (m *measurement) judge(ctx context.Context, p page) verdict {
	v := verdict{page: p}
	if _, v.err = m.ours.must(ctx, "open", m.library.address(p)); v.err != nil {
		return v
	}
	if _, v.err = m.ours.must(ctx, "eval", settledScript); v.err != nil {
		return v
	}
	skua, err := m.tree(ctx, "page")
	for try := 1; err == nil; try++ {
		var chrome, again []any
		if chrome, err = m.tree(ctx, "ax"); err != nil {
			break
		}
		if again, err = m.tree(ctx, "page"); err != nil {
			break
		}
		if !reflect.DeepEqual(skua, again) && try < stillTries {
			skua = again
			continue
		}
		v.nodes, v.found = agreement.Compare(agreement.RowsOf(chrome), agreement.RowsOf(again))
		v.tree = again
		return v
	}
	v.err = err
	return v
}

func (m *measurement) tree(ctx context.Context, source string) ([]any, error) {
	output, err := m.ours.must(ctx, "--json", "snapshot", "--tree", "--boxes", "--source", source)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Data struct {
			Tree []any `json:"tree"`
		} `json:"data"`
	}
	return reply.Data.Tree, json.Unmarshal([]byte(output.stdout), &reply)
}

func truthTable(verdicts []verdict) stats.Table {
	table := stats.Table{{"page", "nodes", "agreeing", "percent"}}
	nodes, agreeing := 0, 0
	for _, v := range verdicts {
		if v.err != nil {
			continue
		}
		same := v.nodes - len(v.found)
		nodes, agreeing = nodes+v.nodes, agreeing+same
		table = append(table, []string{v.page.name(), fmt.Sprint(v.nodes), fmt.Sprint(same), percent(same, v.nodes)})
	}
	return append(table, []string{"all", fmt.Sprint(nodes), fmt.Sprint(agreeing), percent(agreeing, nodes)})
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.2f", 100*float64(part)/float64(max(1, whole)))
}

var stateName = regexp.MustCompile(`^([\w-]+)=`)

// kindOf says in what the two sides differ.
func kindOf(d agreement.Disagreement) string {
	first, _, _ := strings.Cut(d.Node, " ")
	switch {
	case d.Chrome == "-" && strings.HasPrefix(d.Skua, first+" "):
		return "only skua has a " + first
	case d.Skua == "-" && strings.HasPrefix(d.Chrome, first+" "):
		return "only Chrome has a " + first
	}
	said := d.Chrome
	if said == "-" {
		said = d.Skua
	}
	switch {
	case strings.HasPrefix(said, `"`):
		return "name of a " + first
	case strings.HasPrefix(said, "in "):
		return "place of a " + first
	case stateName.MatchString(said):
		return "state " + stateName.FindStringSubmatch(said)[1]
	case strings.HasSuffix(said, "ref"):
		return "ref of a " + first
	}
	return "role of a " + first
}

// kindsTable counts the differences by kind, the most frequent first, with an example of each.
func kindsTable(verdicts []verdict) stats.Table {
	type kind struct {
		name, example string
		count         int
		pages         map[string]bool
	}
	kinds := map[string]*kind{}
	for _, v := range verdicts {
		for _, d := range v.found {
			name := kindOf(d)
			k := kinds[name]
			if k == nil {
				k = &kind{
					name:    name,
					example: fmt.Sprintf("%s: Chrome %s, skua %s", d.Node, d.Chrome, d.Skua),
					pages:   map[string]bool{},
				}
				kinds[name] = k
			}
			k.count++
			k.pages[v.page.name()] = true
		}
	}
	var all []*kind
	for _, k := range kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *kind) int { return cmp.Or(b.count-a.count, strings.Compare(a.name, b.name)) })
	table := stats.Table{{"difference", "nodes", "pages", "example"}}
	for _, k := range all {
		table = append(table, []string{k.name, fmt.Sprint(k.count), fmt.Sprint(len(k.pages)), cell(k.example)})
	}
	return table
}

// cell is text of a page as a cell of a table: on one line, short, and without what Markdown takes for its own.
func cell(s string) string {
	s = strings.Join(strings.Fields(invisible.ReplaceAllString(s, "")), " ")
	if letters := []rune(s); len(letters) > 120 {
		s = string(letters[:120]) + "…"
	}
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'").Replace(s)
}
