package product

import (
	"runtime/debug"
	"sync"
)

// Version is the version of the product: the next release, as long as scripts/release does not name another one to the
// linker. Nothing else sets it.
var Version = "0.1.0"

// commit is set by the linker, see scripts/build: the commit that was built, with -dirty after it where files had
// changed since.
var commit string

// Commit returns the commit that the program was built from. It is empty for a build outside of git.
var Commit = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if commit != "" || !ok {
		return commit
	}
	// A build by go itself, such as go install.
	of, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			of = s.Value[:min(len(s.Value), commitLength)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-dirty"
		}
	}
	if of == "" {
		return ""
	}
	return of + changed
})

// commitLength is how many digits of a commit are shown.
const commitLength = 12
