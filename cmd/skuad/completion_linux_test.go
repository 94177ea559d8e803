package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
)

// completers have a real shell complete a line, and print what it offers.
var completers = map[string]string{
	// The line is given to the function as readline gives it: split at COMP_WORDBREAKS too.
	"bash": `source <(skua completion bash)
COMP_LINE=$LINE COMP_POINT=${#LINE}
typed=${LINE##*[[:space:]@=:]}
_skua skua "$typed" ""
printf '%s\n' "${COMPREPLY[@]}"`,
	"zsh": `autoload -Uz compinit && compinit -u -d $HOME/.zcompdump
compadd() { local -a given; while [[ $1 == -* ]]; do case $1 in (-d|-a) [[ $1 == -a ]] && given=(${(P)2}); shift 2;; (*) shift;; esac; done; print -rl -- ${(M)given:#$PREFIX*} }
_files() { print -r -- :files }
eval "$(skua completion zsh)"
words=(${(z)LINE}); [[ $LINE == *' ' ]] && words+=('')
CURRENT=${#words} PREFIX=${words[-1]}
_skua`,
	"fish": `skua completion fish | source
complete -C "$LINE" | string split -f1 \t`,
	// Debian has no package of it; where it is installed, it is tried, too.
	"pwsh": `skua completion powershell | Out-String | Invoke-Expression
(TabExpansion2 -inputScript $env:LINE -cursorColumn $env:LINE.Length).CompletionMatches | ForEach-Object { $_.ListItemText }`,
}

func TestShellsComplete(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := `data:text/html,<title>Shop</title><button>Buy</button><a href=x>More</a>`
	for _, args := range [][]string{
		{"--session", "shop", "open", page},
		{"--session", "shop", "tab", "new", "--label", "docs"},
		{"--session", "shop", "tab", "t1"},
		{"--session", "shop", "snapshot", "-i"},
	} {
		u.works(t, args...)
	}
	tests := []struct {
		name, line string
		want       []string // among what is offered
		not        string
	}{
		{"commands", "skua scr", []string{"screenshot", "scroll"}, "get"},
		{"words of a family", "skua get ", []string{"text", "title", "url"}, "scroll"},
		{"a word of a family", "skua get ti", []string{"title"}, "text"},
		{"behind a flag with a value", "skua --session get get ti", []string{"title"}, "text"},
		{"flags", "skua screenshot --fu", []string{"--full"}, "--session"},
		{"global flags", "skua --sess", []string{"--session"}, "--json"},
		{"values of a flag", "skua --color-scheme d", []string{"dark"}, "light"},
		{"values of an argument", "skua completion fi", []string{"fish"}, "bash"},
		{"sessions", "skua --session sh", []string{"shop"}, "default"},
		{"refs", "skua --session shop click @", []string{"@e1", "@e2"}, "t1"},
		{"tabs", "skua --session shop tab close ", []string{"t1", "docs"}, "shop"},
	}
	for shell, script := range completers {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed; scripts/need shells installs what Debian has", shell)
			continue
		}
		for _, tt := range tests {
			t.Run(shell+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(context.Background(), callLimit)
				defer cancel()
				args := []string{"-c", script}
				switch shell {
				case "bash":
					args = append([]string{"--norc"}, args...)
				case "pwsh":
					args = append([]string{"-NoProfile", "-NonInteractive"}, args...)
				}
				cmd := exec.CommandContext(ctx, path, args...)
				cmd.Dir = u.cwd
				cmd.Env = append(u.environ(), "LINE="+tt.line, "PATH="+u.bin+":"+os.Getenv("PATH"))
				out, err := cmd.Output()
				offered := strings.Fields(string(out))
				for _, want := range tt.want {
					if shell == "bash" { // which takes @ for the end of a word, and puts what follows behind it
						want = strings.TrimPrefix(want, "@")
					}
					require.Contains(t, offered, want, "%v", err)
				}
				require.NotContains(t, offered, tt.not)
			})
		}
	}
}

// A key that is pressed starts nothing.
func TestCompletionStartsNoHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Empty(t, u.works(t, "completion", "words", "--", "click", "@"))
	entries, err := os.ReadDir(u.run)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestWordsOfLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"skua":                  {},
		"skua ":                 {""},
		"skua get te":           {"get", "te"},
		`skua fill "my fie`:     {"fill", "my fie"},
		`skua fill 'my fie`:     {"fill", "my fie"},
		`skua fill my\ `:        {"fill", "my "},
		"skua  get  ":           {"get", ""},
		`skua fill "a b" --tab`: {"fill", "a b", "--tab"},
	} {
		require.Equal(t, want, wordsOfLine(line), line)
	}
}

func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man")
	out, err := exec.Command(filepath.Join(programs, "skuad"), "man", "-o", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	registry := catalog.Registry()
	first := map[string]bool{}
	for _, c := range registry.Commands() {
		first[strings.Fields(c.Name)[0]] = true
		text, err := os.ReadFile(filepath.Join(dir, "skua-"+strings.Fields(c.Name)[0]+".1"))
		require.NoError(t, err)
		require.Contains(t, string(text), ".SS skua "+strings.ReplaceAll(c.Name, "-", `\-`))
	}
	require.Len(t, pages, len(first)+1)
	for _, check := range [][]string{{"groff", "-man", "-ww", "-Tutf8", "-z"}, {"mandoc", "-Tlint", "-Werror"}} {
		if path, err := exec.LookPath(check[0]); err == nil {
			out, err := exec.Command(path, append(check[1:], pages...)...).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Empty(t, warnings(string(out)))
		}
	}
}

// warnings are the lines that tell of more than style. No page has a date: it would change with each build.
func warnings(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "STYLE:") && !strings.Contains(line, "missing date") {
			lines = append(lines, line)
		}
	}
	return lines
}
