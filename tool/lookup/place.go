package lookup

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/network"
)

// place is a position in a source file.
type place struct {
	file         string
	line, column int
}

// sourcePath finds paths of source files, with a position behind them or not: src/Save.tsx:12:5,
// webpack-internal:///./src/a.js.
var sourcePath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?:[A-Za-z][A-Za-z0-9+.-]*://[^\s/"'<>]*)?[\w@~./\\[][\w@~./\\()\[\]%-]*\.(?:tsx|ts|jsx|js)\b(?:\?[^\s"'<>:)]*)?(?::\d+)?(?::\d+)?`)
})

var position = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*?)(?::(\d+))?(?::(\d+))?$`) })

// placesIn returns the places that a text names, each once.
func placesIn(text string) (list []place) {
	seen := map[place]bool{}
	for _, found := range sourcePath().FindAllString(text, -1) {
		p := readPlace(found)
		if p.file != "" && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}

// readPlace reads a path with a position: of an address, its path.
func readPlace(text string) place {
	m := position().FindStringSubmatch(text)
	p := place{file: m[1]}
	p.line, _ = strconv.Atoi(m[2])
	p.column, _ = strconv.Atoi(m[3])
	if strings.Contains(p.file, "://") {
		u, err := url.Parse(p.file)
		if err != nil {
			return place{}
		}
		p.file = strings.TrimPrefix(u.Path, "/./")
	}
	return p
}

// isSource reports whether a file is one that the product of a workspace is written in.
func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".ts", ".tsx", ".js", ".jsx":
		return true
	}
	return false
}

// placesOf returns the places in any data: objects that name a file and a line, lists of a file, a line and a column,
// and texts.
func placesOf(data any) (list []place) {
	switch v := data.(type) {
	case string:
		return placesIn(v)
	case *network.Initiator:
		p := readPlace(v.URL)
		if p.file != "" && isSource(p.file) {
			p.line, p.column = v.Line, v.Column
			return []place{p}
		}
	case []any:
		if p, ok := triple(v); ok {
			return []place{p}
		}
		for _, item := range v {
			list = append(list, placesOf(item)...)
		}
	case map[string]any:
		if p, ok := fileAndLine(v); ok {
			return []place{p}
		}
		for _, key := range []string{"source", "stack", "callFrames", "trace", "initiator", "text"} {
			list = append(list, placesOf(v[key])...)
		}
	}
	return list
}

func triple(v []any) (place, bool) {
	if len(v) < 2 {
		return place{}, false
	}
	file, isText := v[0].(string)
	line, isNumber := v[1].(float64)
	if !isText || !isNumber {
		return place{}, false
	}
	p := readPlace(file)
	p.line = int(line)
	if len(v) > 2 {
		column, _ := v[2].(float64)
		p.column = int(column)
	}
	return p, p.file != ""
}

func fileAndLine(m map[string]any) (place, bool) {
	var p place
	for _, key := range []string{"fileName", "file", "url"} {
		if s, _ := m[key].(string); s != "" {
			p = readPlace(s)
			break
		}
	}
	if p.file == "" || !isSource(p.file) {
		return place{}, false
	}
	number := func(keys ...string) int {
		for _, k := range keys {
			if n, ok := m[k].(float64); ok {
				return int(n)
			}
		}
		return 0
	}
	p.line, p.column = number("lineNumber", "line"), number("columnNumber", "column")
	return p, true
}
