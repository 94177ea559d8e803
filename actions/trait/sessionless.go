package trait

// Form is how a command was written on a command line.
type Form struct {
	Words   int                    // after the command's name
	Short   bool                   // by a name of fewer words than its own: `skills` for `skills list`
	Unknown bool                   // with a flag that its definition does not have
	Has     func(flag string) bool // whether a flag was given and is not turned off
}

// Sessionless reports whether a command line that names no session works on the machine instead of in one. That a
// command needs no browser does not say it: `close` and `stream status` need none, and are about a session.
type Sessionless func(Form) bool

// OnMachine is the Sessionless of a command that never works in a session.
func OnMachine(Form) bool { return true }

// OnMachineInFull is the Sessionless of a command that works on the machine when its whole name is given.
func OnMachineInFull(f Form) bool { return !f.Short }

// OnMachineAlone is the Sessionless of a command that works on the machine when it has no further words and no unknown
// flags.
func OnMachineAlone(f Form) bool { return f.Words == 0 && !f.Unknown }
