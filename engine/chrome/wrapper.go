package chrome

import (
	"bufio"
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// Packages put scripts in front of their browsers. Debian's for chromium starts a dozen programs, which takes as long
// as a headless shell takes to start; Google's stays alive as a parent that holds the pipe open. The browsers need none
// of that.
var packagedBrowsers = map[string]string{
	"/usr/bin/chromium":                    "/usr/lib/chromium/chromium",
	"/opt/google/chrome/google-chrome":     "/opt/google/chrome/chrome",
	"/opt/microsoft/msedge/microsoft-edge": "/opt/microsoft/msedge/msedge",
	"/opt/brave.com/brave/brave-browser":   "/opt/brave.com/brave/brave",
}

// packaged returns the browser behind the script of a package, or path itself.
func packaged(path string) string {
	script := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		script = real
	}
	if browser := packagedBrowsers[script]; browser != "" && checkExecutable(browser) == nil {
		return browser
	}
	return path
}

// unwrap returns what a shell script at path runs when it does nothing else than pass its arguments on to one program;
// else path.
func unwrap(path string) string {
	file, err := userfile.Open(context.Background(), path)
	if err != nil {
		return path
	}
	defer file.Close()
	head := make([]byte, 1024)
	n, _ := file.Read(head)
	if n == len(head) {
		return path
	}
	if target := passesOnTo(head[:n]); target != "" && checkExecutable(target) == nil {
		return target
	}
	return path
}

// passesOnTo returns the absolute path P of a script whose only command is `P "$@"` or `exec P "$@"`.
func passesOnTo(script []byte) string {
	if !bytes.HasPrefix(script, []byte("#!/bin/sh")) && !bytes.HasPrefix(script, []byte("#!/bin/bash")) {
		return ""
	}
	target := ""
	for lines := bufio.NewScanner(bytes.NewReader(script)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		program, ok := strings.CutSuffix(line, ` "$@"`)
		program = strings.Trim(strings.TrimSpace(strings.TrimPrefix(program, "exec ")), `"`)
		if !ok || target != "" || !strings.HasPrefix(program, "/") || strings.ContainsAny(program, " \t\"'\\$`;&|<>()") {
			return ""
		}
		target = program
	}
	return target
}
