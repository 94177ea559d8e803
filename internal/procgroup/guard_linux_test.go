package procgroup

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// guarded starts a script whose group is guarded; its output is a line with the ids of its processes.
func guarded(t *testing.T, script string, o *Guard) (g *Group, pids []int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	words, childWords, err := os.Pipe()
	require.NoError(t, err)
	defer words.Close()
	cmd.Stdout = childWords
	g, err = Start(cmd, Options{Guard: o})
	require.NoError(t, err)
	require.NoError(t, childWords.Close())
	t.Cleanup(func() {
		g.Kill()
		<-g.Gone()
	})
	line, err := bufio.NewReader(words).ReadString('\n')
	require.NoError(t, err)
	for word := range strings.FieldsSeq(line) {
		pid, err := strconv.Atoi(word)
		require.NoError(t, err, line)
		pids = append(pids, pid)
	}
	return g, pids
}

func TestGuardedGroupOutlivesItsFirstProcess(t *testing.T) {
	t.Parallel()
	g, pids := guarded(t, "sleep 1000 >/dev/null & echo $!; exit 0", &Guard{Mark: filepath.Join(t.TempDir(), "mark")})
	<-g.Done()
	require.NoError(t, g.Err())
	require.Equal(t, "exit status 0", g.Exit())
	require.Equal(t, pids, g.Members(), "the guard is not among them")
	g.Terminate()
	require.Eventually(t, func() bool { return len(g.Members()) == 0 }, time.Minute, 10*time.Millisecond)
	select {
	case <-g.Gone():
		require.Fail(t, "the guard took the signal for its own")
	default:
	}
	g.Kill()
	<-g.Gone()
	require.Empty(t, Members(g.PID()))
	g.Kill()
}

// A killed guard must not leave a group behind whose id may be reused.
func TestGuardKilled(t *testing.T) {
	t.Parallel()
	g, _ := guarded(t, "sleep 1000 >/dev/null & echo $!; exit 0", &Guard{Mark: filepath.Join(t.TempDir(), "mark")})
	<-g.Done()
	require.NoError(t, syscall.Kill(g.guard.pid, syscall.SIGKILL))
	<-g.Gone()
	awaitEmpty(t, g.PID())
}

func TestGuardRefuses(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"", "/", "relative/path", "/a\nb", `/a\b`, " /a", "/a "} {
		cmd := exec.Command("sleep", "1000")
		_, err := Start(cmd, Options{Guard: &Guard{Mark: mark}})
		require.ErrorContains(t, err, fmt.Sprintf("%q", mark))
		require.NotNil(t, cmd.ProcessState, "it has ended and was waited for")
	}
}

// ownGuarded starts a group whose first process has ended, with a process in it, one that left it, and a folder.
func ownGuarded(dir string) (string, error) {
	mark := filepath.Join(dir, "it's a mark")
	script := fmt.Sprintf(
		`mkdir "%[1]s"; sleep 1000 >/dev/null & a=$!; setsid sh -c 'sleep 1000 & echo $! >"$0"; wait' "%[1]s/x" >/dev/null & b=$!; echo $a $b; exit 0`, mark)
	cmd := exec.Command("sh", "-c", script)
	words, childWords, err := os.Pipe()
	if err != nil {
		return "", err
	}
	cmd.Stdout = childWords
	g, err := Start(cmd, Options{Guard: &Guard{Mark: mark, Remove: []string{mark, mark + ".lock"}}})
	if err != nil {
		return "", err
	}
	line, err := bufio.NewReader(words).ReadString('\n')
	<-g.Done()
	return fmt.Sprint(g.PID(), " ", line), err
}

func TestGuardClearsUpBehindAKilledOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	owner, _, line := startOwner(t, dir)
	var group, member, stray int
	_, err := fmt.Sscan(line, &group, &member, &stray)
	require.NoError(t, err, line)
	mark := filepath.Join(dir, "it's a mark")
	require.Eventually(t, func() bool {
		return Alive(stray) && len(FindByPath(mark)) > 0
	}, time.Minute, 10*time.Millisecond)
	require.Contains(t, Members(group), member)
	require.DirExists(t, mark)
	var helper int // of the one that left the group
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(filepath.Join(mark, "x"))
		helper, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, time.Minute, 10*time.Millisecond)

	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()
	awaitEmpty(t, group)
	require.Eventually(t, func() bool { return !Alive(stray) && !Alive(helper) }, time.Minute, 10*time.Millisecond)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// The first process of the group may still run when the guard hears of the owner's end, and names the mark as others
// do: the guard must not end itself with it before it has done.
func TestGuardOutlivesTheFirstProcess(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	stray := func() *exec.Cmd {
		cmd := exec.Command("sh", "-c", "sleep 1000; :", mark)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		require.NoError(t, cmd.Start())
		return cmd
	}
	before := stray()
	g, err := Start(exec.Command("sh", "-c", "sleep 1000; :", mark), Options{Guard: &Guard{Mark: mark}})
	require.NoError(t, err)
	after := stray()
	require.Eventually(t, func() bool { return len(FindByPath(mark)) == 3 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, g.guard.input.Close()) // as the end of the owner does
	for _, cmd := range []*exec.Cmd{before, after} {
		require.Error(t, cmd.Wait(), "it was killed")
	}
	<-g.Gone()
	awaitEmpty(t, g.PID())
}

func TestNamed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a-name")
	g, _ := guarded(t, "echo $$; exec sh -c 'kill -STOP $$' --user-data-dir="+dir, &Guard{Mark: dir})
	want := Process{PID: g.PID(), Args: []string{"sh", "-c", "kill -STOP $$", "--user-data-dir=" + dir}}
	require.EventuallyWithT(t, func(c *assert.CollectT) { // the first shell names it too, until it is the second
		assert.Equal(c, []Process{want}, FindByPath(dir))
	}, time.Minute, 10*time.Millisecond)
	require.Empty(t, FindByPath(dir+"s"))
	require.Empty(t, FindByPath(filepath.Dir(dir)+"/a"), "a part of a name is another name")

	sent, err := Signal(g.PID(), dir+"s", syscall.SIGKILL)
	require.NoError(t, err)
	require.False(t, sent)
	require.True(t, Alive(g.PID()))
	sent, err = Signal(g.PID(), dir, syscall.SIGKILL)
	require.NoError(t, err)
	require.True(t, sent)
	<-g.Done()
	require.False(t, Alive(g.PID()))
	sent, err = Signal(g.PID(), dir, syscall.SIGKILL)
	require.NoError(t, err)
	require.False(t, sent)
}
