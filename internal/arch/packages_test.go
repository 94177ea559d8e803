package arch

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	for _, problem := range packageProblems(sources(t)) {
		t.Error(problem)
	}
}

// vagueNames say nothing about what is inside, so everything ends up there.
var vagueNames = []string{
	"util", "utils", "common", "helper", "helpers", "types", "misc", "shared", "base", "lib",
	"manager2",
}

// packageProblems returns the packages without a comment in a doc.go, and the packages and files with a name that says
// nothing.
func packageProblems(files []source) []string {
	var problems []string
	said := map[string]string{} // the comment in doc.go by package
	var seen []string
	for _, file := range files {
		base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file.name), ".go"), "_test")
		if slices.Contains(vagueNames, base) {
			problems = append(problems,
				fmt.Sprintf("%s: a file holds one concern and is named for it; %q names none", file.name, base))
		}
		if !slices.Contains(seen, file.folder) {
			seen = append(seen, file.folder)
			if name := path.Base(file.folder); slices.Contains(vagueNames, name) {
				problems = append(problems, fmt.Sprintf("%s: a package is a noun of the product; %q is not", file.folder, name))
			}
		}
		switch {
		case path.Base(file.name) == "doc.go":
			said[file.folder] = file.comment()
			if want := opening(file); !strings.HasPrefix(file.comment(), want) {
				problems = append(problems, fmt.Sprintf("%s: the package comment begins with %q", file.name, want))
			}
		case file.comment() != "" && !file.test:
			problems = append(problems, fmt.Sprintf("%s: the package comment belongs in doc.go, and only there", file.name))
		}
	}
	for _, name := range seen {
		if said[name] == "" {
			problems = append(problems,
				fmt.Sprintf(
					"%s: no doc.go with a package comment. Say in a few sentences what it is for, its main types, and what it "+
						"must not know", name))
		}
	}
	return problems
}

// opening is how a package comment begins.
func opening(file source) string {
	if file.pkg != "main" {
		return "Package " + file.pkg + " "
	}
	name := path.Base(file.folder)
	if strings.HasPrefix(file.folder, "cmd/") {
		return "Command " + name + " "
	}
	return strings.ToUpper(name[:1]) + name[1:] + " "
}

func TestPackageProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, text string
		want             string
	}{
		{name: "fine", file: "low/doc.go", text: "// Package low is the ground.\npackage low\n"},
		{name: "a command", file: "cmd/run/doc.go", text: "// Command run runs.\npackage main\n"},
		{name: "no doc.go", file: "low/a.go", text: "package low\n", want: "low: no doc.go"},
		{name: "no comment", file: "low/doc.go", text: "package low\n", want: `begins with "Package low "`},
		{
			name: "detached comment", file: "low/doc.go", text: "// Package low is the ground.\n\npackage low\n",
			want: `begins with "Package low "`,
		},
		{
			name: "another package's comment", file: "low/doc.go", text: "// Package lower is the ground.\npackage low\n",
			want: `begins with "Package low "`,
		},
		{
			name: "vague package", file: "util/doc.go", text: "// Package util has all kinds of things.\npackage util\n",
			want: `"util" is not`,
		},
		{name: "vague file", file: "low/helpers_test.go", text: "package low\n", want: `"helpers" names none`},
		{
			name: "comment elsewhere", file: "low/a.go", text: "// Package low is the ground.\npackage low\n",
			want: "only there",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			problems := strings.Join(packageProblems([]source{sample(t, test.file, test.text)}), "\n")
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Contains(t, problems, test.want)
		})
	}
}
