package actions

import (
	"fmt"
	"strconv"

	"github.com/skua-browser/skua/engine"
)

// Limits reads how much may be kept from the variables NAME_ENTRIES and NAME_BYTES.
func (c *Call) Limits(name string, entries, bytes int) (engine.ConsoleLimits, error) {
	read := func(suffix string, def int) (int, error) {
		text, from := FromEnv(name+suffix, c.Getenv)
		if text == "" {
			return def, nil
		}
		var n int
		if _, err := fmt.Sscanf(text+"\n", "%d\n", &n); err != nil || n < 1 {
			return 0, c.Invalid(from + " must be a whole number of 1 or more, got '" + text + "'")
		}
		return n, nil
	}
	count, err := read("_ENTRIES", entries)
	if err != nil {
		return engine.ConsoleLimits{}, err
	}
	size, err := read("_BYTES", bytes)
	return engine.ConsoleLimits{Count: count, Bytes: int64(size)}, err
}

// Limit is a bound that the caller's environment may set.
func (c *Call) Limit(variable string, otherwise int) int {
	value, _ := FromEnv(variable, c.Getenv)
	if n, err := strconv.Atoi(value); err == nil && n >= 0 {
		return n
	}
	return otherwise
}
