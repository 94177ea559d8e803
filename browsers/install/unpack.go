package install

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// What an archive may hold at most.
const (
	unpackedLimit = 6 << 30
	entryLimit    = 50_000
	linkLimit     = 4 << 10 // of a symbolic link's target
)

// unpackedSize adds up what the archive says that its files will take.
func unpackedSize(z *zip.Reader) (total int64, err error) {
	if len(z.File) > entryLimit {
		return 0, badArchive("it has %d entries", len(z.File))
	}
	for _, f := range z.File {
		if f.UncompressedSize64 > unpackedLimit || total > unpackedLimit {
			return 0, badArchive("it unpacks to more than %d GB", unpackedLimit>>30)
		}
		total += int64(f.UncompressedSize64) // it is below the limit
	}
	return total, nil
}

func badArchive(format string, args ...any) error {
	return fault.New(fault.InstallFailed, "The archive is refused: %s.", fmt.Sprintf(format, args...)).With("reason",
		"archive")
}

// unpack puts the files of an archive into dir, an empty folder, and returns the checksum of each. Nothing comes to lie
// outside: names and links that would lead there are refused, and the folder is written through an os.Root, which
// follows none. done is called with the bytes so far.
func unpack(z *zip.Reader, dir string, done io.Writer) (map[string]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files := map[string]string{}
	left := int64(unpackedLimit)
	var links []*zip.File
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		if name == "" || strings.ContainsAny(name, "\\:\x00") || !filepath.IsLocal(filepath.FromSlash(name)) ||
			path.Clean(name) != name {
			return nil, badArchive("its entry %q would lie outside of the folder", f.Name)
		}
		switch mode := f.Mode(); {
		case mode.IsDir():
			if err := root.MkdirAll(filepath.FromSlash(name), 0o755); err != nil {
				return nil, err
			}
		case mode&fs.ModeSymlink != 0:
			links = append(links, f) // last, so that no file is written through one
		case mode.IsRegular():
			sum, n, err := unpackFile(root, f, name, left, done)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			left -= n
			files[name] = sum
		default:
			return nil, badArchive("its entry %q is not a file", f.Name)
		}
	}
	for _, f := range links {
		if err := unpackLink(root, f); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func unpackFile(root *os.Root, f *zip.File, name string, left int64, done io.Writer) (sum string, n int64, err error) {
	local := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return "", 0, err
	}
	mode := fs.FileMode(0o644) // neither set-user-id nor writable by others, whatever the archive says
	if f.Mode()&0o111 != 0 {
		mode = 0o755
	}
	in, err := f.Open()
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = in.Close() }()
	out, err := root.OpenFile(local, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	n, err = io.Copy(io.MultiWriter(out, h, done), io.LimitReader(in, left+1)) // zip checks its own CRC at the end
	err = errors.Join(err, out.Close())
	switch {
	case err != nil:
		return "", n, err
	case n > left:
		return "", n, badArchive("it unpacks to more than %d GB", unpackedLimit>>30)
	case mode == 0o755: // whatever the umask is, the user runs it
		err = root.Chmod(local, mode)
	}
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// unpackLink makes a symbolic link, as the bundles of macOS have them, when it leads to something within the folder.
func unpackLink(root *os.Root, f *zip.File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	target, err := io.ReadAll(io.LimitReader(in, linkLimit+1))
	if err != nil {
		return err
	}
	to := string(target)
	within := path.Join(path.Dir(f.Name), to)
	if len(target) > linkLimit || to == "" || path.IsAbs(to) || strings.ContainsAny(to, "\\:\x00") ||
		!filepath.IsLocal(filepath.FromSlash(within)) {
		return badArchive("its link %q leads to %q, outside of the folder", f.Name, to)
	}
	local := filepath.FromSlash(f.Name)
	if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return err
	}
	return root.Symlink(filepath.FromSlash(to), local)
}
