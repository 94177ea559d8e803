package flow

import (
	"slices"
	"sync"
)

// Ledger is what pages have shown. It may be used by several goroutines at once.
type Ledger struct {
	seed seed

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
	return &Ledger{seed: newSeed(), sites: []string{""}, sent: map[string]*sent{}}
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
		if !went.has(l.seed, number) {
			l.putLocked(l.seed.of(number), mark|tellsBit)
		}
	}
	for _, w := range s.words {
		whole := s.runes[w.from:w.to]
		if (s.tells(w) || secret && len(whole) >= shortest) && !went.has(l.seed, whole) {
			l.putLocked(l.seed.of(whole), mark|tellsBit)
		}
	}
	part := l.seed.parts(s.runes)
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

// bucketLocked returns the slots in which a fingerprint may be, and their number.
func (l *Ledger) bucketLocked(hash uint64) (at int, bucket []uint64) {
	at = int(hash % buckets)
	return at, l.slots[at*slotsOf : (at+1)*slotsOf]
}

// putLocked notes a fingerprint, in the place of its site's own or the oldest of its bucket.
func (l *Ledger) putLocked(hash, kind uint64) {
	at, bucket := l.bucketLocked(hash)
	for i, slot := range bucket {
		if slot&hashMask == hash&hashMask && slot&siteMask == kind&siteMask {
			bucket[i] |= kind
			return
		}
	}
	bucket[l.next[at]] = hash&hashMask | kind
	l.next[at] = (l.next[at] + 1) % slotsOf
}

// ownersLocked returns the kinds of fingerprints that a text has, unless it is the target's own, the owner's, or of so
// many sites that it belongs to none.
func (l *Ledger) ownersLocked(hash uint64, to int) (kind uint64, found bool) {
	_, bucket := l.bucketLocked(hash)
	sites, secret := 0, false
	for _, slot := range bucket {
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

// Forget clears the ledger.
func (l *Ledger) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots, l.next, l.sites = nil, nil, l.sites[:1]
	clear(l.sent)
}
