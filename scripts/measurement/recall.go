//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// sighting is one page as the oracle and the two programs see it.
type sighting struct {
	page         page
	seen         sight
	ours, theirs recall
	bytes        [2]int // of `snapshot -i`: ours, theirs
	err          error
}

// measureRecall opens each page in the oracle's browser and in both programs, and compares. The pages of a package are
// one session, as the pages of a site are for an agent: refs are not reused in a session, so they have more digits in
// one that has seen very many pages.
func (m *measurement) measureRecall(ctx context.Context) error {
	for i, p := range m.pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if i > 0 && m.pages[i-1].pack != p.pack {
			if err := errors.Join(m.ours.close(ctx), m.theirs.close(ctx)); err != nil {
				return err
			}
		}
		s := m.sight(ctx, p)
		m.sightings = append(m.sightings, s)
		if s.err != nil {
			m.say("%3d %-60s %v\n", i+1, p.name(), s.err)
			continue
		}
		m.say("%3d %-60s controls %4d, missing %3d; texts %4d, missing %3d; bytes %6d, %6d\n", i+1, p.name(),
			s.ours.Controls, len(s.ours.MissingControls)-s.ours.CountedControls, s.ours.Texts,
			len(s.ours.MissingTexts)-s.ours.CountedTexts, s.bytes[0], s.bytes[1])
		if err := m.keepMissing(s); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) sight(ctx context.Context, p page) (s sighting) {
	s.page = p
	address := m.library.address(p)
	if s.err = m.oracle.open(ctx, address); s.err != nil {
		return s
	}
	if s.seen, s.err = m.oracle.look(ctx); s.err != nil {
		return s
	}
	if !s.seen.isContent() {
		s.err = fmt.Errorf("%d controls and %d texts: too little to measure; take it off the list", len(s.seen.Controls),
			len(s.seen.Texts))
		return s
	}
	for i, program := range []*program{m.ours, m.theirs} {
		var shown reply
		if shown, s.err = snapshotOf(ctx, program, address); s.err != nil {
			return s
		}
		s.bytes[i] = len(shown.stdout)
		found := recallOf(s.seen, shown.stdout)
		if i == 0 {
			s.ours = found
		} else {
			s.theirs = found
		}
		if err := m.keep(p, program.name+".txt", []byte(shown.stdout)); err != nil {
			s.err = err
		}
	}
	return s
}

// settledScript waits as the oracle does.
const settledScript = settling + `.then(() => 1)`

func snapshotOf(ctx context.Context, p *program, address string) (reply, error) {
	if _, err := p.must(ctx, "open", address); err != nil {
		return reply{}, err
	}
	if _, err := p.must(ctx, "eval", settledScript); err != nil {
		return reply{}, err
	}
	return p.must(ctx, "snapshot", "-i")
}

// keep writes what a run found about a page where it can be looked up: it is not committed.
func (m *measurement) keep(p page, ending string, content []byte) error {
	name := strings.ReplaceAll(strings.TrimSuffix(p.name(), ".html"), "/", "-")
	return os.WriteFile(filepath.Join(m.dir, name+"."+ending), content, 0o644)
}

func (m *measurement) keepMissing(s sighting) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ncontrols: %d, shown %d, counted %d\ntexts: %d, shown %d, counted %d\n\n", s.page.name(),
		s.ours.Controls, s.ours.ShownControls, s.ours.CountedControls, s.ours.Texts, s.ours.ShownTexts, s.ours.CountedTexts)
	for _, c := range s.ours.MissingControls {
		fmt.Fprintf(&b, "control %s %s %q hidden=%t inView=%t %v\n    %s\n", c.Kind, c.Role, c.Names, c.Hidden, c.InView,
			c.Box, c.HTML)
	}
	for _, t := range s.ours.MissingTexts {
		fmt.Fprintf(&b, "text %q hidden=%t\n    %s\n", t.Text, t.Hidden, t.HTML)
	}
	for _, said := range s.ours.Marked {
		fmt.Fprintf(&b, "marked unseen: %s\n", said)
	}
	all, err := json.MarshalIndent(s.seen, "", " ")
	if err != nil {
		return err
	}
	if err := m.keep(s.page, "oracle.json", all); err != nil {
		return err
	}
	return m.keep(s.page, "missing.txt", []byte(b.String()))
}

// share is a percentage, never rounded up to 100.
func share(part, whole int) string {
	if whole == 0 || part >= whole {
		return "100"
	}
	return fmt.Sprintf("%.1f", min(99.9, 100*float64(part)/float64(whole)))
}

// recallTable has a line for each page, and the sums.
func recallTable(sightings []sighting) stats.Table {
	table := stats.Table{{
		"page", "controls", "shown", "shown or counted", "texts", "shown", "shown or counted",
		"seen, marked unseen", "bytes", "agent-browser's", "ratio",
	}}
	var ratios []float64
	var sum recall
	for _, s := range sightings {
		if s.err != nil {
			continue
		}
		r := s.ours
		ratio := float64(s.bytes[0]) / float64(max(1, s.bytes[1]))
		ratios = append(ratios, ratio)
		table = append(table,
			recallRow(s.page.name(), r, fmt.Sprint(s.bytes[0]), fmt.Sprint(s.bytes[1]), fmt.Sprintf("%.2f", ratio)))
		sum.add(r)
	}
	if len(ratios) == 0 {
		return table
	}
	return append(table,
		recallRow(fmt.Sprintf("all %d", len(ratios)), sum, "", "", fmt.Sprintf("median %.2f", stats.Median(ratios))),
		recallRow("agent-browser's, of the same", theirRecall(sightings), "", "", ""))
}

func recallRow(name string, r recall, more ...string) []string {
	return append([]string{
		name, fmt.Sprint(r.Controls), share(r.ShownControls, r.Controls) + " %",
		share(r.ShownControls+r.CountedControls, r.Controls) + " %",
		fmt.Sprint(r.Texts), share(r.ShownTexts, r.Texts) + " %", share(r.ShownTexts+r.CountedTexts, r.Texts) + " %",
		fmt.Sprint(len(r.Marked)),
	}, more...)
}

// theirRecall is the sum of what agent-browser shows or counts of the same pages.
func theirRecall(sightings []sighting) (sum recall) {
	for _, s := range sightings {
		if s.err == nil {
			sum.add(s.theirs)
		}
	}
	return sum
}

func (r *recall) add(more recall) {
	r.Controls, r.ShownControls, r.CountedControls = r.Controls+more.Controls, r.ShownControls+
		more.ShownControls, r.CountedControls+more.CountedControls
	r.Texts, r.ShownTexts, r.CountedTexts = r.Texts+more.Texts, r.ShownTexts+more.ShownTexts, r.CountedTexts+
		more.CountedTexts
	r.Marked = append(r.Marked, more.Marked...)
}
