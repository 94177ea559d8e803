package journal

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/ring"
)

func TestSelector(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		target  Target
		want    string
		locator string
	}{
		"a name": {
			Target{Role: "button", Name: "Save"},
			`role=button[name="Save"]`,
			`page.getByRole("button", { name: "Save", exact: true }).nth(0)`,
		},
		"the third": {
			Target{Role: "button", Name: "Save", Nth: 2},
			`role=button[name="Save"][nth=2]`,
			`page.getByRole("button", { name: "Save", exact: true }).nth(2)`,
		},
		"no name": {Target{Role: "textbox"}, `role=textbox[nth=0]`, `page.getByRole("textbox").nth(0)`},
		"quotes": {
			Target{Role: "link", Name: `the "best"`},
			`{"role":"link","name":{"exact":"the \"best\""}}`,
			`page.getByRole("link", { name: "the \"best\"", exact: true }).nth(0)`,
		},
		"in a frame": {
			Target{Role: "button", Name: "Pay", Frame: []string{"shop"}},
			`{"role":"button","name":{"exact":"Pay"},"framePath":["shop"]}`,
			`page.frameLocator("iframe[name=\"shop\"], iframe[id=\"shop\"]").getByRole("button", { name: "Pay", exact: true }).nth(0)`,
		},
		"only a number": {Target{Ref: "@e7"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, tt.target.Selector())
			if tt.want != "" {
				require.Equal(t, tt.locator, Locator("@e1", &tt.target))
			}
		})
	}
}

func TestLocator(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string]string{
		"#a": `page.locator("#a").first()`, "//b": `page.locator("xpath=//b").first()`,
		"label=Name":        `page.getByLabel("Name").first()`,
		`{"role":"button"}`: "", `text="It's"`: `page.locator("text=\"It's\"").first()`,
	} {
		require.Equal(t, want, Locator(selector, nil))
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://a.example/b?c=d#e": "http://a.example/b", "https://u:p@a.example/": "https://a.example/", "about:blank": "",
		"data:text/html,x": "", "http://a.example/?": "http://a.example/",
	} {
		require.Equal(t, want, StableURL(address), address)
	}
}

// What was typed into a field that hides it is gone when the command ends, and older entries go for newer ones.
func TestLog(t *testing.T) {
	t.Parallel()
	var l Log
	l.Limit(ring.Limits{Count: 2})
	for range 2 {
		l.Begin(Entry{Command: "open"})(Outcome{})
	}
	end := l.Begin(Entry{Command: "fill", Words: []Word{
		{Name: "selector", Values: []string{"#p"}}, {Name: "text", Values: []string{"geheim"}, Typed: true},
	}})
	list, dropped := l.Entries(0)
	require.Equal(t, 1, dropped)
	require.Equal(t, Running, list[1].State)
	end(Outcome{Secret: true, Effect: []string{"value changed"}})
	list, _ = l.Entries(1)
	require.Equal(t, "fill '#p' "+Hidden, list[0].Line())
	require.Equal(t, int64(3), list[0].ID)
	end = l.Begin(Entry{Command: "click"})
	end(Outcome{Code: "timeout", Error: strings.Repeat("x", 1000)})
	list, _ = l.Entries(1)
	require.Equal(t, Failed, list[0].State)
	require.Len(t, []rune(list[0].Error), maxError+1)
	l.Clear()
	list, _ = l.Entries(0)
	require.Empty(t, list)
}

// The shell gets each word as it was, whatever is in it, and comments run nothing.
func TestShell(t *testing.T) {
	t.Parallel()
	words := []string{"", "plain", "it's", "$HOME `id` \"q\" \\", "two\nlines", "ü•", "-n", "#no"}
	p := Plan{Program: "skua", Steps: []Step{
		{Skipped: "it failed\nexit 7", Line: "click\nexit 8"},
		{Words: []Arg{{Text: "first"}, {Secret: true, Purpose: "text of `x` \"y\" $(exit 9) }\nexit 9"}}},
	}}
	for _, w := range words {
		p.Steps = append(p.Steps, Step{Words: []Arg{{Text: w}}})
	}
	script, err := Export("sh", &p)
	require.NoError(t, err)
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	// A script replaces the program and prints its words after the session's, each in brackets.
	script = strings.Replace(script, "skua=${SKUA:-skua}",
		`show() { shift 2; for w; do printf '[%s]' "$w"; done; }; skua=show`, 1)
	run := exec.Command(sh, "-c", script)
	run.Env = []string{"SKUA_SECRET_1=it's $HOME"}
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s\n%s", script, out)
	require.Equal(t, "[first][it's $HOME]["+strings.Join(words, "][")+"]", string(out))
	_, err = Export("cobol", &p)
	require.ErrorContains(t, err, "sh, go, playwright")
}
