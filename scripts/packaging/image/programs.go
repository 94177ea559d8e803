package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

// The unprivileged user that skua runs as, and the folder that it keeps files in. The number is above those that
// distributions give to people.
const (
	userName = "skua"
	userID   = 10001
	home     = "/var/lib/skua"
	profile  = home + "/profile"
)

// writePrograms writes the layer of skua: its files in /usr/local, the user, and the user's folder.
func writePrograms(f stage.Folder, base string, at time.Time, to string) error {
	accounts, err := accounts(base)
	if err != nil {
		return err
	}
	files, err := f.Files()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	w := layerWriter{tar.NewWriter(out), at, map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(accounts)) {
		if err := w.file(name, 0o644, accounts[name]); err != nil {
			return errors.Join(err, out.Close())
		}
	}
	for _, file := range files {
		content, err := os.ReadFile(file.Path)
		if err == nil {
			err = w.file("usr/local/"+file.Name, int64(file.Mode.Perm()), content)
		}
		if err != nil {
			return errors.Join(err, out.Close())
		}
	}
	// A volume that is mounted here, and has no files yet, gets the owner of the folder.
	for _, dir := range []string{home, profile} {
		if err := w.folder(strings.TrimPrefix(dir, "/"), 0o700, userID); err != nil {
			return errors.Join(err, out.Close())
		}
	}
	return errors.Join(w.tar.Close(), out.Close())
}

// accounts returns the base's lists of users and groups with skua's own added.
func accounts(base string) (map[string][]byte, error) {
	lines := map[string]string{
		"etc/passwd": fmt.Sprintf("%s:x:%d:%d:skua:%s:/usr/sbin/nologin\n", userName, userID, userID, home),
		"etc/group":  fmt.Sprintf("%s:x:%d:\n", userName, userID),
	}
	found := map[string][]byte{}
	in, err := os.Open(base)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	for r := tar.NewReader(in); len(found) < len(lines); {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: it has no %v; it is not a root file system", base, slices.Sorted(maps.Keys(lines)))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		name := strings.TrimPrefix(header.Name, "./")
		line, ok := lines[name]
		if !ok {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		found[name] = append(content, line...)
	}
	return found, nil
}

// layerWriter writes files with their folders, all of them with one time.
type layerWriter struct {
	tar     *tar.Writer
	at      time.Time
	folders map[string]bool
}

func (w layerWriter) file(name string, mode int64, content []byte) error {
	if err := w.parents(name); err != nil {
		return err
	}
	if err := w.tar.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg,
		Name:     name,
		Mode:     mode,
		Size:     int64(len(content)),
		ModTime:  w.at,
	}); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

// parents writes the folders above a file, as Debian has them.
func (w layerWriter) parents(name string) error {
	dir := path.Dir(name)
	if dir == "." || w.folders[dir] {
		return nil
	}
	if err := w.parents(dir); err != nil {
		return err
	}
	return w.folder(dir, 0o755, 0)
}

func (w layerWriter) folder(name string, mode int64, owner int) error {
	if err := w.parents(name); err != nil {
		return err
	}
	w.folders[name] = true
	return w.tar.WriteHeader(&tar.Header{
		Typeflag: tar.TypeDir,
		Name:     name + "/",
		Mode:     mode,
		Uid:      owner,
		Gid:      owner,
		ModTime:  w.at,
	})
}
