package arch

import (
	"cmp"
	"go/ast"
	"go/token"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unwanted are expressions that belong in no document, comment or message, with what to write in their place. Words in
// quotation marks and code are not looked at in documents. CONTRIBUTING.md has the rules in words.
var unwanted = []struct{ pattern, better string }{
	{`\banew\b`, "again"},
	{`\bnobody\b`, "no user, no caller, nothing; or say who does"},
	{`\bno one\b`, "no user, no caller; or say who does"},
	{`\bstands\b`, "is, is set, exists (stands for is fine)"},
	{`\b(?:is|be|are|was|were) had\b`, "comes back, is available"},
	{`\bcan(?:not)? be had\b`, "is available, is not available"},
	{`\bneeds? not\b`, "does not need to"},
	{`\bwho needs?\b`, "if you need …"},
	{`\bsuch as are\b`, "those that are"},
	{`\bsuch a one\b`, "one like that"},
	{`\bis no [a-z]`, "is not a"},
	{`\bare no [a-z]`, "are not"},
	{`\bheed(?:s|ed)?\b`, "respect, apply"},
	{`\bbereft\b`, "without"},
	{`\brous(?:e|es|ed|ing)\b`, "wake, find"},
	{`\bdeeds?\b`, "action"},
	{`\bstillborn\b`, "crashed before …"},
	{`\bbarren\b`, "unhealthy"},
	{`\bblows\b`, "failures, faults"},
	{`\bof every day\b`, "everyday"},
	{`\bsurroundings\b`, "environment"},
	{`\bone's own\b`, "your own"},
	{`\bas (?:it|they) stands?\b`, "as it is, unchanged"},
	{`\bgives? up the ghost\b`, "ends"},
	{`\bwhoever\b`, "the user, the caller; or a passive without it"},
	{`\bsomebody\b`, "a user, another process; or say who does"},
	{`\bhimself\b`, "itself"},
	{`\bherself\b`, "itself"},
	{`\bthere(?:by|in|of|upon)\b`, "by that, in it, of it"},
	{`\bwhere(?:in|upon)\b`, "in which, after which"},
	{`\bhad again\b`, "restored"},
	{`\b(?:it|they|which|what|that) (?:is|are|was|were) to be\b`, "must be, will be; or a noun"},
	{`\bwhat is to\b`, "what to …, the target"},
	{`\b(?:is|are) none\b`, "does not count, is not a …"},
	{`\bwished for\b`, "requested"},
	{`\bhence\b`, "so, therefore"},
	{`\bin vain\b`, "without success"},
	{`\btold of\b`, "gets, is called with"},
	{`\bcame of\b`, "the result of"},
	{`\bbec(?:ame|omes?) of\b`, "the result of, the state of"},
	{`\bsays? nothing of\b`, "does not tell"},
	{`\bpass(?:es|ed) over\b`, "ignores, skips"},
	{`\bgoes without saying\b`, "is the default"},
	{`\bsiege\b`, "load test"},
	{`\blies (?:beside|elsewhere|there)\b`, "is beside"},
	{`\bnot any more\b`, "no longer"},
	{`\bbut for\b`, "except for"},
	{`\bone sees\b`, "is visible"},
	{`\bdoes without\b`, "does not need"},
	{`\bin (?:his|her) stead\b`, "instead"},
	{`\bcolour\w*`, "American spelling"},
	{`\bbehaviour\w*`, "American spelling"},
	{`\bhonour\w*`, "American spelling"},
	{`\bfavour\w*`, "American spelling"},
	{`\blicence\w*`, "American spelling"},
	{`\bneighbour\w*`, "American spelling"},
	{`\bauthoris\w+`, "American spelling: z"},
	{`\brecognis\w+`, "American spelling: z"},
	{`\borganis\w+`, "American spelling: z"},
	{`\binitialis\w+`, "American spelling: z"},
	{`\bserialis\w+`, "American spelling: z"},
	{`\bnormalis\w+`, "American spelling: z"},
	{`\bsummaris\w+`, "American spelling: z"},
}

// expression is an unwanted one. Few texts have the letters that it must have: looking for those first costs a fifth of
// matching all expressions.
type expression struct {
	pattern *regexp.Regexp
	needs   string // in lower case
	better  string
}

var unwantedExpressions = func() (all []expression) {
	for _, u := range unwanted {
		all = append(all, expression{regexp.MustCompile(`(?i)` + u.pattern), lettersOf(u.pattern), u.better})
	}
	return all
}()

// lettersOf returns the longest text that every match of a pattern has, empty if there is none.
func lettersOf(pattern string) (longest string) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	for _, part := range parts {
		if part.Op == syntax.OpLiteral && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return longest
}

// allowed are uses of these words that are right: "stands for X", "there is no X", "there is none", "is no longer".
var allowed = regexp.MustCompile(
	`(?i)\bstands for\b|\bthere (?:is|are) no\b|\bthere (?:is|are|was|were) none\b|\b(?:is|are) no longer\b`)

// quoted are words in our files that are not our prose, by file and with why they are there.
var quoted = map[string]struct{ words, why string }{
	"copilot/skill/fields.go": {"organisation", "a name that forms give to a field"},
}

// findings returns the unwanted expressions of a text, each with what to write in its place.
func findings(text string) (found []string) {
	type match struct {
		from, to int
		better   string
	}
	var matches []match
	lower, cleared := strings.ToLower(text), false
	for _, e := range unwantedExpressions {
		if !strings.Contains(lower, e.needs) {
			continue
		}
		if !cleared {
			text, cleared = allowed.ReplaceAllString(text, ""), true
		}
		for _, at := range e.pattern.FindAllStringIndex(text, -1) {
			matches = append(matches, match{at[0], at[1], e.better})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(a.from, b.from) })
	end := 0
	for _, m := range matches {
		if m.from >= end { // one place is one finding
			found, end = append(found, strings.Join(strings.Fields(text[m.from:m.to]), " ")+" → "+m.better), m.to
		}
	}
	return found
}

var inlineCode = regexp.MustCompile("`[^`\n]*`")

func TestProseOfDocuments(t *testing.T) {
	t.Parallel()
	for name, text := range documents(t) {
		lines := strings.Split(fencePattern.ReplaceAllStringFunc(text, func(block string) string {
			return strings.Repeat("\n", strings.Count(block, "\n"))
		}), "\n")
		var found []string
		for i, line := range lines {
			for _, problem := range findings(inlineCode.ReplaceAllString(line, "")) {
				found = append(found, name+":"+strconv.Itoa(i+1)+": "+problem)
			}
		}
		report(t, name, found)
	}
}

func TestProseOfGo(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t) {
		if strings.HasPrefix(file.name, "internal/arch/prose_") {
			continue
		}
		var found []string
		for _, text := range proseOf(file) {
			if q, ok := quoted[file.name]; ok {
				text = strings.ReplaceAll(text, q.words, "")
			}
			found = append(found, findings(text)...)
		}
		report(t, file.name, found)
	}
}

// proseOf returns the comments and strings of a Go file.
func proseOf(file source) []string {
	var texts []string
	for _, group := range file.syntax.Comments {
		texts = append(texts, group.Text())
	}
	ast.Inspect(file.syntax, func(node ast.Node) bool {
		if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING {
			texts = append(texts, text.Value)
		}
		return true
	})
	return texts
}

// report fails for what is found in a file.
func report(t *testing.T, name string, found []string) {
	t.Helper()
	if len(found) > 0 {
		t.Errorf("%s: write plain English:\n%s", name, strings.Join(found, "\n"))
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       int
	}{
		{name: "plain", text: "The session restores its tabs after a crash."},
		{name: "archaic", text: "What was open is had again, and nobody waits.", want: 2},
		{name: "stands for is right", text: "`*` stands for anything; the rule stands.", want: 1},
		{name: "there is no X is right", text: "There is no host. It is no longer there. It is no host.", want: 1},
		{name: "archaic relative", text: "Who needs several commands locks it.", want: 1},
		{name: "pronouns without a noun", text: "Whoever asks is told of it, and somebody waits.", want: 3},
		{name: "negated noun", text: "A folder without a guide is none. There is none.", want: 1},
		{name: "American", text: "the licence has a colour", want: 2},
	}
	for _, e := range unwantedExpressions {
		require.NotEmpty(t, e.needs, "%s: write one expression for each of its words", e.pattern)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, findings(test.text), test.want)
		})
	}
}
