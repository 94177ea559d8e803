package install

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Who says which SHA-256 the archive of a build has. The public server of Chrome for Testing says none.
const (
	byCaller  = "--sha256"
	byServer  = "the server's list"
	byEarlier = "an earlier install"
)

// expectedSum is the SHA-256 that an archive must have; the zero value: no source says it.
type expectedSum struct{ sum, by string }

// knownArchive is what is remembered of an archive that was installed once, also when its browser is removed.
type knownArchive struct {
	SHA256 string    `json:"sha256"`
	URL    string    `json:"url"`
	Seen   time.Time `json:"seen"`
}

// archiveKey is the name of a build's archive in the manifest.
func archiveKey(product, version, platform string) string {
	return product + "-" + version + "-" + platform
}

// ParseSHA256 reads what a caller says of archives: "<hex>" where there is one product, else "<product>=<hex>", by
// product.
func ParseSHA256(words, products []string) (map[string]string, error) {
	sums := map[string]string{}
	for _, word := range words {
		product, sum, named := strings.Cut(word, "=")
		if !named {
			sum = product
			if len(products) != 1 {
				return nil, fault.New(fault.Usage, "--sha256 %s: it is ambiguous among %s; name the product, as in %s=%s", word,
					strings.Join(products, ", "), products[0], word).About("--sha256")
			}
			product = products[0]
		}
		if product == "headless-shell" { // as `install` calls it
			product = Shell
		}
		sum = strings.ToLower(sum)
		if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 32 {
			return nil, fault.New(fault.Usage, "--sha256 %s: a SHA-256 has 64 hexadecimal digits", word).About("--sha256")
		}
		if !slices.Contains(products, product) {
			return nil, fault.New(fault.Usage, "--sha256 %s: %s is not installed by this command; use one of: %s", word, product,
				strings.Join(products, ", ")).About("--sha256")
		}
		sums[product] = sum
	}
	return sums, nil
}

// expectedSumOf returns which SHA-256 the archive of a release must have. What the caller says counts alone, so that a
// build can be replaced that its server had to replace; the others must agree.
func expectedSumOf(dir string, r release, caller string) (expectedSum, error) {
	if caller != "" {
		return expectedSum{caller, byCaller}, nil
	}
	m, err := readManifest(dir)
	if err != nil {
		m = manifest{} // a damaged list remembers nothing
	}
	known := m.Archives[archiveKey(r.product, r.version, r.platform)]
	switch {
	case r.sha256 != "" && known.SHA256 != "" && r.sha256 != known.SHA256:
		return expectedSum{}, fault.New(fault.InstallFailed,
			"%s %s: the server says that its archive has the SHA-256 %s, and the one that was installed here on %s had %s",
			r.product, r.version, r.sha256, known.Seen.Format(time.DateOnly), known.SHA256).About(r.url).
			WithHint("Find out which one is right, and name it with --sha256.").With("reason", "checksum")
	case r.sha256 != "":
		return expectedSum{r.sha256, byServer}, nil
	case known.SHA256 != "":
		return expectedSum{known.SHA256, byEarlier}, nil
	}
	return expectedSum{}, nil
}

// explain adds the source of the expected checksum to the error of a download.
func (v expectedSum) explain(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || v.sum == "" || f.Facts["reason"] != "checksum" {
		return err
	}
	return f.With("expected", v.sum).With("expectedBy", v.by).
		WithHint(
			"It was removed. That SHA-256 comes from %s. If the download is wrong, a proxy between you and the server changes "+
				"files; if the SHA-256 is wrong, give the right one with --sha256.", v.by)
}

// holds compares a browser that is installed with what the caller says of its archive.
func (v expectedSum) holds(b Browser) error {
	if v.by != byCaller || v.sum == b.Archive.SHA256 {
		return nil
	}
	return fault.New(fault.InstallFailed, "%s %s is installed already, from an archive with the SHA-256 %s and not %s",
		b.Product, b.Version, b.Archive.SHA256, v.sum).
		About("--sha256").WithHint("Remove its folder to have it downloaded again.").With("reason", "checksum")
}
