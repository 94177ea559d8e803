package configedit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlText changes tables that have a header of their own. Entries in other forms, as inline tables and dotted keys,
// are refused.
type tomlText struct{}

func (tomlText) decode(text []byte) (map[string]any, error) {
	all := map[string]any{}
	return all, toml.Unmarshal(text, &all)
}

// statement is one key with its value, or the header of a table.
type statement struct {
	header     bool
	array      bool     // of a header: of an array of tables
	path       []string // of a header: the table's; else the key's, below its table
	start, end int      // without the comment behind it
	line       int      // where its line starts
}

func statements(text []byte) ([]statement, error) {
	var all []statement
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		s := statement{header: e.Kind != unstable.KeyValue, array: e.Kind == unstable.ArrayTable}
		first := -1
		for key := e.Key(); key.Next(); {
			if first < 0 {
				first = int(key.Node().Raw.Offset)
			}
			s.path = append(s.path, string(key.Node().Data))
		}
		s.line = bytes.LastIndexByte(text[:first], '\n') + 1
		s.start, s.end = s.line, s.line
		if !s.header {
			s.start = int(e.Raw.Offset)
			s.end = len(bytes.TrimRight(text[:e.Raw.Offset+e.Raw.Length], " \t\r\n"))
		}
		all = append(all, s)
	}
	return all, p.Error()
}

func (t tomlText) set(text []byte, path []string, members []Member) ([]byte, error) {
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	all, err := statements(text)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(s statement) bool { return s.header && !s.array && slices.Equal(s.path, path) })
	if at < 0 {
		return appendTable(text, path, members, end), nil
	}
	header, last := all[at], at
	written := map[string]statement{}
	for i := at + 1; i < len(all) && !all[i].header; i++ {
		last = i
		if len(all[i].path) == 1 {
			written[all[i].path[0]] = all[i]
		}
	}
	// From the back, so that the places in front stay true.
	type change struct {
		from, to int
		with     string
	}
	var changes []change
	added := ""
	for _, m := range members {
		line := key(m.Key) + " = " + tomlValue(m.Value)
		if s, ok := written[m.Key]; ok {
			changes = append(changes, change{s.start, s.end, line})
		} else {
			added += line + end
		}
	}
	if added != "" {
		place := lineAfter(text, header.line)
		if last > at {
			place = lineAfter(text, all[last].end)
		}
		if place > 0 && text[place-1] != '\n' {
			added = end + strings.TrimSuffix(added, end)
		}
		changes = append(changes, change{place, place, added})
	}
	slices.SortFunc(changes, func(a, b change) int { return b.from - a.from })
	for _, c := range changes {
		text = splice(text, c.from, c.to, c.with)
	}
	return text, nil
}

func appendTable(text []byte, path []string, members []Member, end string) []byte {
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		b.WriteString(end)
	}
	if len(bytes.TrimSpace(text)) > 0 {
		b.WriteString(end)
	}
	keys := make([]string, len(path))
	for i, k := range path {
		keys[i] = key(k)
	}
	b.WriteString("[" + strings.Join(keys, ".") + "]" + end)
	for _, m := range members {
		b.WriteString(key(m.Key) + " = " + tomlValue(m.Value) + end)
	}
	return b.Bytes()
}

// remove cuts out the table of a path and those below it, with what its author wrote between its lines.
func (tomlText) remove(text []byte, path []string) ([]byte, error) {
	for {
		all, err := statements(text)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(s statement) bool {
			return s.header && len(s.path) >= len(path) && slices.Equal(s.path[:len(path)], path)
		})
		if at < 0 {
			return text, nil
		}
		from, to := all[at].line, lineAfter(text, all[at].line)
		for i := at + 1; i < len(all) && !all[i].header; i++ {
			to = lineAfter(text, all[i].end)
		}
		// One of the blank lines that were in front and behind goes with it.
		before := bytes.TrimRight(text[:from], " \t\r\n")
		switch blank := text[len(before):from]; {
		case len(before) == 0:
			from = 0
		case bytes.Count(blank, []byte("\n")) > 1:
			from = len(before) + bytes.IndexByte(blank, '\n') + 1
		}
		text = splice(text, from, to, "")
	}
}

// lineAfter is where the line behind a place starts.
func lineAfter(text []byte, place int) int {
	if i := bytes.IndexByte(text[place:], '\n'); i >= 0 {
		return place + i + 1
	}
	return len(text)
}

// key writes a key, in quotes where it needs them.
func key(name string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return quoted(name)
}

// tomlValue writes a value. The texts of JSON are basic strings of TOML.
func tomlValue(value any) string { return style{}.value(value) }
