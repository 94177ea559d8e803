package install

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnpack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		entries []entry
		fails   string
		want    map[string]fs.FileMode
	}{
		{
			name: "modes", entries: []entry{{"a/run", "x", 0o4777}, {"a/b/data", "y", 0o666}},
			want: map[string]fs.FileMode{"a/run": 0o755, "a/b/data": 0o644},
		},
		{
			name: "a link within", entries: []entry{{"a/link", "../b", fs.ModeSymlink | 0o777}, {"b", "y", 0o644}},
			want: map[string]fs.FileMode{"b": 0o644},
		},
		{name: "above", entries: []entry{{"../evil", "x", 0o644}}, fails: "outside of the folder"},
		{name: "above, inside", entries: []entry{{"a/../../evil", "x", 0o644}}, fails: "outside of the folder"},
		{name: "absolute", entries: []entry{{"/evil", "x", 0o644}}, fails: "outside of the folder"},
		{name: "of Windows", entries: []entry{{`..\evil`, "x", 0o644}}, fails: "outside of the folder"},
		{name: "a drive", entries: []entry{{"C:evil", "x", 0o644}}, fails: "outside of the folder"},
		{name: "a link above", entries: []entry{{"a", "../../evil", fs.ModeSymlink | 0o777}}, fails: "leads to"},
		{name: "an absolute link", entries: []entry{{"a", "/etc", fs.ModeSymlink | 0o777}}, fails: "leads to"},
		{
			name: "a file through a link", entries: []entry{{"a", "b", fs.ModeSymlink | 0o777}, {"a/evil", "x", 0o644}},
			fails: "file exists",
		},
		{name: "a file twice", entries: []entry{{"a", "1", 0o644}, {"a", "2", 0o644}}, fails: "file exists"},
		{name: "a pipe", entries: []entry{{"a", "", fs.ModeNamedPipe | 0o644}}, fails: "is not a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			content := zipOf(t, tt.entries...)
			z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
			if err != nil { // archive/zip itself says that a name is insecure, and reads on
				require.ErrorIs(t, err, zip.ErrInsecurePath)
			}
			outer := t.TempDir()
			dir := filepath.Join(outer, "in", "to")
			require.NoError(t, os.MkdirAll(dir, 0o700))
			sums, err := unpack(z, dir, io.Discard)
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
			} else {
				require.NoError(t, err)
				require.Len(t, sums, len(tt.want))
			}
			for name, mode := range tt.want {
				info, err := os.Stat(filepath.Join(dir, name))
				require.NoError(t, err)
				require.Equal(t, mode, info.Mode())
			}
			found := 0
			require.NoError(t, filepath.WalkDir(outer, func(path string, d fs.DirEntry, err error) error {
				if d != nil && d.Name() == "evil" && !strings.HasPrefix(path, dir) {
					found++
				}
				return err
			}))
			require.Zero(t, found)
		})
	}
}

// A small archive may say that it unpacks to more than any disk has.
func TestUnpackedSize(t *testing.T) {
	t.Parallel()
	z := &zip.Reader{File: []*zip.File{{FileHeader: zip.FileHeader{UncompressedSize64: 1 << 62}}}}
	_, err := unpackedSize(z)
	require.ErrorContains(t, err, "more than 6 GB")
	z = &zip.Reader{File: make([]*zip.File, entryLimit+1)}
	_, err = unpackedSize(z)
	require.ErrorContains(t, err, "entries")
}
