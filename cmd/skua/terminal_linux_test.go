package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/terminal"
	"github.com/skua-browser/skua/internal/testterminal"
)

// A question goes to the terminal, whatever the standard streams are, and what is typed comes back; hidden, it is not
// shown.
func TestAskingAtTheTerminal(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		for _, tc := range []struct {
			name, how, typed, line, shown string
		}{
			{"shown", "shown", "yes\n", "yes", "Well? yes"},
			{"hidden", "hidden", "pässx\x7fw\n", "pässw", "Well? "},
			{"given up", "hidden", "abc\x03", "", "Well? "},
		} {
			t.Run(tc.name, func(t *testing.T) {
				person, program := testterminal.New(t)
				var out, errOut bytes.Buffer
				cmd := c.command(t, "ask", tc.how, "--stdin")
				cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("piped"), &out, &errOut
				cmd.ExtraFiles = []*os.File{program}
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
				require.NoError(t, cmd.Start())
				// Not before the prompt is there: what is typed earlier is echoed, as at any prompt.
				require.NoError(t, person.SetReadDeadline(time.Now().Add(time.Minute)))
				var seen []byte
				read := func(until string) {
					b := make([]byte, 256)
					for !strings.Contains(string(seen), until) {
						n, err := person.Read(b)
						require.NoError(t, err, "the terminal shows %q", seen)
						seen = append(seen, b[:n]...)
					}
				}
				read("Well? ")
				_, err := person.WriteString(tc.typed)
				require.NoError(t, err)
				read("\n")
				require.NoError(t, cmd.Wait(), "%s", errOut.String())
				require.Equal(t, tc.shown, strings.TrimRight(string(seen), "\r\n"))
				want := fmt.Sprintf("%q <nil> stdin=\"piped\"\n", tc.line)
				if tc.name == "given up" {
					want = "\"\" there is no terminal to ask at stdin=\"piped\"\n"
				}
				require.Equal(t, want, out.String())
			})
		}
	})
}

func TestAskingWithoutATerminal(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		cmd := c.command(t, "ask", "shown")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, "\"\" there is no terminal to ask at stdin=\"\"\n", string(out))
	})
}

// A client in the background must not be stopped for reading from the terminal.
func TestAskingInTheBackground(t *testing.T) {
	if os.Getenv("SKUA_TEST_BACKGROUND") != "" {
		require.NoError(t, syscall.Setpgid(0, 0))
		_, ok := terminal.Ask("Well? ", false)
		require.False(t, ok)
		return
	}
	t.Parallel()
	_, program := testterminal.New(t)
	own, err := os.Executable()
	require.NoError(t, err)
	leader := client{bin: "/bin"}.command(t)
	leader.Path, leader.Args = "/bin/sh", []string{
		"sh", "-c", `"$0" -test.run '^TestAskingInTheBackground$' & wait $!`,
		own,
	}
	leader.Stdin = nil
	leader.Env = append(os.Environ(), "SKUA_TEST_BACKGROUND=1")
	leader.ExtraFiles = []*os.File{program}
	leader.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	out, err := leader.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "PASS")
}
