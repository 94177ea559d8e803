package goal

import (
	"strconv"
	"time"
)

type unit int

const (
	noUnit unit = iota
	day
	week
	month
	quarter
	year
)

var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11,
	"dec":    12,
	"januar": 1, "jänner": 1, "februar": 2, "märz": 3, "mrz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "okt": 10,
	"dezember": 12, "dez": 12,
}

var units = map[string]unit{
	"day": day, "days": day, "week": week, "weeks": week, "month": month, "months": month, "quarter": quarter,
	"quarters": quarter, "year": year, "years": year,
	"tag": day, "tage": day, "tagen": day, "woche": week, "wochen": week, "monat": month, "monats": month, "monate": month,
	"monaten": month,
	"quartal": quarter, "quartals": quarter, "quartale": quarter, "quartalen": quarter, "jahr": year, "jahres": year,
	"jahre": year, "jahren": year,
}

// which says how many units from now, behind words such as last and this.
var which = map[string]int{
	"last": -1, "previous": -1, "past": -1, "prior": -1, "this": 0, "current": 0, "next": 1, "coming": 1,
	"letzten": -1, "letzter": -1, "letztes": -1, "letzte": -1, "letztem": -1, "vorigen": -1, "voriges": -1, "vorige": -1,
	"vergangenen": -1, "vergangenes": -1,
	"diesen": 0, "dieses": 0, "dieser": 0, "diesem": 0, "diese": 0, "aktuellen": 0, "nächsten": 1, "nächstes": 1,
	"nächste": 1, "nächster": 1,
}

// days are days from today.
var days = map[string]int{
	"today": 0, "yesterday": -1, "tomorrow": 1, "heute": 0, "gestern": -1, "vorgestern": -2, "heutige": 0, "gestrige": -1,
	"gestrigen": -1, "heutigen": 0,
}

// before are words for the unit before this one.
var before = map[string]unit{
	"vormonat": month, "vormonats": month, "vorjahr": year, "vorjahres": year,
	"vorwoche": week, "vorquartal": quarter,
}

// introducing are words that a year or a month follows in a sentence.
var introducing = []string{
	"in", "for", "from", "of", "during", "since", "year", "dated", "last", "this", "im", "für", "aus", "von", "vom", "in",
	"jahr", "seit", "monat", "month",
}

var counts = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "twelve": 12,
	"einem": 1, "einer": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
	"neun": 9, "zehn": 10, "zwölf": 12,
}

// count is the number that a word means, or 0.
func count(word string) int {
	if n, ok := counts[word]; ok {
		return n
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}
