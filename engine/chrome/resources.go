package chrome

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/limits"
)

// shortages are the signs of a resource that the system refused, in what a program said or in how it ended.
var shortages = []struct {
	sign  *lazyregexp.Regexp
	kinds []limits.Kind // that cause it, the likeliest first
}{
	{lazyregexp.New(`Too many open files|FD exhaustion`), []limits.Kind{limits.Files}},
	{lazyregexp.New(`file size limit exceeded|File size limit exceeded|File too large`), []limits.Kind{limits.FileSize}},
	{lazyregexp.New(`(?i)cpu time limit exceeded`), []limits.Kind{limits.CPUTime}},
	{
		lazyregexp.New(`(?:pthread_create|fork|clone|credentials\.cc|zygote)[^\n]*Resource temporarily unavailable`),
		// a thread without memory for its stack is refused by the same words
		[]limits.Kind{limits.Processes, limits.Memory, limits.Data},
	},
	{lazyregexp.New(`Cannot allocate memory|Out of memory|std::bad_alloc`), []limits.Kind{limits.Memory, limits.Data}},
}

// resourcesReason is the fact "reason" of what ended or did not start for want of a resource.
const resourcesReason = "resources"

// shortage finds the resource that a program lacked. low are the limits of this process that are too low.
func shortage(exit, output string, low []limits.Limit) Diagnosis {
	for _, s := range shortages {
		if !s.sign.MatchString(output) && !s.sign.MatchString(exit) {
			continue
		}
		kind := s.kinds[0]
		for _, k := range s.kinds {
			if limits.Reached(k, low) != limits.Reached(k, nil) {
				kind = k
				break
			}
		}
		return Diagnosis{resourcesReason, limits.Reached(kind, low), resourcesHint(low)}
	}
	if strings.Contains(exit, "signal: killed") {
		if limit, found := limits.OutOfMemory(); found {
			return Diagnosis{
				resourcesReason, "the system ended it, and has ended processes here for want of memory; the limit is " +
					strconv.FormatUint(limit>>20, 10) + " MB (limit of the container)",
				"Give the container more memory; a page needs about 100 MB.",
			}
		}
	}
	return Diagnosis{}
}

// suspicion names what may be the reason why a program ended that said nothing of it: it crashed, or never ran.
func suspicion(exit string, answered bool, low []limits.Limit) Diagnosis {
	if answered && !crashed(exit) {
		return Diagnosis{}
	}
	if !hasProc() {
		return Diagnosis{
			"no-proc", "this system has no /proc, without which Chromium does not run",
			"Mount it (mount -t proc proc /proc).",
		}
	}
	if len(low) > 0 {
		what := limits.Suspect(low)
		if !answered {
			what = "it ended, " + what
		}
		return Diagnosis{resourcesReason, what, resourcesHint(low)}
	}
	return Diagnosis{}
}

// Shortage returns the resource that a browser which has ended unexpectedly lacked, "" if that is not known. It waits a
// moment for the last words of one that is just ending.
func (p *Process) Shortage() string {
	if p.asked() {
		return ""
	}
	select {
	case <-p.done:
	case <-time.After(shortageGrace):
		return ""
	}
	f, _ := errors.AsType[*fault.Error](p.err)
	if f == nil {
		return ""
	}
	what, _ := f.Facts[shortageFact].(string)
	return what
}

// shortageGrace bounds the wait for the end of a browser that has closed its pipe. It takes milliseconds.
const shortageGrace = time.Second

// shortageFact is the fact with the words about a resource that was lacking.
const shortageFact = "shortage"

// starvedError is the end of a browser's replies for want of a resource.
type starvedError struct{ what string }

func (e *starvedError) Error() string { return e.what }

// Unwrap returns the end of the file, which it is.
func (e *starvedError) Unwrap() error { return io.EOF }

// crashed reports whether a program was ended by a signal that it gave itself.
func crashed(exit string) bool {
	rest, found := strings.CutPrefix(exit, "signal: ")
	for _, other := range []string{"killed", "terminated", "interrupt", "hangup"} {
		found = found && !strings.HasPrefix(rest, other)
	}
	return found
}

// hasProc reports whether the system has the folder with what is known about processes, which some chroots lack.
func hasProc() bool {
	if runtime.GOOS != "linux" {
		return true
	}
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// resourcesHint says what to do about limits. Without one that is low, others use up what there is.
func resourcesHint(low []limits.Limit) string {
	if len(low) == 0 {
		return "The machine, or its limit for this user, is used up: end other programs."
	}
	return limits.Hint
}

// refusedResource returns the limit behind an error of the system, as a sentence that is empty when no limit is too
// low; false means that it is another error.
func refusedResource(err error, low []limits.Limit) (sentence string, found bool) {
	kind := limits.Files
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
	case errors.Is(err, syscall.EAGAIN):
		kind = limits.Processes
	case errors.Is(err, syscall.ENOMEM):
		kind = limits.Memory
	default:
		return "", false
	}
	for _, l := range low {
		if l.Kind == kind {
			return " The limit is " + l.String() + ".", true
		}
	}
	return "", true
}
