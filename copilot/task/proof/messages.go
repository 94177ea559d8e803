package proof

import (
	"strings"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// Patterns of what pages say, in English and German, on lower-case text.
var (
	complaints = lazyregexp.New(
		`\b(errors?|fail(ed|ure)?|invalid|incorrect|wrong|required|denied|forbidden|not found|could not|couldn't|cannot|can't|can ?not|unable to|` +
			`try again|must (be|have|contain|not)|please (enter|select|fill|choose|check|provide|correct|complete|log|sign)|is missing|expired|locked|not allowed|refused|` +
			`went wrong|unavailable|not valid|isn't valid|too (short|long|many)|already (exists|taken|in use)|not permitted|unauthori[sz]ed|declined|rejected|` +
			`fehler|ungültig(e[rsnm]?)?|falsch(e[rsnm]?)?|fehlgeschlagen|erforderlich|nicht möglich|verweigert|abgelehnt|gesperrt|abgelaufen|` +
			`bitte (geben|wählen|füllen|prüfen|korrigieren))\b|pflichtfeld`)
	successes = lazyregexp.New(
		`\b(thank(s| you)?|success(ful(ly)?)?|sent|submitted|saved|received|confirmed|welcome|we('ll| will) (get back|be in touch|reply|contact)|` +
			`registered|subscribed|signed up|booked|applied|created|updated|done|` +
			`danke|vielen dank|erfolgreich|gesendet|abgeschickt|gespeichert|erhalten|bestätigt|willkommen|registriert|angemeldet|gebucht)\b`)
	removals = lazyregexp.New(
		`\b(deleted|removed|erased|cancell?ed|closed|deactivated|terminated|ended|unsubscribed|gone|destroyed|trashed|discarded|` +
			`gelöscht|entfernt|gekündigt|storniert|geschlossen|beendet|abgemeldet)\b`)
	// pending is what a page says in front of a removal, and not behind it.
	pending = lazyregexp.New(
		`\?|\b(will|would|going to|to be|can't be|cannot be|are you sure|sure|if you|once|before|when|please confirm|wird|werden|sicher|wenn|sobald)\b`)
	ordered = lazyregexp.New(
		`\b(thank(s| you) for your (order|purchase|payment|booking)|order (number|no|id|is confirmed|confirmed|placed|complete|received|was placed|has been)|` +
			`(payment|purchase|booking) (confirmed|complete|received|successful|was successful)|vielen dank für ihre (bestellung|zahlung|buchung)|bestellnummer|bestellung (ist )?(eingegangen|erfolgreich))\b`)
	farewells = lazyregexp.New(
		`\b(logged out|signed out|logged off|signed off|log(ged)? ?out successful(ly)?|see you|good ?bye|session (has )?ended|abgemeldet|ausgeloggt|auf wiedersehen)\b`)
	nothings = lazyregexp.New(
		`\b(no|0|zero) (results?|match(es)?|hits?|items?|entries|records?|data)\b|nothing (was )?found|did not match|keine (ergebnisse|treffer)|not found`)
	errors404 = lazyregexp.New(
		`^\W*(error\W*)?[45]\d\d\b|\b(page|seite) (not found|nicht gefunden)|^not found|^forbidden|^access denied|^unauthori[sz]ed|bad gateway|` +
			`internal server error|service unavailable|server error|^error\b`)
	negated = lazyregexp.New(`\b(not|never|no|n't|nicht|kein(e|en)?)\b|n't\b`)
)

func lower(line string) string {
	return strings.ToLower(strings.ReplaceAll(line, "’", "'"))
}

// complains reports whether a line says that something is wrong.
func complains(line string) bool {
	text := lower(line)
	return complaints.MatchString(text) && !strings.Contains(text, "no error") && len([]rune(text)) <= mostMessage
}

// mostMessage is how long a line is at most that is a message, and no text that uses the same words.
const mostMessage = 300

// praises reports whether a line says that what was sent has come.
func praises(line string) bool {
	text := lower(line)
	return len([]rune(text)) <= mostMessage && successes.MatchString(text) && !complains(line) &&
		!negated.MatchString(text) && !strings.HasSuffix(text, "?")
}

// saysRemoved reports whether a line says that something was removed, and not that it would be.
func saysRemoved(line string) bool {
	text := lower(line)
	return len([]rune(text)) <= mostMessage && removals.MatchString(text) && !pending.MatchString(text) &&
		!complains(line) && !negated.MatchString(text)
}

// asks reports whether a line is a question that has to be answered before anything is removed.
func asks(line string) bool {
	text := lower(line)
	return strings.HasSuffix(text, "?") || strings.Contains(text, "are you sure") ||
		strings.Contains(text, "sicher, dass") || strings.Contains(text, "please confirm")
}

// saysOrdered reports whether a line says that an order was taken.
func saysOrdered(line string) bool {
	text := lower(line)
	return len([]rune(text)) <= mostMessage && ordered.MatchString(text) && !complains(line) && !negated.MatchString(text)
}

// grave are complaints that are more than a hint beside a field.
var grave = lazyregexp.New(
	`\b(errors?|fail(ed|ure)|invalid|incorrect|wrong|not valid|isn't valid|went wrong|fehler|ungültig(e[rsnm]?)?|falsch(e[rsnm]?)?)\b`)

func complainsGravely(line string) bool { return complains(line) && grave.MatchString(lower(line)) }

func saysFarewell(line string) bool { return farewells.MatchString(lower(line)) }

func saysNothing(line string) bool { return nothings.MatchString(lower(line)) }

// saysError reports whether a page's title is that of an error.
func saysError(title string) bool { return errors404.MatchString(lower(title)) }
