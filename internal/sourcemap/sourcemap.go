package sourcemap

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
)

// Map is a source map.
type Map struct {
	sources  []string
	names    []string
	segments []Segment // by their place in the generated code
}

// Segment relates a place in the generated code to one in a source.
type Segment struct {
	Line, Column                 int // in the generated code
	source                       int
	OriginalLine, OriginalColumn int
	name                         int // -1 for none
}

// Parse reads a source map. Maps of several sections are not supported.
func Parse(data []byte) (*Map, error) {
	var file struct {
		Version    int               `json:"version"`
		Sources    []string          `json:"sources"`
		SourceRoot string            `json:"sourceRoot"`
		Names      []string          `json:"names"`
		Mappings   string            `json:"mappings"`
		Sections   []json.RawMessage `json:"sections"`
	}
	if i := strings.IndexByte(string(data[:min(len(data), 8)]), '{'); i > 0 {
		data = data[i:] // behind a guard against inclusion, or a byte order mark
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	switch {
	case file.Version != 3:
		return nil, errors.New("it is not a source map of version 3")
	case len(file.Sections) > 0:
		return nil, errors.New("it has several sections")
	}
	m := &Map{names: file.Names}
	for _, s := range file.Sources {
		if file.SourceRoot != "" {
			s = strings.TrimSuffix(file.SourceRoot, "/") + "/" + s
		}
		m.sources = append(m.sources, s)
	}
	return m, m.decode(file.Mappings)
}

var errMappings = errors.New("its mappings are damaged")

// decode reads the mappings: lines end with ;, and the numbers of a segment are relative to those before.
func (m *Map) decode(mappings string) error {
	source, line, column, name := 0, 0, 0, 0
	for n, text := range strings.Split(mappings, ";") {
		at := 0
		for part := range strings.SplitSeq(text, ",") {
			if part == "" {
				continue
			}
			fields, err := numbers(part)
			if err != nil {
				return err
			}
			at += fields[0]
			if len(fields) < 4 {
				continue
			}
			source, line, column = source+fields[1], line+fields[2], column+fields[3]
			s := Segment{Line: n, Column: at, source: source, OriginalLine: line, OriginalColumn: column, name: -1}
			if len(fields) > 4 {
				name += fields[4]
				s.name = name
			}
			if source < 0 || source >= len(m.sources) || s.name >= len(m.names) {
				return errMappings
			}
			m.segments = append(m.segments, s)
		}
	}
	slices.SortStableFunc(m.segments, byPlace)
	return nil
}

func byPlace(a, b Segment) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// numbers reads the numbers of a segment, in base 64 with a sign bit and a bit for more.
func numbers(part string) (all []int, err error) {
	value, shift := 0, 0
	for i := range len(part) {
		digit := strings.IndexByte(digits, part[i])
		if digit < 0 || shift > 30 {
			return nil, errMappings
		}
		value |= digit & 31 << shift
		if shift += 5; digit&32 != 0 {
			continue
		}
		if n := value >> 1; value&1 != 0 {
			all = append(all, -n)
		} else {
			all = append(all, n)
		}
		value, shift = 0, 0
	}
	if n := len(all); shift != 0 || n != 1 && n != 4 && n != 5 {
		return nil, errMappings
	}
	return all, nil
}

// Original returns the place in a source that a place in the generated code came from.
func (m *Map) Original(line, column int) (source string, s Segment, ok bool) {
	i, found := slices.BinarySearchFunc(m.segments, Segment{Line: line, Column: column}, byPlace)
	if !found {
		i--
	}
	if i < 0 || m.segments[i].Line != line {
		return "", Segment{}, false
	}
	return m.sources[m.segments[i].source], m.segments[i], true
}

// Generated returns where the code of a line of a source begins, the first that has code from this line on. File is the
// end of a source's path. It reports the source that was meant.
func (m *Map) Generated(file string, line int) (source string, s Segment, ok bool) {
	for i := range m.segments {
		c := &m.segments[i]
		if c.OriginalLine < line || !EndsWith(m.sources[c.source], file) {
			continue
		}
		if !ok || c.OriginalLine < s.OriginalLine ||
			c.OriginalLine == s.OriginalLine && c.OriginalColumn < s.OriginalColumn {
			source, s, ok = m.sources[c.source], *c, true
		}
	}
	return source, s, ok
}

// Has reports whether the map has a source whose path ends so.
func (m *Map) Has(file string) bool {
	return slices.ContainsFunc(m.sources, func(s string) bool { return EndsWith(s, file) })
}

// Named returns the segment that gives the name its place in the generated code nearest to another segment of the same
// source.
func (m *Map) Named(name string, near Segment) (s Segment, ok bool) {
	distance := func(c *Segment) int {
		d := c.OriginalLine - near.OriginalLine
		if d > 0 {
			return 2*d + 1 // what comes later may belong to another function
		}
		return -2 * d
	}
	for i := range m.segments {
		c := &m.segments[i]
		if c.name < 0 || m.names[c.name] != name || c.source != near.source {
			continue
		}
		if !ok || distance(c) < distance(&s) {
			s, ok = *c, true
		}
	}
	return s, ok
}

// EndsWith reports whether a path, or an address, ends with the elements of another path.
func EndsWith(whole, end string) bool {
	whole, _, _ = strings.Cut(whole, "?")
	whole, end = path.Clean("/"+whole), path.Clean("/"+end)
	return strings.HasSuffix(whole, end)
}
