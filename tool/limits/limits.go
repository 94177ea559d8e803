package limits

import (
	"strconv"
	"time"
)

// Limits are what bounds the calls of a tool.
type Limits struct {
	Watchdog         time.Duration // of a command, when the call does not say
	Operation        time.Duration // AGENT_BROWSER_DEFAULT_TIMEOUT is not let above it
	ManagedIdle      time.Duration // after which a managed session is closed
	Close            time.Duration // of managed sessions at the end, and of the cleanup of a desktop app
	Dialog           time.Duration // of the dialog command
	DialogTrigger    time.Duration // of an action that may open a dialog
	ManifestEntries  int           // artifacts that the tool remembers
	SpillBytes       int64         // of outputs that were kept on disk since they were too long to show
	TempBytes        int64         // of the folder of temporary files
	InlineImageBytes int64         // of an image that is shown in the result
}

// Defaults returns the limits of an environment that sets none.
func Defaults() Limits { return From(func(string) string { return "" }) }

// From reads the limits from an environment. Each variable has skua's name and the one that the contract had first.
func From(getenv func(string) string) Limits {
	r := reader(getenv)
	return Limits{
		Watchdog:         r.ms("PROCESS_TIMEOUT_MS", 35_000),
		Operation:        25 * time.Second,
		ManagedIdle:      r.ms("IMPLICIT_SESSION_IDLE_TIMEOUT_MS", 900_000),
		Close:            r.ms("IMPLICIT_SESSION_CLOSE_TIMEOUT_MS", 5_000),
		Dialog:           r.ms("DIALOG_PROCESS_TIMEOUT_MS", 5_000),
		DialogTrigger:    r.ms("DIALOG_TRIGGER_PROCESS_TIMEOUT_MS", 8_000),
		ManifestEntries:  int(r.number("SESSION_ARTIFACT_MANIFEST_MAX_ENTRIES", 100)),
		SpillBytes:       r.number("SESSION_ARTIFACT_MAX_BYTES", 32<<20),
		TempBytes:        r.number("TEMP_ROOT_MAX_BYTES", 32<<20),
		InlineImageBytes: r.number("INLINE_IMAGE_MAX_BYTES", 5<<20),
	}
}

type reader func(string) string

func (r reader) number(name string, otherwise int64) int64 {
	for _, prefix := range []string{"SKUA_TOOL_", "PI_AGENT_BROWSER_"} {
		if n, err := strconv.ParseInt(r(prefix+name), 10, 64); err == nil && n > 0 {
			return n
		}
	}
	return otherwise
}

func (r reader) ms(name string, otherwise int64) time.Duration {
	return time.Duration(r.number(name, otherwise)) * time.Millisecond
}
