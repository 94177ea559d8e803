package insights

import (
	"fmt"
	"strings"
)

// MostLines is how many lines a report has at most.
const MostLines = 20

// lines collects a report's text.
type lines struct{ all []string }

// add adds a line, unless the report is full.
func (l *lines) add(format string, args ...any) {
	if len(l.all) < MostLines {
		l.all = append(l.all, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
	}
}

// under adds a line that belongs to the one before it.
func (l *lines) under(format string, args ...any) {
	if n := len(l.all); n < MostLines {
		if l.add(format, args...); len(l.all) > n {
			l.all[n] = "  " + l.all[n]
		}
	}
}

func (l *lines) text() string { return strings.Join(l.all, "\n") }

// clip shortens a text that a page controls.
func clip(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// tail shortens an address at its beginning, for its end says which one it is.
func tail(url string) string {
	const most = 70
	url, _, _ = strings.Cut(url, "#")
	runes := []rune(url)
	if len(runes) <= most {
		return url
	}
	return "…" + string(runes[len(runes)-most+1:])
}

func size(bytes int64) string {
	switch n := max(bytes, -bytes); {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%d B", bytes)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
