package flow

import "math/rand/v2"

// seed makes the fingerprints of a ledger, which a page cannot know.
type seed uint64

func newSeed() seed {
	return seed(rand.Uint64() | 1)
} //nolint:gosec // it need not be hard to guess, but different each time

// of is the fingerprint of letters and digits.
func (s seed) of(runes []rune) uint64 {
	h := uint64(0)
	for _, r := range runes {
		h = h*uint64(s) + uint64(r) + 1 //nolint:gosec // runes are not negative
	}
	return mixed(h)
}

// mixed spreads what a sum has in its low bits.
func mixed(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// parts are the parts of a text of span runes each, one rune after the other.
type parts struct {
	runes     []rune
	at        int // behind the part
	sum       uint64
	base, out uint64 // out: the weight of the rune that leaves
}

func (s seed) parts(runes []rune) *parts {
	r := &parts{runes: runes, base: uint64(s), out: 1}
	for range span {
		r.out *= r.base
	}
	for r.at < min(span-1, len(runes)) {
		r.take()
	}
	return r
}

func (r *parts) take() {
	r.sum = r.sum*r.base + uint64(r.runes[r.at]) + 1 //nolint:gosec // runes are not negative
	r.at++
}

// next goes to the next part. It reports whether there is one.
func (r *parts) next() bool {
	if r.at >= len(r.runes) || len(r.runes) < span {
		return false
	}
	r.take()
	if r.at > span {
		r.sum -= r.out * (uint64(r.runes[r.at-span-1]) + 1) //nolint:gosec // runes are not negative
	}
	return true
}

func (r *parts) hash() uint64 { return mixed(r.sum) }
