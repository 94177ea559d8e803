package flow

import "regexp"

// links finds the addresses in a text.
var links = regexp.MustCompile(`https?://[^\s"'<>\]]+`)

// link is the fingerprint of an address as a whole, which no part of a text has.
func (l *Ledger) link(address string) uint64 { return l.seed.of([]rune("\x00" + address)) }

// linkedLocked reports whether a page has shown an address.
func (l *Ledger) linkedLocked(address string) bool {
	hash := l.link(address)
	_, bucket := l.bucketLocked(hash)
	for _, slot := range bucket {
		if slot != 0 && slot&hashMask == hash&hashMask {
			return true
		}
	}
	return false
}
