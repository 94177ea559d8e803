package daemon

import (
	"errors"
	"os"
	"sync/atomic"

	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// FolderNotes are the notes about system folders that cannot be used. A host gives them once.
type FolderNotes struct{ told atomic.Bool }

// Tell passes the notes about a caller's folders to tell, unless they were given before. socketDir is the host's, or ""
// if it has no socket.
func (f *FolderNotes) Tell(getenv func(string) string, socketDir string, tell func(note string)) {
	notes := folderNotes(getenv, socketDir)
	if len(notes) == 0 || !f.told.CompareAndSwap(false, true) {
		return
	}
	for _, note := range notes {
		tell(note)
	}
}

// folderNotes says which folders cannot be used, and what takes their place.
func folderNotes(getenv func(string) string, socketDir string) (notes []string) {
	_, err := home.Dir(getenv)
	unusable, isUnusable := errors.AsType[*home.UnusableError](err)
	if isUnusable {
		notes = append(notes,
			unusable.Error()+"; until then no states and logins are kept, and files without a path go to "+os.TempDir())
	}
	if name, dir := hostdir.Ignored(dirVariables(getenv), os.Getuid()); name != "" && socketDir != "" &&
		!(isUnusable && name == unusable.Name) {
		notes = append(notes,
			"the folder "+dir+" ("+name+") cannot have this user's sockets, so that the host's is in "+socketDir+
				"; set "+name+", or SKUA_SOCKET_DIR, to a folder of yours")
	}
	return notes
}
