package spec

import (
	"fmt"
	"strings"
)

// Target is a system that the programs are built for, in Go's words.
type Target struct{ OS, Arch string }

// Targets returns all systems of a release.
func Targets() []Target {
	var all []Target
	for _, os := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, Target{os, arch})
		}
	}
	return all
}

// ReadTargets reads a list such as linux/amd64,darwin/arm64. An empty one means all.
func ReadTargets(list string) ([]Target, error) {
	if list == "" {
		return Targets(), nil
	}
	var chosen []Target
	for name := range strings.SplitSeq(list, ",") {
		found := false
		for _, t := range Targets() {
			if t.String() == name {
				chosen, found = append(chosen, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("target %q: it is not a system of a release; take some of %v", name, Targets())
		}
	}
	return chosen, nil
}

// String is the target as go tool dist list writes it.
func (t Target) String() string { return t.OS + "/" + t.Arch }

// Program is the file name of a program on the target.
func (t Target) Program(name string) string {
	if t.OS == "windows" {
		return name + ".exe"
	}
	return name
}

// Archive is the name of the target's archive. `skua upgrade` knows its form.
func (t Target) Archive(version string) string {
	ending := ".tar.gz"
	if t.OS == "windows" {
		ending = ".zip"
	}
	return "skua_" + version + "_" + t.OS + "_" + t.Arch + ending
}

// Bundle is the name of the target's MCP bundle.
func (t Target) Bundle(version string) string {
	return "skua_" + version + "_" + t.OS + "_" + t.Arch + ".mcpb"
}

// Node returns the target in the words of Node: process.platform and process.arch.
func (t Target) Node() (platform, arch string) {
	platform, arch = t.OS, t.Arch
	if platform == "windows" {
		platform = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return platform, arch
}
