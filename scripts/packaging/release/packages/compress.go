package packages

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
)

// compress packs a manual page, as distributions have them. Neither its name nor its time goes into it.
func compress(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return errors.Join(err, out.Close())
	}
	_, err = z.Write(text)
	return errors.Join(err, z.Close(), out.Close())
}
