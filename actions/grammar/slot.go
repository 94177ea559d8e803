package grammar

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slot is one name that an input can hold a value for: an argument, a flag of the command, or a global flag.
type slot struct {
	name     string
	kind     Kind
	oneOf    []string
	fallback string
	flag     *Flag // nil for an argument
	global   bool
}

func argSlot(a *Arg) *slot {
	return &slot{name: a.Name, kind: a.Kind, oneOf: a.OneOf, fallback: a.Default}
}

func flagSlot(f *Flag, global bool) *slot {
	return &slot{
		name:     cmp.Or(f.As, f.Name),
		kind:     f.Kind,
		oneOf:    f.OneOf,
		fallback: f.Default,
		flag:     f,
		global:   global,
	}
}

// split turns one given value into the words of the slot.
func (s *slot) split(value string) []string {
	switch {
	case s.kind != List || s.flag == nil:
		return []string{value}
	case s.flag.Split != nil:
		return s.flag.Split(value)
	}
	return splitCommas(value)
}

// check returns what the slot expects when value is not that, and "" when it is.
func (s *slot) check(value string) (expects string) {
	if len(s.oneOf) > 0 && !slices.Contains(s.oneOf, value) {
		return alternatives(s.oneOf)
	}
	switch s.kind {
	case Int:
		if _, err := strconv.Atoi(value); err != nil {
			return "a whole number"
		}
	case Distance:
		if _, _, err := parseDistance(value); err != nil {
			return "a whole number of pixels or a percentage"
		}
	case Number:
		// ParseFloat also takes hexadecimal and underscored forms, which are typing mistakes here.
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(value, "xX_") {
			return "a finite number"
		}
	case Duration:
		if _, err := parseDuration(value); err != nil {
			return "a number in ms"
		}
	case Bool:
		if _, err := ParseBool(value); err != nil {
			return "true or false"
		}
	case Path:
		if value == "" {
			return "a path"
		}
	}
	return ""
}

// ParseBool reads the spellings that environment variables and `--flag=value` use.
func ParseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

// parseDistance reads a number of pixels, or a percentage as a share: 50% is 0.5.
func parseDistance(s string) (pixels int, share float64, err error) {
	percent, isShare := strings.CutSuffix(s, "%")
	if !isShare {
		pixels, err = strconv.Atoi(s)
		return pixels, 0, err
	}
	n, err := strconv.Atoi(percent)
	return 0, float64(n) / 100, err
}

// parseDuration reads milliseconds, or a number with a unit.
func parseDuration(s string) (time.Duration, error) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		if ms < 0 || ms > math.MaxInt64/int64(time.Millisecond) {
			return 0, fmt.Errorf("%q is out of range", s)
		}
		return time.Duration(ms) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration: %w", s, err)
	}
	if d < 0 {
		return 0, fmt.Errorf("%q is negative", s)
	}
	return d, nil
}

// splitCommas splits a list value; spaces around the items and empty items do not count.
func splitCommas(s string) []string {
	var items []string
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// alternatives writes "a", "a or b", "a, b, or c".
func alternatives(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	case 2:
		return words[0] + " or " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", or " + words[n-1]
	}
}

// slots are flags or arguments by name: those of a command, and those that all commands share. There is one map of the
// latter: copies of it for each command would be most of what the start of a host costs.
type slots struct{ own, shared map[string]*slot }

func (s slots) get(name string) *slot {
	if own := s.own[name]; own != nil {
		return own
	}
	return s.shared[name]
}

func (s slots) all() iter.Seq2[string, *slot] {
	return func(yield func(string, *slot) bool) {
		for _, m := range []map[string]*slot{s.own, s.shared} {
			for name, one := range maps.All(m) {
				if !yield(name, one) {
					return
				}
			}
		}
	}
}
