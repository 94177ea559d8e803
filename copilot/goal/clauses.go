package goal

import (
	"slices"
	"strings"
)

// conjunctions stand between two things to do.
var conjunctions = set("and", "then", "but", "or", "und", "dann", "aber", "oder", "&")

// negations say that something is not to be done.
var negations = set("not", "don't", "dont", "never", "without", "nicht", "niemals", "ohne")

// sendings are the words for sending a form that was filled in.
var sendings = set("submit", "submitting", "send", "sending", "post", "posting", "absenden", "abschicken", "senden",
	"schicke", "sende")

// otherVerbs are verbs of actions that goals do not support. They show that a sentence asks for something else, or for
// more.
var otherVerbs = set("click", "press", "tap", "add", "put", "email", "mail", "print", "share", "rename", "move", "copy",
	"play", "accept", "confirm", "close", "tell",
	"report", "return", "check", "uncheck", "select", "choose", "enter", "type", "set", "turn", "enable", "disable",
	"sort", "filter", "make", "create", "write", "answer",
	"reply", "log", "read", "count", "compare", "forward", "import", "archive", "mark", "assign", "invite", "drag", "drop",
	"scroll", "install", "run", "start", "stop",
	"restart", "transfer", "withdraw", "refund", "publish", "approve", "reject", "use", "give", "click on", "rate", "like",
	"follow", "unfollow", "block", "mute", "ban",
	"klicke", "drücke", "drucke", "teile", "verschiebe", "kopiere", "wähle", "schließe", "erstelle", "lege", "schicke",
	"sende", "submit", "send", "post",
	"submitting", "sending", "posting", "absenden", "abschicken", "senden", "deleting", "downloading", "paying",
	"ordering", "buying", "cancelling", "canceling")

// clause is a part of a sentence that says one thing to do.
type clause struct {
	tokens  []string
	negated bool
}

// clauses are the parts of a sentence: behind a conjunction, or a negation, a word for something to do begins another
// one.
func clauses(all []string) []clause {
	r := reader{tokens: all}
	list := []clause{{}}
	began := false // the clause has something to do already
	for i := 0; i < len(all); i++ {
		next, negated := i, false
		for next < len(all) &&
			(conjunctions[r.word(next)] || next > i && polite[r.word(next)] || negations[r.word(next)] ||
				r.word(next) == "do" && negations[r.word(next+1)]) {
			negated = negated || negations[r.word(next)]
			next++
		}
		if next > i && doing(r, next) && (began || negated || len(list[len(list)-1].tokens) > 0) {
			list = append(list, clause{negated: negated})
			i, began = next, false
		}
		began = began || doing(r, i)
		at := &list[len(list)-1]
		at.tokens = append(at.tokens, all[i])
	}
	return slices.DeleteFunc(list, func(c clause) bool { return len(c.tokens) == 0 })
}

// polite are words in front of a request.
var polite = set("please", "also", "you", "i", "we", "want", "to", "finally", "afterwards", "bitte", "auch", "danach",
	"the", "it", "them", "any")

// doing reports whether a word says that something is done: a verb that is understood, or another one.
func doing(r reader, i int) bool {
	if i >= len(r.tokens) {
		return false
	}
	_, n := verbAt(r, i)
	return n > 0 || otherVerbs[r.word(i)]
}

// takeClauses returns the tokens of the first thing that the sentence asks for, and notes what it asks for besides:
// that a form is sent, or what one task does not do. A repeated verb, as in "download the invoice and save it", asks
// for nothing more.
func (in *Intent) takeClauses(all []string) []string {
	list := clauses(all)
	if len(list) == 0 {
		return all
	}
	first := list[0]
	in.Not = first.negated
	verb, _ := firstVerb(first.tokens)
	for _, c := range list[1:] {
		word := strings.ToLower(c.tokens[0])
		own, _ := firstVerb(c.tokens)
		switch {
		case sendings[word] && len(c.tokens) <= 4:
			in.Submit, in.Unsent = !c.negated, c.negated
		case !c.negated && own != "" && own == verb && !otherVerbs[word]:
			first.tokens = append(slices.Clone(first.tokens), c.tokens[1:]...)
		default:
			text := strings.Join(c.tokens, " ")
			if c.negated {
				text = "not " + text
			}
			in.Also = append(in.Also, text)
		}
	}
	return first.tokens
}

func firstVerb(all []string) (Verb, int) {
	r := reader{tokens: all}
	for i := range all {
		if v, n := verbAt(r, i); n > 0 {
			return v, i
		}
	}
	return "", -1
}

// hasOtherVerb reports whether the words ask for an action that is not among the verbs: "print my invoice" does not ask
// to see it.
func hasOtherVerb(all []string) bool {
	r := reader{tokens: all}
	for i := range all {
		if _, n := verbAt(r, i); n > 0 {
			return false
		}
		if word := r.word(i); otherVerbs[word] && !determiners[r.word(i-1)] {
			return true
		}
		if !small[r.word(i)] && !polite[r.word(i)] {
			return false
		}
	}
	return false
}

// plurals are the objects of which several are meant when the word for them is a plural: "download my invoices" is all
// of them.
var plurals = set("invoices", "bills", "receipts", "statements", "rechnungen", "belege", "orders", "bestellungen",
	"products", "produkte", "jobs", "reports", "berichte",
	"documents", "files", "dateien", "purchases")
