package daemon

import "io"

// Lines returns what writes a line to a person at a terminal; nil means that there is no terminal.
func Lines(w io.Writer, terminal bool) func(line string) {
	if !terminal {
		return nil
	}
	return func(line string) { _, _ = io.WriteString(w, line+"\n") } // a caller that is gone ends the command by itself
}
