package procgroup

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// pids returns the ids of the user's running processes.
func pids() []int {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil
	}
	all := make([]int, 0, len(infos))
	for i := range infos {
		if infos[i].Proc.P_stat != zombie {
			all = append(all, int(infos[i].Proc.P_pid))
		}
	}
	return all
}

// Alive reports whether a process runs. A zombie does not.
func Alive(pid int) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(info.Proc.P_pid) == pid && info.Proc.P_stat != zombie
}

// Args returns the command line of a running process; not ok when there is none, or it is not to be seen.
func Args(pid int) (args []string, ok bool) {
	text, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(text) < 4 {
		return nil, false
	}
	// The number of arguments, the path of the executable, zeros, the arguments, the environment.
	count := int(binary.NativeEndian.Uint32(text))
	_, rest, found := bytes.Cut(text[4:], []byte{0})
	if !found {
		return nil, false
	}
	args = strings.Split(string(bytes.TrimLeft(rest, "\x00")), "\x00")
	if count < 0 || count > len(args) {
		return nil, false
	}
	return args[:count], true
}
