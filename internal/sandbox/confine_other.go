//go:build !linux

package sandbox

import "runtime/debug"

// confine bounds what this process may take. Memory is bounded by its own watch alone here: the system's limits are on
// address space, of which Go reserves much more than it uses.
func confine(*start) { debug.SetMaxStack(64 << 20) }
