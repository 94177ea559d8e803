package showing

import "strings"

// Joined puts texts below each other and leaves out those that say nothing.
func Joined(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part = strings.TrimRight(part, "\n "); part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.String()
}
