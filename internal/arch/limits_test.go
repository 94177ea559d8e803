package arch

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a reader can hold in the head. Tests, scripts and generated files do not count.
const (
	maxFiles      = 30   // of a package
	maxLines      = 5400 // of at most 120 characters; 5000 while lines could be longer
	maxMethods    = 40   // of a type, exported or not
	maxInterface  = 12   // methods of an interface, with those of the interfaces that it embeds
	maxFields     = 25   // of a struct
	maxTraits     = 20   // that a command's definition can have
	maxUntyped    = 150
	maxFolders    = 16 // at the top level
	excessesFile  = "testdata/excesses.txt"
	untypedOfAll  = "untyped maps of product code"
	traitsPackage = "actions/trait"
)

var update = flag.Bool("update", false, "write down the excesses that have become smaller")

// TestSizes compares what is above a limit with testdata/excesses.txt. A number there may only fall: run the test with
// -update when it has. Each has a reason there, which says why the thing is whole as it is.
func TestSizes(t *testing.T) {
	t.Parallel()
	measured := sizes(sources(t))
	listed := readExcesses(t)
	var now []string
	for _, what := range slices.Sorted(maps.Keys(measured)) {
		size := measured[what]
		if size.is <= size.limit {
			if _, known := listed[what]; known && !*update {
				t.Errorf("%s: %d is within the limit of %d; run with -update", what, size.is, size.limit)
			}
			continue
		}
		if strings.HasPrefix(what, "lines of ") {
			size.is = (size.is + 99) / 100 * 100 // so that not every change of a large package changes the list
		}
		before, known := listed[what]
		now = append(now, excess{size.is, before.why}.line(what))
		switch {
		case !known:
			t.Errorf("%s: %d, the limit is %d", what, size.is, size.limit)
		case size.is > before.is:
			t.Errorf("%s: %d, and it was %d before; the limit is %d", what, size.is, before.is, size.limit)
		case size.is < before.is && !*update:
			t.Errorf("%s: %d, and %d is listed; run with -update", what, size.is, before.is)
		}
	}
	if !*update {
		for what := range listed {
			if _, found := measured[what]; !found {
				t.Errorf("%s is listed and does not exist; run with -update", what)
			}
		}
		return
	}
	if !t.Failed() {
		require.NoError(t, os.WriteFile(excessesFile, []byte(strings.Join(now, "")), 0o600))
	}
}

// excess is how far above its limit something is today, and why it is whole as it is.
type excess struct {
	is  int
	why string
}

// line is how the list has it: a number, what it counts, and the reason, with tabs between them.
func (e excess) line(what string) string { return fmt.Sprintf("%d\t%s\t%s\n", e.is, what, e.why) }

func readExcesses(t testing.TB) map[string]excess {
	text, err := os.ReadFile(excessesFile)
	require.NoError(t, err)
	found, err := parseExcesses(string(text))
	require.NoError(t, err)
	return found
}

// parseExcesses reads the list of excesses. A line without a reason is an error.
func parseExcesses(text string) (map[string]excess, error) {
	found := map[string]excess{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 || strings.TrimSpace(parts[2]) == "" {
			return nil,
				fmt.Errorf("%s: no reason in %q: a number, what it counts, and why it is whole as it is, with tabs between them",
					excessesFile, line)
		}
		n, err := strconv.Atoi(parts[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", excessesFile, err)
		}
		found[parts[1]] = excess{n, parts[2]}
	}
	return found, nil
}

func TestExcessesHaveReasons(t *testing.T) {
	t.Parallel()
	const whole = "31\tfiles of low\tone thing\n"
	found, err := parseExcesses(whole)
	require.NoError(t, err)
	require.Equal(t, map[string]excess{"files of low": {31, "one thing"}}, found)
	require.Equal(t, whole, found["files of low"].line("files of low"), "written as it was read")
	for _, text := range []string{
		"31\tfiles of low\n", "31\tfiles of low\t\n", "31\tfiles of low\t \n",
		"many\tfiles of low\tone thing\n",
	} {
		_, err := parseExcesses(text)
		require.Error(t, err, text)
	}
}

// size is how large something is, and how large it may be.
type size struct{ is, limit int }

// sizes measures packages, types and interfaces by their names.
func sizes(files []source) map[string]size {
	all := map[string]size{}
	add := func(what string, n, limit int) { all[what] = size{all[what].is + n, limit} }
	methods, untyped := interfaceMethods(files), untypedNames(files)
	for _, file := range files {
		if file.test || ast.IsGenerated(file.syntax) || isTestPackage(file.folder) || file.folder == "scripts" ||
			strings.HasPrefix(file.folder, "scripts/") {
			continue
		}
		add("files of "+file.folder, 1, maxFiles)
		add("lines of "+file.folder, file.lines, maxLines)
		add(untypedOfAll, untypedMaps(file, untyped), maxUntyped)
		if n := untypedResults(file.syntax); n > 0 {
			add("results of "+file.folder+" that are maps", n, 0)
		}
		if file.folder == traitsPackage {
			add("traits", len(traits(file.syntax)), maxTraits)
		}
		for _, decl := range file.syntax.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok {
				if of := receiver(d); of != "" {
					add("methods of "+file.folder+"."+of, 1, maxMethods)
				}
			}
		}
		for name, of := range types(file.syntax) {
			switch of := of.(type) {
			case *ast.InterfaceType:
				add("methods of the interface "+file.folder+"."+name, len(methods[file.folder+"."+name]), maxInterface)
			case *ast.StructType:
				add("fields of "+file.folder+"."+name, of.Fields.NumFields(), maxFields)
			}
		}
	}
	return all
}

// types are the types that a file declares, by name.
func types(file *ast.File) map[string]ast.Expr {
	found := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				found[t.Name.Name] = t.Type
			}
		}
	}
	return found
}

// interfaceMethods returns the names of each interface's methods, those of embedded interfaces of this module included.
// An interface is named by its folder and its name.
func interfaceMethods(files []source) map[string]map[string]bool {
	type declared struct {
		of   *ast.InterfaceType
		file source
	}
	interfaces := map[string]declared{}
	for _, file := range files {
		for name, of := range types(file.syntax) {
			if of, ok := of.(*ast.InterfaceType); ok && !file.test {
				interfaces[file.folder+"."+name] = declared{of, file}
			}
		}
	}
	found := map[string]map[string]bool{}
	var methodsOf func(name string) map[string]bool
	methodsOf = func(name string) map[string]bool {
		if done, ok := found[name]; ok {
			return done
		}
		all := map[string]bool{}
		found[name] = all // an interface cannot embed itself; this ends the recursion on code that does not compile
		d, ok := interfaces[name]
		if !ok {
			return all
		}
		for _, field := range d.of.Methods.List {
			for _, method := range field.Names {
				all[method.Name] = true
			}
			if len(field.Names) == 0 {
				maps.Copy(all, methodsOf(d.file.typeName(field.Type)))
			}
		}
		return all
	}
	for name := range interfaces {
		methodsOf(name)
	}
	return found
}

// typeName returns the folder and name of a type that a file mentions, or "" where it is of another module.
func (s source) typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return s.folder + "." + of.Name
	case *ast.SelectorExpr:
		pkg, ok := of.X.(*ast.Ident)
		if !ok {
			return ""
		}
		for _, imported := range s.imports {
			if isOurs(imported) && path.Base(imported) == pkg.Name {
				return strings.TrimPrefix(imported, modulePath+"/") + "." + of.Sel.Name
			}
		}
	}
	return ""
}

// isUntypedMap reports whether a type is written map[string]any, or map[string]interface{}.
func isUntypedMap(of ast.Expr) bool {
	m, ok := of.(*ast.MapType)
	if !ok || !isNamed(m.Key, "string") {
		return false
	}
	empty, ok := m.Value.(*ast.InterfaceType)
	return isNamed(m.Value, "any") || ok && empty.Methods.NumFields() == 0
}

// untypedNames are the types that only give such a map a name, by folder and name: one more use of the name is one more
// untyped map.
func untypedNames(files []source) map[string]bool {
	found := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			if t, ok := node.(*ast.TypeSpec); ok && !file.test && isUntypedMap(t.Type) {
				found[file.folder+"."+t.Name.Name] = true
			}
			return true
		})
	}
	return found
}

// untypedMaps counts the places in a file that write map[string]any, or a name of it.
func untypedMaps(file source, names map[string]bool) (n int) {
	declared := map[*ast.Ident]bool{}
	ast.Inspect(file.syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.TypeSpec:
			declared[node.Name] = true
		case *ast.FuncDecl:
			declared[node.Name] = true
		case *ast.MapType:
			if isUntypedMap(node) {
				n++
			}
		case *ast.SelectorExpr:
			if names[file.typeName(node)] {
				n++
			}
			declared[node.Sel] = true // of another package, or a field or method
		case *ast.Ident:
			if names[file.typeName(node)] && !declared[node] {
				n++
			}
		}
		return true
	})
	return n
}

func isNamed(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// traits returns the names of the constants of type Set that a file of the traits' package declares.
func traits(file *ast.File) (names []string) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		isSet := false
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			if v.Type != nil {
				isSet = isNamed(v.Type, "Set")
			}
			if !isSet {
				continue
			}
			for _, name := range v.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// untypedResults counts the results of commands that are maps, whose fields no type documents.
func untypedResults(file *ast.File) (n int) {
	ast.Inspect(file, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != "Data" {
			return true
		}
		if value, ok := pair.Value.(*ast.CompositeLit); ok {
			if _, ok := value.Type.(*ast.MapType); ok {
				n++
			}
		}
		return true
	})
	return n
}

// receiver is the name of the type that a method is of, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

func TestSizesAreMeasured(t *testing.T) {
	t.Parallel()
	text := "package low\n\nvar r = Result{Data: map[string]any{}}\n\ntype T[K any] struct{ a, b K; I }\n\nfunc (T[K]) " +
		"A() {}\n\nfunc (*T[K]) B() {}\n\nfunc (*T[K]) c() {}\n\nfunc F() {}\n\ntype I interface " +
		"{\n\tA()\n\tB()\n}\n\ntype J interface {\n\tI\n\tC()\n}\n"
	require.Equal(t, map[string]size{
		"files of low":                   {2, maxFiles},
		"lines of low":                   {strings.Count(text, "\n") + 1, maxLines},
		"methods of low.T":               {3, maxMethods},
		"fields of low.T":                {3, maxFields},
		"methods of the interface low.I": {2, maxInterface},
		"methods of the interface low.J": {3, maxInterface},
		"results of low that are maps":   {1, 0},
		untypedOfAll:                     {1, maxUntyped},
	}, sizes([]source{
		sample(t, "low/a.go", text), sample(t, "low/b.go", "package low\n"),
		sample(t, "low/c_test.go", text),
	}))
}

func TestNamesOfUntypedMapsCount(t *testing.T) {
	t.Parallel()
	low := sample(t, "low/a.go",
		"package low\n\ntype Object = map[string]any\n\nfunc f() { type o map[string]interface{}; _ = o{\"a\": o{}} "+
			"}\n\nfunc (s s) o() { s.o() }\n")
	high := sample(t, "high/a.go",
		"package high\n\nimport \""+modulePath+
			"/low\"\n\nfunc f(a low.Object, b []low.Object, c low.Other, d map[string]string) {}\n")
	names := untypedNames([]source{low, high})
	require.Equal(t, map[string]bool{"low.Object": true, "low.o": true}, names)
	require.Equal(t, 4, untypedMaps(low, names)) // both declarations, and the uses of o as a type
	require.Equal(t, 2, untypedMaps(high, names))
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(root(t))
	require.NoError(t, err)
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "bin" && e.Name() != "node_modules" {
			folders = append(folders, e.Name())
		}
	}
	require.LessOrEqual(t, len(folders), maxFolders, "folders of the top level: %v", folders)
}
