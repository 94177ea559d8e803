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

// IsLarge reports whether a text is too long to be shown whole.
func IsLarge(text string) bool {
	return len(text) > largeBytes || len(text) > largeLines && strings.Count(text, "\n") >= largeLines
}

// preview is the beginning of a text.
func preview(text string) string {
	var b strings.Builder
	for n := 0; n < previewLines && text != ""; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		line = clip(strings.TrimRight(line, " \t\r"), previewWidth)
		if b.Len()+len(line)+1 > previewBytes {
			if b.Len() == 0 {
				b.WriteString(clip(line, previewBytes))
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

// What is shown of help and versions, which are read once and are of no use in part.
const (
	helpBytes = 24 << 10
	helpLines = 500
)

// large turns a long text into a preview, and keeps the whole of it.
func large(c *Command, v *View) {
	if !IsLarge(v.Text) || c.Success && c.Words.Inspects() && len(v.Text) <= helpBytes && strings.Count(v.Text, "\n") < helpLines {
		return
	}
	whole := v.Text
	kind := c.Words.Command
	path, err := c.Keep(fileName(kind), ".txt", whole)
	if err != nil {
		v.KeepError = err.Error()
	} else {
		v.FullOutput = path
	}
	v.Text = Compacted(kind, whole, "", path, v.KeepError)
	v.Data = contract.OutputPreview{
		Compacted: true, PreviewMode: "outline", Bytes: len(whole), Lines: strings.Count(whole, "\n") + 1, Preview: preview(whole), SpillError: v.KeepError,
	}
}

// Compacted is the text of a long output: what it is, what failed in it, how it begins, and where the whole of it is.
func Compacted(kind, whole, failure, path, keepError string) string {
	var b strings.Builder
	b.WriteString("Large " + kind + " output compacted.\n")
	if failure != "" {
		b.WriteString(failure + "\n")
	}
	b.WriteString(number(len(whole)) + " bytes, " + number(strings.Count(whole, "\n")+1) + " lines. It begins:\n\n")
	b.WriteString(preview(whole))
	b.WriteString("\n\n")
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
