package archive

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

// level makes archives as small as the highest one of the standard library, in half of the time.
const level = 8

// Write packs files below a top folder. The ending of the name says how.
func Write(to, top string, files []stage.File, at time.Time) (err error) {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if strings.HasSuffix(to, ".zip") {
		return writeZip(out, top, files, at)
	}
	return writeTar(out, top, files, at)
}

func writeTar(out io.Writer, top string, files []stage.File, at time.Time) error {
	z, err := gzip.NewWriterLevel(out, level)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, f := range files {
		info, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		h := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     path.Join(top, f.Name),
			Size:     info.Size(),
			Mode:     int64(f.Mode),
			ModTime:  at,
			Uname:    "root",
			Gname:    "root",
			Format:   tar.FormatUSTAR,
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if err := copyTo(w, f.Path); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), z.Close())
}

func writeZip(out io.Writer, top string, files []stage.File, at time.Time) error {
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, level) })
	for _, f := range files {
		h := &zip.FileHeader{Name: path.Join(top, f.Name), Method: zip.Deflate, Modified: at}
		h.SetMode(f.Mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if err := copyTo(entry, f.Path); err != nil {
			return err
		}
	}
	return w.Close()
}

func copyTo(w io.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return errors.Join(err, in.Close())
}
