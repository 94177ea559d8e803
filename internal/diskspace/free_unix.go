//go:build unix

package diskspace

import "golang.org/x/sys/unix"

// Free returns how many bytes, and how many files where the file system counts them (-1: it does not), a user may still
// put into a folder.
func Free(dir string) (bytes, files int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	files = -1
	if s.Files > 0 {
		files = int64(s.Ffree) // no file system has that many
	}
	return int64(uint64(s.Bavail) * uint64(s.Bsize)), files, nil // the types differ between systems
}
