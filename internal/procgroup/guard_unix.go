//go:build unix

package procgroup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// guardScript waits for the end of its input, which is the end of the owner, and clears up. The lines before that say
// what: a mark, and what is removed. They are not passed as arguments, since these would give the guard the mark that
// it looks for. A guard is a member of the group, so that the group's id cannot be reused as long as the guard lives,
// and the last line ends no unrelated process.
const guardScript = `
trap '' HUP INT QUIT TERM
group=$1
set --
while read -r line; do set -- "$@" "$line"; done
if [ $# -gt 0 ]; then
	mark=$1
	shift
	for again in 1 2 3; do
		if [ -d /proc/self ]; then
			found=$(grep -lsF -e "$mark" /proc/[0-9]*/cmdline) # its status also tells of processes that ended meanwhile
			[ -n "$found" ] || break
			for file in $found; do
				pid=${file#/proc/}
				pid=${pid%/cmdline}
				# One that leads a group brings its helpers along; but the guard's own group would bring the guard, which has not done yet.
				[ "$pid" != "$group" ] && kill -9 "-$pid" || kill -9 "$pid"
			done
		else
			pkill -9 -f -- "$mark" || break
		fi
	done
	rm -rf -- "$@" || { sleep 1; rm -rf -- "$@"; }
fi
kill -9 0
`

// guard is the shell that runs the script.
type guard struct {
	pid   int
	input *os.File // its end tells the guard that the owner is gone
	done  chan struct{}
	none  bool // there is no such process: never here
}

// startGuard starts a guard in the process group. ended is called, by another goroutine, when it has ended and still
// holds its id.
func startGuard(pgid int, o *Guard, ended func()) (*guard, error) {
	lines := append([]string{o.Mark}, o.Remove...)
	for _, line := range lines {
		if !filepath.IsAbs(line) || filepath.Dir(line) == line || strings.ContainsAny(line, "\n\\") ||
			strings.TrimSpace(line) != line {
			return nil, fmt.Errorf("%q cannot be given to a guard", line) // it would be read as something else
		}
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript, "skua-guard", strconv.Itoa(pgid))
	cmd.Stdin, cmd.Dir, cmd.Env = theirs, "/", []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: pgid}
	if err := cmd.Start(); err != nil {
		_ = ours.Close()
		return nil, fmt.Errorf("starting the guard of a group of processes: %w", err)
	}
	g := &guard{pid: cmd.Process.Pid, input: ours, done: make(chan struct{})}
	_, err = ours.WriteString(strings.Join(lines, "\n") + "\n") // less than a pipe takes at once
	go func() {
		// ends with the guard; who waits for Group.Gone waits for it
		_ = reap(cmd, ended)
		_ = ours.Close()
		close(g.done)
	}()
	if err != nil {
		_ = cmd.Process.Kill()
		return nil, fmt.Errorf("telling the guard of a group of processes: %w", err)
	}
	return g, nil
}

func (g *guard) without(pids []int) []int {
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == g.pid })
}
