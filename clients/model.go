package clients

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/shape"
	"github.com/skua-browser/skua/session/replydata"
)

// Model is what the libraries have, in no language yet.
type Model struct {
	Methods []Method
	Objects []*Named // types of objects, by name
	Session []actions.Flag
	Call    []actions.Flag // what each call may set

	byType map[reflect.Type]*Named
	docs   *comments
}

// Method is a command.
type Method struct {
	Command *actions.Command
	Words   []string // of its name
	Forms   []Form   // at least one; the first has no condition
	Value   *Value   // the method that returns a member of the result; nil: none
	Model   bool     // it may ask a language model, whose keys it needs
}

// Value is a method that returns a member of the result of another one, or the content of the file that it names.
type Value struct {
	Words []string
	actions.Value
	Types []*shape.Type // what the member may be
}

// Instead reports whether the method has the name of the command, which then has no other.
func (v *Value) Instead(method *Method) bool { return v != nil && slices.Equal(v.Words, method.Words) }

// Form is what a command returns.
type Form struct {
	Name  string // of the type
	Given string // the argument or flag with which it is returned; empty means without any of those
	Data  []Data // what it may be
}

// Data is the type of a result: a type, and for an object what replies add.
type Data struct {
	Type  *shape.Type
	Added bool // members of replies of commands that work in a browser
	Reply bool // the session's members
	Own   map[string]bool
}

// Named is a type of objects with its name.
type Named struct {
	Name   string
	Type   *shape.Type
	About  string
	Fields []string // the text about each field
}

// Names of the types that replies share.
const (
	pageReplyName = "PageReply"
	replyName     = "Reply"
)

// printing are global flags that only change how results are printed, or that a library has its own words for.
var printing = []string{
	"json", "short", "verbose", "debug", "max-output", "content-boundaries", "confirm-interactive", "session", "namespace",
	"config", "tab", "lock", "wait-lock",
	grammar.FlagHelp, grammar.FlagVersion,
}

// New makes the model of a registry. root is the top folder of the sources, which have the text about fields.
func New(r *actions.Registry, root string) (*Model, error) {
	m := &Model{byType: map[reflect.Type]*Named{}, docs: &comments{root: root}}
	for _, f := range actions.Globals() {
		if f.PerRow || slices.Contains([]string{"lock", "wait-lock"}, f.Name) {
			m.Call = append(m.Call, f)
		}
		if !slices.Contains(printing, f.Name) && (!f.PerRow || f.Name != "tab") {
			m.Session = append(m.Session, f)
		}
	}
	m.object(shape.Of(fact.Reports{}), pageReplyName)
	m.object(shape.Of(replydata.Members{}), replyName)
	for _, c := range r.Commands() {
		if !c.Program {
			m.Methods = append(m.Methods, m.method(c))
		}
	}
	slices.SortFunc(m.Objects, func(a, b *Named) int { return strings.Compare(a.Name, b.Name) })
	if m.docs.err != nil {
		return nil, m.docs.err
	}
	return m, m.check()
}

// check returns an error where two things would have one name.
func (m *Model) check() error {
	seen := map[string]bool{}
	for _, o := range m.Objects {
		if seen[o.Name] {
			return fmt.Errorf("clients: two types of results would be called %s; rename one", o.Name)
		}
		seen[o.Name] = true
	}
	methods := map[string]bool{}
	for i := range m.Methods {
		names := []string{camel(m.Methods[i].Words)}
		if v := m.Methods[i].Value; v != nil && !v.Instead(&m.Methods[i]) {
			names = append(names, camel(v.Words))
		}
		for _, name := range names {
			if methods[name] {
				return fmt.Errorf("clients: two methods would be called %s; rename one", name)
			}
			methods[name] = true
		}
		for _, f := range m.Methods[i].Forms {
			if seen[f.Name] {
				return fmt.Errorf("clients: two types would be called %s; rename a type of a result", f.Name)
			}
			seen[f.Name] = true
		}
	}
	return nil
}

func (m *Model) method(c *actions.Command) Method {
	made := Method{Command: c, Words: c.MethodWords(), Forms: []Form{{Name: pascal(c.MethodWords()) + "Result"}}}
	for i := range c.Flags {
		made.Model = made.Model || c.Flags[i].Name == "model"
	}
	for _, d := range replydata.Of(c) {
		data := Data{Type: d.Own, Added: len(d.Added) > 0, Own: map[string]bool{}}
		data.Reply = d.Own.Kind == shape.Object && !c.Bare
		for i := range d.Own.Fields {
			data.Own[d.Own.Fields[i].Name] = true
		}
		m.use(d.Own)
		if d.Given == "" {
			made.Forms[0].Data = append(made.Forms[0].Data, data)
			continue
		}
		name := pascal(append(slices.Clone(made.Words), words(d.Given)...)) + "Result"
		made.Forms = append(made.Forms, Form{Name: name, Given: d.Given, Data: []Data{data}})
	}
	made.Value = valueOf(c, made.Forms)
	return made
}

func valueOf(c *actions.Command, forms []Form) *Value {
	if c.Value == nil {
		return nil
	}
	v := &Value{Words: words(c.Value.Method), Value: *c.Value}
	for _, f := range forms {
		for i := range f.Data {
			for j := range f.Data[i].Type.Fields {
				if field := &f.Data[i].Type.Fields[j]; field.Name == v.Member {
					v.Types = append(v.Types, field.Type)
				}
			}
		}
	}
	return v
}

// calls returns the argument that is a script which may be a function, by its place, and the flag for the arguments of
// that.
func (m *Method) calls() (place int, flag string, ok bool) {
	for i := range m.Command.Args {
		if flag := m.Command.Args[i].Calls; flag != "" {
			return i, flag, true
		}
	}
	return 0, "", false
}

// use names the objects of a type.
func (m *Model) use(t *shape.Type) {
	switch t.Kind {
	case shape.List, shape.Map:
		m.use(t.Elem)
	case shape.Object:
		if t.Go.NumField() > 0 {
			m.object(t, "")
		}
	}
}

func (m *Model) object(t *shape.Type, name string) *Named {
	if known := m.byType[t.Go]; known != nil {
		return known
	}
	if name == "" {
		name = typeName(t.Go)
	}
	short := *t
	short.Fields = shortFields(t.Fields)
	t = &short
	made := &Named{Name: name, Type: t, About: m.docs.ofType(t.Go)}
	m.byType[t.Go] = made
	m.Objects = append(m.Objects, made)
	for i := range t.Fields {
		f := &t.Fields[i]
		// The libraries always give --short.
		made.Fields = append(made.Fields, strings.TrimPrefix(m.docs.ofField(f.Struct, f.Go), "with --short: "))
		m.use(f.Type)
		m.nameless(f.Type, name, f.Go)
	}
	return made
}

// shortFields are the members that an object has with --short, which the libraries give: a field's tag short says where
// that is another than the rest of its tag.
func shortFields(all []shape.Field) []shape.Field {
	fields := slices.Clone(all)
	tag := func(f shape.Field) string {
		declared, _ := f.Struct.FieldByName(f.Go)
		return declared.Tag.Get("short")
	}
	fields = slices.DeleteFunc(fields, func(f shape.Field) bool { return tag(f) == "never" })
	for i := range fields {
		fields[i].Optional = fields[i].Optional && tag(fields[i]) != "always"
	}
	return fields
}

// nameless names structs that have no name of their own by where they are.
func (m *Model) nameless(t *shape.Type, in, field string) {
	switch t.Kind {
	case shape.List, shape.Map:
		m.nameless(t.Elem, in, field)
	case shape.Object:
		if n := m.byType[t.Go]; n != nil && n.Name == "" {
			n.Name = in + field
		}
	}
}

// name is that of an object's type; empty for an object that has no members.
func (m *Model) name(t *shape.Type) string {
	if n := m.byType[t.Go]; n != nil {
		return n.Name
	}
	return ""
}
