package planning

import "github.com/skua-browser/skua/tool/argv"

// Line returns the command line that is run: `--json`, the namespace and the session if there are any, then the
// caller's words without those three and without the flags that drop selects.
func Line(w *argv.Words, namespace *string, session string, drop func(*argv.Flag) bool) []string {
	line := make([]string, 0, len(w.Args)+5)
	line = append(line, "--json")
	if namespace != nil {
		line = append(line, "--namespace", *namespace)
	}
	if session != "" {
		line = append(line, "--session", session)
	}
	from := 0
	for i := range w.Flags {
		f := &w.Flags[i]
		ours := f.Name == "json" || session != "" && (f.Name == "session" || f.Name == "namespace")
		if !(f.Global && ours) && !drop(f) {
			continue
		}
		line = append(line, w.Args[from:f.Index]...)
		from = f.Index + 1
		if f.HasValue && !f.Inline {
			from++
		}
	}
	return append(line, w.Args[from:]...)
}
