package flow

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Ledger is what pages have shown. It may be used by several goroutines at once.
type Ledger struct {
	base uint64 // of fingerprints, so that a page cannot know them

	mu    sync.Mutex
	slots []uint64 // buckets of fingerprints; nil until something is shown
	next  []uint8  // by bucket: the slot that is overwritten next
	sites []string // by number; the first is the owner of the task
	sent  map[string]*sent
}

// Flow is a text of one site that would go to another.
type Flow struct {
	From, To string
	Text     string // the beginning of what would go, as the command has it
	Secret   bool   // the page keeps it secret
}

// sent are the last texts that went to a site.
type sent struct {
	tail  []rune              // letters and digits
	parts map[uint64]struct{} // fingerprints of what went, which does not become the site's own when its page shows it
}

const (
	slotsOf     = 16
	buckets     = 1 << 16 // 8 MiB
	longest     = 1 << 20 // of a text that is looked at
	shortest    = 4       // of a secret; numbers are longer
	longestWord = 40
	run         = 3 * span // of a text in a row
	many        = 3        // sites that show a text: it does not belong to one then
	manySites   = 256      // that something was sent to
	manyParts   = 1 << 15  // of what was sent to a site
)

// A fingerprint has 48 bits of a hash, then these.
const (
	tellsBit  = 1 << 15 // it is in a word that tells
	secretBit = 1 << 14
	siteMask  = 1<<14 - 1
	hashMask  = ^uint64(1<<16 - 1)
)

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{base: rand.Uint64() | 1, sites: []string{""}, sent: map[string]*sent{}}
}

// Know notes a text that the owner of the task gave: it does not belong to a site.
func (l *Ledger) Know(text string) { l.keep(0, text, false) }

// Show notes a text that a reply shows of a site.
func (l *Ledger) Show(site, text string) { l.show(site, text, false) }

// ShowSecret notes a text that a page of a site keeps secret.
func (l *Ledger) ShowSecret(site, text string) { l.show(site, text, true) }

func (l *Ledger) show(site, text string, secret bool) {
	if site == "" || text == "" {
		return
	}
	l.mu.Lock()
	number := slices.Index(l.sites, site)
	if number < 0 {
		if len(l.sites) > siteMask {
			l.slots, l.sites = nil, l.sites[:1] // more sites than anybody reads: it begins again
		}
		number = len(l.sites)
		l.sites = append(l.sites, site)
	}
	l.mu.Unlock()
	l.keep(number, text, secret)
}

// keep notes the fingerprints of a text.
func (l *Ledger) keep(site int, text string, secret bool) {
	text = text[:min(len(text), longest)]
	s := read(moments.ReplaceAllLiteralString(text, ", "))
	mark := uint64(site) //nolint:gosec // it is small
	if secret {
		mark |= secretBit
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slots == nil {
		l.slots, l.next = make([]uint64, buckets*slotsOf), make([]uint8, buckets)
	}
	went := l.sent[l.sites[site]]
	for _, link := range links.FindAllString(text, -1) {
		l.putLocked(l.link(link), mark)
	}
	for _, number := range s.numbers() {
		if !went.has(l, number) {
			l.putLocked(l.hash(number), mark|tellsBit)
		}
	}
	for _, w := range s.words {
		whole := s.runes[w.from:w.to]
		if (s.tells(w) || secret && len(whole) >= shortest) && !went.has(l, whole) {
			l.putLocked(l.hash(whole), mark|tellsBit)
		}
	}
	part := l.rolling(s.runes)
	for i := 0; part.next(); i++ {
		kind := mark
		if secret || s.areCodes(s.word[i], s.word[i+span-1]) {
			kind |= tellsBit
		}
		if !went.hasPart(part.hash()) {
			l.putLocked(part.hash(), kind)
		}
	}
}

// has reports whether letters and digits, or how they begin, went to a site.
func (s *sent) has(l *Ledger, runes []rune) bool {
	if s == nil {
		return false
	}
	if len(runes) >= span {
		return s.hasPart(l.hash(runes[:span]))
	}
	return strings.Contains(string(s.tail), string(runes))
}

func (s *sent) hasPart(hash uint64) bool {
	if s == nil {
		return false
	}
	_, has := s.parts[hash]
	return has
}

// hash is the fingerprint of letters and digits.
func (l *Ledger) hash(runes []rune) uint64 {
	h := uint64(0)
	for _, r := range runes {
		h = h*l.base + uint64(r) + 1 //nolint:gosec // runes are not negative
	}
	return mixed(h)
}

// mixed spreads what a sum has in its low bits.
func mixed(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// rolling are the fingerprints of the parts of a text, one rune after the other.
type rolling struct {
	runes     []rune
	at        int // behind the part
	sum       uint64
	base, out uint64 // out: the weight of the rune that leaves
}

func (l *Ledger) rolling(runes []rune) *rolling {
	r := &rolling{runes: runes, base: l.base, out: 1}
	for range span {
		r.out *= l.base
	}
	for r.at < min(span-1, len(runes)) {
		r.take()
	}
	return r
}

func (r *rolling) take() {
	r.sum = r.sum*r.base + uint64(r.runes[r.at]) + 1 //nolint:gosec // runes are not negative
	r.at++
}

// next goes to the next part. It reports whether there is one.
func (r *rolling) next() bool {
	if r.at >= len(r.runes) || len(r.runes) < span {
		return false
	}
	r.take()
	if r.at > span {
		r.sum -= r.out * (uint64(r.runes[r.at-span-1]) + 1) //nolint:gosec // runes are not negative
	}
	return true
}

func (r *rolling) hash() uint64 { return mixed(r.sum) }

// putLocked notes a fingerprint, in the place of its site's own or the oldest of its bucket.
func (l *Ledger) putLocked(hash, kind uint64) {
	at := int(hash % buckets)
	bucket := l.slots[at*slotsOf : (at+1)*slotsOf]
	for i, slot := range bucket {
		if slot&hashMask == hash&hashMask && slot&siteMask == kind&siteMask {
			bucket[i] |= kind
			return
		}
	}
	bucket[l.next[at]] = hash&hashMask | kind
	l.next[at] = (l.next[at] + 1) % slotsOf
}

// ownersLocked returns the kinds of fingerprints that a text has, unless it is the target's own, the owner's, or of so many sites that it belongs to none.
func (l *Ledger) ownersLocked(hash uint64, to int) (kind uint64, found bool) {
	at := int(hash % buckets)
	sites, secret := 0, false
	for _, slot := range l.slots[at*slotsOf : (at+1)*slotsOf] {
		if slot == 0 || slot&hashMask != hash&hashMask {
			continue
		}
		site := int(slot & siteMask) //nolint:gosec // 14 bits
		if site == 0 || site == to {
			return 0, false
		}
		if sites++; !found || slot&secretBit != 0 {
			kind, found = slot, true
		}
		secret = secret || slot&secretBit != 0
	}
	return kind, found && (sites < many || secret)
}

// Find looks for texts of other sites in what a command would send to a site. It remembers what it was asked of, since a text may go in pieces.
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
		went = append(went, slices.Concat(tail, s.runes))
		tail = slices.Concat(tail, s.runes)
		tail = tail[max(0, len(tail)-run):]
	}
	l.noteSentLocked(to, tail, went)
	return Flow{}, false
}

// noteSentLocked remembers what went to a site.
func (l *Ledger) noteSentLocked(to string, tail []rune, went [][]rune) {
	if len(l.sent) > manySites {
		clear(l.sent)
	}
	s := l.sent[to]
	if s == nil || len(s.parts) > manyParts {
		s = &sent{parts: map[uint64]struct{}{}}
		l.sent[to] = s
	}
	s.tail = tail
	for _, runes := range went {
		for part := l.rolling(runes); part.next(); {
			s.parts[part.hash()] = struct{}{}
		}
	}
}

// joinedNumber returns the digits at the end of a text and at the beginning of the next, if they may be a code.
func joinedNumber(first, second []rune) []rune {
	from, to := len(first), 0
	for from > 0 && unicode.IsDigit(first[from-1]) {
		from--
	}
	for to < len(second) && unicode.IsDigit(second[to]) {
		to++
	}
	number := slices.Concat(first[from:], second[:to])
	if len(number) <= shortest || len(number) >= span || from == len(first) || to == 0 {
		return nil
	}
	return number
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

// partsLocked looks for a part of a number or code, a word that tells, or enough parts of one site in a row. across, if it is not negative, is where one
// text was continued by another: only what is in both counts.
func (l *Ledger) partsLocked(runes []rune, across, target int) (kind uint64, found bool) {
	row, part := row{}, l.rolling(runes)
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
	kind, found = l.ownersLocked(l.hash(runes), target)
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
	f := Flow{From: l.sites[kind&siteMask], To: to, Text: strings.Join(strings.Fields(text), " "), Secret: kind&secretBit != 0}
	if runes := []rune(f.Text); len(runes) > shown {
		f.Text = string(runes[:shown-1]) + "…"
	}
	if f.Secret {
		f.Text = ""
	}
	return f
}

// Forget forgets all that was shown and sent.
func (l *Ledger) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots, l.next, l.sites = nil, nil, l.sites[:1]
	clear(l.sent)
}

// FindAddress looks for texts of other sites in an address that is opened: in its path, query and fragment, its user, and the names below its domain. An
// address that a page itself has shown is that page's link, and not a flow.
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

// links finds the addresses in a text.
var links = regexp.MustCompile(`https?://[^\s"'<>\]]+`)

// link is the fingerprint of an address as a whole, which no part of a text has.
func (l *Ledger) link(address string) uint64 { return l.hash([]rune("\x00" + address)) }

// linkedLocked reports whether a page has shown an address.
func (l *Ledger) linkedLocked(address string) bool {
	hash := l.link(address)
	at := int(hash % buckets)
	for _, slot := range l.slots[at*slotsOf : (at+1)*slotsOf] {
		if slot != 0 && slot&hashMask == hash&hashMask {
			return true
		}
	}
	return false
}
