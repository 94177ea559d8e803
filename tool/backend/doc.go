// Package backend is where the tool's command lines run: in this process, on skua's own sessions (Native), or in the
// real agent-browser (Subprocess). Both answer in one form, of which the native one fills more: it has codes and facts
// where a subprocess has prose.
//
// The package must not know the tool's input modes, its sessions' names or how results are shown.
package backend
