package flow

import (
	"slices"
	"strings"
	"unicode"
)

// sent are the last texts that went to a site.
type sent struct {
	tail  []rune              // letters and digits
	parts map[uint64]struct{} // fingerprints of what went, which does not become the site's own when its page shows it
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
		for part := l.seed.parts(runes); part.next(); {
			s.parts[part.hash()] = struct{}{}
		}
	}
}

// has reports whether letters and digits, or how they begin, went to a site.
func (s *sent) has(fingerprint seed, runes []rune) bool {
	if s == nil {
		return false
	}
	if len(runes) >= span {
		return s.hasPart(fingerprint.of(runes[:span]))
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
