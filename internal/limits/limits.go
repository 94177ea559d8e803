package limits

import "strconv"

// Kind is what is limited.
type Kind int

// The kinds of limits, with the option of the shell's ulimit that sets them.
const (
	Files     Kind = iota // open at once, -n
	Memory                // address space, -v
	Data                  // memory that is written to, -d
	Processes             // and threads, -u
	FileSize              // of a file that is written, -f
	Stack                 // of a thread, -s
	CPUTime               // of a process, -t
	kinds
)

// Limit is a limit that is set.
type Limit struct {
	Kind  Kind
	Value uint64 // a number, bytes, or seconds

	container bool // it is that of the container, not of ulimit
}

// about says how a kind is shown, and what a browser with some tabs needs. Its figures were found by trying: Chromium
// reserves much more address space than it uses, and starts with less of the rest than it needs later.
var about = [kinds]struct {
	unit    string
	bytes   bool // in KB, as the shell counts
	option  string
	reached string
	enough  uint64
}{
	Files: {unit: " open files", option: "-n", reached: "too many files are open", enough: 256},
	Memory: {
		unit:    " KB of address space",
		bytes:   true,
		option:  "-v",
		reached: "there is no more memory",
		enough:  128 << 30,
	},
	Data: {unit: " KB of memory", bytes: true, option: "-d", reached: "there is no more memory", enough: 2 << 30},
	Processes: {
		unit:    " processes and threads",
		option:  "-u",
		reached: "no more processes and threads can be started",
		enough:  256,
	},
	FileSize: {
		unit:    " KB in a file",
		bytes:   true,
		option:  "-f",
		reached: "a file would become too large",
		enough:  256 << 20,
	},
	Stack: {
		unit:    " KB of stack",
		bytes:   true,
		option:  "-s",
		reached: "a stack would become too large",
		enough:  1 << 20,
	},
	CPUTime: {unit: " s of CPU time", option: "-t", reached: "the CPU time is used up", enough: 3600},
}

// String says how much is allowed, and what sets the limit: "64 open files (ulimit -n)".
func (l Limit) String() string {
	value := l.Value
	if about[l.Kind].bytes {
		value >>= 10
	}
	by := "ulimit " + about[l.Kind].option
	if l.container {
		by = "limit of the container"
	}
	return strconv.FormatUint(value, 10) + about[l.Kind].unit + " (" + by + ")"
}

// Option returns the option of ulimit that sets the limit, "" for one of the container.
func (l Limit) Option() string {
	if l.container {
		return ""
	}
	return about[l.Kind].option
}

// Low returns the limits that are too low for a browser with some tabs, in the order of the kinds.
func Low() []Limit {
	var low []Limit
	for kind := range kinds {
		if l, ok := Of(kind); ok && l.Value < about[kind].enough {
			low = append(low, l)
		}
	}
	return low
}

// Reached says that the limit of a kind was reached, and which it is if low has it: "too many files are open; 64 open
// files (ulimit -n) are allowed".
func Reached(kind Kind, low []Limit) string {
	for _, l := range low {
		if l.Kind == kind {
			return about[kind].reached + "; the limit is " + l.String()
		}
	}
	return about[kind].reached
}

// allowed lists limits: "only 64 open files (ulimit -n) and 100 KB in a file (ulimit -f) are allowed".
func allowed(low []Limit) string {
	text := []byte("only ")
	for i, l := range low {
		switch {
		case i > 0 && i == len(low)-1:
			text = append(text, " and "...)
		case i > 0:
			text = append(text, ", "...)
		}
		text = append(text, l.String()...)
	}
	return string(append(text, " are allowed"...))
}

// Suspicion says that the limits of this process that are too low may be the reason for what has happened; it is empty
// when none is.
func Suspicion() string { return Suspect(Low()) }

// Suspect is Suspicion for the given limits.
func Suspect(low []Limit) string {
	if len(low) == 0 {
		return ""
	}
	return "perhaps because " + allowed(low)
}

// Hint says how a limit is raised.
const Hint = "Raise the limit in the shell that starts skua, and end the host that still has the old one " +
	"(`skuad stop`)."
