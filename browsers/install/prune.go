package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// prune removes the other versions of the product that was installed. One whose browser runs is kept.
func (i *Installer) prune(dir string, o *Outcome) error {
	all, err := Installed(dir)
	if err != nil {
		return err
	}
	for _, b := range all {
		if b.Product != o.Product || b.Version == o.Version {
			continue
		}
		folder := filepath.Join(dir, b.folder())
		if running(folder) {
			o.Kept = append(o.Kept, b.Version)
			continue
		}
		if err := forget(dir, b); err != nil {
			return err
		}
		aside, err := os.MkdirTemp(dir, oldStem)
		if err != nil {
			return err
		}
		if err := os.Rename(folder, filepath.Join(aside, "browser")); err != nil && !os.IsNotExist(err) {
			_ = os.Remove(aside)
			if rerr := record(dir, b); rerr != nil {
				return rerr
			}
			o.Kept = append(o.Kept, b.Version) // Windows holds what runs
			continue
		}
		o.Pruned = append(o.Pruned, b.Version)
		_ = os.RemoveAll(aside) // what is left is swept by the next install
	}
	return nil
}

// running reports whether a program below a folder runs, where that can be seen.
func running(folder string) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if program, err := os.Readlink(link); err == nil && strings.HasPrefix(program, real+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
