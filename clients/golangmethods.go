package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/shape"
)

// goMethod writes one command: its options, its results and its methods.
type goMethod struct {
	golang

	method  *Method
	name    string
	options string            // the type of its options; empty: it has none
	unions  map[string]string // results of other methods by what they consist of
}

// goResult is what a call returns: its type, and the members of that.
type goResult struct {
	kind   string
	fields []goField
}

func (g *goMethod) write(b *strings.Builder) {
	c := g.method.Command
	byFlag, whole := []Form{}, slices.Clone(g.method.Forms[0].Data)
	for _, form := range g.method.Forms[1:] {
		if slices.ContainsFunc(c.Args, func(a actions.Arg) bool { return a.Name == form.Given }) {
			whole = append(whole, form.Data...) // it depends on an argument: one method with the members of both
			continue
		}
		byFlag = append(byFlag, form)
	}
	decides := func(f *actions.Flag) bool {
		return slices.ContainsFunc(byFlag, func(form Form) bool { return form.Given == f.Name })
	}
	g.writeOptions(b, decides)
	result := g.result(b, g.name+"Result", whole)
	v := g.method.Value
	if !v.Instead(g.method) {
		g.writeMethod(b, g.name, nil, result.kind)
	}
	if v != nil {
		g.writeValue(b, result)
	}
	for _, form := range byFlag {
		i := slices.IndexFunc(c.Flags, func(f actions.Flag) bool { return f.Name == form.Given })
		name := g.name + goName(words(form.Given))
		g.writeMethod(b, name, &c.Flags[i], g.result(b, name+"Result", form.Data).kind)
	}
}

func (g *goMethod) writeOptions(b *strings.Builder, decides func(*actions.Flag) bool) {
	var fields strings.Builder
	g.flags2go(&fields, g.method.Command.Flags, decides)
	if g.method.Command.Stdin != nil {
		fields.WriteString(goComment("\t", "What the command reads from its standard input") +
			"\tInput []byte `flag:\"-\"`\n")
	}
	if fields.Len() == 0 {
		return
	}
	g.options = g.name + "Options"
	fmt.Fprintf(b, "\n// %s are the options of %s.\ntype %[1]s struct {\n%[3]s}\n", g.options, g.shown(), &fields)
}

// shown is the method as documentation names it.
func (g *goMethod) shown() string {
	if v := g.method.Value; v.Instead(g.method) {
		return "[Page." + goName(v.Words) + "]"
	}
	return "[Page." + g.name + "]"
}

// result declares the type of a result, unless it has a name already.
func (g *goMethod) result(b *strings.Builder, name string, data []Data) goResult {
	var fields []goField
	reply, added, clash, identity := true, false, len(data) > 1, ""
	for i := range data {
		d := &data[i]
		reply, added = reply && d.Reply, added || d.Added
		identity += g.goType(d.Type, false) + fmt.Sprint(d.Reply, d.Added)
		if o := g.byType[d.Type.Go]; o != nil && d.Type.Kind == shape.Object {
			fields = merged(fields, g.goFields(o), i > 0)
		}
	}
	for _, o := range g.Objects {
		if o.Name == replyName || o.Name == pageReplyName {
			clash = clash || slices.ContainsFunc(o.Type.Fields, func(f shape.Field) bool { return data[0].Own[f.Name] })
		}
	}
	own := g.goType(data[0].Type, false)
	if len(data) == 1 && !reply {
		return goResult{own, fields}
	}
	if known := g.unions[identity]; known != "" && len(data) > 1 {
		fmt.Fprintf(b, "\n// %s is what [Page.%s] returns.\ntype %[1]s = %[3]s\n",
			name, strings.TrimSuffix(name, "Result"), known)
		return goResult{name, fields}
	}
	g.unions[identity] = name
	about := "is what [Page." + strings.TrimSuffix(name, "Result") + "] returns."
	if g.method.Value.Instead(g.method) {
		about = "is the whole result of " + g.shown() + "."
	}
	fmt.Fprintf(b, "\n// %s %s\ntype %[1]s struct {\n", name, about)
	switch {
	case clash:
		g.fields2go(b, fields)
	case own != "struct{}":
		b.WriteString("\t" + own + "\n")
	}
	switch {
	case reply && added:
		b.WriteString("\t" + pageReplyName + "\n")
	case reply:
		b.WriteString("\t" + replyName + "\n")
	}
	b.WriteString("}\n")
	return goResult{name, fields}
}

// merged adds the members of another result, which a reply may lack as it may lack those that only the others have.
func merged(fields, others []goField, further bool) []goField {
	if !further {
		return others
	}
	for i := range fields {
		fields[i].optional = fields[i].optional ||
			!slices.ContainsFunc(others, func(o goField) bool { return o.member == fields[i].member })
	}
	for _, o := range others {
		i := slices.IndexFunc(fields, func(f goField) bool { return f.member == o.member })
		switch {
		case i < 0:
			o.optional = true
			fields = append(fields, o)
		case fields[i].kind.Kind != o.kind.Kind || fields[i].kind.Go != o.kind.Go || fields[i].kind.Elem != o.kind.Elem:
			fields[i].kind = &shape.Type{}
		case o.kind.Null:
			fields[i].kind = o.kind
		}
	}
	return fields
}

// goArgument is a parameter: how it is declared, and how it is passed on.
type goArgument struct {
	name, kind, passed, about string
	optional                  bool // whatever flags are given
}

// parameters are those for the arguments. What may be left out is, where it has its zero value; an empty text for
// something that is named is given.
func (g *goMethod) parameters() (list []goArgument) {
	args := g.method.Command.Args
	for i := range args {
		a := &args[i]
		p := goArgument{name: goParameter(words(a.Name)), kind: "string", optional: a.Optional}
		p.passed = p.name
		switch a.Kind {
		case actions.Int:
			p.kind = "int"
		case actions.Number:
			p.kind = "float64"
		case actions.List:
			p.kind = "[]string"
		}
		if grammar.TakesJSON(a.Value) {
			p.kind = "any"
		}
		number := a.Kind == actions.Int || a.Kind == actions.Number
		text := a.Kind == actions.Text && i > 0 && !args[i-1].Optional
		p.about = aboutGo(a.Help, a.Default, a.OneOf)
		switch left := a.Optional || a.Unless != ""; {
		case left && number && a.Default == "":
			p.kind = "*" + p.kind
			p.about += "; nil leaves it out"
		case left && !text:
			p.passed = "optional(" + p.name + ")"
			p.about += "; may be left out"
		}
		list = append(list, p)
	}
	return list
}

// about says what a method does: the whole where it has the name of the command, else what is different.
func (g *goMethod) about(name, with, returns string, params []goArgument) string {
	c := g.method.Command
	lines := []string{name + " runs the command `" + c.Name + "`" + with + ". " + c.Summary + "."}
	if returns != "" {
		lines[0] += " It returns " + returns
	}
	switch {
	case c.Help != "" && name != g.name:
		lines = append(lines, "See "+g.shown()+".")
	case c.Help != "":
		lines = append(lines, "", g.speak(c.Help, c.Flags, goName))
	}
	if len(params) > 0 {
		lines = append(lines, "")
	}
	for _, p := range params {
		lines = append(lines, listItem+p.name+": "+g.speak(p.about, c.Flags, goName))
	}
	return goComment("", lines...)
}

func (g *goMethod) signature(name string, params []goArgument, last, result string) string {
	declared := []string{"ctx context.Context"}
	for _, p := range params {
		declared = append(declared, p.name+" "+p.kind)
	}
	if last != "" {
		declared = append(declared, last)
	}
	return fmt.Sprintf("func (p *Page) %s(%s) (%s, error) {\n", name, strings.Join(declared, ", "), result)
}

// taken is the parameter for options.
func (g *goMethod) taken() string {
	if g.options == "" {
		return ""
	}
	return "o ..." + g.options
}

// call is the expression that runs the command, with a flag that decides about the result, or without one.
func (g *goMethod) call(params []goArgument, flag, result string) string {
	quoted := []string{}
	for word := range strings.FieldsSeq(g.method.Command.Name) {
		quoted = append(quoted, compact(word))
	}
	if flag != "" {
		quoted = append(quoted, flag)
	}
	passed := []string{"ctx", "p", "line{" + strings.Join(quoted, ", ") + "}", "nil"}
	if g.options != "" {
		passed[3] = "given(o)"
	}
	for _, p := range params {
		passed = append(passed, p.passed)
	}
	return "run[" + result + "](" + strings.Join(passed, ", ") + ")"
}

func (g *goMethod) writeMethod(b *strings.Builder, name string, decides *actions.Flag, result string) {
	params, flag, with := g.parameters(), "", ""
	shown := params
	if decides != nil { // which takes the place of arguments that may be left out
		params = slices.DeleteFunc(params, func(p goArgument) bool { return p.optional })
		shown, flag, with = params, compact("--"+decides.Name), " with the flag `--"+decides.Name+"`"
		if decides.Kind != actions.Bool {
			p := goArgument{name: goParameter(words(decides.Name)), kind: "string", about: decides.Help}
			flag = compact("--"+decides.Name+"=") + " + " + p.name
			if decides.OptionalValue {
				flag = "flagOr(" + compact("--"+decides.Name) + ", " + p.name + ")"
				p.about += "; may be empty"
			}
			shown = append([]goArgument{p}, params...)
		}
	}
	b.WriteString("\n" + g.about(name, with, "", shown) + g.signature(name, shown, g.taken(), result))
	b.WriteString("\treturn " + g.call(params, flag, result) + "\n}\n")
}

// writeValue writes the method that returns a member of the result, or the content of the file that it names.
func (g *goMethod) writeValue(b *strings.Builder, result goResult) {
	v, params := g.method.Value, g.parameters()
	member := result.fields[slices.IndexFunc(result.fields, func(f goField) bool { return f.member == v.Member })]
	kind, returns := g.goType(member.kind, member.optional), v.returned(g.name)
	name, options, passed := goName(v.Words), g.taken(), []string{"ctx"}
	for _, p := range params {
		passed = append(passed, p.name)
	}
	if options != "" {
		passed = append(passed, "o...")
	}
	if v.File {
		kind = "[]byte"
	}
	if _, flag, is := g.method.calls(); is {
		options = "args ...any"
		passed[len(passed)-1] = g.options + "{" + goName(words(flag)) + ": args}"
		params[len(params)-1].about += ". It may be a function, which gets the arguments"
	}
	if v.Instead(g.method) {
		returns = compact(v.Member) + " of the result."
	}
	b.WriteString("\n" + g.about(name, "", returns, params) + g.signature(name, params, options, kind))
	call := "p." + g.name + "(" + strings.Join(passed, ", ") + ")"
	if v.Instead(g.method) {
		call = g.call(params, "", result.kind)
	}
	value := "r." + member.name + ", err"
	special := slices.IndexFunc(result.fields, func(f goField) bool { return f.member == "unserializable" })
	switch {
	case v.File:
		var texts []string
		for _, p := range params {
			if p.kind == "string" {
				texts = append(texts, p.name)
			}
		}
		value = "p.content(r." + member.name + ", err, " + strings.Join(texts, ", ") + ")"
	case special >= 0:
		value = "special(r." + member.name + ", r." + result.fields[special].name + "), err"
	}
	fmt.Fprintf(b, "\tr, err := %s\n\treturn %s\n}\n", call, value)
}
