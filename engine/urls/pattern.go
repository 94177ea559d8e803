package urls

import "strings"

// Match reports whether a URL fits a pattern as agent-browser has them: without * a part of the URL; else the pieces
// between the stars in their order, anchored at both ends.
func Match(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.Contains(url, pattern)
	}
	pieces := strings.Split(pattern, "*")
	first, last := pieces[0], pieces[len(pieces)-1]
	if !strings.HasPrefix(url, first) || !strings.HasSuffix(url, last) || len(url) < len(first)+len(last) {
		return false
	}
	rest := url[len(first) : len(url)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return true
}

// BrowserPattern is a pattern for the browser that accepts the same addresses. In its patterns ? stands for one
// character.
func BrowserPattern(pattern string) string {
	escaped := strings.NewReplacer(`\`, `\\`, "?", `\?`).Replace(pattern)
	if strings.Contains(pattern, "*") {
		return escaped
	}
	return "*" + escaped + "*"
}
