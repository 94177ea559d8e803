//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// session is what an agent does on a page, call by call.
type session struct {
	title, page string
	calls       []string
}

// readSessions reads the list of sessions: a line with the title and the page, and lines with calls.
func readSessions(list string) (found []session, err error) {
	file, err := os.Open(list)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		head, isHead := strings.CutPrefix(text, "== ")
		title, page, hasPage := strings.Cut(head, ": ")
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case isHead && hasPage:
			found = append(found, session{title: title, page: page})
		case len(found) == 0 || isHead:
			return nil, fmt.Errorf("%s:%d: want a title and a page, as in == sign up: shop/sign-up.html", list, n)
		default:
			last := &found[len(found)-1]
			last.calls = append(last.calls, text)
		}
	}
	return found, lines.Err()
}

// target is a control in a call: {role "name"}.
var target = regexp.MustCompile(`\{(\w+) "([^"]*)"\}`)

// words takes a call apart and puts the ref of a view in place of its target. ok is false where the view does not have
// it.
func words(call, view string) (found []string, ok bool) {
	wanted := target.FindStringSubmatch(call)
	if wanted == nil {
		return strings.Fields(call), true
	}
	before, after, _ := strings.Cut(call, wanted[0])
	ref := refOf(view, wanted[1], wanted[2])
	if ref == "" {
		return nil, false
	}
	found = append(strings.Fields(before), "@"+ref)
	if after = strings.TrimSpace(after); after != "" {
		found = append(found, after)
	}
	return found, true
}

// changedLines are what a reply with changes shows, as a snapshot would: what came, and what says something else now.
func changedLines(changes string) string {
	var b strings.Builder
	for l := range strings.Lines(changes) {
		shown, came := strings.CutPrefix(strings.TrimSpace(l), "+ ")
		changed, says := strings.CutPrefix(shown, "~ ")
		if !came && !says {
			continue
		}
		now, _, _ := strings.Cut(changed, " (was: ")
		fmt.Fprintf(&b, "- %s\n", now)
	}
	return b.String()
}

// refOf finds a control in a snapshot: by its whole name, else by a part of it.
func refOf(view, role, name string) string {
	part := ""
	for _, l := range parseSnapshot(view) {
		shown := plain(l.name)
		switch {
		case l.ref == "" || l.role != role:
		case shown == plain(name), name == "":
			return l.ref
		case part == "" && strings.Contains(shown, plain(name)):
			part = l.ref
		}
	}
	return part
}

// stateScript says what page it is. The agent does not see it.
const stateScript = `JSON.stringify([location.href, document.title, String(performance.timeOrigin)])`

// replay does what a session says with a program. skipped counts the calls whose control it did not show.
func (m *measurement) replay(ctx context.Context, p *program, s session) (t transcript, skipped int, err error) {
	t = transcript{Program: p.name, Name: s.title}
	at := slices.IndexFunc(m.pages, func(one page) bool { return one.name() == s.page })
	if at < 0 {
		return t, 0, fmt.Errorf("%s: the list of pages does not have %s", s.title, s.page)
	}
	view := "" // what the agent knows of the page
	do := func(words []string) error {
		r, err := p.run(ctx, words...)
		if err != nil {
			return err
		}
		e := entry{Words: words, Reply: r.text, Failed: r.failed, Millis: float64(r.took.Microseconds()) / 1000}
		if err := p.describe(ctx, &e); err != nil {
			return err
		}
		switch {
		case e.isDelta():
			view = changedLines(e.Reply) + view
		case e.isView():
			view = e.Reply
		}
		t.Entries = append(t.Entries, e)
		return nil
	}
	// An agent's session begins with a program that has shown nothing yet: navigation that it showed in another session is
	// not known here.
	if err := p.close(ctx); err != nil {
		return t, 0, err
	}
	if err := do([]string{"open", m.library.address(m.pages[at])}); err != nil {
		return t, 0, err
	}
	for _, call := range s.calls {
		spoken, ok := words(call, view)
		if !ok {
			skipped++
			continue
		}
		if spoken[0] == "snapshot" && view != "" {
			spoken = append(spoken, p.again...)
		}
		if err := do(spoken); err != nil {
			return t, skipped, err
		}
	}
	return t, skipped, nil
}

// describe asks the page itself what it is now, and what a read should have had.
func (p *program) describe(ctx context.Context, e *entry) error {
	var state []string
	if encoded := ""; p.value(ctx, stateScript, &encoded) == nil && json.Unmarshal([]byte(encoded), &state) == nil &&
		len(state) == 3 {
		e.Address, e.Title, e.Document = state[0], state[1], state[2]
	}
	if !e.isAsked() {
		return nil
	}
	texts := "(" + strings.TrimSpace(oracleScript) + ").texts.map((t) => t.text).join('\\n')"
	if err := p.value(ctx, texts, &e.Screen); err != nil || e.command() != "get" {
		return err
	}
	selector, err := json.Marshal(e.Words[len(e.Words)-1])
	if err != nil {
		return err
	}
	return p.value(ctx, "document.querySelector("+string(selector)+")?.innerText ?? ''", &e.Whole)
}

// value is the value of a script in the page.
func (p *program) value(ctx context.Context, script string, value any) error {
	output, err := p.must(ctx, "--json", "eval", script)
	if err != nil {
		return err
	}
	reply := struct {
		Data struct {
			Result any `json:"result"`
		} `json:"data"`
	}{}
	reply.Data.Result = value
	return json.Unmarshal([]byte(output.stdout), &reply)
}

// measureDetectors has both programs work through the sessions, call by call; ours also as an agent does that asks for
// changes.
func (m *measurement) measureDetectors(ctx context.Context) error {
	all, err := readSessions(m.sessions)
	if err != nil {
		return err
	}
	for _, s := range all {
		for _, p := range []*program{m.ours, m.ours.onlyChanges(), m.theirs} {
			t, skipped, err := m.replay(ctx, p, s)
			if err != nil {
				return err
			}
			m.skipped[p.name] += skipped
			m.transcripts = append(m.transcripts, t)
			if err := m.keepTranscript(t); err != nil {
				return err
			}
		}
		m.say("replayed: %s\n", s.title)
	}
	return nil
}

// keepTranscript writes a session, and what was found in it, where it can be looked up.
func (m *measurement) keepTranscript(t transcript) error {
	var b strings.Builder
	for _, e := range t.Entries {
		fmt.Fprintf(&b, "$ %s  (%.0f ms, %s)\n%s\n", strings.Join(e.Words, " "), e.Millis, e.Address, e.Reply)
	}
	for _, f := range detect(t) {
		fmt.Fprintf(&b, "! %s: %s\n", f.detector, f.what)
	}
	return m.keep(page{file: "session-" + t.Name + "-" + t.Program}, "txt", []byte(b.String()))
}

// detectorsTable has a line for each detector, with the figures of each program.
func detectorsTable(transcripts []transcript, skipped map[string]int) stats.Table {
	found, sessions, calls, bytes := map[string][]finding{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, t := range transcripts {
		found[t.Program] = append(found[t.Program], detect(t)...)
		sessions[t.Program]++
		calls[t.Program] += len(t.Entries)
		for _, e := range t.Entries {
			bytes[t.Program] += len(e.Reply)
		}
	}
	var programs []string
	for _, t := range transcripts {
		if !slices.Contains(programs, t.Program) {
			programs = append(programs, t.Program)
		}
	}
	row := func(what string, figure func(program string) int) []string {
		cells := []string{what}
		for _, p := range programs {
			cells = append(cells, fmt.Sprint(figure(p)))
		}
		return cells
	}
	table := stats.Table{append([]string{"in all sessions"}, programs...)}
	for _, d := range detectors() {
		table = append(table, row(d.about, func(p string) int { return count(found[p], d.name) }))
	}
	return append(table,
		row("sessions", func(p string) int { return sessions[p] }),
		row("calls", func(p string) int { return calls[p] }),
		row("calls left out, since no snapshot showed the control", func(p string) int { return skipped[p] }),
		row("bytes of replies", func(p string) int { return bytes[p] }),
	)
}
