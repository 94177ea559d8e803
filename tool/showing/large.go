package showing

import (
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// What is shown of a long text, and from when on it counts as long.
const (
	largeBytes   = 8000
	largeLines   = 120
	previewBytes = 2500
	previewLines = 40
	previewWidth = 240
)

// IsLarge reports whether a text is too long to be shown whole. Blank lines make no text long, nor do lines that a
// preview has room for.
func IsLarge(text string) bool {
	return len(text) > largeBytes || len(text) > previewBytes && fullLines(text, largeLines) > largeLines
}

// fullLines counts the lines with text, up to one more than most.
func fullLines(text string, most int) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
		if n > most {
			break
		}
	}
	return n
}

// withoutGaps returns the text with one blank line where there are several, and without white space at the ends of
// lines.
func withoutGaps(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	blank, begun := false, false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r\u00a0")
		if line == "" {
			blank = true
			continue
		}
		if begun {
			b.WriteByte('\n')
			if blank {
				b.WriteByte('\n')
			}
		}
		b.WriteString(line)
		blank, begun = false, true
	}
	return b.String()
}

// preview is the beginning of a text.
func preview(text string) string { return beginning(text, previewBytes, previewLines) }

// beginning returns as many whole lines of a text as there is room for, or the beginning of the first one.
func beginning(text string, most, lines int) string {
	var b strings.Builder
	for n := 0; n < lines && text != ""; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		line = clip(strings.TrimRight(line, " \t\r"), previewWidth)
		if b.Len()+len(line)+1 > most {
			if b.Len() == 0 {
				b.WriteString(clip(line, most))
			}
			break
		}
		if n > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		text = rest
	}
	return b.String()
}

// What is shown of help, versions and guides, which are read once and are of no use in part.
const (
	helpBytes = 24 << 10
	helpLines = 500
)

func isGuide(text string) bool {
	return len(text) <= helpBytes && strings.Count(text, "\n") < helpLines
}

// large turns a long text into a preview, and keeps the whole of it.
func large(c *Command, v *View) {
	whole := v.Text
	if len(whole) <= largeBytes && strings.Count(whole, "\n") < largeLines ||
		c.Success && c.Words.Inspects() && isGuide(whole) {
		return
	}
	if v.Text = withoutGaps(whole); !IsLarge(v.Text) {
		return
	}
	kind := c.Words.Command
	path, err := c.Keep(fileName(kind), ".txt", whole)
	if err != nil {
		v.KeepError = err.Error()
	} else {
		v.FullOutput = path
	}
	begins := preview(withoutGaps(whole))
	v.Text = compacted(kind, whole, "", " It begins:\n\n"+begins, path, v.KeepError)
	v.Data = contract.OutputPreview{
		Compacted:   true,
		PreviewMode: "outline",
		Bytes:       len(whole),
		Lines: strings.Count(whole, "\n") +
			1,
		Preview:    begins,
		SpillError: v.KeepError,
	}
}

// compacted is the text of a long output: what it is, what failed in it, what is shown of it, and where the whole of it
// is.
func compacted(kind, whole, failure, shown, path, keepError string) string {
	var b strings.Builder
	b.WriteString("Large " + kind + " output compacted.\n")
	if failure != "" {
		b.WriteString(failure + "\n")
	}
	b.WriteString(number(len(whole)) + " bytes, " + number(strings.Count(whole, "\n")+1) + " lines." + shown + "\n\n")
	if path != "" {
		b.WriteString("Full output path: " + path)
	} else {
		b.WriteString("Full output unavailable: " + keepError)
	}
	return b.String()
}

// fileName makes a word fit for the name of a file.
func fileName(word string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(word))
	if clean == "" {
		return "output"
	}
	return clip(clean, 32)
}
