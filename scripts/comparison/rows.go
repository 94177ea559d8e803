package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// row is a command or a flag of agent-browser.
type row struct {
	section string
	name    string
	page    string     // path of the page that is open before; "-": none is
	before  [][]string // command lines that come before
	after   [][]string // and those that come after it
	run     []string   // the one that is compared; empty: there is nothing to compare
	stdin   string
	files   map[string]string // written into the folder that commands run in
	ignore  []string          // members of the data that are different each time
	better  string            // how skua does better
	unlike  string            // why it is nothing for skua
	later   string            // what it waits for
}

// readRows reads rows.txt: a block of lines for each row.
//
//	# Section
//
//	= click <selector>
//	before ["focus","#name"]
//	run    ["click","#go"]
//	better it says what the click did
func readRows(r io.Reader) ([]row, error) {
	var rows []row
	section := ""
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "", "//":
			continue
		case "#":
			section = rest
			continue
		case "=":
			rows = append(rows, row{section: section, name: rest, page: "/", files: map[string]string{}})
			continue
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("line %d stands before the first row", n)
		}
		var err error
		at := &rows[len(rows)-1]
		switch word {
		case "page":
			at.page = rest
		case "before":
			var argv []string
			err = json.Unmarshal([]byte(rest), &argv)
			at.before = append(at.before, argv)
		case "after":
			var argv []string
			err = json.Unmarshal([]byte(rest), &argv)
			at.after = append(at.after, argv)
		case "run":
			err = json.Unmarshal([]byte(rest), &at.run)
		case "stdin":
			at.stdin = rest
		case "file":
			name, content, _ := strings.Cut(rest, " ")
			at.files[name] = content
		case "ignore":
			at.ignore = strings.Fields(rest)
		case "better":
			at.better = rest
		case "later":
			at.later = rest
		case "unlike":
			at.unlike = rest
		default:
			err = fmt.Errorf("unknown word %q", word)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return rows, lines.Err()
}
