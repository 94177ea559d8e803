package chrome

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// Copied describes the copy of a profile.
type Copied struct {
	Bytes   int64
	LeftOut []string // what was too large, or could not be read
	Moving  bool     // the profile was written to while it was copied, each time
	// cookies that only a key from the desktop's keyring decrypts, as far as the file shows; 0 on other systems than Linux
	Keyring int
}

// What of a profile is copied, in the order of its worth: logins and settings, then what sites keep. Caches, history,
// extensions and the scripts of service workers, which sites bring again, are not.
var (
	profileFiles = []string{
		"Cookies", "Network/Cookies", "Preferences", "Secure Preferences", "Login Data", "Login Data For Account", "Web Data",
		"Network/TransportSecurity", "TransportSecurity", "Extension Cookies", "Trust Tokens", "Network/Trust Tokens",
	}
	profileFolders = []string{"Local Storage", "Session Storage", "WebStorage", "IndexedDB", "databases", "File System"}
	// sqliteSuffixes are of the files that belong to a database while it is written.
	sqliteSuffixes = []string{"", "-journal", "-wal"}
)

const (
	maxProfileCopy = 1 << 30
	maxProfileFile = 256 << 20
	copyAttempts   = 4
	// copiedProfile is what the copy is called: the profile that a browser takes by itself.
	copiedProfile = "Default"
)

// copyTo copies what logins need of the profile into the folder of a browser. The original is only read.
func (p *UserProfile) copyTo(ctx context.Context, dir string) (*Copied, error) {
	c := &copying{ctx: ctx, from: filepath.Join(p.UserData.Dir, p.Directory), to: filepath.Join(dir, copiedProfile)}
	for attempt := 1; ; attempt++ {
		c.done = Copied{}
		before := c.look()
		err := c.all()
		if err == nil {
			err = c.file(filepath.Join(p.UserData.Dir, localStateFile), filepath.Join(dir, localStateFile))
		}
		if err != nil {
			return nil, fault.New(fault.BrowserLaunch, "The profile %s of %s cannot be copied: %w", p.Name, p.UserData.Browser,
				err).About(p.Directory)
		}
		if slices.Equal(before, c.look()) {
			break
		}
		if attempt == copyAttempts { // each database is one that was there, as after a power failure
			c.done.Moving = true
			break
		}
		if err := os.RemoveAll(c.to); err != nil {
			return nil, fault.New(fault.BrowserLaunch, "The copy of the profile cannot be made again: %w", err).About(c.to)
		}
	}
	if runtime.GOOS == "linux" {
		c.done.Keyring = c.keyringCookies()
	}
	return &c.done, nil
}

type copying struct {
	ctx      context.Context
	from, to string
	done     Copied
}

// look returns the state of the databases, by which it is seen that the browser of the profile wrote to them meanwhile.
func (c *copying) look() (state []string) {
	for _, name := range profileFiles {
		for _, suffix := range sqliteSuffixes {
			if info, err := os.Stat(filepath.Join(c.from, name+suffix)); err == nil {
				state = append(state, name+suffix+" "+info.ModTime().String()+" "+strconv.FormatInt(info.Size(), 10))
			}
		}
	}
	return state
}

func (c *copying) all() error {
	for _, name := range profileFiles {
		for _, suffix := range sqliteSuffixes {
			if err := c.file(filepath.Join(c.from, name+suffix), filepath.Join(c.to, name+suffix)); err != nil {
				return err
			}
		}
	}
	for _, name := range profileFolders {
		err := filepath.WalkDir(filepath.Join(c.from, name), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist): // none, or gone meanwhile
				return nil
			case err != nil:
				return err
			case !entry.Type().IsRegular() || entry.Name() == "LOCK":
				return nil
			}
			below, err := filepath.Rel(c.from, path)
			if err != nil {
				return err
			}
			return c.file(path, filepath.Join(c.to, below))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// file copies a file if it is there and not too large.
func (c *copying) file(from, to string) error {
	if err := c.ctx.Err(); err != nil {
		return context.Cause(c.ctx)
	}
	info, err := os.Stat(from)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if info.Size() > maxProfileFile || c.done.Bytes+info.Size() > maxProfileCopy {
		c.leaveOut(from)
		return nil
	}
	in, err := userfile.Open(c.ctx, from)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.leaveOut(from) // such as one that Windows has locked
		}
		return nil
	}
	defer func() { _ = in.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, maxProfileFile))
	c.done.Bytes += n
	return errors.Join(err, out.Close())
}

// leaveOut remembers that something is not in the copy: the file, or the folder of a site's data.
func (c *copying) leaveOut(path string) {
	below, err := filepath.Rel(c.from, path)
	if err != nil || strings.HasPrefix(below, "..") {
		below = filepath.Base(path)
	}
	if folder, _, nested := strings.Cut(filepath.ToSlash(below), "/"); nested {
		below = folder
	}
	if !slices.Contains(c.done.LeftOut, below) {
		c.done.LeftOut = append(c.done.LeftOut, below)
	}
}

// keyringCookies counts what in the file of cookies begins as values do that are encrypted with a key of the desktop's
// keyring. Those with the key that every Chromium knows begin with v10.
func (c *copying) keyringCookies() int {
	n := 0
	for _, name := range []string{"Cookies", "Network/Cookies"} {
		for _, suffix := range []string{"", "-wal"} {
			if text, err := os.ReadFile(filepath.Join(c.to, name+suffix)); err == nil {
				n += bytes.Count(text, []byte("v11"))
			}
		}
	}
	return n
}
