package goal

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// The verbs for what is done with a list, and with what it sells.
const (
	Sort     Verb = "sort"
	Filter   Verb = "filter"
	Paginate Verb = "paginate"
	AddTo    Verb = "add_to_cart"
)

// Patterns of what sentences ask for of lists, in English and German, on the words of one clause with one space between
// them.
var (
	sorting = lazyregexp.New(
		`(?i)^(?:sort|order|sortiere)(?: (?:the|these|all|my|die|den|das))?(?: [\p{L}]+)?? (?:by|after|nach) (?:the )?(.+)$`)
	// filtering has the name of the filter in one group and the value in the other.
	filtering = lazyregexp.New(
		`(?i)^(?:filter|filtere)(?: (?:the|these|all|my|die|den|das))?(?: [\p{L}]+)?? (?:by|for|on|to|nach|auf) (?:the )?(.+?) ?(?:=|:| is | equals | ist ) ?(.+)$`)
	turning = lazyregexp.New(
		`(?i)^(?:(?:go|turn|move|switch|change) to |open |show |gehe zur |zeige |öffne )?(?:the |die )?(?:(next|previous|nächste|vorherige) (?:page|seite)|(?:page|seite) (\d+))$`)
	growing = lazyregexp.New(`(?i)^(?:load|show|lade|zeige) (?:more|mehr)(?: [\p{L}]+)?$`)
	adding  = lazyregexp.New(
		`(?i)^(?:add|put|place|lege|packe) (?:the |a |an |one |den |die |das |ein |eine |einen )?(.+?) (?:to|in|into|zu) (?:the |my |den |meinen )?(?:shopping )?(?:cart|basket|bag|trolley|warenkorb|einkaufswagen)$`)
	sending = lazyregexp.New(`(?i)^(?:upload|attach) (.+?)(?: (?:to|into|as|in) (?:the )?(.+?)(?: field)?)?$`)
	largest = lazyregexp.New(
		`(?i)\b(?:descending|highest first|largest first|newest first|latest first|most expensive first|high to low|absteigend|neueste zuerst|teuerste zuerst)\b`)
	smallest = lazyregexp.New(
		`(?i)\b(?:ascending|lowest first|smallest first|oldest first|cheapest first|low to high|aufsteigend|älteste zuerst|günstigste zuerst)\b`)
)

// Ascending and Descending are the orders of a list.
const (
	Ascending  = "ascending"
	Descending = "descending"
)

// listingWords are the words of a sentence that asks for one thing; none of one that asks for more, or says what not to
// do.
func listingWords(sentence string) []string {
	words := strings.Fields(strings.TrimRight(strings.NewReplacer(",", " ", "“", "", "”", "", `"`, "").Replace(sentence),
		" .!?"))
	if len(clauses(words)) != 1 || clauses(words)[0].negated {
		return nil
	}
	return words
}

// listing reads a clause that is about a list or a cart, or that uploads files. What is in quotation marks is a value.
func (in *Intent) listing(words []string, quoted string) bool {
	for len(words) > 0 &&
		(polite[strings.ToLower(words[0])] ||
			slices.Contains([]string{"can", "could", "would", "kannst", "du"}, strings.ToLower(words[0]))) {
		words = words[1:]
	}
	text := strings.Join(words, " ")
	value := func(s string) string { return strings.TrimSpace(s) }
	switch {
	case sorting.MatchString(text):
		by := sorting.FindStringSubmatch(text)[1]
		switch {
		case largest.MatchString(by):
			in.Order, by = Descending, largest.ReplaceAllString(by, "")
		case smallest.MatchString(by):
			in.Order, by = Ascending, smallest.ReplaceAllString(by, "")
		}
		in.Verb, in.What = Sort, strings.Trim(value(by), " ,.")
	case filtering.MatchString(text):
		m := filtering.FindStringSubmatch(text)
		in.Verb, in.Filters = Filter, map[string]string{value(m[1]): value(m[2])}
	case turning.MatchString(text):
		m := turning.FindStringSubmatch(text)
		in.Verb, in.Page = Paginate, m[2]
		if m[2] == "" {
			in.Page = map[string]string{"previous": "previous", "vorherige": "previous"}[strings.ToLower(m[1])]
		}
	case growing.MatchString(text):
		in.Verb, in.Page = Paginate, "more"
	case adding.MatchString(text):
		in.Verb, in.What = AddTo, value(adding.FindStringSubmatch(text)[1])
		if slices.Contains([]string{"it", "this", "this product", "es", "dieses produkt"}, strings.ToLower(in.What)) {
			in.What = ""
		}
	case quoted != "" && strings.EqualFold(text, "upload"), sending.MatchString(text):
		m := sending.FindStringSubmatch(text)
		file, field := quoted, ""
		if m != nil {
			if field = value(m[2]); file == "" {
				file = value(m[1])
			}
		}
		if filepath.Ext(file) == "" {
			return false // it says no file
		}
		in.Verb, in.Files, in.Field = Upload, []string{file}, field
	default:
		return false
	}
	return true
}
