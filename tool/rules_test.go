package tool_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sections are those of the contract's rules, with how many rules each has: 2.1 has 2.1.1 to 2.1.11.
var sections = []struct {
	name  string
	rules int
}{
	{"0", 6},
	{"1", 9},
	{"2.0", 8},
	{"2.1", 11},
	{"2.2", 20},
	{"2.3", 14},
	{"2.4", 16},
	{"2.5", 9},
	{"2.6", 5},
	{"2.8", 13},
	{"2.9", 6},
	{"3", 21},
	{"4", 11},
	{"5", 14},
	{"6", 10},
	{"7", 15},
	{"8", 20},
	{"9", 7},
	{"10", 19},
	{"11", 14},
	{"12", 7},
	{"13", 16},
	{"14", 10},
	{"15", 7},
	{"16", 8},
	{"17", 8},
	{"18", 9},
	{"19", 12},
}

// Each rule of the contract is the beginning of a test's name, or is in testdata/rules.txt with the reason why it has
// none.
func TestEachRuleHasATest(t *testing.T) {
	t.Parallel()
	tested := testedRules(t)
	excused := excusedRules(t)
	var missing []string
	known := map[string]bool{}
	for _, section := range sections {
		for i := range section.rules {
			rule := section.name + "." + strconv.Itoa(i+1)
			known[rule] = true
			if !tested[rule] && excused[rule] == "" {
				missing = append(missing, rule)
			}
		}
	}
	require.Empty(t, missing, "rules without a test and without a reason in testdata/rules.txt")
	for rule := range excused {
		require.True(t, known[rule], "testdata/rules.txt: there is no rule %s", rule)
		require.False(t, tested[rule], "testdata/rules.txt excuses rule %s, which has a test", rule)
	}
}

var ruleNumber = regexp.MustCompile(`^\d+(\.\d+){1,2}$`)

// testedRules are the numbers that names in the test files of the tool begin with, and in those of what launches
// desktop apps.
func testedRules(t *testing.T) map[string]bool {
	found := map[string]bool{}
	collectRules(t, ".", found)
	collectRules(t, filepath.Join("..", "electron"), found)
	return found
}

func collectRules(t *testing.T, dir string, found map[string]bool) {
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					for _, rule := range leadingRules(text) {
						found[rule] = true
						if parts := strings.Split(rule, "."); len(parts) == 3 {
							found[parts[0]+"."+parts[1]] = true // a name may say which step of a rule it is about
						}
					}
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
}

// leadingRules are the rule numbers that a name begins with. A name has words after them.
func leadingRules(name string) []string {
	words := strings.Fields(name)
	n := slices.IndexFunc(words, func(w string) bool { return !ruleNumber.MatchString(w) })
	if n < 0 && strings.HasSuffix(name, " ") { // the words are put after it
		n = len(words)
	}
	if n <= 0 {
		return nil
	}
	return words[:n]
}

// excusedRules reads testdata/rules.txt: a line "13.2 | reason" each, # begins a remark.
func excusedRules(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/rules.txt")
	require.NoError(t, err)
	excused := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rule, reason, ok := strings.Cut(line, "|")
		require.True(t, ok && len(strings.Fields(reason)) >= 3, fmt.Sprintf("testdata/rules.txt:%d: no reason", i+1))
		excused[strings.TrimSpace(rule)] = strings.TrimSpace(reason)
	}
	return excused
}
