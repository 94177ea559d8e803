package catalog_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/internal/testgolden"
)

// What programs search for in the help of agent-browser.
var (
	helpFlag  = regexp.MustCompile(`--[a-z][a-z-]*(?: (?:<[^>\n]+>|\[[^\]\n]+\]))?|(?:^|[ ,|(])(-[a-zA-Z])\b`)
	helpCell  = regexp.MustCompile(`^ {2,}((?:[a-z<\[]|diff |--)\S*(?: \S+)*) {2,}\S`)
	helpCall  = regexp.MustCompile(`^ {2,}([a-z][a-z-]*(?: [a-z|-]+)*(?: (?:<[^>]+>|\[[^\]]+\]))+)`)
	helpUsage = regexp.MustCompile(`^(?:Usage:|      ) agent-browser (\S.*)$`)
	helpTitle = regexp.MustCompile(`^[A-Z][A-Za-z ]+:  agent-browser (?:[a-z]+) .*$`)
	helpNames = regexp.MustCompile(
		`\b(?:AGENT_BROWSER|AI_GATEWAY|BROWSER_USE|OBSCURA)_[A-Z_]+|\b(?:HTTP|HTTPS|ALL|NO)_PROXY\b`)
)

// wordsOfHelp are the calls, flags, aliases and variables in a help text of agent-browser's. Its examples and prose are
// its own.
func wordsOfHelp(text string) []string {
	var words []string
	add := func(word string) {
		word = strings.TrimSpace(word)
		if word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	examples := false
	for line := range strings.SplitSeq(text, "\n") {
		if m := helpTitle.FindString(line); m != "" {
			add(m)
		} else if line != "" && line[0] != ' ' {
			examples = slices.ContainsFunc([]string{
				"Examples:", "Use Cases:", "See Also:", "Wait for text to disappear:",
				"Install:", "Command Chaining:", "iOS Simulator",
			},
				func(title string) bool { return strings.HasPrefix(line, title) }) || strings.Contains(line, "example:")
		}
		for _, name := range helpNames.FindAllString(line, -1) {
			add(name)
		}
		if examples || strings.HasPrefix(strings.TrimSpace(line), "#") || strings.Contains(line, "e.g.") ||
			strings.Contains(line, "cargo ") {
			continue
		}
		if aliases, ok := strings.CutPrefix(line, "Aliases: "); ok {
			add("Aliases: " + aliases)
		}
		if line == "" || line[0] != ' ' && !strings.HasPrefix(line, "Usage:") {
			continue // prose
		}
		for _, m := range helpFlag.FindAllStringSubmatch(line, -1) {
			if m[1] != "" {
				add(m[1])
			} else {
				add(m[0])
			}
		}
		for _, r := range []*regexp.Regexp{helpCell, helpCall, helpUsage} {
			if m := r.FindStringSubmatch(line); m != nil {
				if cell := strings.TrimPrefix(m[1], "agent-browser "); cell[0] != '-' && !strings.HasPrefix(cell, "echo ") {
					// flags are there, and these are examples
					add(cell)
				}
			}
		}
	}
	return words
}

// helpTopics are the first words of the commands, with the names by which they are called, and "" for the overview.
func helpTopics(r *actions.Registry) []string {
	topics := []string{""}
	for _, c := range r.Commands() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			if first, _, _ := strings.Cut(name, " "); !slices.Contains(topics, first) {
				topics = append(topics, first)
			}
		}
	}
	return topics
}

// notOurs are words that are not in our help, by topic, and why.
var notOurs = func() map[string]map[string]string {
	m := map[string]map[string]string{
		"read": {"--headers <json>": "read sends no headers of the caller's"},
		"mcp":  {},
	}
	for _, tool := range []string{"tools_profiles", "open", "snapshot", "click", "fill", "get_url", "close"} {
		m["mcp"]["agent_browser_"+tool] = "the tools have other names"
	}
	return m
}()

const upstreamHelp = "testdata/upstream-help.txt"

// recordedHelp is what the real one's help has, by topic.
func recordedHelp(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(upstreamHelp))
	require.NoError(t, err)
	words := map[string][]string{}
	topic := ""
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		switch word, indented := strings.CutPrefix(line, "  "); {
		case strings.HasPrefix(line, "#") || line == "":
		case indented:
			words[topic] = append(words[topic], word)
		default:
			topic = strings.TrimPrefix(line, "agent-browser --help")
			topic = strings.TrimSuffix(strings.TrimPrefix(topic, "agent-browser "), " --help")
			require.NotContains(t, words, topic)
		}
	}
	return words
}

// TestHelpInPlaceOfAgentBrowser looks for every word that programs which wrap agent-browser find in its help.
func TestHelpInPlaceOfAgentBrowser(t *testing.T) {
	t.Parallel()
	r := catalog.Registry()
	recorded := recordedHelp(t)
	require.Greater(t, len(recorded), 50)
	n := 0
	for topic, words := range recorded {
		got := manual.Help(r, "agent-browser", topic)
		for _, word := range words {
			n++
			if why := notOurs[topic][word]; why != "" {
				require.NotContains(t, got, word, "it is there; remove the exception: %s", why)
				continue
			}
			if !strings.Contains(got, word) {
				t.Errorf("agent-browser %s --help lacks %q", topic, word)
			}
		}
	}
	require.Greater(t, n, 800)
}

// upstream returns how the real agent-browser is asked. Without it, the test is skipped.
func upstream(t *testing.T) (ask func(args ...string) string) {
	t.Helper()
	program := os.Getenv("SKUA_UPSTREAM")
	if program == "" {
		t.Skip("SKUA_UPSTREAM does not say where the real agent-browser is")
	}
	home := t.TempDir()
	return func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		require.NoError(t, err, "%q", args)
		return string(out)
	}
}

// TestUpstreamHelpIsAsRecorded asks the real one. scripts/upstream-help writes what it says.
func TestUpstreamHelpIsAsRecorded(t *testing.T) {
	t.Parallel()
	ask := upstream(t)
	r := catalog.Registry()
	var b bytes.Buffer
	b.WriteString("# What programs find in the help of agent-browser 0.41.2; written by scripts/upstream-help.\n")
	overview := ask("--help")
	for _, topic := range helpTopics(r) {
		text, title := overview, "agent-browser --help"
		if topic != "" {
			title = "agent-browser " + topic + " --help"
			if text = ask(topic, "--help"); text == overview {
				continue // it has none for this
			}
		}
		b.WriteString("\n" + title + "\n")
		for _, word := range wordsOfHelp(text) {
			b.WriteString("  " + word + "\n")
		}
	}
	testgolden.Equal(t, strings.TrimPrefix(upstreamHelp, "testdata/"), b.String())
}
