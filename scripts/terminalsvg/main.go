package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

func main() {
	title := flag.String("title", "terminal", "what the picture shows, for people who do not see it")
	columns := flag.Int("columns", 100, "characters of a line; longer lines are cut")
	flag.Parse()
	lines, err := read(os.Stdin, *columns)
	if err == nil {
		_, err = io.WriteString(os.Stdout, draw(*title, *columns, lines))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "terminalsvg:", err)
		os.Exit(1)
	}
}

// read returns the lines of a transcript, none longer than columns.
func read(r io.Reader, columns int) ([]string, error) {
	var lines []string
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		lines = append(lines, cut(strings.TrimRight(scanner.Text(), " "), columns))
	}
	return lines, scanner.Err()
}

// cut shortens a line to columns characters, the last of which says that something is missing.
func cut(line string, columns int) string {
	if utf8.RuneCountInString(line) <= columns {
		return line
	}
	return string([]rune(line)[:columns-1]) + "…"
}

// Sizes in pixels.
const (
	charWidth  = 7.8 // of a monospaced font of 13 pixels
	lineHeight = 19
	margin     = 18
	bar        = 30 // the bar with the window's buttons
)

// Colors of a dark terminal.
const (
	paper  = "#0d1117"
	ink    = "#e6edf3"
	faint  = "#8b949e"
	green  = "#3fb950"
	blue   = "#79c0ff"
	border = "#30363d"
)

// draw returns the SVG. Its text stays text, so that it can be searched, copied and read aloud.
func draw(title string, columns int, lines []string) string {
	width := int(charWidth*float64(columns)) + 2*margin
	height := bar + lineHeight*len(lines) + 2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1,
		paper, border)
	for i := range 3 {
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="5" fill="%s"/>`+"\n", margin+18*i, bar/2+3, border)
	}
	fmt.Fprintf(&b,
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="%s">`+"\n", ink)
	for i, line := range lines {
		// Viewers drop blanks at the beginning of a text, whatever they are told: they become its place.
		text := strings.TrimLeft(line, " ")
		if text != "" {
			x := margin + charWidth*float64(len(line)-len(text))
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", x, bar+margin+lineHeight*i+6, colored(text))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// colored adds colors to the prompt and its command, to the check mark, and to refs.
func colored(line string) string {
	if command, ok := strings.CutPrefix(line, "$ "); ok {
		return span(faint, "$ ") + span(blue, command)
	}
	if rest, ok := strings.CutPrefix(line, "✓"); ok {
		return span(green, "✓") + escape(rest)
	}
	var b strings.Builder
	at := 0
	for _, ref := range refMark.FindAllStringIndex(line, -1) {
		b.WriteString(escape(line[at:ref[0]]) + span(green, line[ref[0]:ref[1]]))
		at = ref[1]
	}
	return b.String() + escape(line[at:])
}

var refMark = regexp.MustCompile(`ref=e\d+|@e\d+`)

func span(color, text string) string {
	return fmt.Sprintf(`<tspan fill="%s">%s</tspan>`, color, escape(text))
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
