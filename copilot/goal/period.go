package goal

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Period is a time from From up to, and without, To.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Text string    `json:"text,omitempty"` // as it was said
}

// Contains reports whether another period is completely within this one.
func (p Period) Contains(other Period) bool {
	return !other.From.Before(p.From) && !other.To.After(p.To)
}

// Order is what comes first in a date such as 03/04/2025.
type Order int

// The orders. Without an order, a slash has the month first, and a point the day.
const (
	NoOrder Order = iota
	DayFirst
	MonthFirst
)

// OrderOf finds the order that the dates of a page have, from one of them in which only one is possible.
func OrderOf(texts []string) Order {
	for _, text := range texts {
		for _, token := range tokens(text) {
			n, sep := numbers(token)
			if len(n) != 3 || sep == '.' || n[0] > 31 {
				continue
			}
			if n[0] > 12 && n[1] <= 12 {
				return DayFirst
			}
			if n[1] > 12 && n[0] <= 12 {
				return MonthFirst
			}
		}
	}
	return NoOrder
}

// ParsePeriod finds the first period or date that a text names: "last month", "October 2025", "3 Oct 2025",
// "2025-10-03", "03.10.2025", "Q3 2025", "letzten Monat". What is said relative to a day is meant relative to now, in
// whose time zone the period is.
func ParsePeriod(text string, now time.Time, order Order) (Period, bool) {
	r := reader{tokens: tokens(text), now: now, order: order}
	for i := range r.tokens {
		if p, _, ok := r.period(i); ok {
			return p, true
		}
	}
	return Period{}, false
}

// reader reads periods from a text.
type reader struct {
	tokens []string // as they were written
	now    time.Time
	order  Order
	prose  bool // the text is a sentence: a lone year or the word may is a period only where the words around say so
}

func (r reader) word(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return strings.ToLower(r.tokens[i])
}

// period reads the period that begins with a token, and returns the number of tokens that it has.
func (r reader) period(i int) (Period, int, bool) {
	for _, read := range []func(int) (time.Time, time.Time, int){
		r.relative, r.ago, r.written, r.dayMonth, r.month,
		r.quarter, r.year,
	} {
		if from, to, n := read(i); n > 0 {
			return Period{From: from, To: to, Text: strings.Join(r.tokens[i:i+n], " ")}, n, true
		}
	}
	return Period{}, 0, false
}

func (r reader) day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, r.now.Location())
}

// span is the unit of the calendar in which now is, moved by some units.
func (r reader) span(u unit, by int) (from, to time.Time) {
	today := r.day(r.now)
	y, m := today.Year(), today.Month()
	first := func(y int, m time.Month) time.Time { return time.Date(y, m, 1, 0, 0, 0, 0, r.now.Location()) }
	switch u {
	case day:
		from = today.AddDate(0, 0, by)
		return from, from.AddDate(0, 0, 1)
	case week:
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		from = monday.AddDate(0, 0, 7*by)
		return from, from.AddDate(0, 0, 7)
	case month:
		return first(y, m+time.Month(by)), first(y, m+time.Month(by)+1)
	case quarter:
		m = (m-1)/3*3 + 1 + time.Month(3*by)
		return first(y, m), first(y, m+3)
	}
	return first(y+by, 1), first(y+by+1, 1)
}

// relative reads "last month", "yesterday", "last 3 weeks".
func (r reader) relative(i int) (from, to time.Time, n int) {
	word := r.word(i)
	if by, ok := days[word]; ok {
		from, to = r.span(day, by)
		return from, to, 1
	}
	if u, ok := before[word]; ok {
		from, to = r.span(u, -1)
		return from, to, 1
	}
	by, ok := which[word]
	if !ok {
		return from, to, 0
	}
	next := r.word(i + 1)
	if u, ok := units[next]; ok {
		from, to = r.span(u, by)
		return from, to, 2
	}
	if m, ok := months[next]; ok && by <= 0 {
		from, to = r.lastMonth(m, by == 0)
		return from, to, 2
	}
	if u, ok := units[r.word(i+2)]; ok && by < 0 {
		if count := count(next); count > 0 {
			from, _ = r.span(u, -count)
			switch u { // the last 3 months are counted back from this day
			case month:
				from = r.day(r.now).AddDate(0, -count, 0)
			case year:
				from = r.day(r.now).AddDate(-count, 0, 0)
			case week:
				from = r.day(r.now).AddDate(0, 0, -7*count)
			case quarter:
				from = r.day(r.now).AddDate(0, -3*count, 0)
			}
			return from, r.day(r.now).AddDate(0, 0, 1), 3
		}
	}
	return from, to, 0
}

// ago reads "two months ago" and "vor 2 Monaten".
func (r reader) ago(i int) (from, to time.Time, n int) {
	at := i
	german := r.word(i) == "vor"
	if german {
		at++
	}
	count := count(r.word(at))
	u, ok := units[r.word(at+1)]
	if count == 0 || !ok || !german && r.word(at+2) != "ago" {
		return from, to, 0
	}
	from, to = r.span(u, -count)
	return from, to, 3
}

// written reads 2025-10-03, 03.10.2025, 10/03/2025, 2025-10 and 10/2025.
func (r reader) written(i int) (from, to time.Time, n int) {
	nums, sep := numbers(r.tokens[i])
	switch {
	case len(nums) == 2 && nums[0] > 1900 && nums[0] < 2200:
		return r.monthOf(nums[0], nums[1], 1)
	case len(nums) == 2 && nums[1] > 1900 && nums[1] < 2200:
		return r.monthOf(nums[1], nums[0], 1)
	case len(nums) == 3 && nums[0] >= 1000 && nums[0] < 2200:
		return r.dayOf(nums[0], nums[1], nums[2], 1)
	case len(nums) == 3:
		y, m, d := nums[2], nums[0], nums[1]
		if y < 100 {
			y += 2000
		}
		if sep == '.' || r.order == DayFirst || m > 12 {
			m, d = d, m
		}
		if y < 1000 || y > 2200 {
			return from, to, 0
		}
		return r.dayOf(y, m, d, 1)
	}
	return from, to, 0
}

func (r reader) monthOf(y, m, n int) (time.Time, time.Time, int) {
	if m < 1 || m > 12 {
		return time.Time{}, time.Time{}, 0
	}
	from := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, r.now.Location())
	return from, from.AddDate(0, 1, 0), n
}

func (r reader) dayOf(y, m, d, n int) (time.Time, time.Time, int) {
	from := time.Date(y, time.Month(m), d, 0, 0, 0, 0, r.now.Location())
	if from.Day() != d || int(from.Month()) != m { // there is no 31st of February
		return time.Time{}, time.Time{}, 0
	}
	return from, from.AddDate(0, 0, 1), n
}

// dayMonth reads "3 October 2025", "3rd of October", "October 3, 2025" and "Oct 3".
func (r reader) dayMonth(i int) (from, to time.Time, n int) {
	at, d := i, ordinal(r.word(i))
	m, ok := months[r.word(i)]
	switch {
	case d > 0:
		at++
		if r.word(at) == "of" {
			at++
		}
		if m, ok = months[r.word(at)]; !ok {
			return from, to, 0
		}
	case ok:
		at++
		if d = ordinal(r.word(at)); d == 0 {
			return from, to, 0
		}
	default:
		return from, to, 0
	}
	if y := anyYear(r.word(at + 1)); y > 0 {
		return r.dayOf(y, int(m), d, at+2-i)
	}
	from, to, n = r.dayOf(r.now.Year(), int(m), d, at+1-i)
	if n > 0 && from.After(r.now) {
		from, to, n = r.dayOf(r.now.Year()-1, int(m), d, at+1-i)
	}
	return from, to, n
}

// month reads "October 2025", "October last year" and "October".
func (r reader) month(i int) (from, to time.Time, n int) {
	m, ok := months[r.word(i)]
	if !ok {
		return from, to, 0
	}
	if y := anyYear(r.word(i + 1)); y > 0 {
		return r.monthOf(y, int(m), 2)
	}
	at := i + 1
	if w := r.word(at); w == "of" || w == "des" {
		at++
	}
	if by, ok := which[r.word(at)]; ok && units[r.word(at+1)] == year {
		return r.monthOf(r.now.Year()+by, int(m), at+2-i)
	}
	if r.prose && !unicode.IsUpper(firstRune(r.tokens[i])) && !slices.Contains(introducing, r.word(i-1)) {
		return from, to, 0
	}
	from, to = r.lastMonth(m, true)
	return from, to, 1
}

// lastMonth is the last such month; the month that it is now counts if current.
func (r reader) lastMonth(m time.Month, current bool) (from, to time.Time) {
	y := r.now.Year()
	if m > r.now.Month() || m == r.now.Month() && !current {
		y--
	}
	from, to, _ = r.monthOf(y, int(m), 1)
	return from, to
}

// quarter reads "Q3 2025".
func (r reader) quarter(i int) (from, to time.Time, n int) {
	word := r.word(i)
	if len(word) != 2 || word[0] != 'q' || word[1] < '1' || word[1] > '4' {
		return from, to, 0
	}
	first, y, n := time.Month(word[1]-'1')*3+1, r.now.Year(), 1
	if given := yearOf(r.word(i + 1)); given > 0 {
		y, n = given, 2
	} else if first > r.now.Month() {
		y--
	}
	from, _, _ = r.monthOf(y, int(first), n)
	return from, from.AddDate(0, 3, 0), n
}

func (r reader) year(i int) (from, to time.Time, n int) {
	y := yearOf(r.word(i))
	if y == 0 || r.prose && !slices.Contains(introducing, r.word(i-1)) {
		return from, to, 0
	}
	from = time.Date(y, 1, 1, 0, 0, 0, 0, r.now.Location())
	return from, from.AddDate(1, 0, 0), 1
}

// yearOf is the year that a number by itself may be, or 0.
func yearOf(word string) int {
	if y := anyYear(word); y >= 1900 {
		return y
	}
	return 0
}

// anyYear is the year after a month, or 0.
func anyYear(word string) int {
	y, err := strconv.Atoi(word)
	if err != nil || len(word) != 4 || y < 1000 || y >= 2200 {
		return 0
	}
	return y
}

// ordinal is the day that "3", "3rd" or "3." means, or 0.
func ordinal(word string) int {
	for _, end := range []string{"st", "nd", "rd", "th", "."} {
		word = strings.TrimSuffix(word, end)
	}
	d, err := strconv.Atoi(word)
	if err != nil || d < 1 || d > 31 || len(word) > 2 {
		return 0
	}
	return d
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// numbers are the two or three numbers of a date such as 2025-10-03, and the separators between them. A time after a T
// is left out.
func numbers(token string) ([]int, byte) {
	token, _, _ = strings.Cut(token, "T")
	at := strings.IndexAny(token, "-./")
	if at <= 0 || token[0] < '0' || token[0] > '9' {
		return nil, 0
	}
	parts := strings.Split(token, token[at:at+1])
	if len(parts) > 3 {
		return nil, 0
	}
	nums := make([]int, len(parts))
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || len(p) > 4 {
			return nil, 0
		}
		nums[i] = n
	}
	return nums, token[at]
}

// tokens are the words of a text as they were written, dates in one piece.
func tokens(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;()[]\"“”„!?|", r)
	})
	for i, t := range all {
		t = strings.TrimRight(strings.ReplaceAll(t, "’", "'"), ".:")
		all[i] = strings.Trim(strings.TrimSuffix(t, "'s"), "'")
	}
	return slices.DeleteFunc(all, func(t string) bool { return t == "" || t == "-" || t == "–" })
}
