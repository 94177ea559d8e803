package flow

import (
	"net/url"
	"slices"
	"strings"
)

// Find looks for texts of other sites in what a command would send to a site. It remembers what it was asked of, since
// a text may go in pieces.
func (l *Ledger) Find(to string, texts ...string) (Flow, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slots == nil {
		return Flow{}, false
	}
	target := slices.Index(l.sites, to)
	tail := []rune(nil)
	if before := l.sent[to]; before != nil {
		tail = before.tail
	}
	var went [][]rune
	for _, text := range texts {
		text = text[:min(len(text), longest)]
		for _, form := range forms(text) {
			s := read(form)
			for _, way := range []*stream{s, s.reversed()} {
				if kind, found := l.inLocked(way, target); found {
					return l.flowLocked(kind, to, text), true
				}
			}
		}
		s := read(text)
		for _, pieces := range [][2][]rune{{tail, s.runes}, {s.runes, tail}} {
			if len(tail) == 0 {
				break
			}
			if kind, found := l.partsLocked(slices.Concat(pieces[0], pieces[1]), len(pieces[0]), target); found {
				return l.flowLocked(kind, to, text), true
			}
			if kind, found := l.tellsLocked(joinedNumber(pieces[0], pieces[1]), target); found {
				return l.flowLocked(kind, to, text), true
			}
		}
		all := slices.Concat(tail, s.runes)
		went, tail = append(went, all), all[max(0, len(all)-run):]
	}
	l.noteSentLocked(to, tail, went)
	return Flow{}, false
}

// FindAddress looks for texts of other sites in an address that is opened: in its path, query and fragment, its user,
// and the names below its domain. An address that a page itself has shown is that page's link, and not a flow.
func (l *Ledger) FindAddress(address string) (Flow, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return l.Find(Site(address), address)
	}
	l.mu.Lock()
	shown := l.slots != nil && l.linkedLocked(address)
	l.mu.Unlock()
	if shown {
		return Flow{}, false
	}
	names := strings.Split(u.Hostname(), ".")
	below := strings.Join(names[:max(0, len(names)-2)], " ")
	return l.Find(Site(address), strings.Join([]string{below, u.User.String(), u.Path, u.RawQuery, u.Fragment}, " "))
}

// inLocked looks for fingerprints of other sites in a stream.
func (l *Ledger) inLocked(s *stream, target int) (kind uint64, found bool) {
	for _, number := range append(s.numbers(), s.runsOfDigits()...) {
		if kind, found := l.tellsLocked(number, target); found {
			return kind, true
		}
	}
	for _, w := range s.words {
		if n := w.to - w.from; n >= shortest && n < span { // a secret may be as short
			if kind, found := l.tellsLocked(s.runes[w.from:w.to], target); found {
				return kind, true
			}
		}
	}
	return l.partsLocked(s.runes, -1, target)
}

// partsLocked looks for a part of a number or code, a word that tells, or enough parts of one site in a row. across, if
// it is not negative, is where one text was continued by another: only what is in both counts.
func (l *Ledger) partsLocked(runes []rune, across, target int) (kind uint64, found bool) {
	row, part := row{}, l.seed.parts(runes)
	for i := 0; part.next(); i++ {
		kind, found := l.ownersLocked(part.hash(), target)
		both := across < 0 || i < across && across < i+span
		switch {
		case row.add(kind, found) && (across < 0 || i-row.n < across && across < i+span):
			return kind, true
		case !found:
			continue
		case kind&tellsBit != 0 && both:
			return kind, true
		}
		for n := span + 1; n <= longestWord && i+n <= len(runes); n++ {
			if across >= 0 && (i >= across || i+n <= across) {
				continue
			}
			if kind, found := l.tellsLocked(runes[i:i+n], target); found {
				return kind, true
			}
		}
	}
	return 0, false
}

// tellsLocked reports whether letters and digits are a word of another site that tells.
func (l *Ledger) tellsLocked(runes []rune, target int) (kind uint64, found bool) {
	kind, found = l.ownersLocked(l.seed.of(runes), target)
	return kind, found && kind&tellsBit != 0
}

// row counts the fingerprints of one site that follow each other.
type row struct {
	n    int
	site uint64
}

// add reports whether they are as many as a text of the site has, and not a phrase that anybody uses.
func (r *row) add(kind uint64, found bool) bool {
	switch {
	case !found:
		r.n = 0
		return false
	case r.n > 0 && r.site == kind&siteMask:
		r.n++
	default:
		*r = row{1, kind & siteMask}
	}
	return r.n > run-span
}

// shown is how much of a text a flow shows.
const shown = 60

func (l *Ledger) flowLocked(kind uint64, to, text string) Flow {
	f := Flow{
		From:   l.sites[kind&siteMask],
		To:     to,
		Text:   strings.Join(strings.Fields(text), " "),
		Secret: kind&secretBit != 0,
	}
	if runes := []rune(f.Text); len(runes) > shown {
		f.Text = string(runes[:shown-1]) + "…"
	}
	if f.Secret {
		f.Text = ""
	}
	return f
}
