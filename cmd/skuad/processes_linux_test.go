package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// process is a running process. Its start tells it from a later one with the same id.
type process struct {
	pid, parent int
	start       string
	command     string
}

func (p process) String() string { return fmt.Sprintf("%d %s", p.pid, p.command) }

// processes returns all that run; those that have ended and are only not waited for yet are left out.
func processes() []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		panic(err)
	}
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (comm) state ppid ... starttime is the 22nd; comm may hold anything, so that the last ) counts.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		cmdline, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		all = append(all, process{pid, parent, fields[19], strings.TrimSpace(string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))})
	}
	return all
}

// tree returns a process and all its descendants; none for the id 0.
func tree(pid int) []process {
	if pid == 0 {
		return nil
	}
	all := processes()
	var found []process
	for _, p := range all {
		if p.pid == pid {
			found = append(found, p)
		}
	}
	for i := 0; i < len(found); i++ {
		for _, p := range all {
			if p.parent == found[i].pid {
				found = append(found, p)
			}
		}
	}
	return found
}

// browsers returns the main processes of a host's browsers.
func browsers(host int) []process {
	return slices.DeleteFunc(tree(host), func(p process) bool { return p.parent != host || strings.Contains(p.command, "--type=") })
}

// renderers returns the processes of the pages in a host's browsers.
func renderers(host int) []process {
	return slices.DeleteFunc(tree(host), func(p process) bool { return !strings.Contains(p.command, "--type=renderer") })
}

// alive returns those that still run.
func alive(watched []process) []process {
	var left []process
	for _, p := range processes() {
		if slices.ContainsFunc(watched, func(w process) bool { return w.pid == p.pid && w.start == p.start }) {
			left = append(left, p)
		}
	}
	return left
}

// mentioning returns the processes that have a text in their command line or in their environment.
func mentioning(text string) []process {
	return slices.DeleteFunc(processes(), func(p process) bool {
		if strings.Contains(p.command, text) {
			return false
		}
		environ, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
		return !bytes.Contains(environ, []byte(text))
	})
}
