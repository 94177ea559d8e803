package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// checksumFile has the SHA-256 of all other files, in the form of sha256sum. `skua upgrade` reads it.
const checksumFile = "SHA256SUMS"

// checksums returns the SHA-256 of the files of a folder by their names.
func checksums(dir string) (map[string]string, error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, entry := range all {
		in, err := os.Open(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		_, err = io.Copy(h, in)
		if err := errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		sums[entry.Name()] = fmt.Sprintf("%x", h.Sum(nil))
	}
	return sums, nil
}

func writeChecksums(r *spec.Release) error {
	sums, err := checksums(r.Dist)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return os.WriteFile(r.Path(checksumFile), b.Bytes(), 0o644)
}
