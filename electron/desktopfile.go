package electron

import (
	"path/filepath"
	"strings"
)

// desktopFile is what a .desktop file says (freedesktop.org, Desktop Entry Specification 1.5).
type desktopFile struct {
	id     string // its name without ".desktop"
	name   string
	icon   string
	exec   []string // without field codes
	hidden bool
}

// maxDesktopFile is more than any of them has.
const maxDesktopFile = 1 << 20

func readDesktopFile(path string) (desktopFile, error) {
	text, err := readSmallFile(path, maxDesktopFile)
	if err != nil {
		return desktopFile{}, err
	}
	d := parseDesktopFile(string(text))
	d.id = strings.TrimSuffix(filepath.Base(path), ".desktop")
	return d, nil
}

func parseDesktopFile(text string) desktopFile {
	var d desktopFile
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			group = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || group != "[Desktop Entry]" {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "Name":
			d.name = unescape(value)
		case "Icon":
			d.icon = unescape(value)
		case "Exec":
			d.exec = splitExec(unescape(value))
		case "Hidden", "NoDisplay":
			d.hidden = d.hidden || value == "true"
		case "Type":
			d.hidden = d.hidden || value != "Application"
		}
	}
	return d
}

// unescape replaces the escapes that all values of type string have.
func unescape(value string) string {
	return strings.NewReplacer(`\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(value)
}

// splitExec splits the value of Exec, whose words may be in double quotes, and drops its field codes.
func splitExec(value string) []string {
	var words []string
	var word strings.Builder
	quoted, begun := false, false
	end := func() {
		if begun && !isFieldCode(word.String()) {
			words = append(words, strings.ReplaceAll(word.String(), "%%", "%"))
		}
		word.Reset()
		begun = false
	}
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted, begun = !quoted, true
		case c == '\\' && quoted && i+1 < len(value):
			i++
			word.WriteByte(value[i])
		case c == ' ' && !quoted:
			end()
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return words
}

func isFieldCode(word string) bool { return len(word) == 2 && word[0] == '%' && word[1] != '%' }

// keyIn returns the value of a key in a group of such a file; flatpak's metadata has the same form.
func keyIn(text, group, key string) string {
	at := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			at = line
			continue
		}
		if name, value, ok := strings.Cut(line, "="); ok && at == "["+group+"]" && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
