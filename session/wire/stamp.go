package wire

// Stamp identifies a build of the engine host by its program file. The client tells the one that it would start, the
// host knows the one that it was started from.
type Stamp struct {
	MTime int64 // modification time in nanoseconds since 1970
	Size  int64 // bytes
}

// Known reports whether s says anything: a client that found no host program sends the zero Stamp.
func (s Stamp) Known() bool { return s != Stamp{} }

// Newer reports whether s is a later build than other. An unknown stamp is never newer and never older.
func (s Stamp) Newer(other Stamp) bool { return s.Known() && other.Known() && s.MTime > other.MTime }
