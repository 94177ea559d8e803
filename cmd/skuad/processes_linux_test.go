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
		p, ok := processByID(pid)
		if !ok {
			continue // it ended meanwhile
		}
		cmdline, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		p.command = strings.TrimSpace(string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
		all = append(all, p)
	}
	return all
}

// processByID returns a process by its id, without its command, and reports whether it has not ended.
func processByID(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	// pid (comm) state ppid ... starttime is the 22nd; comm may hold anything, so that the last ) counts.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if fields[0] == "Z" || fields[0] == "X" {
		return process{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	return process{pid: pid, parent: parent, start: fields[19]}, true
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
	return slices.DeleteFunc(tree(host), func(p process) bool {
		return p.parent != host || strings.Contains(p.command, "--type=")
	})
}

// renderers returns the processes of the pages in a host's browsers.
func renderers(host int) []process {
	return slices.DeleteFunc(tree(host), func(p process) bool { return !strings.Contains(p.command, "--type=renderer") })
}

// alive returns those that still run. Tests ask it again and again, so it reads no other process of the machine.
func alive(watched []process) []process {
	return slices.DeleteFunc(slices.Clone(watched), func(w process) bool {
		p, ok := processByID(w.pid)
		return !ok || p.start != w.start
	})
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
