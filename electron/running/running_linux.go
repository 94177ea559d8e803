package running

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// process is the main process of what may be an Electron app.
type process struct {
	pid        int
	executable string
	args       []string
}

// mains returns this user's processes that may be the main process of an app: none of Chromium's helpers, and no
// Node.js that an Electron runs as.
func mains() ([]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fault.New(fault.Internal, "the processes of this machine cannot be listed: %w", err)
	}
	var found []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || !ours(pid) {
			continue
		}
		executable, err := os.Readlink(proc(pid, "exe"))
		if err != nil || isPart(executable) || !besideResources(executable) {
			continue
		}
		args, ok := procgroup.Args(pid)
		if !ok || slices.ContainsFunc(args, isHelperSwitch) || asNode(pid) {
			continue
		}
		found = append(found, process{pid, executable, args})
	}
	return found, nil
}

func proc(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

func ours(pid int) bool {
	info, err := os.Stat(proc(pid, ""))
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// isPart reports whether an executable is one that Electron puts beside the app's own.
func isPart(executable string) bool {
	return slices.Contains([]string{"chrome-sandbox", "chrome_crashpad_handler"}, filepath.Base(executable))
}

// besideResources is a cheap look at whether a program may be an app, before its files are read.
func besideResources(executable string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(executable), "resources"))
	return err == nil && info.IsDir()
}

// isHelperSwitch reports whether an argument is that of a helper of Chromium. A zygote has all arguments in one.
func isHelperSwitch(arg string) bool {
	return strings.HasPrefix(arg, "--type=") || strings.Contains(arg, " --type=")
}

// asNode reports whether a process was started as a plain Node.js, as apps do for their scripts.
func asNode(pid int) bool {
	env, _ := os.ReadFile(proc(pid, "environ"))
	return slices.ContainsFunc(bytes.Split(env, []byte{0}), func(e []byte) bool {
		return bytes.HasPrefix(e, []byte("ELECTRON_RUN_AS_NODE="))
	})
}

// port returns the value of --remote-debugging-port, or 0 if the app was started without a fixed one.
func (p *process) port() int {
	for _, arg := range p.args {
		if value, ok := strings.CutPrefix(arg, "--remote-debugging-port="); ok {
			port, _ := strconv.Atoi(value)
			return port
		}
	}
	return 0
}

// inspected reports whether the process was started with --inspect. Such a process does not start an inspector on
// SIGUSR1.
func (p *process) inspected() bool {
	return slices.ContainsFunc(p.args, func(arg string) bool {
		return arg == "--inspect" || strings.HasPrefix(arg, "--inspect=")
	})
}

// takesSignal reports whether a process handles SIGUSR1, which would end it otherwise.
func takesSignal(pid int) bool {
	status, err := os.ReadFile(proc(pid, "status"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		if mask, ok := strings.CutPrefix(line, "SigCgt:"); ok {
			caught, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return err == nil && caught&(1<<(uint(syscall.SIGUSR1)-1)) != 0
		}
	}
	return false
}

// sendSignal asks a process of an executable for its inspector.
func sendSignal(pid int, executable string) error {
	p, err := os.FindProcess(pid) // holds on to this process, whatever its id comes to mean
	if err != nil {
		return err
	}
	defer p.Release() //nolint:errcheck // it only gives the handle back
	if now, err := os.Readlink(proc(pid, "exe")); err != nil || now != executable || !takesSignal(pid) {
		return fmt.Errorf("the process %d is another program by now", pid)
	}
	return p.Signal(syscall.SIGUSR1)
}

// listening returns the ports of this machine on which a process listens.
func listening(pid int) (ports []int) {
	sockets := map[string]bool{}
	fds, _ := os.ReadDir(proc(pid, "fd"))
	for _, fd := range fds {
		if link, err := os.Readlink(proc(pid, "fd/"+fd.Name())); err == nil && strings.HasPrefix(link, "socket:[") {
			sockets[strings.Trim(link[len("socket:"):], "[]")] = true
		}
	}
	table, err := os.Open(proc(pid, "net/tcp"))
	if err != nil {
		return nil
	}
	defer table.Close()
	const listens = "0A"
	for lines := bufio.NewScanner(table); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[3] != listens || !sockets[fields[9]] {
			continue
		}
		address, number, _ := strings.Cut(fields[1], ":")
		port, err := strconv.ParseUint(number, 16, 16)
		if err == nil && (address == "0100007F" || address == "00000000") {
			ports = append(ports, int(port))
		}
	}
	return ports
}
