package arch

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exception is how often a package may break a rule, and why.
type exception struct {
	most   int
	reason string
}

// knownByName are packages that still ask what a command is called, in place of asking its definition, with how often
// they may. The numbers only shrink: lower one when you remove such a place, and remove the line with the last one.
var knownByName = map[string]exception{
	"cmd/skuad":          {9, "the host runs these programs itself, and has each beside its name"},
	"copilot/task/rules": {1, "a skill of this name, not the command"},
	"copilot/toolbox":    {4, "which commands its tools do the work of, beside the command lines that they make"},
	"guard/policy":       {3, "what rules are about, where they say what a command does as well"},
	"session":            {1, "the name of a lock's command is part of a sentence"},
}

// TestCommandsAreNotKnownByName keeps knowledge of commands in their definitions: outside of the package that has a
// command, no product code compares a command with a name, lists names, or looks one up. A line that it runs may have a
// name in it.
func TestCommandsAreNotKnownByName(t *testing.T) {
	t.Parallel()
	names := commandNames(t)
	found, files := map[string][]string{}, sources(t)
	own := map[string]*ownNames{}
	for _, file := range files {
		if !file.test {
			if own[file.folder] == nil {
				own[file.folder] = &ownNames{}
			}
			own[file.folder].collect(file.syntax)
		}
	}
	for _, file := range files {
		if file.test || file.folder == "tool/parity" || strings.HasPrefix(file.folder, "scripts/") ||
			isTestPackage(file.folder) {
			continue
		}
		for _, name := range namedCommands(file.syntax, names) {
			if !own[file.folder].has(name) {
				found[file.folder] = append(found[file.folder], file.name+" "+strconv.Quote(name))
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		switch bound, excepted := knownByName[folder]; {
		case !excepted || len(found[folder]) > bound.most:
			t.Errorf("%s knows commands by their names in %d places, and may in %d; ask their definitions (actions/trait):\n%s",
				folder, len(found[folder]), bound.most,
				strings.Join(found[folder], "\n"))
		case len(found[folder]) < bound.most:
			t.Errorf("%s knows commands by their names in %d places; lower its exception from %d", folder, len(found[folder]),
				bound.most)
		}
	}
	for folder := range knownByName {
		require.Contains(t, found, folder, "an exception for what is not there")
	}
}

// ownNames are the names of the commands that a package defines, as literals or as beginnings of names that it puts
// together.
type ownNames struct{ names, beginnings []string }

func (o *ownNames) has(name string) bool {
	return o != nil && (slices.Contains(o.names, name) || slices.ContainsFunc(o.beginnings, func(b string) bool {
		return strings.HasPrefix(name, b)
	}))
}

// collect reads the definitions of a file: what has a name and a group.
func (o *ownNames) collect(file *ast.File) {
	text := func(e ast.Expr) (string, bool) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(l.Value)
		return s, err == nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := map[string]ast.Expr{}
		for _, e := range c.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				fields[last(pair.Key)] = pair.Value
			}
		}
		if fields["Group"] == nil || fields["Name"] == nil {
			return true
		}
		if s, ok := text(fields["Name"]); ok {
			o.names = append(o.names, s)
		} else if sum, ok := fields["Name"].(*ast.BinaryExpr); ok {
			if s, ok := text(sum.X); ok && s != "" {
				o.beginnings = append(o.beginnings, s)
			}
		}
		if list, ok := fields["Aliases"].(*ast.CompositeLit); ok {
			for _, e := range list.Elts {
				if s, ok := text(e); ok {
					o.names = append(o.names, s)
				}
			}
		}
		return true
	})
}

// commandNames are the names and aliases of all commands, as the generated reference has them.
func commandNames(t *testing.T) map[string]bool {
	text, err := os.ReadFile(filepath.Join(root(t), "docs/commands.md"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, m := range regexp.MustCompile("\\[`([^`]+)`\\]\\(#").FindAllSubmatch(text, -1) {
		names[string(m[1])] = true
	}
	for _, line := range regexp.MustCompile(`(?m)^Also: (.*)\.$`).FindAllSubmatch(text, -1) {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllSubmatch(line[1], -1) {
			names[string(m[1])] = true
		}
	}
	require.Greater(t, len(names), 100)
	return names
}

// namedCommands returns the names in literals by which a file knows commands: names of several words wherever they
// stand, and words where they are compared with what a command is called, looked up, or keys of a map that has nothing
// else.
func namedCommands(file *ast.File, names map[string]bool) (found []string) {
	name := func(e ast.Expr) (string, bool) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(l.Value)
		return s, err == nil && names[s]
	}
	word := func(e ast.Expr) {
		if s, ok := name(e); ok && !strings.Contains(s, " ") {
			found = append(found, s)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, ok := name(n); ok && strings.Contains(s, " ") {
				found = append(found, s)
			}
		case *ast.CallExpr:
			if f := last(n.Fun); f == "Is" || f == "is" || f == "Lookup" ||
				(f == "HasPrefix" || f == "Contains") && len(n.Args) > 0 && callsCommand(n.Args[0]) {
				for _, a := range n.Args {
					word(a)
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				if callsCommand(n.X) {
					word(n.Y)
				}
				if callsCommand(n.Y) {
					word(n.X)
				}
			}
		case *ast.SwitchStmt:
			if n.Tag == nil || !callsCommand(n.Tag) {
				break
			}
			for _, clause := range n.Body.List {
				for _, e := range clause.(*ast.CaseClause).List {
					word(e)
				}
			}
		case *ast.IndexExpr:
			if m, ok := n.X.(*ast.CompositeLit); ok && callsCommand(n.Index) {
				for _, e := range m.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						word(pair.Key)
					}
				}
			}
		}
		return true
	})
	return found
}

// last is the last word of a name: Command of c.words.Command and of c.words.Command().
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return last(e.Fun)
	}
	return ""
}

// callsCommand reports whether an expression is what a command is called.
func callsCommand(e ast.Expr) bool {
	if i, ok := e.(*ast.IndexExpr); ok { // the first word of a line
		return slices.Contains([]string{"Args", "Command", "argv"}, last(i.X))
	}
	if s, ok := e.(*ast.SelectorExpr); ok && last(s.X) == "f" { // of a flag
		return false
	}
	return slices.Contains([]string{"Command", "command", "Subcommand", "subcommand", "Name"}, last(e))
}

func TestNamedCommands(t *testing.T) {
	t.Parallel()
	names := map[string]bool{"open": true, "type": true, "tab new": true}
	for code, want := range map[string][]string{
		`var x = w.Is("open", "shut")`:                        {"open"},
		`var x = c.Name == "type" || "open" != w.Command`:     {"type", "open"},
		`var x = f(w.Args[0] == "open")`:                      {"open"},
		`func f() { switch w.Name() { case "open", "x": } }`:  {"open"},
		`var x = []string{"tab new"}`:                         {"tab new"},
		`var x = map[string]bool{"open": true}[w.Command]`:    {"open"},
		`var x = argv.Lookup("open")`:                         {"open"},
		`var x = run("open", "type")`:                         nil,
		`var x = map[string]string{"type": "object"}["type"]`: nil,
		`func f() { switch kind { case "type": } }`:           nil,
	} {
		require.Equal(t, want, namedCommands(sample(t, "low/a.go", "package low\n\n"+code+"\n").syntax, names), code)
	}
}

func TestOwnNames(t *testing.T) {
	t.Parallel()
	var own ownNames
	own.collect(sample(t, "actions/low/a.go", `package low

var a = Command{Name: "open", Aliases: []string{"goto"}, Group: g}

func b(what string) Command { return Command{Name: "get " + what, Group: g} }

var f = Flag{Name: "type"}
`).syntax)
	for name, want := range map[string]bool{
		"open": true, "goto": true, "get text": true, "type": false,
		"tab new": false,
	} {
		require.Equal(t, want, own.has(name), name)
	}
}
