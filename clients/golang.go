package clients

import (
	"fmt"
	"go/format"
	"go/token"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/shape"
)

// golang writes a model in Go.
type golang struct{ *Model }

// Go returns the generated files of the Go library, by their names in the top folder. They are committed, since a Go
// module is its sources.
func Go(model *Model) (map[string]string, error) {
	m := golang{model}
	files := map[string]string{"commands.go": m.commandsGo(), "results.go": m.resultsGo(), "codes.go": codesGo()}
	for name, text := range files {
		formatted, err := format.Source([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("clients: %s: %w", name, err)
		}
		files[name] = string(formatted)
	}
	return files, nil
}

func goHead(imports ...string) string {
	head := "// " + generatedBy + "\n\npackage skua\n"
	if len(imports) > 0 {
		head += "\nimport (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n"
	}
	return head
}

// capitals are words that Go writes so.
var capitals = []string{
	"a11y", "api", "ca", "cdp", "css", "dom", "har", "html", "http", "id", "ids", "indexeddb", "ip", "ipc", "json", "mcp",
	"pcd", "pdf", "uri", "url", "urls", "webmcp",
}

// goSpellings are those that are more than capitals.
var goSpellings = map[string]string{"ids": "IDs", "urls": "URLs", "indexeddb": "IndexedDB", "webmcp": "WebMCP"}

// goName writes GetCDPURL.
func goName(words []string) string {
	var b strings.Builder
	for _, w := range words {
		switch spelling := goSpellings[w]; {
		case spelling != "":
			b.WriteString(spelling)
		case slices.Contains(capitals, w):
			b.WriteString(strings.ToUpper(w))
		default:
			b.WriteString(pascal([]string{w}))
		}
	}
	return b.String()
}

// goParameter is the name of a parameter, with a line below behind it where that is a word of the language.
func goParameter(words []string) string {
	name := words[0] + goName(words[1:])
	if token.IsKeyword(name) {
		return name + "_"
	}
	return name
}

// commentWidth is how long the lines of comments are.
const commentWidth = 110

// listItem begins an item of a list in a comment.
const listItem = "  - "

// goComment writes a comment of lines, the long ones divided.
func goComment(indent string, lines ...string) string {
	var b strings.Builder
	for _, text := range lines {
		for line := range strings.SplitSeq(text, "\n") {
			start := indent + "//"
			row, next := start, start
			if strings.HasPrefix(line, listItem) {
				row, next = start+strings.Repeat(" ", len(listItem)/2), start+strings.Repeat(" ", len(listItem))
			}
			for word := range strings.FieldsSeq(line) {
				if len(row)+len(word) > commentWidth && len(row) > len(next) {
					b.WriteString(row + "\n")
					row = next
				}
				row += " " + word
			}
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}

func codesGo() string {
	var b strings.Builder
	b.WriteString(goHead() + "\n// The codes of errors, for errors.Is. They are never renamed.\nconst (\n")
	for _, meaning := range fault.CodeInfos() {
		code := string(meaning.Code)
		parts := strings.FieldsFunc(code, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		b.WriteString(goComment("\t", meaning.Text))
		fmt.Fprintf(&b, "\tErr%s Code = %s\n", goName(parts), compact(code))
	}
	return b.String() + ")\n"
}

// goField is a member of a struct.
type goField struct {
	member, name, about string
	kind                *shape.Type
	optional            bool
}

func (m golang) goType(t *shape.Type, optional bool) string {
	s := "any"
	switch t.Kind {
	case shape.Bool:
		s = "bool"
	case shape.Int:
		s = "int"
	case shape.Number:
		s = "float64"
	case shape.String:
		s = "string"
	case shape.List:
		return "[]" + m.goType(t.Elem, false)
	case shape.Map:
		return "map[string]" + m.goType(t.Elem, false)
	case shape.Object:
		if s = m.name(t); s == "" {
			s = "struct{}"
		}
		if optional {
			return "*" + s
		}
	case shape.Any:
		return s
	}
	if t.Null {
		s = "*" + s
	}
	return s
}

func (m golang) goFields(o *Named) []goField {
	fields := make([]goField, len(o.Type.Fields))
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		name := strings.ToUpper(f.Go[:1]) + f.Go[1:]
		fields[i] = goField{f.Name, name, m.speak(o.Fields[i], nil, goName), f.Type, f.Optional}
	}
	return fields
}

func (m golang) fields2go(b *strings.Builder, fields []goField) {
	for _, f := range fields {
		if f.about != "" {
			b.WriteString(goComment("\t", f.about))
		}
		tag := f.member
		if f.optional {
			tag += ",omitzero"
		}
		fmt.Fprintf(b, "\t%s %s `json:%s`\n", f.name, m.goType(f.kind, f.optional), compact(tag))
	}
}

// resultsGo has the types that results are made of.
func (m golang) resultsGo() string {
	var b strings.Builder
	b.WriteString(goHead())
	for _, o := range m.Objects {
		b.WriteByte('\n')
		if o.About != "" {
			about := m.speak(o.About, nil, goName)
			if _, rest, is := strings.Cut(about, o.Type.Go.Name()+" "); is && strings.HasPrefix(about, o.Type.Go.Name()) {
				about = rest
			}
			b.WriteString(goComment("", o.Name+" "+about))
		}
		b.WriteString("type " + o.Name + " struct {\n")
		m.fields2go(&b, m.goFields(o))
		if o.Name == pageReplyName {
			b.WriteString("\t" + replyName + "\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// goValue is the type of an option. Numbers are pointers, since zero may mean something.
func goValue(f *actions.Flag) string {
	switch manner := f.Manner(); {
	case manner == grammar.FlagAsBool:
		return "bool"
	case manner == grammar.FlagAsSwitch:
		return "*bool"
	case manner == grammar.FlagAsList:
		return "[]string"
	case manner == grammar.FlagAsOptional:
		return "*string"
	case grammar.TakesJSON(f.Value):
		return "any"
	case f.Kind == actions.Int:
		return "*int"
	case f.Kind == actions.Number:
		return "*float64"
	case f.Kind == actions.Duration:
		return "time.Duration"
	}
	return "string"
}

// aboutGo is the comment for an argument or option.
func aboutGo(help, fallback string, oneOf []string) string {
	if len(oneOf) > 0 && !strings.Contains(help, oneOf[0]) {
		help += ": " + strings.Join(oneOf, ", ")
	}
	if fallback != "" {
		help += " (default: " + fallback + ")"
	}
	return help
}

func (m golang) flags2go(b *strings.Builder, flags []actions.Flag, left func(*actions.Flag) bool) {
	for i := range flags {
		f := &flags[i]
		if left != nil && left(f) {
			continue
		}
		fallback := f.Default
		if f.Kind == actions.Bool {
			fallback = ""
		}
		if length, err := time.ParseDuration(fallback + "ms"); err == nil && f.Kind == actions.Duration {
			fallback = length.String()
		}
		said := m.speak(aboutGo(f.Help, fallback, f.OneOf), flags, goName)
		if f.Manner() == grammar.FlagAsOptional {
			said += "; an empty text gives it without a value"
		}
		b.WriteString(goComment("\t", said))
		fmt.Fprintf(b, "\t%s %s `flag:%s`\n", goName(words(f.Name)), goValue(f), compact(f.Name))
	}
}

// commandsGo has the methods, each with its options and its results.
func (m golang) commandsGo() string {
	var body strings.Builder
	body.WriteString("\n// CallOptions are the options that calls of every command have, see [Page.With].\n" +
		"type CallOptions struct {\n")
	m.flags2go(&body, m.Call, nil)
	body.WriteString("}\n\n// SessionOptions are those of a session's browser, and of all its calls.\n" +
		"type SessionOptions struct {\n")
	m.flags2go(&body, m.Session, nil)
	body.WriteString("}\n")
	unions := map[string]string{}
	for i := range m.Methods {
		made := &goMethod{golang: m, method: &m.Methods[i], name: goName(m.Methods[i].Words), unions: unions}
		made.write(&body)
	}
	imports := []string{"context"}
	if strings.Contains(body.String(), "time.Duration") {
		imports = append(imports, "time")
	}
	return goHead(imports...) + body.String()
}
