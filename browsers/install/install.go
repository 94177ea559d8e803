package install

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/diskspace"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/wording"
)

// Options say how an [Installer] works. Only Getenv must be given.
type Options struct {
	Getenv   func(string) string
	Terminal io.Writer      // shows the progress of a download; may be nil
	Say      func(string)   // is called with progress, a line each; may be nil
	Roots    *x509.CertPool // that sign the certificates of servers; nil means those of the system
	Proxy    string         // for all requests; else the environment decides

	// as the endpoint names it; empty means this machine's
	Platform string
	Try      func(ctx context.Context, program string) (v string, err error) // starts a browser; nil means as sessions do
	// after the first failure; 0 means half a second
	Pause time.Duration
	// after which a download counts as failed; 0 means half a minute
	Silence time.Duration
}

// Installer installs. Close it.
type Installer struct {
	o        Options
	endpoint string
	client   *fetch.Client
	pause    time.Duration
	silence  time.Duration
}

// New returns an installer.
func New(o Options) *Installer {
	if o.Try == nil {
		o.Try = startOnce
	}
	return &Installer{
		o:        o,
		endpoint: Endpoint(o.Getenv),
		client:   fetch.New(fetch.Options{Getenv: o.Getenv, Roots: o.Roots, Proxy: o.Proxy, KeepTLS: true}),
		pause:    cmp.Or(o.Pause, firstPause),
		silence:  cmp.Or(o.Silence, silence),
	}
}

// Close ends the connections that are still open.
func (i *Installer) Close() { i.client.Close() }

func (i *Installer) say(format string, args ...any) {
	if i.o.Say != nil {
		i.o.Say(fmt.Sprintf(format, args...))
	}
}

// Outcome is the result for one product.
type Outcome struct {
	Product  string `json:"product"`
	Version  string `json:"version"`
	Platform string `json:"platform"`
	Path     string `json:"path"`              // the program
	Already  bool   `json:"already"`           // it was there, and nothing was downloaded
	From     string `json:"from,omitempty"`    // the version that it follows
	Bytes    int64  `json:"bytes,omitempty"`   // of the archive
	Resumed  int64  `json:"resumed,omitempty"` // of these, how many were there from an earlier time
	// the checksums that were known before the download and that the archive has
	Checked  []string `json:"checked,omitempty"`
	SHA256   string   `json:"sha256,omitempty"`   // of the archive
	SHA256By string   `json:"sha256By,omitempty"` // who had said it; empty means that no source says what it should be
	Says     string   `json:"says,omitempty"`     // what the browser calls itself
	Pruned   []string `json:"pruned,omitempty"`   // versions that were removed
	Kept     []string `json:"kept,omitempty"`     // versions that were not removed because they are in use
}

// Request is what to install.
type Request struct {
	Products []string          // [Chrome], [Shell]
	Version  string            // a channel, or a version or its beginning
	Prune    bool              // remove the other versions of these products
	SHA256   map[string]string // of the archives, by product, as the caller knows them
}

// Install gets the products of a version, unless they are there. It waits for another install of the same user.
func (i *Installer) Install(ctx context.Context, w Request) ([]Outcome, error) {
	if err := checkVersion(w.Version); err != nil {
		return nil, err
	}
	platform := i.o.Platform
	if platform == "" {
		var err error
		if platform, err = ownPlatform(); err != nil {
			return nil, err
		}
	}
	dir, unlock, err := i.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	releases, err := i.resolve(ctx, w.Products, platform, w.Version)
	if err != nil {
		return nil, err
	}
	var all []Outcome
	for _, r := range releases {
		o, err := i.one(ctx, dir, r, w)
		if err == nil && w.Prune {
			err = i.prune(dir, &o)
		}
		if err != nil {
			return all, err
		}
		all = append(all, o)
	}
	return all, nil
}

// Names of temporary files beside the browsers during an installation. None looks like that of a browser.
const (
	lockName     = ".install.lock"
	archiveStem  = ".download-"
	unpackedStem = ".unpack-"
	oldStem      = ".old-"
)

// staleAfter is when an abandoned download is deleted.
const staleAfter = 7 * 24 * time.Hour

// hold makes the folder of the browsers and takes its lock, so that no two install at once.
func (i *Installer) hold(ctx context.Context) (dir string, unlock func(), err error) {
	if dir, err = Dir(i.o.Getenv); err != nil {
		return "", nil, fault.New(fault.InstallFailed, "no folder for browsers is known: %w", err)
	}
	if err := home.Make(dir); err != nil {
		return "", nil, fault.New(fault.InstallFailed, "the folder %s cannot be made: %w", dir, err).About(dir).
			WithHint("Set SKUA_HOME to a folder of your own.")
	}
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err == nil && !held {
		i.say("waiting for another install to end")
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil {
		return "", nil, fault.New(fault.InstallFailed, "the lock %s cannot be taken: %w", lock.Path(), err).
			About(lock.Path()).
			WithHint("Another install may be running.")
	}
	i.sweep(dir, time.Now())
	return dir, func() { _ = lock.Close() }, nil
}

// sweep removes what installs left that were killed, and abandoned downloads. The lock is held.
func (i *Installer) sweep(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, unpackedStem), strings.HasPrefix(name, oldStem):
			_ = os.RemoveAll(filepath.Join(dir, name))
		case strings.HasPrefix(name, archiveStem):
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > staleAfter {
				_ = os.Remove(filepath.Join(dir, name))
			}
		}
	}
}

// one installs one product, unless it is there and as it was.
func (i *Installer) one(ctx context.Context, dir string, r release, w Request) (Outcome, error) {
	o := Outcome{Product: r.product, Version: r.version, Platform: r.platform}
	b := Browser{
		Product:    r.product,
		Version:    r.version,
		Platform:   r.platform,
		Wish:       w.Version,
		URL:        r.url,
		Executable: executable(r.product, r.platform),
	}
	o.Path = b.Path(dir)
	must, err := expectedSumOf(dir, r, w.SHA256[r.product])
	if err != nil {
		return o, err
	}
	if have, ok := installed(dir, r); ok {
		wrong := have.Verify(dir, false, func() bool { return ctx.Err() != nil })
		if len(wrong) == 0 {
			if err := must.holds(have); err != nil {
				return o, err
			}
			if have.Wish != w.Version { // an upgrade goes by the last requested version
				have.Wish = w.Version
				if err := record(dir, have); err != nil {
					return o, err
				}
			}
			o.Already, o.Path, o.SHA256 = true, have.Path(dir), have.Archive.SHA256
			return o, nil
		}
		i.say("%s %s is damaged (%s) and is installed again", r.product, r.version, wrong[0])
	}
	a, err := i.fetch(ctx, r.product, r.url, filepath.Join(dir, archiveStem+r.product+"-"+r.version+"-"+r.platform+".zip"),
		must.sum)
	if err != nil {
		return o, must.explain(err)
	}
	o.Bytes, o.Resumed, o.Checked, o.SHA256, o.SHA256By = a.size, a.resumed, a.checked, a.sums.SHA256, must.by
	b.Archive = a.sums
	if err := i.place(ctx, dir, a, &b, &o); err != nil {
		return o, err
	}
	i.discard(a.path)
	return o, nil
}

// installed returns the entry of a release in the manifest.
func installed(dir string, r release) (Browser, bool) {
	all, err := Installed(dir)
	if err != nil {
		return Browser{}, false
	}
	at := slices.IndexFunc(all, func(b Browser) bool {
		return b.Product == r.product && b.Version == r.version && b.Platform == r.platform
	})
	if at < 0 {
		return Browser{}, false
	}
	return all[at], true
}

// place unpacks an archive beside its place, tries the browser, and moves it there.
func (i *Installer) place(ctx context.Context, dir string, a archive, b *Browser, o *Outcome) (err error) {
	z, err := zip.OpenReader(a.path)
	if err != nil {
		i.discard(a.path)
		return fault.New(fault.InstallFailed, "The download from %s is not a complete zip archive: %w.", b.URL, err).
			About(b.URL).WithHint("It was removed. Try again.")
	}
	defer func() { _ = z.Close() }()
	size, err := unpackedSize(&z.Reader)
	if err != nil {
		i.discard(a.path)
		return err
	}
	if err := i.room(dir, size); err != nil {
		return err
	}
	staged, err := os.MkdirTemp(dir, unpackedStem)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(staged) }() // it is gone when all went well
	if b.Files, err = i.unpackInto(ctx, z, staged, b.Product, size); err != nil {
		if ctx.Err() == nil &&
			(fault.Is(err, fault.InstallFailed) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat)) {
			i.discard(a.path) // it is the archive's fault
			err = fault.New(fault.InstallFailed, "What was downloaded from %s cannot be unpacked: %w", b.URL, err).About(b.URL)
		}
		return err
	}
	program := filepath.Join(staged, filepath.FromSlash(b.Executable))
	if _, err := os.Stat(program); err != nil {
		i.discard(a.path)
		return fault.New(fault.InstallFailed, "The archive of %s has no %s.", b.URL, b.Executable).About(b.URL)
	}
	if o.Says, err = i.smokeTest(ctx, program); err != nil {
		return err
	}
	b.Installed = time.Now().UTC().Truncate(time.Second)
	final := filepath.Join(dir, b.folder())
	if err := moveInto(dir, staged, final); err != nil {
		return err
	}
	return record(dir, *b)
}

func (i *Installer) unpackInto(
	ctx context.Context, z *zip.ReadCloser, staged, name string, size int64,
) (map[string]string, error) {
	if err := os.Chmod(staged, 0o755); err != nil { // the folder around it is private
		return nil, err
	}
	bar := i.bar("unpacking "+name, 0, size)
	defer bar.end()
	return unpack(&z.Reader, staged, ended{ctx, bar})
}

// ended stops a writer when a context ends.
type ended struct {
	ctx context.Context // for as long as one unpacking lasts
	to  io.Writer
}

func (e ended) Write(p []byte) (int, error) {
	if err := context.Cause(e.ctx); err != nil {
		return 0, err
	}
	return e.to.Write(p)
}

// moveInto puts a folder in its place. An existing folder is moved aside first and removed afterwards.
func moveInto(dir, staged, final string) error {
	if _, err := os.Lstat(final); err == nil {
		aside, err := os.MkdirTemp(dir, oldStem)
		if err != nil {
			return err
		}
		if err := os.Rename(final, filepath.Join(aside, "browser")); err != nil {
			_ = os.RemoveAll(aside)
			return fault.New(fault.InstallFailed, "%s cannot be replaced: %w", final, err).About(final).
				WithHint("Close the browsers that run from there.")
		}
		defer func() { _ = os.RemoveAll(aside) }() // what cannot be removed now is swept by the next install
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(staged, final)
}

// room checks that a disk has room for something. An unknown size is not a reason to stop.
func (i *Installer) room(path string, size int64) error {
	const spare = 64 << 20
	free, files, err := diskspace.Free(filepath.Dir(path))
	if err != nil || size < 0 {
		return nil // then writing tells
	}
	switch {
	case free < size+spare:
		return fault.New(fault.InstallFailed, "The disk of %s has %s left, and %s are needed.", filepath.Dir(path),
			wording.Bytes(free), wording.Bytes(size+spare)).
			About(filepath.Dir(path)).WithHint("Free some space, or set SKUA_HOME to a folder on another disk.").With("reason",
			"disk-full")
	case files >= 0 && files < 2000:
		return fault.New(fault.InstallFailed, "The disk of %s has room for only %d more files.", filepath.Dir(path), files).
			About(filepath.Dir(path)).WithHint("Remove files, or set SKUA_HOME to a folder on another disk.").With("reason",
			"disk-full")
	}
	return nil
}
