//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is what /proc says about one.
type process struct {
	pid, parent int
	executable  string // its path
}

// browser tells a browser's process from one of the compared programs.
func (p process) browser() bool {
	name := filepath.Base(p.executable)
	return strings.HasPrefix(name, "chrom") || strings.HasPrefix(name, "headless")
}

// processesOf returns the processes that belong to a place: those that carry its directory in their environment or
// arguments, and all their descendants. Browser children overwrite their environment, so neither alone would do.
func processesOf(dir string) ([]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	all := map[int]process{}
	member := map[int]bool{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		p, ok := readProcess(pid)
		if !ok {
			continue
		}
		all[pid] = p
		for _, name := range []string{"environ", "cmdline"} {
			text, err := os.ReadFile(filepath.Join("/proc", entry.Name(), name))
			if err == nil && bytes.Contains(text, []byte(dir)) {
				member[pid] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for pid, p := range all {
			if !member[pid] && member[p.parent] {
				member[pid], grown = true, true
			}
		}
	}
	var found []process
	for pid := range member {
		found = append(found, all[pid])
	}
	return found, nil
}

// readProcess reads one process; false if it has ended, a zombie included.
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// pid (name) state parent ...; the name may hold anything, parentheses included.
	after := bytes.LastIndexByte(stat, ')')
	if after < 0 {
		return process{}, false
	}
	fields := strings.Fields(string(stat[after+1:]))
	if len(fields) < 2 || fields[0] == "Z" || fields[0] == "X" {
		return process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return process{}, false
	}
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return process{}, false
	}
	return process{pid: pid, parent: parent, executable: strings.TrimSuffix(path, " (deleted)")}, true
}

// endProcesses ends every process of a place: asked first, killed after a second, and waited for.
func endProcesses(ctx context.Context, dir string) error {
	known := map[int]process{}
	for asked := time.Now(); ; {
		found, err := processesOf(dir)
		if err != nil {
			return err
		}
		for _, p := range found {
			known[p.pid] = p
		}
		// A child whose parent ended carries no mark any longer, so those seen before are looked at again.
		alive := 0
		for pid, before := range known {
			now, ok := readProcess(pid)
			if !ok || now.executable != before.executable {
				delete(known, pid)
				continue
			}
			alive++
			signal := syscall.SIGTERM
			if time.Since(asked) > time.Second {
				signal = syscall.SIGKILL
			}
			if handle, err := os.FindProcess(pid); err == nil {
				_ = handle.Signal(signal)
			}
		}
		if alive == 0 {
			return nil
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("%d processes of %s do not end: %w", alive, dir, err)
		}
	}
}

// proportionalMemory returns the memory of a place in bytes, shared pages counted once, for its own processes and for
// browsers.
func proportionalMemory(dir string) (own, browsers int64, err error) {
	found, err := processesOf(dir)
	if err != nil {
		return 0, 0, err
	}
	for _, p := range found {
		bytes, ok := kilobytes(fmt.Sprintf("/proc/%d/smaps_rollup", p.pid), "Pss:")
		switch {
		case !ok: // it has ended in the meantime
		case p.browser():
			browsers += bytes
		default:
			own += bytes
		}
	}
	if own == 0 || browsers == 0 {
		return 0, 0, fmt.Errorf("no memory found: own %d bytes, browsers %d bytes in %d processes", own, browsers, len(found))
	}
	return own, browsers, nil
}

// hostMemory returns the resident memory of a place's own processes in bytes.
func hostMemory(dir string) (int64, error) {
	found, err := processesOf(dir)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, p := range found {
		if p.browser() {
			continue
		}
		if bytes, ok := kilobytes(fmt.Sprintf("/proc/%d/status", p.pid), "VmRSS:"); ok {
			total += bytes
		}
	}
	if total == 0 {
		return 0, fmt.Errorf("no host found among %d processes", len(found))
	}
	return total, nil
}

// browserOf returns the executable of a place's browser.
func browserOf(dir string) (string, error) {
	found, err := processesOf(dir)
	if err != nil {
		return "", err
	}
	for _, p := range found {
		// The crash handler is a sibling of the browser; whether it runs depends on the version.
		if p.browser() && !strings.Contains(p.executable, "crashpad") {
			return p.executable, nil
		}
	}
	return "", fmt.Errorf("no browser found among %d processes", len(found))
}

// kilobytes reads a "Name:  123 kB" line of a /proc file and returns bytes.
func kilobytes(path, name string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return n * 1024, err == nil
		}
	}
	return 0, false
}

// settled repeats a measurement until two in a row differ by less than 1 %, for some seconds at most, and returns the
// last.
func settled(ctx context.Context, measure func() (int64, error)) (int64, error) {
	last := int64(-1)
	for range 12 {
		now, err := measure()
		if err != nil {
			return 0, err
		}
		if last > 0 && max(now-last, last-now)*100 < last {
			return now, nil
		}
		last = now
		if err := pause(ctx, 500*time.Millisecond); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// pause waits, or returns the context's error when that ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
