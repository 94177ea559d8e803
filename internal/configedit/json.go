package configedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonText finds places by the offsets of the syntax tree and changes the text itself, so that all bytes beside the
// change stay.
type jsonText struct{}

func (jsonText) decode(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	plain, err := hujson.Standardize(slices.Clone(text))
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(plain))
	decoder.UseNumber() // large numbers of others have to compare equal
	if err := decoder.Decode(&all); err != nil || all == nil {
		return nil, errors.New("it is not a JSON object")
	}
	return all, nil
}

func (j jsonText) set(text []byte, path []string, members []Member) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	style := styleOf(text)
	for _, m := range members {
		root, err := hujson.Parse(text)
		if err != nil {
			return nil, err
		}
		text = setMember(text, &root, append(slices.Clone(path), m.Key), m.Value, style, 0)
	}
	return text, nil
}

// setMember replaces the value at a path below an object, or adds it with what is missing on the way.
func setMember(text []byte, at *hujson.Value, path []string, value any, style style, depth int) []byte {
	object, ok := at.Value.(*hujson.Object)
	if !ok { // null, which says as much as nothing
		return splice(text, at.StartOffset, at.EndOffset, style.nested(path, value, depth))
	}
	if i := memberAt(object, path[0]); i >= 0 {
		child := &object.Members[i].Value
		if len(path) > 1 {
			return setMember(text, child, path[1:], value, style, depth+1)
		}
		return splice(text, child.StartOffset, child.EndOffset, style.value(value))
	}
	return addMember(text, at, object, path, value, style, depth)
}

// addMember writes a member behind the last one.
func addMember(
	text []byte, at *hujson.Value, object *hujson.Object, path []string, value any, style style, depth int,
) []byte {
	closing := at.EndOffset - 1
	added := style.key(path[0]) + style.rest(path[1:], value, depth+1)
	inner := style.end + style.indent(depth+1)
	if len(object.Members) == 0 {
		between := strings.TrimRight(string(text[at.StartOffset+1:closing]), " \t\r\n") // comments
		return splice(text, at.StartOffset+1, closing, between+inner+added+style.end+style.indent(depth))
	}
	last := &object.Members[len(object.Members)-1].Value
	between := string(text[last.EndOffset:closing]) // comments, and maybe a comma
	trailing := ""
	if hasComma(object) {
		trailing = ","
	} else {
		between = "," + between
	}
	if first := object.Members[0].Name; !strings.Contains(string(first.BeforeExtra), "\n") &&
		!strings.Contains(between, "\n") {
		return splice(text, last.EndOffset, closing, strings.TrimRight(between, " \t")+" "+added+trailing+endBlank(between))
	}
	return splice(text, last.EndOffset, closing,
		strings.TrimRight(between, " \t\r\n")+inner+added+trailing+style.end+style.indent(depth))
}

// endBlank is the blank before the brace that closes an object of one line.
func endBlank(between string) string {
	if strings.HasSuffix(between, " ") {
		return " "
	}
	return ""
}

func (jsonText) remove(text []byte, path []string) ([]byte, error) {
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	at := &root
	for _, key := range path[:len(path)-1] {
		object, ok := at.Value.(*hujson.Object)
		i := -1
		if ok {
			i = memberAt(object, key)
		}
		if i < 0 {
			return nil, errForm
		}
		at = &object.Members[i].Value
	}
	object, ok := at.Value.(*hujson.Object)
	if !ok {
		return nil, errForm
	}
	i := memberAt(object, path[len(path)-1])
	if i < 0 {
		return nil, errForm
	}
	return removeMember(text, at, object, i), nil
}

// removeMember cuts a member out with its line and one comma. Comments stay.
func removeMember(text []byte, at *hujson.Value, object *hujson.Object, i int) []byte {
	member := &object.Members[i]
	start, end := member.Name.StartOffset, member.Value.EndOffset
	last := i == len(object.Members)-1
	if !last || hasComma(object) {
		end = comma(text, member.Value.EndOffset, member.Value.AfterExtra) + 1
	}
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	switch {
	case start > 1 && text[start-1] == '\n' && text[start-2] == '\r':
		start -= 2
	case start > 0 && text[start-1] == '\n':
		start--
	}
	if i == 0 && !last && text[start] != '\n' && text[start] != '\r' { // on the line of the brace
		for end < len(text) && text[end] == ' ' {
			end++
		}
		start = member.Name.StartOffset
	}
	if last && len(object.Members) == 1 && len(bytes.TrimSpace(text[at.StartOffset+1:start])) == 0 &&
		len(bytes.TrimSpace(text[end:at.EndOffset-1])) == 0 {
		return splice(text, at.StartOffset+1, at.EndOffset-1, "") // nothing is left but the braces
	}
	text = splice(text, start, end, "")
	if last && i > 0 && !hasComma(object) {
		before := &object.Members[i-1].Value
		at := comma(text, before.EndOffset, before.AfterExtra)
		text = splice(text, at, at+1, "")
	}
	return text
}

// comma is where the comma is behind a value.
func comma(text []byte, end int, extra hujson.Extra) int { return end + len(extra) }

// hasComma reports whether there is a comma behind the last member.
func hasComma(object *hujson.Object) bool {
	n := len(object.Members)
	return n > 0 && object.Members[n-1].Value.AfterExtra != nil
}

// memberAt returns the index of the last member of a name, which is the one that counts.
func memberAt(object *hujson.Object, name string) int {
	for i, member := range slices.Backward(object.Members) {
		if literal, ok := member.Name.Value.(hujson.Literal); ok && literal.String() == name {
			return i
		}
	}
	return -1
}

func splice(text []byte, from, to int, with string) []byte {
	return slices.Concat(text[:from], []byte(with), text[to:])
}

// style is how a file is written.
type style struct {
	unit string // of indentation
	end  string // of a line
}

// styleOf takes the indentation from the first line that has one.
func styleOf(text []byte) style {
	s := style{unit: "  ", end: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		s.end = "\r\n"
	}
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(trimmed); n > 0 && bytes.HasPrefix(trimmed, []byte(`"`)) {
			s.unit = string(line[:n])
			break
		}
	}
	return s
}

func (s style) indent(depth int) string { return strings.Repeat(s.unit, depth) }

func (s style) key(name string) string { return quoted(name) + ": " }

// rest is a value with the objects around it that the path names.
func (s style) rest(path []string, value any, depth int) string {
	if len(path) == 0 {
		return s.value(value)
	}
	return s.nested(path, value, depth)
}

func (s style) nested(path []string, value any, depth int) string {
	return "{" + s.end + s.indent(depth+1) + s.key(path[0]) + s.rest(path[1:], value, depth+1) + s.end + s.indent(depth) +
		"}"
}

func (s style) value(value any) string {
	list, ok := value.([]string)
	if !ok {
		return quoted(value)
	}
	words := make([]string, len(list))
	for i, word := range list {
		words[i] = quoted(word)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// quoted is a value in JSON, without escapes that only web pages need.
func quoted(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // texts and truth values can always be encoded
	return strings.TrimRight(b.String(), "\n")
}
