package judging

import (
	"regexp"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/contract"
)

// FailureOf returns the category of a failure: the known one, else the code's, else a guess from the texts.
func FailureOf(o *Outcome) contract.FailureCategory {
	switch {
	case o.Known != "":
		return o.Known
	case o.TimedOut:
		if c := OfCode(o.Code); c == contract.TimedOut || c == contract.Aborted || o.Code == "" {
			return contract.TimedOut
		}
		return OfCode(o.Code) // the command had failed by itself
	case o.Aborted && (o.Code == "" || o.Code == fault.Timeout):
		return contract.Aborted
	case o.Code != "":
		return OfCode(o.Code)
	}
	return classify(o)
}

// patterns are what the classifier looks for in lower-case texts.
type patterns struct {
	tabGone, locator, roleMiss, confirmation, timeout, missing, parse, policy, cleanup, storage, drift,
	staleRef, refMiss, unsupported, dialect, selectorMiss, findMiss, notDownloaded, refWord *regexp.Regexp
}

// prose is compiled when the first text has to be read, which natively is never.
var prose = sync.OnceValue(func() *patterns {
	p := regexp.MustCompile
	return &patterns{
		tabGone: p(`\btab_gone:`),
		locator: p(
			`no element found(?:: ?(?:getby|role=|text=|label=|placeholder=|alt=|title=|testid=)| by (?:role|text|label|placeholder|alt|title|testid) )`),
		// Wording of misses that name the controls which were seen: those names may read like any other failure.
		roleMiss:     p(`elements? (?:has|have|with) role\b.*\bnone match`),
		confirmation: p(`confirmation required|pending confirmation|requires confirmation`),
		timeout:      p(`timed out|timeout (?:of )?(?:\d+ ?ms )?exceeded|watchdog|ipc read timeout`),
		missing:      p(`\benoent\b|not found on (?:the )?path`),
		parse: p(
			`parse error|invalid json|missing (?:boolean )?success|success field must be boolean|no json output`),
		policy:   p(`policy[- ]blocked|caller (?:allow|deny) policy|(?:allow|deny) policy of the caller`),
		cleanup:  p(`cleanup failed|partial cleanup|partially cleaned|remaining resources`),
		storage:  p(`unix socket path|socket (?:path|director)|\.agent-browser storage|protected storage`),
		drift:    p(`could not re-select the intended tab|about:blank|tab drift|wrong tab`),
		staleRef: p(`unknown ref\b|stale ref\b|\bref(?:erence)? \S*\s*(?:was |is |has )?(?:not found|missing|expired)`),
		refMiss:  p(`element not found|could not locate element|no element`),
		unsupported: p(
			`(?:unsupported|unknown|invalid) selector|failed to parse selector|selector (?:is )?not supported|not a valid selector`),
		dialect: p(`text=|:has-text\(|getbyrole|getbytext`),
		selectorMiss: p(
			`elements? not found|no elements? (?:found|match)|could not (?:find|locate) element|unable to (?:find|locate) element|waiting for (?:selector|locator)|selector .*did not match|no match(?:es)? for selector`),
		findMiss: p(
			`elements? not found|no elements? |unable to (?:find|locate)|could not (?:find|locate)|none match|not found`),
		notDownloaded: p(`missing|not verified|failed|timeout|timed out`),
		refWord:       p(`^@e\d+$`),
	}
})

// classify reads the texts of a failure that has no code. The first rule that fits decides.
func classify(o *Outcome) contract.FailureCategory {
	text := strings.ToLower(o.texts())
	p := prose()
	find := o.command() == "find"
	locatorMiss := p.locator.MatchString(text) || p.roleMiss.MatchString(text) ||
		strings.Contains(text, "none match name") ||
		strings.Contains(text, "element not found:") && strings.Contains(text, "verify the selector, role, or name") ||
		strings.Contains(text, "names seen:") && (find || strings.Contains(text, "role"))
	confirms := o.ResultFacts.Confirmation != ""
	rules := []struct {
		fits     func() bool
		category contract.FailureCategory
	}{
		{func() bool { return confirms }, contract.ConfirmationRequired},
		{func() bool { return p.tabGone.MatchString(text) }, contract.TabGone},
		{func() bool { return locatorMiss }, contract.SelectorNotFound},
		{func() bool { return p.confirmation.MatchString(text) }, contract.ConfirmationRequired},
		{func() bool { return o.TimedOut || p.timeout.MatchString(text) }, contract.TimedOut},
		{func() bool { return o.Missing || p.missing.MatchString(text) }, contract.MissingBinary},
		{func() bool { return o.ParseError != "" || p.parse.MatchString(text) }, contract.ParseFailure},
		{func() bool { return o.Aborted || abortedWord(text) }, contract.Aborted},
		{func() bool { return p.policy.MatchString(text) }, contract.PolicyBlocked},
		{func() bool { return p.cleanup.MatchString(text) }, contract.CleanupFailed},
		{func() bool { return o.ValidationError != "" || p.storage.MatchString(text) }, contract.ValidationError},
		{func() bool { return p.drift.MatchString(text) }, contract.TabDrift},
		{func() bool { return o.unknownRef(text) || o.namesRef() && p.refMiss.MatchString(text) }, contract.StaleRef},
		{func() bool {
			return p.unsupported.MatchString(text) || p.selectorMiss.MatchString(text) && p.dialect.MatchString(text)
		}, contract.SelectorUnsupported},
		{func() bool {
			return find && p.findMiss.MatchString(text) || p.selectorMiss.MatchString(text)
		}, contract.SelectorNotFound},
		{func() bool { return o.downloads() && p.notDownloaded.MatchString(text) }, contract.DownloadNotVerified},
	}
	for _, r := range rules {
		if r.fits() {
			return r.category
		}
	}
	return contract.UpstreamError
}

// abortedWord looks for an abort by the user or the caller. An aborted network request is an error of the page.
func abortedWord(text string) bool {
	return strings.Contains(strings.ReplaceAll(text, "net::err_aborted", ""), "aborted")
}

func (o *Outcome) unknownRef(text string) bool { return prose().staleRef.MatchString(text) }

// namesRef reports whether a word of the command line is a ref.
func (o *Outcome) namesRef() bool {
	for _, w := range o.Line.Rest() {
		if prose().refWord.MatchString(w) {
			return true
		}
	}
	return false
}

// downloads reports whether the command was to bring a file from the page.
func (o *Outcome) downloads() bool {
	w := o.Line.Writes()
	return w != nil && w.Kind == trait.Download
}
