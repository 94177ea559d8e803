package testprogram

import (
	"os"
	"path/filepath"
	"syscall"
)

// T is what Write needs of a test.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Write writes an executable file in place of one that is there, makes its folders, and returns its path.
//
// No process is forked meanwhile: a child would have the file open for writing until it executes its own program, and
// the kernel refuses to execute such a file (ETXTBSY).
func Write(t T, path, text string) string {
	t.Helper()
	if err := write(path, text); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o755)
}
