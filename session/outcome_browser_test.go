package session_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/testprogram"
)

// mortalFolder is the environment variable by which the test program is the browser of a session: it runs the real one,
// carries the messages of its pipe, and kills it at the one that the file "at" in this folder says.
const mortalFolder = "SKUA_TEST_MORTAL_BROWSER"

// mortal is a browser that is killed at a message.
type mortal struct {
	folder  string
	browser *exec.Cmd
	order   string       // what the file said at the last message
	left    int          // messages until the one at which it is killed; below that: none
	after   bool         // it is killed when it has answered that message, before the answer is passed on
	id      atomic.Int64 // of that message
}

// runMortal is the test program as a browser. It ends when the browser does.
func runMortal(folder string) int {
	path, err := chrome.Find(true, "", os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	commands, fromUs, err := os.Pipe()
	replies, itsReplies, err2 := os.Pipe()
	if err != nil || err2 != nil {
		return 1
	}
	b := &mortal{folder: folder, browser: exec.Command(path, os.Args[1:]...)}
	b.browser.Stdout, b.browser.Stderr = os.Stdout, os.Stderr
	b.browser.ExtraFiles = []*os.File{commands, itsReplies} // what it reads and writes with --remote-debugging-pipe
	if err := b.browser.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, _ = commands.Close(), itsReplies.Close()
	go eachMessage(os.NewFile(3, "commands"), func(m []byte) { b.pass(m, fromUs) }, func() { _ = fromUs.Close() })
	out := os.NewFile(4, "replies")
	eachMessage(replies, func(m []byte) { b.reply(m, out) }, func() {})
	_ = b.browser.Wait()
	return 0
}

// eachMessage reads messages that end with NUL.
func eachMessage(from io.Reader, do func(m []byte), end func()) {
	defer end()
	for r := bufio.NewReader(from); ; {
		m, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		do(m)
	}
}

func messageID(m []byte) int64 {
	var message struct{ ID int64 }
	_ = json.Unmarshal(m[:len(m)-1], &message)
	return message.ID
}

// pass carries a message to the browser, unless it is killed before.
func (b *mortal) pass(m []byte, to io.Writer) {
	at := filepath.Join(b.folder, "at")
	order, _ := os.ReadFile(at)
	if string(order) != b.order {
		b.order, b.left, b.after = string(order), 0, false
		_, _ = fmt.Sscan(b.order, &b.left, &b.after)
	}
	b.left--
	if b.left == 0 && os.Rename(at, filepath.Join(b.folder, "killed")) == nil {
		if !b.after {
			b.kill()
		}
		b.id.Store(messageID(m))
		time.AfterFunc(time.Second, b.kill) // there are messages whose answer waits for another one
	}
	_, _ = to.Write(m)
}

// reply carries a message of the browser, unless it is killed before.
func (b *mortal) reply(m []byte, to io.Writer) {
	if id := b.id.Load(); id != 0 && messageID(m) == id {
		b.kill()
	}
	_, _ = to.Write(m)
}

// kill ends the browser, and with it this program.
func (b *mortal) kill() {
	_ = b.browser.Process.Kill()
	_, _ = b.browser.Process.Wait()
	os.Exit(1)
}

// The session's own browser is killed at whichever exchange: what a command says of whether it may be sent again is
// true, and nothing was done twice by the browser that takes its place.
func TestOutcomeWhenTheBrowserIsKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a program cannot hand on a browser's pipe there")
	}
	program, err := os.Executable()
	require.NoError(t, err)
	most := 100
	if testing.Short() {
		most = 3 // the deep tier has all messages, of all commands
	}
	record := newRecorder(t)
	for n := range changing("") {
		name := changing("")[n][0]
		if testing.Short() && name != "click" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			path := testprogram.Write(t, filepath.Join(c.Dir, "chromium-headless-shell"),
				"#!/bin/sh\nexport "+mortalFolder+"='"+c.Dir+"'\nexec '"+program+"' \"$@\"\n")
			seen := map[actions.Outcome]int{}
			for _, after := range []bool{false, true} {
				for k := 1; k <= most; k++ {
					said := fmt.Sprintf("%s-%d-%t", name, k, after)
					require.Eventually(t, func() bool { // the one that was killed may not be missed yet
						return c.Try("--executable-path", path, "open", record.server.URL+"/?id="+said).Err == nil
					}, sessiontest.CommandLimit, 10*time.Millisecond)
					c.WriteFile("at", fmt.Sprint(k, " ", after))
					reply := c.Try(changing(record.server.URL + "/next?id=" + said)[n]...)
					killed := os.Remove(filepath.Join(c.Dir, "at")) != nil
					told := record.of(said)
					seen[reply.Result.Outcome]++
					said += fmt.Sprintf(": %s, %v; the page told %q", reply.Result.Outcome, reply.Err, told)
					requireTrueOutcome(t, reply, told, true, said)
					if name != "type" { // which is three times
						require.LessOrEqual(t, len(told), 1, said)
					}
					if !killed {
						break
					}
				}
			}
			require.NotZero(t, seen[actions.OutcomeUnknown], "killed while it acted: %v", seen)
			if !testing.Short() {
				require.NotZero(t, seen[actions.OutcomeDone], "not killed: %v", seen)
			}
		})
	}
}
