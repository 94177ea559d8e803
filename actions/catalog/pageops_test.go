package catalog_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/skua-browser/skua/actions/catalog" // all families, and what they call
	_ "github.com/skua-browser/skua/engine/edits"
	"github.com/skua-browser/skua/engine/inpage"
)

var updateOps = flag.Bool("update-ops", false,
	"write down the types that the in-page script shares with the packages that call it")

// opTypes has the types of the arguments and answers of in-page ops, for the type checker of the script.
const opTypes = "../../engine/inpage/js/ops.d.ts"

// byOthers are the ops that package engine/world calls in ways of its own: with elements, or on the way to the answer
// of another op. The arguments of the walks are written by package snapshot, and their answers are lines.
var byOthers = []string{
	// by engine/world
	"walk", "capabilities", "walking", "quietly", "suspects", "unask", "pierce", "internals", "listen", "token",
	"foundInput",      // by engine/upload, through a handle of its field
	"state", "disarm", // by tests
}

// TestPageOps compares the types that the script is checked against with those that the program's packages decode. With
// -update-ops it writes them. That the script keeps to them is what its type checker says (scripts/check).
func TestPageOps(t *testing.T) {
	t.Parallel()
	want := typescript(inpage.Ops(), inpage.AllFacts())
	if *updateOps {
		require.NoError(t, os.WriteFile(opTypes, []byte(want), 0o644))
	}
	got, err := os.ReadFile(opTypes)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run: go test ./actions/catalog -run TestPageOps -update-ops")
}

// declarations writes TypeScript for types of Go.
type declarations struct {
	named map[string]reflect.Type
	text  map[string]string // by name
}

func typescript(ops []inpage.Typed, facts []inpage.Facts) string {
	d := &declarations{map[string]reflect.Type{}, map[string]string{}}
	args, answers := map[string][]reflect.Type{}, map[string][]reflect.Type{}
	for _, op := range ops {
		args[op.Name], answers[op.Name] = append(args[op.Name], op.Arg), append(answers[op.Name], op.Answer)
		d.reserve(op.Arg, false)
		d.reserve(op.Answer, true)
	}
	var b strings.Builder
	b.WriteString(
		"// Generated from the types of Go that ops are called with (engine/inpage/ops.go): go test ./actions/catalog -run " +
			"TestPageOps -update-ops\n\n" +
			"import type { Failure } from './dom/until.js';\n\n" +
			"/** What an op finds at one look. */\nexport type Looked<T> = Failure | (T & { error?: undefined });\n\n" +
			"/** What an op answers, at once or later. */\nexport type Reply<T> = T | Failure | Promise<T | Failure>;\n\n" +
			"/** What the engine calls by name. */\nexport interface Ops {\n")
	for _, name := range slices.Sorted(maps.Keys(args)) {
		title := strings.ToUpper(name[:1]) + name[1:]
		arg := "arg: " + d.merged(title+"Arg", args[name], false)
		if args[name][0] == reflect.TypeFor[inpage.None]() {
			arg = ""
		}
		fmt.Fprintf(&b, "  %s: (%s) => Reply<%s>;\n", name, arg, d.merged(title+"Answer", answers[name], true))
	}
	for _, name := range byOthers {
		fmt.Fprintf(&b, "  %s: (arg: any) => any;\n", name)
	}
	b.WriteString("}\n\n/** What failures say of themselves, by their code. */\nexport interface FactsByCode {\n")
	slices.SortFunc(facts, func(a, b inpage.Facts) int { return cmp.Compare(a.Code, b.Code) })
	for _, f := range facts {
		fmt.Fprintf(&b, "  '%s': %s;\n", f.Code, d.of(f.Type, true))
	}
	b.WriteString("}\n")
	for _, name := range slices.Sorted(maps.Keys(d.text)) {
		b.WriteString("\nexport interface " + name + " {\n" + d.text[name] + "}\n")
	}
	return b.String()
}

// merged is the type of the argument or answer of an op that is defined for several uses. What only some of them have
// is optional.
func (d *declarations) merged(name string, all []reflect.Type, answer bool) string {
	all = slices.Compact(slices.Clone(all))
	if len(all) == 1 {
		return d.of(all[0], answer)
	}
	fields := map[string][]string{}
	required := map[string]int{}
	var order []string
	for _, t := range all {
		for _, f := range d.fields(t, answer) {
			if len(fields[f.name]) == 0 {
				order = append(order, f.name)
			}
			if !slices.Contains(fields[f.name], f.text) {
				fields[f.name] = append(fields[f.name], f.text)
			}
			if !f.optional {
				required[f.name]++
			}
		}
	}
	var b strings.Builder
	for _, f := range order {
		b.WriteString(field{f, strings.Join(fields[f], " | "), required[f] < len(all)}.String())
	}
	d.text[name] = b.String()
	return name
}

type field struct {
	name, text string
	optional   bool
}

func (f field) String() string {
	if f.optional {
		return "  " + f.name + "?: " + f.text + ";\n"
	}
	return "  " + f.name + ": " + f.text + ";\n"
}

// fields are those of a struct as JSON has them. Those of answers are optional: what is not there is decoded as empty.
func (d *declarations) fields(t reflect.Type, answer bool) (all []field) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-", !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			all = append(all, d.fields(deref(f.Type), answer)...)
		case name == "":
			panic(t.String() + "." + f.Name + " has no name in JSON")
		default:
			all = append(all, field{name, d.of(f.Type, answer), answer || strings.HasPrefix(options, "omit")})
		}
	}
	return all
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// of is a type as TypeScript has it.
func (d *declarations) of(t reflect.Type, answer bool) string {
	switch t.Kind() {
	case reflect.Pointer:
		if answer {
			return d.of(t.Elem(), answer) + " | null"
		}
		return d.of(t.Elem(), answer)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 { // JSON
			return "any"
		}
		of := d.of(t.Elem(), answer)
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		if answer {
			return of + "[] | null"
		}
		return of + "[]"
	case reflect.Map:
		return "{ [key: string]: " + d.of(t.Elem(), answer) + " }"
	case reflect.Interface:
		return "any"
	case reflect.Struct:
		return d.structOf(t, answer)
	}
	panic("no type of the script for " + t.String())
}

// reserve has a type of an op keep its name for itself, where another one has the same.
func (d *declarations) reserve(t reflect.Type, answer bool) {
	if t = deref(t); t.Kind() == reflect.Struct {
		d.named[nameOf(t, answer)] = t
	}
}

// nameOf is what the script calls a struct.
func nameOf(t reflect.Type, answer bool) string {
	name := t.Name()
	if base, arg, generic := strings.Cut(name, "["); generic {
		name = base + "Of" + arg[strings.LastIndex(arg, ".")+1:len(arg)-1]
	}
	if name = strings.ToUpper(name[:1]) + name[1:]; answer && !strings.HasSuffix(name, "Facts") {
		name += "Said" // another type where the same one is an argument: its fields are optional
	}
	return name
}

// structOf declares a struct once, and returns its name.
func (d *declarations) structOf(t reflect.Type, answer bool) string {
	if t == reflect.TypeFor[inpage.None]() {
		return "{}"
	}
	if t.Name() == "" {
		var b strings.Builder
		for _, f := range d.fields(t, answer) {
			b.WriteString(strings.TrimSpace(f.String()) + " ")
		}
		return "{ " + strings.TrimSuffix(b.String(), "; ") + " }"
	}
	name := nameOf(t, answer)
	if other, taken := d.named[name]; taken && other != t {
		pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
		name = strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	if d.text[name] == "" {
		d.named[name] = t
		var b strings.Builder
		for _, f := range d.fields(t, answer) {
			b.WriteString(f.String())
		}
		d.text[name] = b.String()
	}
	return name
}
