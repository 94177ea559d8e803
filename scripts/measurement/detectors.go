//go:build linux

package main

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/replies"
)

// finding is something in a session that cost its agent a call, or words, or made it believe what is not so.
type finding struct {
	session, detector, what string
}

// detector counts one kind of finding in a session. of, where it is set, counts what could have been one.
type detector struct {
	name  string
	about string // in the table
	find  func(t transcript) []string
}

func detectors() []detector {
	all := []detector{
		{"repeated lines", "line repeated between two snapshots of one address", repeatedLines},
		{"runs of options", "options of a closed list, line by line, from the fifth on", optionRuns},
		{
			"asked for", "text on the screen that no reply had before eval, get text or a screenshot",
			func(t transcript) []string { all, _ := askedFor(t); return all },
		},
		{"silent texts", "of these: text that no snapshot had counted, either", func(t transcript) []string {
			_, silent := askedFor(t)
			return silent
		}},
		{"idle waits", "wait that was met at once, without a word of it", idleWaits},
		{"false navigations", `"navigated" where the document stayed`, falseNavigations},
		{"changed refs", "ref that stands for another element than before", changedRefs},
		{"no address", "snapshot that names neither address nor title of its page", withoutAddress},
		{"no content", "reply without content", withoutContent},
		{"silent cuts", "reply that is cut and does not say so", silentCuts},
	}
	for _, d := range replies.Detectors() {
		all = append(all, detector{d.Name, d.About, func(t transcript) (found []string) {
			for _, e := range t.Entries {
				found = append(found, d.Find(replies.Call{
					Words:  e.Words,
					Reply:  e.Reply,
					Failed: e.Failed,
					Took:   time.Duration(e.Millis * float64(time.Millisecond)),
				})...)
			}
			return found
		}})
	}
	return all
}

// isProse reports whether a line of a snapshot is not of the page.
func isProse(l line) bool { return l.role == "" }

// repeatedLines are the lines of a snapshot that the one before, of the same document, had. What stands for an element
// that has changed since is another line.
func repeatedLines(t transcript) (found []string) {
	var last *entry
	for i := range t.Entries {
		e := &t.Entries[i]
		if !e.isView() {
			continue
		}
		if last != nil && last.Address == e.Address && last.Address != "" {
			had := map[string]bool{}
			for _, l := range parseSnapshot(last.Reply) {
				had[strings.TrimSpace(l.raw)] = true
			}
			for _, l := range parseSnapshot(e.Reply) {
				if !isProse(l) && had[strings.TrimSpace(l.raw)] {
					found = append(found, l.raw)
				}
			}
		}
		last = e
	}
	return found
}

// fewOptions are worth their lines.
const fewOptions = 4

func optionRuns(t transcript) (found []string) {
	for i := range t.Entries {
		if !t.Entries[i].isView() {
			continue
		}
		run := 0
		for _, l := range parseSnapshot(t.Entries[i].Reply) {
			if l.role != "option" {
				run = 0
				continue
			}
			if run++; run > fewOptions {
				found = append(found, l.raw)
			}
		}
	}
	return found
}

// askedFor are the texts on the screen that the agent got only since it asked the page for them. A screenshot has all
// of them, and a read those that are in what it printed; what it printed of the rest of the page was on no screen. What
// the agent wrote itself counts as known. Silent are those that the last snapshot did not count either, by number: it
// says how many texts it leaves out, and where.
func askedFor(t transcript) (found, silent []string) {
	known := ""
	counts := 0 // texts that the last snapshot leaves out, less those that the agent got since
	for i := range t.Entries {
		e := &t.Entries[i]
		got := tight(e.Reply)
		if e.isView() && !e.isDelta() {
			_, counts = counted(parseSnapshot(e.Reply))
		}
		if e.isAsked() {
			for _, piece := range pieces(e.Screen) {
				text := tight(piece)
				if (e.command() == "screenshot" || strings.Contains(got, text)) && !strings.Contains(known, text) {
					found = append(found, piece)
					if counts--; counts < 0 {
						silent = append(silent, piece)
					}
				}
			}
			if e.command() == "screenshot" {
				got += "\n" + tight(e.Screen)
			}
		}
		known += "\n" + got + "\n" + tight(strings.Join(e.Words, " "))
	}
	return found, silent
}

// tight is text without what presentation adds.
func tight(s string) string {
	return strings.NewReplacer(" ", "", "\n", "", `"`, "").Replace(plain(unquote(s)))
}

const (
	atOnce = 100 // milliseconds, the start of the program's process included
)

var saysAtOnce = regexp.MustCompile(`(?i)\balready\b|at once|was there|within \d+ ms|after \d+ ms|\b\d+ ?ms\b`)

func idleWaits(t transcript) (found []string) {
	for _, e := range t.Entries {
		if e.command() == "wait" && !e.Failed && e.Millis > 0 && e.Millis < atOnce && !saysAtOnce.MatchString(e.Reply) &&
			!isDelay(e.Words) {
			found = append(found, strings.Join(e.Words, " "))
		}
	}
	return found
}

// isDelay reports whether a wait is for some time only.
func isDelay(words []string) bool {
	return len(words) == 2 && strings.Trim(words[1], "0123456789") == ""
}

var (
	saysNavigated = regexp.MustCompile(`(?i)\bnavigated\b|the page is now|went to http|→ http`)
	saysStayed    = regexp.MustCompile(`(?i)\bnot navigated\b|without navigat|same document`)
)

func falseNavigations(t transcript) (found []string) {
	for i := 1; i < len(t.Entries); i++ {
		e, before := &t.Entries[i], &t.Entries[i-1]
		if e.Failed || e.Document == "" || before.Document == "" || !saysNavigated.MatchString(e.Reply) ||
			saysStayed.MatchString(e.Reply) {
			continue
		}
		if e.Document == before.Document && e.Address == before.Address {
			found = append(found, e.Reply)
		}
	}
	return found
}

// changedRefs are refs that had another role or name in an earlier snapshot of the same document. A name that grew or a
// count in it that changed is the same element's, as far as words can tell.
func changedRefs(t transcript) (found []string) {
	had, document := map[string]line{}, ""
	for i := range t.Entries {
		e := &t.Entries[i]
		if !e.isView() {
			continue
		}
		if e.Document != document {
			had, document = map[string]line{}, e.Document
		}
		for _, l := range parseSnapshot(e.Reply) {
			if l.ref == "" {
				continue
			}
			before, known := had[l.ref]
			had[l.ref] = l
			if known && !sameElement(before, l) {
				found = append(found, strings.TrimSpace(before.raw)+" -> "+strings.TrimSpace(l.raw))
			}
		}
	}
	return found
}

var digits = regexp.MustCompile(`\d+`)

func sameElement(a, b line) bool {
	one, two := digits.ReplaceAllString(plain(a.name), ""), digits.ReplaceAllString(plain(b.name), "")
	if a.role == b.role &&
		(one == two || one == "" || two == "" || strings.HasPrefix(one, two) || strings.HasPrefix(two, one)) {
		return true
	}
	return one == two && one != ""
}

func withoutAddress(t transcript) (found []string) {
	for i := range t.Entries {
		e := &t.Entries[i]
		if !e.isView() || e.Address == "" && e.Title == "" {
			continue
		}
		if !names(e.Reply, e.Address) && !names(e.Reply, e.Title) {
			found = append(found, strings.Join(e.Words, " "))
		}
	}
	return found
}

// names reports whether a reply says what page it is about: with the address, or its end, or the title, outside of the
// lines of the page.
func names(reply, what string) bool {
	if what == "" {
		return false
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(what, "http://"), "/")
	for _, l := range parseSnapshot(reply) {
		if !isProse(l) && l.role != "RootWebArea" && l.role != "page" {
			continue
		}
		if strings.Contains(l.raw, what) || path != "" && strings.Contains(l.raw, path) {
			return true
		}
	}
	return false
}

var bare = regexp.MustCompile(`^(?i)[\s✓✗.!]*(done|ok|success|null|undefined|true|\(no output\)|\(empty\))?[\s.!]*$`)

// withoutContent are replies that say nothing: not what was done, and not what it led to.
func withoutContent(t transcript) (found []string) {
	for _, e := range t.Entries {
		if !e.Failed && bare.MatchString(e.Reply) && e.command() != "eval" {
			found = append(found, strings.Join(e.Words, " "))
		}
	}
	return found
}

var saysCut = regexp.MustCompile(`(?i)…|\.\.\.|truncated|omitted|left out|folded|\bmore\b|not shown|\bcut\b`)

// silentCuts are reads that have less than a tenth of what they would have to, or end before its end, without saying
// so.
func silentCuts(t transcript) (found []string) {
	for _, e := range t.Entries {
		if e.Failed || e.Whole == "" || saysCut.MatchString(e.Reply) {
			continue
		}
		if e.isView() {
			continue // what a view leaves out is what recall measures
		}
		got, want := tight(e.Reply), tight(e.Whole)
		if len(want) > 200 && len(got) < len(want)*9/10 {
			found = append(found, strings.Join(e.Words, " "))
		}
	}
	return found
}

// detect runs all detectors over a session.
func detect(t transcript) (all []finding) {
	for _, d := range detectors() {
		for _, what := range d.find(t) {
			all = append(all, finding{session: t.Name, detector: d.name, what: what})
		}
	}
	return all
}

// count is how many findings of a detector there are.
func count(findings []finding, name string) int {
	return len(slices.DeleteFunc(slices.Clone(findings), func(f finding) bool { return f.detector != name }))
}
