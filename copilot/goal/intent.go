package goal

import (
	"slices"
	"strings"
	"time"
)

// Verb is the kind of action that a goal asks for.
type Verb string

// The verbs.
const (
	Download  Verb = "download"
	Open      Verb = "open"
	Search    Verb = "search"
	Buy       Verb = "buy"
	Book      Verb = "book"
	Apply     Verb = "apply"
	Login     Verb = "login"
	Logout    Verb = "logout"
	Signup    Verb = "signup"
	Fill      Verb = "fill"
	Upload    Verb = "upload"
	Pay       Verb = "pay"
	Contact   Verb = "contact"
	Delete    Verb = "delete"
	Cancel    Verb = "cancel"
	Change    Verb = "change"
	Subscribe Verb = "subscribe"
)

// Intent is what a sentence asks for. What the sentence does not say is left empty.
type Intent struct {
	Sentence string `json:"sentence"`
	Verb     Verb   `json:"verb,omitempty"`
	// the kind of thing, one of the words of summaries: invoice, order, product, …
	Object string   `json:"object,omitempty"`
	Every  bool     `json:"every,omitempty"`  // all of them, not one
	Latest bool     `json:"latest,omitempty"` // the newest one
	Period *Period  `json:"period,omitempty"`
	Amount *Amount  `json:"amount,omitempty"`
	Query  string   `json:"query,omitempty"`  // the words that are left, or the text in quotation marks
	Path   []string `json:"path,omitempty"`   // of "Settings > Billing"
	What   string   `json:"what,omitempty"`   // the object, in the words of the goal: "ticket 0", "account"
	Submit bool     `json:"submit,omitempty"` // a form is to be sent, not only filled in
	Unsent bool     `json:"unsent,omitempty"` // it is said that a form is not to be sent
	Not    bool     `json:"not,omitempty"`    // the sentence says what is not to be done
	Also   []string `json:"also,omitempty"`   // what else it asks for

	Order   string            `json:"order,omitempty"`   // of a list: ascending or descending; What is the column
	Filters map[string]string `json:"filters,omitempty"` // of a list
	Page    string            `json:"page,omitempty"`    // of a list: previous, more or a number; empty means the next one
	Files   []string          `json:"files,omitempty"`   // that are uploaded
	Field   string            `json:"field,omitempty"`   // into which
}

// ParseIntent reads a sentence, in English or German. Periods are resolved against now, in its time zone. It does not
// fail: of a sentence that it does not understand, [Intent.Verb] is empty, and Query has its words.
func ParseIntent(sentence string, now time.Time) Intent {
	in := Intent{Sentence: sentence}
	rest := sentence
	if in.listing(listingWords(sentence), "") {
		return in
	}
	var quoted string
	rest, quoted = cutQuoted(rest)
	if in.listing(listingWords(rest), quoted) {
		return in
	}
	if a, at, ok := findAmount(rest); ok {
		before := strings.Fields(strings.ToLower(rest[:at[0]]))
		drop := 0
		for n := min(2, len(before)); n > 0 && drop == 0; n-- {
			if than, ok := thans[strings.Join(before[len(before)-n:], " ")]; ok {
				a.Than, drop = than, n
			}
		}
		in.Amount = &a
		rest = strings.Join(strings.Fields(rest[:at[0]])[:len(before)-drop], " ") + " " + rest[at[1]:]
	}
	r := reader{tokens: in.takeClauses(tokens(spacedPath(rest))), now: now, prose: true}
	other := hasOtherVerb(r.tokens)
	r = in.takePeriod(r)
	in.Path = takePath(&r)
	words := in.takeVerb(r)
	if other {
		in.Verb = ""
	}
	in.What = strings.Join(words, " ")
	words = in.takeObject(words)
	in.Query = quoted
	if quoted == "" {
		in.Query = strings.Join(words, " ")
	} else if in.What == "" || in.Verb == Delete || in.Verb == Cancel {
		in.What = quoted
	}
	if in.Verb == "" && !other && (in.Object != "" || len(in.Path) > 0) && in.What != "" &&
		!strings.HasPrefix(in.What, in.Query+" ") {
		in.Verb = Open // "my last invoice"
	}
	if in.Verb == "" && !other && len(in.Path) > 0 {
		in.Verb = Open
	}
	if in.Verb == Open && in.Object == "" && in.Query == "" && len(in.Path) == 0 && in.Period == nil {
		in.Verb = ""
	}
	return in
}

// cutQuoted cuts the text between quotation marks out of a sentence.
func cutQuoted(s string) (rest, quoted string) {
	for _, marks := range [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}} {
		before, after, ok := strings.Cut(s, marks[0])
		if !ok {
			continue
		}
		if inner, after, ok := strings.Cut(after, marks[1]); ok && strings.TrimSpace(inner) != "" {
			return before + " " + after, strings.TrimSpace(inner)
		}
	}
	return s, ""
}

func spacedPath(s string) string {
	return strings.NewReplacer(">", " > ", "→", " > ", "»", " > ", " / ", " > ").Replace(s)
}

// takePeriod takes the period out of the words, and what says that the newest one is meant.
func (in *Intent) takePeriod(r reader) reader {
	for i := range r.tokens {
		p, n, ok := r.period(i)
		if !ok {
			continue
		}
		in.Period = &p
		begin := i
		if begin > 0 && (slices.Contains(introducing, r.word(begin-1)) || r.word(begin-1) == "the") {
			begin--
		}
		if w := r.word(begin - 1); begin < i && begin > 0 && (w == "month" || w == "year" || w == "monat" || w == "jahr") {
			begin-- // the month of October
		}
		r.tokens = append(slices.Clone(r.tokens[:begin]), r.tokens[i+n:]...)
		break
	}
	for i := range r.tokens {
		word := r.word(i)
		switch {
		case latest[word]:
		case word == "most" && r.word(i+1) == "recent":
			r.tokens = slices.Delete(slices.Clone(r.tokens), i, i+1)
		case which[word] == -1 && in.Period == nil && word != "past": // the last invoice
		default:
			continue
		}
		in.Latest = true
		r.tokens = slices.Delete(slices.Clone(r.tokens), i, i+1)
		break
	}
	return r
}

// takePath takes "Settings > Billing" out of the words: the words around the signs, as they are written.
func takePath(r *reader) []string {
	first := slices.Index(r.tokens, ">")
	if first < 0 {
		return nil
	}
	begin := 0
	for i := range first { // behind the verb and small words
		if _, n := verbAt(*r, i); n > 0 {
			begin = max(begin, i+n)
		} else if small[r.word(i)] && r.tokens[i] == r.word(i) {
			begin = max(begin, i+1)
		}
	}
	var path []string
	for part := range strings.SplitSeq(strings.Join(r.tokens[begin:], " "), ">") {
		if part = strings.TrimSpace(part); part != "" {
			path = append(path, part)
		}
	}
	r.tokens = slices.Clone(r.tokens[:begin])
	return path
}

// takeVerb finds the first verb, and returns the other words without the small ones.
func (in *Intent) takeVerb(r reader) []string {
	at, n := -1, 0
	for i := range r.tokens {
		if v, count := verbAt(r, i); count > 0 {
			in.Verb, at, n = v, i, count
			break
		}
	}
	if in.Verb == Download && slices.ContainsFunc(r.tokens, func(t string) bool { return strings.EqualFold(t, "hoch") }) {
		in.Verb = Upload // lade … hoch
	}
	var words []string
	for i, t := range r.tokens {
		word := r.word(i)
		switch {
		case i >= at && i < at+n && at >= 0, small[word],
			particles[word] && at >= 0 && (i == len(r.tokens)-1 || in.Verb == Login || in.Verb == Logout):
		case every[word]:
			in.Every = true
		default:
			words = append(words, t)
		}
	}
	return words
}

// verbAt is the verb at a token, and how many tokens it has.
func verbAt(r reader, i int) (Verb, int) {
	for n := min(3, len(r.tokens)-i); n > 0; n-- {
		if v, ok := verbs[strings.ToLower(strings.Join(r.tokens[i:i+n], " "))]; ok && (n > 1 || !determiners[r.word(i-1)]) {
			return v, n
		}
	}
	return "", 0
}

// takeObject finds what kind of thing is meant, and returns the words that say which. What is searched for keeps its
// words.
func (in *Intent) takeObject(words []string) []string {
	for n := min(2, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			object, ok := objects[strings.ToLower(strings.Join(words[i:i+n], " "))]
			if !ok {
				continue
			}
			in.Object = object
			if in.Verb == Download && !in.Latest && plurals[strings.ToLower(words[i+n-1])] {
				in.Every = true // "my invoices"
			}
			if in.Verb == Search && len(words) == n {
				return words
			}
			return append(slices.Clone(words[:i]), words[i+n:]...)
		}
	}
	return words
}
