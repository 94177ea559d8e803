package pagescript

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
)

// Build returns the bundles of the package in dir by the path of their file. tools is the path of the go.mod that names
// esbuild.
func Build(dir, tools string) (map[string][]byte, error) {
	all, err := readModules(dir)
	if err != nil {
		return nil, err
	}
	// builds it, and prints its path
	esbuild, err := exec.Command("go", "tool", "-modfile="+tools, "-n", "esbuild").Output()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot build esbuild: %w", tools, err)
	}
	bundles := map[string][]byte{}
	for _, entry := range all.entries() {
		header, err := all.header(entry)
		if err != nil {
			return nil, err
		}
		script, err := bundle(strings.TrimSpace(string(esbuild)), dir, entry)
		if err != nil {
			return nil, err
		}
		bundles[bundlePath(dir, entry)] = []byte(header + script + "\n")
	}
	return bundles, nil
}

// bundle runs esbuild. A form without exports (main.js) needs none of the helpers that esbuild adds for them, and these
// would read globals that a page may have replaced; a function is therefore bundled as a module, whose one export is
// then returned.
func bundle(esbuild, dir, entry string) (string, error) {
	format := "esm"
	if path.Base(entry) == "main.js" {
		format = "iife"
	}
	cmd := exec.Command(esbuild, entry,
		"--bundle", "--minify", "--format="+format, "--target=es2022", "--charset=ascii", "--log-level=warning",
		"--tsconfig-raw={}")
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: esbuild: %w", entry, err)
	}
	script := strings.TrimSpace(out.String())
	if format == "iife" {
		return script, nil
	}
	return asFunction(entry, script)
}

var soleExport = regexp.MustCompile(`export\{([\w$]+) as default\};?$`)

// asFunction makes a function expression from a bundled module that exports a function and nothing else.
func asFunction(entry, module string) (string, error) {
	m := soleExport.FindStringSubmatchIndex(module)
	if m == nil {
		return "",
			fmt.Errorf("%s: the bundle does not end with its default export; a script exports one function and nothing else",
				entry)
	}
	return `(arg=>{"use strict";` + module[:m[0]] + "return " + module[m[2]:m[3]] + "(arg)})", nil
}
