package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testterminal"
)

// commands of a terminal: write the clipboard, begin a link, erase the screen (with ESC and with CSI), turn text
// around.
const commands = "\x1b]52;c;aGk=\x07\x1b]8;;http://evil.example/\x1b\\\x1b[2J\u009b2J\u202e\x7f"

// scripted is a page with commands of a terminal in everything that a command prints of a page.
const scripted = `<!doctype html><title></title><h1></h1><input id=i><script>
const c = ` + "`" + `BEGIN\x1b]52;c;aGk=\x07\x1b]8;;http://evil.example/\x1b\\\x1b[2J\x9b2J\u202e\x7fEND` + "`" + `
document.title = c
document.querySelector('h1').textContent = c
document.querySelector('h1').setAttribute('data-x', c)
i.value = c
localStorage.setItem(c, c)
document.cookie = 'k=' + encodeURIComponent(c)
console.log(c)
window.c = c
setTimeout(() => { throw new Error(c) })
</script><p>BEGIN` + commands + `END</p>`

// atTerminal runs the client at a terminal of its own and returns what the terminal received, and how the client ended.
func (u *user) atTerminal(t *testing.T, args ...string) (seen string, err error) {
	t.Helper()
	person, program := testterminal.New(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(u.bin, "skua"), args...)
	cmd.Dir, cmd.Env = u.cwd, u.environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	require.NoError(t, cmd.Start())
	require.NoError(t, program.Close())
	var received bytes.Buffer
	_, _ = received.ReadFrom(person) // ends with an error when the last program at the terminal has ended
	return received.String(), cmd.Wait()
}

// What a page wrote commands no terminal, whatever command prints it; in a pipe it stays as it is.
func TestPageTextAtATerminal(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(scripted))
	}))
	t.Cleanup(server.Close)
	lines := [][]string{
		{"get", "text", "h1"},
		{"get", "html", "h1"},
		{"get", "value", "#i"},
		{"get", "attr", "h1", "data-x"},
		{"get", "title"},
		{"read", server.URL},
		{"console"},
		{"errors"},
		{"storage", "local"},
		{"snapshot"},
		{"tab", "list"},
		{"eval", "c"},
		{"eval", "alert(c)"},
	}
	fails := []string{"eval", "throw new Error(c)"}
	requireHarmless := func(t *testing.T, seen string, line []string) {
		t.Helper()
		for _, c := range commands {
			if c < ' ' || c > '~' {
				require.NotContains(t, seen, string(c), "%v", line)
			}
		}
		require.Contains(t, seen, "BEGIN", "%v", line)
	}
	t.Run("with a host", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		for _, line := range append(lines, fails, []string{"get", "text", "h1", "--json"}, []string{"eval", "c", "--json"}) {
			u.works(t, "open", server.URL)
			seen, _ := u.atTerminal(t, line...)
			_ = u.call(t, "dialog", "accept") // of the line that opens one
			requireHarmless(t, seen, line)
		}
		u.works(t, "open", server.URL)
		require.Equal(t, "BEGIN"+commands+"END\n", u.call(t, "get", "text", "h1").Out, "a pipe gets the text of the page")
	})
	// One process has one browser, so that a batch has all the lines, with a row before each that tells where its text
	// begins.
	t.Run("without", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		u.env = []string{"SKUA_NO_SOCKETS=1"}
		const mark = "the next row"
		batch := []string{"batch", "open " + server.URL}
		for _, line := range lines {
			batch = append(batch, `eval "'`+mark+`'"`, quoted(line))
		}
		seen, _ := u.atTerminal(t, append(batch, quoted(fails))...)
		require.Regexp(t, `✗ Command \d+ \(eval throw .*\): .*BEGIN`, seen)
		texts := strings.Split(seen, mark)[1:]
		require.Len(t, texts, len(lines), seen)
		for i, line := range lines {
			requireHarmless(t, texts[i], line)
		}
		seen, _ = u.atTerminal(t, "batch", "open "+server.URL, quoted([]string{"get", "text", "h1"}), "--json")
		requireHarmless(t, seen, []string{"batch", "--json"})
	})
}

// quoted is a command line as a line of a batch.
func quoted(words []string) string {
	return `"` + strings.Join(words, `" "`) + `"`
}
