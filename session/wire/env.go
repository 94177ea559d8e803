package wire

// Lookup returns the value of name in an environment of NAME=value entries and whether it is set. Of several entries
// the first one counts, as in the systems' own getenv.
func Lookup(env []string, name string) (string, bool) {
	for _, e := range env {
		if len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			return e[len(name)+1:], true
		}
	}
	return "", false
}
