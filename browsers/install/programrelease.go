package install

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// checksumFile lists the archives of a release address, a line each: the SHA-256 in hexadecimal digits, blanks, the
// name. What is not in it is not installed.
const checksumFile = "SHA256SUMS"

// maxChecksums bounds the checksum file.
const maxChecksums = 1 << 20

// releaseName is the name of an archive: skua_0.2.0_linux_amd64.tar.gz, skua_0.2.0_windows_amd64.zip.
var releaseName = regexp.MustCompile(`^skua_v?(\d{1,6}\.\d{1,6}\.\d{1,6})_([a-z0-9]+)_([a-z0-9]+)\.(tar\.gz|zip)$`)

// ProgramRelease is a build of skua at a release address.
type ProgramRelease struct {
	Version string
	name    string
	sha256  string
	address string
}

// IsNewer reports whether a build is newer than a version.
func (n ProgramRelease) IsNewer(version string) bool { return compareVersions(n.Version, version) > 0 }

// IsFolder reports whether the address of a release is a folder of this machine, as scripts/release fills it.
func IsFolder(address string) bool { return !strings.Contains(address, "://") }

// Newest asks a release address for its newest build for this machine. The error tells when it has none.
func (i *Installer) Newest(ctx context.Context, address string) (ProgramRelease, error) {
	text, err := i.checksums(ctx, address)
	if err != nil {
		return ProgramRelease{}, err
	}
	best := ProgramRelease{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 || len(fields[0]) != 64 {
			continue
		}
		name := strings.TrimPrefix(fields[1], "*")
		m := releaseName.FindStringSubmatch(name)
		if m == nil || m[2] != runtime.GOOS || m[3] != runtime.GOARCH ||
			best.Version != "" && compareVersions(m[1], best.Version) <= 0 {
			continue
		}
		best = ProgramRelease{Version: m[1], name: name, sha256: strings.ToLower(fields[0]), address: address}
	}
	if best.Version == "" {
		return ProgramRelease{}, fault.New(fault.InstallFailed, "%s names no build of skua for %s on %s.",
			fileAt(address, checksumFile), runtime.GOOS, runtime.GOARCH).About(address)
	}
	return best, nil
}

// fileAt is the address of a file at a release address.
func fileAt(address, name string) string {
	if IsFolder(address) {
		return filepath.Join(address, name)
	}
	return strings.TrimRight(address, "/") + "/" + name
}

// checksums reads the checksum file of a release address.
func (i *Installer) checksums(ctx context.Context, address string) (text []byte, err error) {
	file := fileAt(address, checksumFile)
	if IsFolder(address) {
		f, err := userfile.Open(ctx, file)
		if err != nil {
			return nil, noRelease(address, err)
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, maxChecksums))
	}
	err = i.retry(ctx, file, func(ctx context.Context, alive func()) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, file, nil)
		if err != nil {
			return &finalError{err}
		}
		res, err := i.client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return statusError(res)
		}
		text, err = io.ReadAll(io.LimitReader(aliveReader{res.Body, alive}, maxChecksums))
		return err
	})
	return text, err
}

func noRelease(folder string, err error) error {
	return fault.New(fault.InstallFailed, "the release in %s cannot be read: %w", folder, err).About(folder).
		WithHint("Name the folder that has " + checksumFile + " and the archives, or the address of one.")
}

// fetchRelease gets the archive of a build, which has the checksum that its release address names.
func (i *Installer) fetchRelease(ctx context.Context, n ProgramRelease, to string) error {
	from := fileAt(n.address, n.name)
	if !IsFolder(n.address) {
		_, err := i.fetch(ctx, "skua "+n.Version, from, to, n.sha256)
		return err
	}
	if err := copyFile(ctx, from, to); err != nil {
		return noRelease(n.address, err)
	}
	have, err := sumsOf(to)
	if err != nil {
		return err
	}
	if differs, _ := have.against(sums{SHA256: n.sha256}); differs != "" {
		return fault.New(fault.InstallFailed, "%s failed verification: %s.", from, differs).About(from).
			WithHint("Get the file again.").With("reason", "checksum")
	}
	return nil
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := userfile.Open(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
