package doctor

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/sealed"
	"github.com/skua-browser/skua/internal/wording"
)

// mostFiles bounds how many of the user's files are looked at.
const mostFiles = 5000

func security(ctx context.Context, o *Options) []Check {
	var l list
	l.key(o)
	dir, err := home.Dir(o.Getenv)
	if err != nil {
		return l
	}
	l.private(ctx, dir)
	return l
}

// key looks at the key that states and logins are encrypted with.
func (l *list) key(o *Options) {
	for _, name := range []string{"SKUA_ENCRYPTION_KEY", "AGENT_BROWSER_ENCRYPTION_KEY"} {
		value := o.Getenv(name)
		if value == "" {
			continue
		}
		if _, err := sealed.KeyOfHex(value); err != nil {
			l.add("security.encryption_key", Fail, "%s is not a key of 64 hexadecimal digits", name).
				todo("export %s=$(openssl rand -hex 32); encrypted files need their old key", name)
			return
		}
		l.add("security.encryption_key", Pass, "%s is a usable key", name)
		return
	}
	l.add("security.encryption_key", Info, "No encryption key set: saved states are private files, not encrypted").
		todo("export SKUA_ENCRYPTION_KEY=$(openssl rand -hex 32)")
}

// openFolders hold nothing secret: they are as other programs need them.
var openFolders = []string{home.Browsers, "run"}

// private looks for files with cookies and keys in them that others may read.
func (l *list) private(ctx context.Context, dir string) {
	if runtime.GOOS == "windows" {
		return
	}
	var wrong []string
	seen := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be looked at is not ours
		case ctx.Err() != nil || seen >= mostFiles:
			return fs.SkipAll
		case d.IsDir() && filepath.Dir(path) == dir && slices.Contains(openFolders, d.Name()):
			return fs.SkipDir
		}
		seen++
		info, err := d.Info()
		if err == nil && (d.IsDir() || info.Mode().IsRegular()) && path != dir && info.Mode().Perm()&0o077 != 0 {
			wrong = append(wrong, path)
		}
		return nil
	})
	if seen == 0 {
		return
	}
	if len(wrong) == 0 {
		l.add("security.files", Pass, "Only you can read the files in %s", dir)
		return
	}
	shown := wrong[0]
	if len(wrong) > 1 {
		shown += " and " + wording.Plural(len(wrong)-1, "other")
	}
	c := l.add("security.files", Fail, "Other users can read your files: %s", shown).todo("chmod -R go-rwx %s", dir)
	c.repair = func(context.Context) (string, error) {
		outcome := "made private: " + strings.Join(wrong, ", ")
		for _, path := range wrong {
			info, err := os.Lstat(path)
			if err != nil {
				return outcome, err
			}
			if err := os.Chmod(path, info.Mode().Perm()&^0o077); err != nil {
				return outcome, err
			}
		}
		return outcome, nil
	}
}
