package spec

import (
	"errors"
	"strings"
)

// notes returns the section of a version out of a changelog in the form of Keep a Changelog; until the version has one,
// that of what is not released yet.
func notes(changelog, version string) (string, error) {
	sections := map[string]string{}
	name := ""
	for line := range strings.Lines(changelog) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			name, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(title), "["), "]")
			name, _, _ = strings.Cut(name, " ")
			continue
		}
		sections[name] += line
	}
	for _, wanted := range []string{version, "Unreleased"} {
		if text := strings.TrimSpace(sections[wanted]); text != "" {
			return text + "\n", nil
		}
	}
	return "", errors.New("it has neither a section [" + version +
		"] nor an [Unreleased] one with text; describe the release there")
}
