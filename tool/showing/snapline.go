package showing

import "strings"

// snapLine is a line of a snapshot's tree: ` - link "Home" @e4 [focused]: text`, or with agent-browser's form of a ref,
// `[focused, ref=e4]`. The strings are parts of the snapshot.
type snapLine struct {
	text  string // the whole line
	depth int32
	level int8 // of a heading
	known bool // it has the form of such a line
	role  string
	name  string
	ref   string // eN
}

// readLines reads the lines of a tree. It looks at each byte a few times and allocates the list alone.
func readLines(tree string) []snapLine {
	lines := make([]snapLine, 0, strings.Count(tree, "\n")+1)
	for tree != "" {
		line, rest, _ := strings.Cut(tree, "\n")
		if line != "" {
			lines = append(lines, readLine(line))
		}
		tree = rest
	}
	return lines
}

func readLine(text string) snapLine {
	l := snapLine{text: text}
	indent := 0
	for indent < len(text) && text[indent] == ' ' {
		indent++
	}
	l.depth = int32(indent / 2)
	rest, ok := strings.CutPrefix(text[indent:], "- ")
	if !ok {
		return l
	}
	end := 0
	for end < len(rest) && rest[end] != ' ' && rest[end] != ':' {
		end++
	}
	l.role, rest = rest[:end], rest[end:]
	if l.role == "" || !isLetter(l.role[0]) {
		return l
	}
	l.known = true
	if strings.HasPrefix(rest, ` "`) {
		end := closingQuote(rest[2:])
		l.name, rest = rest[2:2+end], rest[min(len(rest), 3+end):]
	}
	if after, marked := strings.CutPrefix(rest, " @"); marked {
		l.ref, rest = cutRef(after)
	}
	if open := strings.Index(rest, "["); open >= 0 {
		if shut := strings.IndexByte(rest[open:], ']'); shut > 0 {
			l.attributes(rest[open+1 : open+shut])
		}
	}
	return l
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// closingQuote is where a quoted text ends, whose beginning is left out.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(s)
}

// cutRef takes the ref off the beginning of a text; it is empty where there is none.
func cutRef(s string) (ref, rest string) {
	if !strings.HasPrefix(s, "e") {
		return "", s
	}
	end := 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 1 {
		return "", s
	}
	return s[:end], s[end:]
}

func (l *snapLine) attributes(list string) {
	if _, after, found := strings.Cut(list, "ref="); found && l.ref == "" {
		l.ref, _ = cutRef(after)
	}
	if at := strings.Index(list, "level="); at >= 0 && at+6 < len(list) {
		if n := list[at+6]; n >= '1' && n <= '9' {
			l.level = int8(n - '0')
		}
	}
}

// says reports whether a line tells something: a name, a text or a ref.
func (l *snapLine) says() bool {
	return l.known && (l.name != "" || l.ref != "" || strings.Contains(l.text, ": "))
}

// shown is the line in a preview, without its indentation, with the ref in the form that commands take.
func (l *snapLine) shown() string { return clip(strings.TrimLeft(l.text, " "), lineWidth) }

// asRef is the line as an entry of a list of refs.
func (l *snapLine) asRef() string {
	if l.name == "" {
		return "- @" + l.ref + " " + l.role
	}
	return "- @" + l.ref + " " + l.role + ` "` + clip(l.name, nameWidth) + `"`
}
