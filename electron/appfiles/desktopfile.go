package appfiles

import (
	"path/filepath"
	"strings"
)

// DesktopFile is what a .desktop file says (freedesktop.org, Desktop Entry Specification 1.5).
type DesktopFile struct {
	ID     string // its name without ".desktop"
	Name   string
	Icon   string
	Exec   []string // without field codes
	Hidden bool
}

// maxDesktopFile is more than any of them has.
const maxDesktopFile = 1 << 20

func ReadDesktopFile(path string) (DesktopFile, error) {
	text, err := readSmallFile(path, maxDesktopFile)
	if err != nil {
		return DesktopFile{}, err
	}
	d := parseDesktopFile(string(text))
	d.ID = strings.TrimSuffix(filepath.Base(path), ".desktop")
	return d, nil
}

func parseDesktopFile(text string) DesktopFile {
	var d DesktopFile
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
			d.Name = unescape(value)
		case "Icon":
			d.Icon = unescape(value)
		case "Exec":
			d.Exec = splitExec(unescape(value))
		case "Hidden", "NoDisplay":
			d.Hidden = d.Hidden || value == "true"
		case "Type":
			d.Hidden = d.Hidden || value != "Application"
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

// ReadKey returns the value of a key in a group of such a file; flatpak's metadata has the same form.
func ReadKey(path, group, key string) (string, error) {
	text, err := readSmallFile(path, maxDesktopFile)
	return keyIn(string(text), group, key), err
}

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
