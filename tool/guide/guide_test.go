package guide

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guides"
)

var update = flag.Bool("update", false, "write the files that are rendered from the text")

// The files are what the text says, to the byte; with -update they are made so.
func TestRenderedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	files := map[string]string{"../../docs/playbook.md": PlaybookFile(), "../../guides/core/SKILL.md": CoreFile()}
	for name, want := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			if *update {
				require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
				return
			}
			have, err := os.ReadFile(name)
			require.NoError(t, err)
			have = bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n"))
			require.Equal(t, want, string(have),
				"it is rendered from tool/guide/guide.md: change that, then `go test ./tool/guide -update`")
		})
	}
}

// What the program itself shows is the rendered guide.
func TestCoreGuideIsRendered(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("the files are being written")
	}
	all, err := guides.Own("9.9.9")
	require.NoError(t, err)
	for _, s := range all {
		if s.Name == "core" {
			require.Equal(t, strings.ReplaceAll(CoreFile(), "{{version}}", "9.9.9"), strings.ReplaceAll(s.Content, "\r\n", "\n"))
			return
		}
	}
	t.Fatal("there is no guide core")
}

func TestTexts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		reader      Reader
		most        int // bytes
		has, hasNot []string
	}{
		"1.1 the description says what the tool is for": {Description, 1339, []string{
			"browser", "click", "screenshot", "exactly one of", "upload @e9", "keyboard type", "press Enter", "check @e8",
			"--exact", "snapshot -i -s",
			`["batch",["fill","@e3","a b"],["click","@e4"]]`, `["batch","fill @e3 'a b'","click @e4"]`,
		}, []string{"skua "}},
		"the short description is short": {
			Slim, 450,
			[]string{"browser", `{"help":true}`, `["snapshot","-i"]`},
			[]string{"skua "},
		},
		"the instructions are short": {
			Instructions, 700,
			[]string{"agent_browser", "skua://guide/playbook"},
			[]string{"```"},
		},
		"the playbook has parameters, no shell": {
			Playbook, 12000,
			[]string{`{"args":["click","@e4"]} // act on a ref`, `{"args":["wait","--text","Thank you"]}`},
			[]string{"\nskua ", "```sh"},
		},
		"the guide core has command lines": {
			Shell, 12000,
			[]string{"skua click @e4", "name: core"},
			[]string{`{"args"`, "<!--"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := Text(tt.reader)
			require.LessOrEqual(t, len(text), tt.most)
			for _, want := range tt.has {
				require.Contains(t, text, want)
			}
			for _, not := range tt.hasNot {
				require.NotContains(t, text, not)
			}
		})
	}
}

// A reader who is misspelled would never get its part.
func TestReadersAreKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		string(Slim): true, string(Description): true, string(Instructions): true,
		string(System): true, string(Shell): true, string(Playbook): true, string(executable): true,
	}
	for _, policy := range []string{"explicit-only", "authenticated-only", "always"} {
		known["profile:"+policy] = true
	}
	for _, p := range Prompts() {
		known["prompt:"+p.Name] = true
	}
	for _, p := range parts() {
		require.NotEmpty(t, p.readers)
		for _, r := range p.readers {
			require.True(t, known[r], "%q", r)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prompt      string
		values      map[string]string
		has, hasNot []string
	}{
		"all blanks": {
			"browse",
			map[string]string{"goal": "buy a lamp", "url": "shop.test"},
			[]string{"buy a lamp", "Begin at shop.test.", "## Act"},
			[]string{"{{"},
		},
		"one is empty": {
			"browse",
			map[string]string{"goal": "buy a lamp"},
			[]string{"buy a lamp"},
			[]string{"Begin at", "{{"},
		},
		"what is filled in is inert": {
			"browse",
			map[string]string{"goal": "{{url}}", "url": "x"},
			[]string{": {{url}}"},
			nil,
		},
		"check": {
			"check-page",
			map[string]string{"url": "shop.test", "expect": "a lamp"},
			[]string{"shop.test", "a lamp", "console"},
			[]string{"{{"},
		},
		"recover": {
			"recover",
			map[string]string{"error": "ref-stale"},
			[]string{"failed with: ref-stale", "| `target-covered` |"},
			[]string{"{{"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, ok := Fill(tt.prompt, tt.values)
			require.True(t, ok)
			for _, want := range tt.has {
				require.Contains(t, text, want)
			}
			for _, not := range tt.hasNot {
				require.NotContains(t, text, not)
			}
		})
	}
	_, ok := Fill("nothing", nil)
	require.False(t, ok)
}

func TestForPrompt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prompt string
		want   bool
	}{
		"15.7 an address":                   {"what does https://example.com say?", true},
		"15.7 a page":                       {"Open the website and find the price", true},
		"15.7 a form":                       {"please log in and export the report", true},
		"15.7 a screenshot":                 {"take a screenshot of our homepage", true},
		"15.7 a local server":               {"is the button on localhost:3000 green?", true},
		"15.7 code":                         {"refactor the parser and add tests", false},
		"15.7 a word inside of another":     {"the curly braces are domestic", false},
		"15.7 nothing":                      {"", false},
		"15.7 a file":                       {"sort the lines of notes.txt", false},
		"15.7 blog is not a log in request": {"write a blog in Markdown", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, ForPrompt(tt.prompt, Browser{}) != "")
		})
	}
	t.Run("15.7 each line names the tool", func(t *testing.T) {
		t.Parallel()
		for line := range strings.Lines(ForPrompt("open https://example.com",
			Browser{Profile: "Work", Policy: "always", ExecutablePath: "/opt/b"})) {
			require.Contains(t, line, "agent_browser")
		}
	})
}

func TestForBrowser(t *testing.T) {
	t.Parallel()
	require.Empty(t, ForBrowser(Browser{}))
	require.Equal(t, Text(Instructions), ForInstructions(Browser{}))
	for policy, want := range map[string]string{
		"explicit-only": "only when the user asks for it", "authenticated-only": "need the user to be signed in",
		"always": "Open pages in agent_browser with",
	} {
		text := ForInstructions(Browser{Profile: `The "Work"`, Policy: policy})
		require.Contains(t, text, want)
		require.Contains(t, text, `{"args":["--profile","The \"Work\"","open","<url>"],"sessionMode":"fresh"}`)
		require.Contains(t, text, "part of the conversation")
		require.NotContains(t, text, "{{")
	}
	require.Contains(t, ForBrowser(Browser{ExecutablePath: "/opt/my browser"}), `"--executable-path","/opt/my browser"`)
}

// What is not the agent's to decide is said to all that drive pages.
func TestWhatIsTheUsers(t *testing.T) {
	t.Parallel()
	for _, reader := range []Reader{Playbook, Shell, "prompt:browse"} {
		for _, want := range []string{"CAPTCHA", "a payment", "search engines"} {
			require.Contains(t, Text(reader), want, reader)
		}
	}
	for _, want := range []string{"auth", "-p NAME", "kernel", "profiles"} {
		require.Contains(t, Text(Playbook), want)
	}
}
