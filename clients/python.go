package clients

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/shape"
)

// Python returns the generated files of the Python library, by their names in the folder of its package.
func (m *Model) Python() map[string]string {
	return map[string]string{
		"types.py": m.typesPython(), "_commands.py": m.commandsPython(false), "_async_commands.py": m.commandsPython(true),
		"_specs.py": m.specsPython(), "_protocol.py": m.protocolPython(), "_codes.py": codesPython(),
	}
}

func pythonHead(about string) string {
	return "# " + generatedBy + "\n\"\"\"" + about + "\"\"\"\n"
}

// literal writes a value as Python has it; JSON's strings, lists and numbers are the same there.
func literal(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "True"
		}
		return "False"
	default:
		return compact(v)
	}
}

func (m *Model) protocolPython() string {
	var b strings.Builder
	b.WriteString(pythonHead("What the host and the library have to agree on."))
	for _, c := range constants() {
		fmt.Fprintf(&b, "\n# %s\n%s = %s\n", c.about, strings.ToUpper(c.name), literal(c.value))
	}
	return b.String()
}

func codesPython() string {
	var b strings.Builder
	b.WriteString(pythonHead("The stable codes of errors.") + "\nfrom typing import Literal\n\nErrorCode = Literal[\n")
	for _, meaning := range fault.CodeInfos() {
		fmt.Fprintf(&b, "    %s,  # %s\n", compact(meaning.Code), meaning.Text)
	}
	return b.String() + "]\n"
}

func (m *Model) specsPython() string {
	var b strings.Builder
	b.WriteString(pythonHead("What each method runs."))
	b.WriteString(
		"\nfrom typing import NamedTuple\n\n\nclass Spec(NamedTuple):\n    words: list[str]\n    args: list[str]\n    " +
			"flags: dict[str, tuple[str, str]]\n    model: bool\n    calls: str\n    json: tuple[int, ...]\n\n\n" +
			"class Value(NamedTuple):\n    of: str\n" +
			"    member: str\n    file: bool\n\n\nSPECS: dict[str, Spec] = {\n")
	for i := range m.Methods {
		s := m.spec(&m.Methods[i], pythonName)
		fmt.Fprintf(&b, "    %s: Spec(%s, %s, %s, %s, %s, %s),\n", compact(pythonName(m.Methods[i].Words)), compact(s.Words),
			compact(s.Args), flagsPython(s.Flags), literal(s.Model), compact(s.Calls), places(s.JSON))
	}
	b.WriteString("}\n\nVALUES: dict[str, Value] = {\n")
	for i := range m.Methods {
		if v := m.Methods[i].Value; v != nil {
			fmt.Fprintf(&b, "    %s: Value(%s, %s, %s),\n", compact(pythonName(v.Words)),
				compact(pythonName(m.Methods[i].Words)), compact(v.Member), literal(v.File))
		}
	}
	b.WriteString("}\n\n# The members of results, by their names as attributes.\n" +
		"MEMBERS: dict[str, tuple[str, ...]] = {\n")
	members := m.membersPython()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		keys := strings.Trim(compact(members[name]), "[]")
		fmt.Fprintf(&b, "    %s: (%s,),\n", compact(name), keys)
	}
	b.WriteString("}\n\nSESSION_FLAGS: dict[str, tuple[str, str]] = " + flagsPython(flagSpecs(m.Session, pythonName)) +
		"\n")
	b.WriteString("\nCALL_FLAGS: dict[str, tuple[str, str]] = " + flagsPython(flagSpecs(m.Call, pythonName)) + "\n")
	return b.String()
}

// dictNames are the methods of dictionaries, which results are.
var dictNames = []string{
	"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
}

// attribute is a member of a result as an attribute: tab_id for tabId. It is empty where the member cannot be one.
func attribute(member string) string {
	if propertyName(member) != member {
		return ""
	}
	var b strings.Builder
	upper := true // also of an abbreviation, whose letters stay together
	for i, r := range member {
		if unicode.IsUpper(r) && !upper && i > 0 {
			b.WriteByte('_')
		}
		upper = unicode.IsUpper(r) || r == '_'
		b.WriteRune(unicode.ToLower(r))
	}
	name := b.String()
	if slices.Contains(pythonKeywords, name) || slices.Contains(dictNames, name) {
		name += "_"
	}
	return name
}

// membersPython are the members of all results by their names as attributes.
func (m *Model) membersPython() map[string][]string {
	members := map[string][]string{}
	for _, o := range m.Objects {
		for i := range o.Type.Fields {
			member := o.Type.Fields[i].Name
			name := attribute(member)
			if name != "" && !slices.Contains(members[name], member) {
				members[name] = append(members[name], member)
			}
		}
	}
	return members
}

// places writes a tuple.
func places(list []int) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, place := range list {
		fmt.Fprintf(&b, "%d,", place)
	}
	return b.String() + ")"
}

func flagsPython(flags map[string][2]string) string {
	names := make([]string, 0, len(flags))
	for name := range flags {
		names = append(names, name)
	}
	slices.Sort(names)
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s: (%s, %s)", compact(name), compact(flags[name][0]), compact(flags[name][1]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// typesPython has the types of results and of a session's options.
func (m *Model) typesPython() string {
	var b strings.Builder
	b.WriteString(pythonHead("The types of results.") + "\nfrom __future__ import annotations\n\n" +
		"from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, TypedDict, Union\n\n" +
		"from ._result import Result\n")
	for _, shared := range []string{replyName, pageReplyName, ""} {
		for _, o := range m.Objects {
			if o.Name == shared || shared == "" && o.Name != replyName && o.Name != pageReplyName {
				m.objectPython(&b, o)
			}
		}
	}
	b.WriteString(
		"\n\nclass SessionFlags(TypedDict, total=False):\n    \"\"\"The options of a session's browser, and those of all " +
			"its calls.\"\"\"\n")
	for i := range m.Session {
		f := &m.Session[i]
		said := m.speak(about(f.Help, f.Kind, f.Default), m.Session, pythonName)
		b.WriteString("\n    # " + said + "\n    " + pythonName(words(f.Name)) + ": " +
			valuePython(f.Kind, f.Value, f.OneOf, f.OptionalValue) + "\n")
	}
	for i := range m.Methods {
		for _, f := range m.Methods[i].Forms {
			m.formPython(&b, f)
		}
	}
	return b.String()
}

func pythonDoc(indent, text string) string {
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"""`, `'''`)
	if strings.HasSuffix(text, `"`) {
		text += " "
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		if i > 0 && lines[i] != "" {
			lines[i] = indent + lines[i]
		}
	}
	doc := strings.Join(lines, "\n")
	if len(lines) > 1 {
		doc += "\n" + indent
	}
	return indent + `"""` + doc + `"""` + "\n"
}

func (m *Model) objectPython(b *strings.Builder, o *Named) {
	base := "Result"
	if o.Name == pageReplyName {
		base = replyName
	}
	b.WriteString("\n\nclass " + o.Name + "(" + base + "):\n")
	b.WriteString(pythonDoc("    ", o.About))
	if m.fieldsPython(b, o, nil) == 0 && o.About == "" {
		b.WriteString("    pass\n")
	}
}

// fieldsPython writes the members of an object but those that are hidden, and returns how many attributes there are.
func (m *Model) fieldsPython(b *strings.Builder, o *Named, hidden map[string]bool) (written int) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if hidden[f.Name] {
			continue
		}
		if o.Fields[i] != "" {
			b.WriteString("    # " + m.speak(o.Fields[i], nil, pythonName) + "\n")
		}
		name := attribute(f.Name)
		if name == "" {
			fmt.Fprintf(b, "    # [%s]: %s\n", compact(f.Name), m.py(f.Type))
			continue
		}
		written++
		t := m.py(f.Type)
		if f.Optional && t != "Any" && !strings.HasSuffix(t, "| None") {
			t += " | None"
		}
		b.WriteString("    " + name + ": " + t + "\n")
	}
	return written
}

// py is a type of a result.
func (m *Model) py(t *shape.Type) string {
	s := "Any"
	switch t.Kind {
	case shape.Bool:
		s = "bool"
	case shape.Int:
		s = "int"
	case shape.Number:
		s = "float"
	case shape.String:
		s = "str"
	case shape.List:
		s = "list[" + m.py(t.Elem) + "]"
	case shape.Map:
		s = "dict[str, " + m.py(t.Elem) + "]"
	case shape.Object:
		if s = m.name(t); s == "" {
			s = "Result"
		}
	case shape.Any:
		return s
	}
	if t.Null {
		s += " | None"
	}
	return s
}

// formPython names what a command returns.
func (m *Model) formPython(b *strings.Builder, f Form) {
	names := make([]string, len(f.Data))
	for i := range f.Data {
		name := f.Name
		if len(f.Data) > 1 {
			name += fmt.Sprint(i + 1)
		}
		names[i] = name
		m.dataPython(b, name, &f.Data[i])
	}
	if len(names) > 1 {
		b.WriteString("\n\n" + f.Name + " = Union[" + strings.Join(names, ", ") + "]\n")
	}
}

func (m *Model) dataPython(b *strings.Builder, name string, d *Data) {
	own := m.name(d.Type)
	base := replyName
	if d.Added {
		base = pageReplyName
	}
	if !d.Reply || own == "" {
		alias := m.py(d.Type)
		if d.Reply {
			alias = base
		}
		fmt.Fprintf(b, "\n\n%s = %s\n", name, alias)
		return
	}
	var shared []*Named
	clash := false
	for _, o := range m.Objects {
		if o.Name == replyName || o.Name == pageReplyName && d.Added {
			shared = append(shared, o)
			clash = clash || slices.ContainsFunc(o.Type.Fields, func(f shape.Field) bool { return d.Own[f.Name] })
		}
	}
	if !clash {
		fmt.Fprintf(b, "\n\nclass %s(%s, %s):\n    pass\n", name, own, base)
		return
	}
	fmt.Fprintf(b, "\n\nclass %s(%s):\n", name, own)
	written := 0
	for _, o := range shared {
		written += m.fieldsPython(b, o, d.Own)
	}
	if written == 0 {
		b.WriteString("    pass\n")
	}
}

// valuePython is what an argument or flag takes.
func valuePython(kind actions.Kind, shown string, oneOf []string, optional bool) string {
	s := "str"
	switch kind {
	case actions.Bool:
		s = "bool"
	case actions.Int:
		s = "int"
	case actions.Number:
		s = "float"
	case actions.Distance, actions.Duration:
		s = "float | str"
	case actions.List:
		s = "str | Sequence[str]"
		if shown == headersShown {
			s += " | Mapping[str, str]"
		}
	case actions.Selector:
		if strings.HasSuffix(shown, "|ms") {
			s = "str | int"
		}
	}
	if grammar.TakesJSON(shown) {
		s = "str | Mapping[str, Any] | Sequence[Any]"
	}
	if len(oneOf) > 0 {
		s = "Literal[" + strings.Trim(compact(oneOf), "[]") + "]"
	}
	if optional {
		s += " | Literal[True]"
	}
	return s
}

// commandsPython has the methods, for programs that wait or for those with asyncio.
func (m *Model) commandsPython(asynchronous bool) string {
	var b strings.Builder
	b.WriteString(pythonHead("The methods of a session: one for each command.") +
		"\nfrom __future__ import annotations\n\n" +
		"from abc import ABC, abstractmethod\nfrom typing import TYPE_CHECKING, Any, overload\n\nif TYPE_CHECKING:\n" +
		"    from collections.abc import Mapping, Sequence\n    from typing import Literal\n\n    from . import types as t\n")
	name, def, await := "Commands", "def", ""
	if asynchronous {
		name, def, await = "AsyncCommands", "async def", "await "
	}
	b.WriteString("\n\nclass " + name +
		"(ABC):\n    \"\"\"One method for each command.\"\"\"\n\n    @abstractmethod\n    " + def +
		" _call(self, method: str, given: dict[str, Any]) -> Any:\n        \"\"\"Run the command of a method with what its " +
		"caller gave.\"\"\"\n\n    @abstractmethod\n    " +
		def + " _value(self, method: str, given: dict[str, Any]) -> Any:\n" +
		"        \"\"\"Run the command of a method for a value of its result.\"\"\"\n")
	for i := range m.Methods {
		if !m.Methods[i].Value.Instead(&m.Methods[i]) {
			m.methodPython(&b, &m.Methods[i], def, await)
		}
		if m.Methods[i].Value != nil {
			m.valuePython(&b, &m.Methods[i], def, await)
		}
	}
	return b.String()
}

// param is a parameter of a method in Python.
type param struct {
	name, value string
	required    bool
}

func (p param) String() string {
	if p.required {
		return p.name + ": " + p.value
	}
	return p.name + ": " + p.value + " | None = None"
}

// paramsPython are the parameters of a method: arguments by place, and options by name.
func (m *Model) paramsPython(method *Method) (args, options []param) {
	c := method.Command
	own := map[string]bool{}
	for i := range c.Args {
		a := &c.Args[i]
		args = append(args, param{pythonName(words(a.Name)), valuePython(a.Kind, a.Value, a.OneOf, false), !a.Optional})
		own[a.Name] = true
	}
	for i := range c.Flags {
		f := &c.Flags[i]
		options = append(options,
			param{pythonName(words(f.Name)), valuePython(f.Kind, f.Value, f.OneOf, f.OptionalValue), false})
		own[f.Name] = true
	}
	for i := range m.Call {
		if f := &m.Call[i]; !own[f.Name] {
			options = append(options,
				param{pythonName(words(f.Name)), valuePython(f.Kind, f.Value, f.OneOf, f.OptionalValue), false})
		}
	}
	if c.Stdin != nil {
		options = append(options, param{"input", "str | bytes", false})
	}
	return args, options
}

// variant is one way to call a method: what has to be given, what must not be, and what it returns.
type variant struct {
	args, options []param
	result        string
}

func (m *Model) methodPython(b *strings.Builder, method *Method, def, await string) {
	args, options := m.paramsPython(method)
	variants := variantsPython(method, args, options)
	name := pythonName(method.Words)
	if len(variants) > 1 {
		for _, v := range variants {
			b.WriteString("\n    @overload\n    " + def + " " + name + head(v) + ": ...\n")
		}
		for i := range args { // an overload may leave it out
			args[i].required = false
		}
	}
	whole := variant{withValues(method, args), options, resultsPython(method)}
	b.WriteString("\n    " + def + " " + name + head(whole) + ":\n")
	b.WriteString(pythonDoc("        ", m.docPython(method, false)))
	b.WriteString("        return " + await + "self._call(" + compact(name) + ", locals())\n")
}

// withValues adds to the arguments those of a script that is a function.
func withValues(method *Method, args []param) []param {
	if _, _, is := method.calls(); is {
		return append(slices.Clip(args), param{"*values", "Any", true})
	}
	return args
}

// valuePython writes the method that returns a value of the result.
func (m *Model) valuePython(b *strings.Builder, method *Method, def, await string) {
	args, options := m.paramsPython(method)
	result := "bytes"
	if !method.Value.File {
		var types []string
		for _, t := range method.Value.Types {
			for one := range strings.SplitSeq(m.py(t), " | ") {
				if !slices.Contains(types, one) {
					types = append(types, one)
				}
			}
		}
		result = strings.Join(types, " | ")
	}
	name := pythonName(method.Value.Words)
	b.WriteString("\n    " + def + " " + name + head(variant{withValues(method, args), options, result}) + ":\n")
	b.WriteString(pythonDoc("        ", m.docPython(method, true)))
	b.WriteString("        return " + await + "self._value(" + compact(name) + ", locals())\n")
}

func resultsPython(method *Method) string {
	names := make([]string, len(method.Forms))
	for i, f := range method.Forms {
		names[i] = "t." + f.Name
	}
	return strings.Join(names, " | ")
}

// head is what comes between the name of a method and its body.
func head(v variant) string {
	parts := []string{"self"}
	for _, p := range v.args {
		parts = append(parts, p.String())
	}
	if len(v.options) > 0 && !slices.ContainsFunc(v.args, func(p param) bool { return strings.HasPrefix(p.name, "*") }) {
		parts = append(parts, "*")
	}
	for _, p := range v.options {
		parts = append(parts, p.String())
	}
	return "(\n        " + strings.Join(parts, ",\n        ") + ",\n    ) -> " + v.result
}

// variantsPython are the ways to call a method. The last one gives nothing that decides about the result.
func variantsPython(method *Method, args, options []param) (list []variant) {
	c := method.Command
	result := "t." + method.Forms[0].Name
	unset := slices.Clone(options)
	plain := slices.Clone(args)
	for _, f := range method.Forms[1:] {
		if i := slices.IndexFunc(c.Args, func(a actions.Arg) bool { return a.Name == f.Given }); i >= 0 {
			given := slices.Clone(args)
			for j := range i + 1 {
				given[j].required = true
			}
			list = append(list, variant{given, options, "t." + f.Name})
			plain = plain[:min(len(plain), i)]
			continue
		}
		i := slices.IndexFunc(options, func(p param) bool { return p.name == pythonName(words(f.Given)) })
		given := slices.Clone(options)
		given[i].required = true
		if given[i].value == "bool" {
			given[i].value, unset[i].value = "Literal[True]", "Literal[False]"
		} else {
			unset[i].value = ""
		}
		list = append(list, variant{args, given, "t." + f.Name})
	}
	unset = slices.DeleteFunc(unset, func(p param) bool { return p.value == "" })
	for i := range c.Args {
		if flag := c.Args[i].Unless; flag != "" {
			given := slices.Clone(unset)
			given[slices.IndexFunc(given, func(p param) bool { return p.name == pythonName(words(flag)) })].required = true
			list = append(list, variant{slices.Clone(args[:i]), given, result})
		}
	}
	return append(list, variant{plain, unset, result})
}

// docPython says what a method does, and what its parameters are; or the one that returns a value of the result.
func (m *Model) docPython(method *Method, value bool) string {
	c := method.Command
	lines := []string{c.Summary + "."}
	if value {
		lines = append(lines, "", "Returns "+method.Value.returned(pythonName(method.Words)))
	}
	if c.Help != "" {
		lines = append(lines, "", m.speak(c.Help, c.Flags, pythonName))
	}
	if len(c.Args)+len(c.Flags) > 0 {
		lines = append(lines, "", "Args:")
	}
	said := func(words []string, text string) {
		lines = append(lines, "    "+pythonName(words)+": "+m.speak(text, c.Flags, pythonName))
	}
	for i := range c.Args {
		a := &c.Args[i]
		said(words(a.Name), about(a.Help, a.Kind, a.Default))
		if a.Calls != "" {
			lines = append(lines, "    *values: The arguments of the script, where that is a function")
		}
	}
	for i := range c.Flags {
		if f := &c.Flags[i]; !f.Common {
			said(words(f.Name), about(f.Help, f.Kind, f.Default))
		}
	}
	return strings.Join(lines, "\n")
}
