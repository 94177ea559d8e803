package chrome

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/limits"
	"github.com/skua-browser/skua/internal/wording"
)

// ailment is a reason for which browsers do not start that can be told from their words.
type ailment struct {
	name string             // for programs: the fact "reason"
	sign *lazyregexp.Regexp // in what the browser said, or in how it ended; its first group, if any, goes into what
	what string
	hint string
}

var ailments = []ailment{
	{
		name: "snap-missing",
		sign: lazyregexp.New(`requires the chromium snap to be installed`),
		what: "it is only a placeholder for a snap package that is not installed",
		hint: "Run snap install chromium, or name another browser with SKUA_EXECUTABLE_PATH.",
	},
	{
		name: "library-missing",
		sign: lazyregexp.New(`error while loading shared libraries: ([^:\s]+)|Library not loaded: (\S+)`),
		what: "the shared library %s is missing",
		hint: "Install the package that contains it (ldd on the browser lists all that are missing; the chromium package " +
			"of a Linux distribution brings them along).",
	},
	{
		name: "system-too-old",
		sign: lazyregexp.New("version `?([A-Z]+_[0-9.]+)'? not found"),
		what: "it was built for a newer system (%s is missing)",
		hint: "Use the browser that your distribution packages, or an older build.",
	},
	{
		name: "wrong-architecture",
		sign: lazyregexp.New(
			`(?i)exec format error|cannot execute binary file|bad cpu type|rosetta error|qemu-\S+: could not open`),
		what: "it was built for another processor architecture",
		hint: "Install a build for this machine.",
	},
	{
		name: "sandbox-refused",
		sign: lazyregexp.New(
			`Running as root without --no-sandbox|No usable sandbox|Failed to move to new namespace|SUID sandbox helper|` +
				// healthy browsers, too, have warnings from these files
				`FATAL:\S*(?:sandbox_linux|credentials|setuid_sandbox_host)\.cc`),
		what: "its sandbox was refused by the system",
		hint: "Allow user namespaces for it (in a container: a seccomp profile that permits them), or pass the browser " +
			"argument --no-sandbox, which leaves pages unconfined.",
	},
	{
		name: "profile-damaged",
		sign: lazyregexp.New(`Failed to read prefs in '([^'\n]+)', error: [127]\b`),
		what: "the file %s of its profile is damaged",
		hint: "Restore that file, or move it away: the browser then begins a new one. A full disk leaves such files.",
	},
	{
		name: "profile-not-readable",
		sign: lazyregexp.New(`Failed to read prefs in '([^'\n]+)', error: \d`),
		what: "the file %s of its profile cannot be read",
		hint: "Make it a file that you can read, or move it away: the browser then begins a new one.",
	},
	{
		name: "profile-not-writable",
		sign: lazyregexp.New(
			`Singleton(?:Lock|Socket)\S*: (?:Permission denied|Read-only file system)|[Cc]annot create (?:user )?data directory|` +
				`[Ff]ailed to create (?:user )?data directory`),
		what: "its profile directory cannot be written to",
		hint: "Choose a profile directory that belongs to you.",
	},
	{
		name: "profile-in-use",
		sign: lazyregexp.New(
			`Opening in existing browser session|profile appears to be in use|ProcessSingleton|Singleton(?:Lock|Socket)|exit status 21\b`),
		what: "another browser uses the same profile directory",
		hint: "Close that browser, connect to it instead, or choose another profile directory.",
	},
	{
		name: "no-display",
		sign: lazyregexp.New(
			`Missing X server or \$DISPLAY|platform failed to initialize|[Uu]nable to open X display|[Cc]annot open display|` +
				`[Ff]ailed to connect to Wayland display`),
		what: "there is no display for its window",
		hint: "Install Xvfb, which is then started by itself (for example: apt-get install xvfb), set DISPLAY or " +
			"WAYLAND_DISPLAY, or leave out --headed; --no-xvfb starts none.",
	},
	{
		name: "shared-memory",
		sign: lazyregexp.New(`shared memory in /dev/shm|/dev/shm\S* failed: No space left`),
		what: "there is not enough shared memory in /dev/shm",
		hint: "Make it larger (docker run --shm-size=1g), or pass the browser argument --disable-dev-shm-usage.",
	},
	{
		name: "disk-full",
		sign: lazyregexp.New(`No space left on device`),
		what: "the disk is full",
		hint: "Free some space, or set TMPDIR to a directory on another disk.",
	},
}

// startFault explains why the operating system did not start path.
func startFault(path string, err error) error {
	return NotStarted(fault.New(fault.BrowserLaunch, "The browser %q could not be started: %w.", path, err), path, err)
}

// NotStarted adds to f, the error for the operating system's refusal err to start path, what can be done about it.
func NotStarted(f *fault.Error, path string, err error) *fault.Error {
	f.Subject = path
	low := limits.Low()
	if sentence, found := refusedResource(err, low); found {
		f.Message += sentence
		return f.WithHint("%s", resourcesHint(low)).With("reason", resourcesReason)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return f.WithHint("Check that you may execute it and that its file system is not mounted noexec.").With("reason",
			"not-executable")
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(path); statErr == nil {
			// The kernel says this of an existing file whose #! interpreter or dynamic loader does not exist.
			return f.WithHint(
				"The file exists, but the program that should load it does not: it is a build for another system.").
				With("reason", "wrong-architecture")
		}
	case isWrongFormat(err):
		return f.WithHint("It is not a program for this machine: install a build for its system and processor architecture.").
			With("reason", "wrong-architecture")
	}
	return f
}

// endFault explains an unexpected end of a browser from its exit status and its last output. answered tells whether it
// ever answered, low which limits of this process are too low.
func endFault(path, exit, output string, answered bool, low []limits.Limit) error {
	words := LastWords(output)
	saying := "It said nothing."
	if words != "" {
		saying = "It said: " + words
	}
	if answered && exit == "exit status 0" {
		return fault.New(fault.BrowserGone, "The browser %q was closed.", path).About(path).With("exit", exit)
	}
	if answered {
		d := shortage(exit, output, low)
		if d.Reason == "" {
			d = suspicion(exit, answered, low)
		}
		if d.Reason == "" {
			return fault.New(fault.BrowserGone, "The browser %q ended unexpectedly (%s). %s", path, exit, saying).About(path).
				With("exit", exit)
		}
		return fault.New(fault.BrowserGone, "The browser %q ended unexpectedly: %s (%s). %s", path, d.What, exit, saying).
			About(path).
			WithHint("%s", d.Hint).With("reason", d.Reason).With("exit", exit).With(shortageFact, d.What)
	}
	d := diagnose(exit, output, low)
	if d.Reason == "" {
		d = Diagnosis{
			"unknown", "it ended at once",
			"Check that it is a Chromium-family browser and runs: try it with --version.",
		}
	}
	return fault.New(fault.BrowserLaunch, "The browser %q did not start: %s (%s). %s", path, d.What, exit, saying).
		About(path).
		WithHint("%s", d.Hint).With("reason", d.Reason).With("exit", exit)
}

// Diagnosis is the reason why a program based on Chromium did not start.
type Diagnosis struct {
	Reason string // for programs, such as no-display; empty means that it is not known
	What   string // in words that go on after a colon
	Hint   string // what to do about it
}

// Diagnose derives the reason from a program's exit status and its last output.
func Diagnose(exit, output string) Diagnosis { return diagnose(exit, output, limits.Low()) }

func diagnose(exit, output string, low []limits.Limit) Diagnosis {
	if d := shortage(exit, output, low); d.Reason != "" {
		return d
	}
	for _, a := range ailments {
		match := a.sign.FindStringSubmatch(output)
		if match == nil {
			match = a.sign.FindStringSubmatch(exit)
		}
		if match == nil {
			continue
		}
		d := Diagnosis{a.name, a.what, a.hint}
		if strings.Contains(d.What, "%s") {
			d.What = fmt.Sprintf(d.What, strings.Join(match[1:], ""))
		}
		return d
	}
	return suspicion(exit, false, low)
}

const (
	wordLines = 4   // how many lines of a browser's words go into a message
	lineBytes = 300 // and how much of each
)

var (
	// Every browser without a desktop says these, healthy ones too.
	idleWords = lazyregexp.New(
		`dbus/|[Ff]loss|drmGetDevices|UPower|^\s*#\d+ 0x|^\s*\[[0-9:/.]*:INFO:|^\s*r[0-9a-z]+:|^\[end of stack trace\]`)
	// "[1234:5678:1121/064812.123456:ERROR:" in front of Chromium's log lines; the source file behind it stays.
	logPrefix = lazyregexp.New(`^\[[0-9:]+/[0-9.]+:([A-Z]+:[^\]]*)\] ?`)
)

// LastWords returns the informative ones of the last lines of output, as one line.
func LastWords(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || idleWords.MatchString(line) {
			continue
		}
		line = logPrefix.ReplaceAllString(line, "$1: ")
		lines = append(lines, wording.ClipBytes(line, lineBytes))
	}
	if len(lines) > wordLines {
		lines = lines[len(lines)-wordLines:]
	}
	return strings.Join(lines, " | ")
}
