//go:build unix

package provider

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// guard is a small process that outlives this one when it is killed. A browser that chromedriver started does not
// notice then that both are gone; the guard ends the group and removes the folder. It hears of the end by its pipe.
type guard struct {
	cmd  *exec.Cmd
	pipe *os.File
}

// The first line tells the group. A second one dismisses the guard; the pipe's end without it is the end of the owner.
const guardScript = `read -r group && read -r done && exit 0
[ -n "$group" ] && kill -s KILL -- "-$group"
for try in 1 2 3 4 5; do rm -rf -- "$1" && exit 0; sleep 1; done`

// startGuard starts a guard of a folder.
func startGuard(dir string) (*guard, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript, "skua-guard", dir)
	cmd.Stdin, cmd.Dir, cmd.Env = r, "/", []string{"PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what ends our group must not end it
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		return nil, err
	}
	return &guard{cmd: cmd, pipe: w}, nil
}

// watch tells the guard the group that it is for.
func (g *guard) watch(pgid int) { _, _ = fmt.Fprintln(g.pipe, pgid) }

// dismiss ends the guard once the group has ended.
func (g *guard) dismiss() {
	_, _ = fmt.Fprint(g.pipe, "\ndone\n")
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}
