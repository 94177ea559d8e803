// Package fact is what others act on of what a command did: the effects that were seen, the page that shows now, the
// refs that it hands out, the files that it wrote. Queue, journal, tool, tasks and scripts ask a result for its [Facts]
// in place of the command's name.
//
// The package must not know any command, and no session.
package fact
