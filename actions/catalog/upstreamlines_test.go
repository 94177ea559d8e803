package catalog_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/guides"
)

// What is compared of a line of agent-browser's texts: the form of a call or flag in the first column, a list of such
// forms, what is in backticks, and names that are not spelled as words of prose are. Examples, configuration files and
// prose are its own.
var (
	lineCell   = regexp.MustCompile(`^ {2,6}(\S+(?: \S+)*?) {2,}\S`)
	lineForm   = regexp.MustCompile(`^ {2,6}((?:--)?[a-z][a-z-]*(?: [a-z|-]+)*(?: (?:<[^>]+>|\[[^\]]+\]|--[a-z-]+))+)`)
	lineMember = `(?:[a-z][a-z-]+|[A-Z][A-Za-z0-9-]+)(?: (?:<[^>]+>|\[[^\]]+\]))*`
	lineList   = regexp.MustCompile(`^ {2,6}` + lineMember + `(?:, ` + lineMember + `)+$`)
	lineQuoted = regexp.MustCompile("`([^`\n]+)`")
	lineFlag   = regexp.MustCompile(`(?:^|[\s(,/\x60'"\[])(--[a-z][a-z-]*[a-z])`)
	lineName   = regexp.MustCompile(
		`\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z][A-Za-z]+\b|\b[A-Z]+_[A-Z_]+\b|\b(?:data|code)[.=]\w+|\b[a-z]+\.(?:read|provider|mutate|run|manifest|v1)\b`)
	ownSection = regexp.MustCompile(
		`^(?:.*[Ee]xamples?.*|Use Cases|See Also|Install|Command Chaining|iOS Simulator.*|Stdin Mode.*|Wait for text to disappear|.* config .*):$`)
)

// formsOf are the forms of calls and the names in one line.
func formsOf(line string) (forms []string) {
	add := func(form string) {
		if form = strings.TrimSpace(form); form != "" && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	if usage, ok := strings.CutPrefix(strings.TrimSpace(line), "Usage: agent-browser "); ok {
		add(usage)
	} else if lineList.MatchString(line) {
		for form := range strings.SplitSeq(line, ", ") {
			add(form)
		}
	} else if m := lineCell.FindStringSubmatch(line); m != nil && len(strings.Fields(m[1])) < 8 {
		add(m[1])
	} else if m := lineForm.FindStringSubmatch(line); m != nil {
		add(m[1])
	}
	for _, m := range lineQuoted.FindAllStringSubmatch(line, -1) {
		add(strings.TrimPrefix(m[1], "agent-browser "))
	}
	for _, m := range lineFlag.FindAllStringSubmatch(line, -1) {
		add(m[1])
	}
	for _, name := range lineName.FindAllString(line, -1) {
		add(name)
	}
	return forms
}

// guideCall is a call of the program in a guide: its first words, and the names of flags and variables around it.
var guideCall = regexp.MustCompile(
	`(?m)^ *agent-browser ([a-z][a-z0-9-]+(?: [a-z][a-z-]+)?)|\bAGENT_BROWSER_[A-Z_]+[A-Z]|--[a-z][a-z-]*[a-z]`)

// callsIn are the commands, flags and variables that a guide names. A word that follows a command and names no
// subcommand is an argument.
func callsIn(guide string) (forms []string) {
	for _, m := range guideCall.FindAllStringSubmatch(guide, -1) {
		form := m[0]
		if m[1] != "" {
			form = m[1]
			if _, ok := catalog.Registry().Lookup(form); !ok {
				form, _, _ = strings.Cut(form, " ")
			}
		}
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// leftOut are forms and names of agent-browser's texts that ours do not have, and why. A topic of "" means all of them.
var leftOut = []struct {
	topic string
	words string // a regular expression for whole forms
	why   string
}{
	{"help ", "cURL|onCommitFiberRoot", "how it is made is not in our help"},
	{"help ", "--no-sandbox|--disable-features", "switches of Chromium in an example of --args"},
	{"help ", "--ignored|--test-threads", "how its own tests are run"},
	{"help ", "iPhone", "there are no iOS simulators"},
	{"", "iOS", "there are no iOS simulators"},
	{"help ", "--version, -V", "our help has the short name first"},
	{"help ", "with --config", "prose"},
	{"help ", "screenshot(Quality|Format)", "configuration files have no such keys; the variables are there"},
	{"help read", "--headers( <json>)?", "read sends no headers of the caller's"},
	{"help cookies", "camelCase|httpOnly|sameSite", "prose about older spellings"},
	{"help stream", "maxFps|screencast_start|screencast_stop", "the protocol of the stream is another"},
	{"help session", `\(none\)`, "the call without an operation is `session`"},
	{"help chat", "--frame|--annotate", "prose about flags of other commands"},
	{
		"help mcp", "agent_browser_.*|extraArgs|allowedDomains|agentBrowserVersion",
		"the tools have other names and arguments",
	},
	{"help doctor", "0", "the exit code is 0 when 1 is not"},
	{"help install", "macOS|sw_vers.*|productVersion", "the browser that is installed says itself where it runs"},
	{
		"skills list", "agentcore|derive-client|dogfood|protected-vercel-deployments|slack|vercel-sandbox|webmcp-gen",
		"guides to services and to packages of its own; testing is ours of dogfood",
	},
	{"skills get core", "drives|approach", "prose"},
	{"skills get core", "--sso-flows", "the anchor of a heading"},
	{"skills get core", "addinitscript", "no call of it is in its own help"},
	{"skills get core", "--enable-.*|--use-.*|--disable-.*", "switches of Chromium"},
	{"skills get protected-vercel-deployments", "--protection-bypass(-secret)?", "flags of another program"},
	{"skills get vercel-sandbox", "AGENT_BROWSER_SNAPSHOT_ID", "a variable of the package @agent-browser/sandbox"},
}

// missingForms are the forms of a text of agent-browser's, by line, that ours lacks and that no reason leaves out.
func missingForms(topic, text, ours string, used []bool) (missing []string) {
	own := false
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			own = ownSection.MatchString(line)
		}
		if own || strings.HasPrefix(strings.TrimSpace(line), "agent-browser ") {
			continue
		}
		for _, form := range formsOf(line) {
			if strings.Contains(ours, form) {
				continue
			}
			known := false
			for i, l := range leftOut {
				if (l.topic == "" || l.topic == topic) && regexp.MustCompile(`^(?:`+l.words+`)$`).MatchString(form) {
					used[i], known = true, true
				}
			}
			if !known {
				missing = append(missing, form+"    in: "+strings.TrimSpace(line))
			}
		}
	}
	return missing
}

// TestEveryLineOfUpstreamsTexts compares the texts of the real agent-browser with ours, line by line: its help of every
// topic, its list of guides, and its guides with the files beside them.
func TestEveryLineOfUpstreamsTexts(t *testing.T) {
	t.Parallel()
	ask := upstream(t)
	r := catalog.Registry()
	used := make([]bool, len(leftOut))
	compare := func(topic, text, ours string) {
		for _, form := range missingForms(topic, text, ours, used) {
			t.Errorf("%s: ours lacks %s", topic, form)
		}
	}
	overview := ask("--help")
	for _, topic := range helpTopics(r) {
		text := overview
		if topic != "" {
			if text = ask(topic, "--help"); text == overview {
				continue // it has none for this
			}
		}
		compare("help "+topic, text, manual.Help(r, "agent-browser", topic))
	}
	own, err := guides.Own("0")
	require.NoError(t, err)
	var names, full strings.Builder
	for _, guide := range own {
		names.WriteString(guide.Name + "\n")
		full.WriteString(guide.Calling("agent-browser").Full())
	}
	full.WriteString(manual.Help(r, "agent-browser", "")) // the file references/commands.md
	var guides struct{ Data []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(ask("skills", "list", "--json")), &guides))
	require.Greater(t, len(guides.Data), 5)
	for _, guide := range guides.Data {
		compare("skills list", "`"+guide.Name+"`", names.String())
		for _, form := range callsIn(ask("skills", "get", guide.Name, "--full")) {
			compare("skills get "+guide.Name, "`"+form+"`", full.String())
		}
	}
	for i, l := range leftOut {
		require.True(t, used[i], "remove the exception %q: %s", l.words, l.why)
	}
}
