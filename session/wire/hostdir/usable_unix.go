//go:build unix

package hostdir

import "syscall"

// kind is what is at a path, with the user of a folder.
type kind struct {
	missing, folder bool
	uid             int
}

func kindOf(st *syscall.Stat_t, errno syscall.Errno) kind {
	if errno != 0 {
		return kind{missing: errno == syscall.ENOENT}
	}
	return kind{folder: st.Mode&syscall.S_IFMT == syscall.S_IFDIR, uid: int(st.Uid)}
}

// usable reports whether b[from:] can be the folder of a host of the user uid: there is one of the user's, or it can be
// made below b[from:root], which the system named and which must be there. owned says that that one must be the user's,
// too. Nothing is made here, so that all who ask get the same answer. Where hosts were before, it takes two system
// calls.
func usable(b []byte, from, root, uid int, owned bool) bool {
	if len(b)-from+1+len(Socket) > MaxSocketPath {
		return false // no socket could be there
	}
	is := lookAt(b, from)
	if is.folder {
		return is.uid == uid && (mayWriteAt(b, from) || inhabited(b, from))
	}
	for is.missing && len(b) > root {
		b = parent(b, root)
		is = lookAt(b, from)
	}
	return is.folder && (is.uid == uid || !owned) && mayWriteAt(b, from)
}

// inhabited reports whether hosts were in the folder b[from:]. A program in a sandbox may see the user's folders
// read-only and yet talk to the host that was started outside.
func inhabited(b []byte, from int) bool {
	return !lookAt(join(b, Socket), from).missing || !lookAt(join(b, namespaces), from).missing
}

// parent cuts the last element off b, down to its first root bytes.
func parent(b []byte, root int) []byte {
	n := len(b) - 1
	for n > root && b[n] != separator {
		n--
	}
	return b[:n]
}

func lookAt(b []byte, from int) kind {
	b, kept := endWithNUL(b)
	is := look(b[from:])
	b[len(b)-1] = kept
	return is
}

func mayWriteAt(b []byte, from int) bool {
	b, kept := endWithNUL(b)
	may := mayWrite(b[from:])
	b[len(b)-1] = kept
	return may
}

// endWithNUL puts a NUL behind b. It returns the byte that was there, which may belong to a longer path.
func endWithNUL(b []byte) (ended []byte, kept byte) {
	if len(b) < cap(b) {
		kept = b[:len(b)+1][len(b)]
	}
	return append(b, 0), kept
}
