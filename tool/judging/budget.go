package judging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/guard/policy"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/limits"
)

// grace is what a command gets beyond the time that it was told to take, to say how it went.
const grace = 5 * time.Second

// Watchdog returns how long a call may run. Rows are those of a batch. Hangs says that the backend cannot tell a dialog
// which blocks the page from a page that is slow, so that what may open one is given less time.
func Watchdog(line *argv.Words, rows []argv.Words, l limits.Limits, hangs bool) time.Duration {
	switch {
	case line.Akin(trait.AboutDialog):
		return l.Dialog
	case hangs && opensDialog(line):
		return l.DialogTrigger
	}
	asked := Asked(line)
	for i := range rows {
		asked += Asked(&rows[i])
	}
	if asked == 0 {
		return l.Watchdog
	}
	return l.Watchdog + asked + grace
}

// Asked is the time that a command line itself says that it takes: 0 when it does not say.
func Asked(line *argv.Words) time.Duration {
	if line.Entry == nil || line.Inspects() {
		return 0
	}
	var asked time.Duration
	if f := line.Flag("timeout"); f != nil && f.HasValue {
		asked = duration(f.Value)
	}
	if line.Entry.AtLeast == nil && (asked == 0 || line.Entry.Requests == nil) {
		return asked
	}
	in, err := argv.Registry().Parse(line.Args[line.Start:], actions.ParseOptions{Getenv: func(string) string {
		return ""
	}})
	if err != nil {
		return asked
	}
	if line.Entry.Requests != nil {
		asked *= time.Duration(line.Entry.Requests(in))
	}
	if line.Entry.AtLeast == nil {
		return asked
	}
	return max(asked, line.Entry.AtLeast(in))
}

// duration reads the value of a flag: milliseconds, or a number with a unit.
func duration(s string) time.Duration {
	if ms, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(ms) * time.Millisecond
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d
	}
	return 0
}

var dialogWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:alert|confirm|prompt|dialog)`)
})

// opensDialog reports whether a command looks as if it opened a JavaScript dialog: its words speak of one.
func opensDialog(line *argv.Words) bool {
	return (line.Akin(trait.Presses|trait.Finds) ||
		line.Entry != nil && slices.Contains(line.Entry.Families, policy.RunsScript)) &&
		dialogWords().MatchString(strings.Join(line.Rest(), " "))
}
