// Package limits reads what the system lets this process and those that it starts have of files, memory, processes and
// time, and says in words which limits are too low for a browser. It must not know what the programs are, and the
// client links it, so that it imports almost nothing.
package limits
