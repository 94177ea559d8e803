package squashfs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func image(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".sqfs"))
	require.NoError(t, err)
	return b
}

func opened(t testing.TB, b []byte, offset int) *FS {
	t.Helper()
	f, err := New(bytes.NewReader(b), int64(offset), int64(len(b)))
	require.NoError(t, err)
	return f
}

func TestImage(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&lines, "%08d line of a file\n", i)
	}
	for _, name := range []string{"gzip", "xz", "zstd", "plain"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const before = 1234 // bytes of the program that the image is behind
			f := opened(t, append(make([]byte, before), image(t, name)...), before)
			for path, want := range map[string]string{
				"usr/lib/demo/big": lines.String(), "usr/lib/demo/hole": strings.Repeat("\x00", 50000) + "end", "none": "",
				"many/file-with-a-name-399":           "399",
				"usr/lib/demo/resources/package.json": `{"name":"demo"}`, "link/resources/again": `{"name":"demo"}`,
			} {
				got, err := fs.ReadFile(f, path)
				require.NoError(t, err, path)
				require.Equal(t, want, string(got), path)
			}
			file, err := f.Open("usr/lib/demo/big")
			require.NoError(t, err)
			part := make([]byte, 27)
			_, err = file.(io.ReaderAt).ReadAt(part, 27*606+14)
			require.NoError(t, err, "over the end of a block")
			require.Equal(t, lines.String()[27*606+14:][:27], string(part))
			n, err := file.(io.ReaderAt).ReadAt(part, int64(lines.Len()-5))
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, 5, n)
			for _, path := range []string{"gone", "usr/gone/x", "none/x", "out", "far"} {
				_, err := f.Open(path)
				require.ErrorIs(t, err, fs.ErrNotExist, path)
			}
			_, err = f.Open("loop")
			require.ErrorIs(t, err, fs.ErrInvalid)
			found, err := fs.Glob(f, "usr/*/*/resources")
			require.NoError(t, err)
			require.Equal(t, []string{"usr/lib/demo/resources"}, found)
			all, err := fs.ReadDir(f, "many")
			require.NoError(t, err)
			require.Len(t, all, 400)
			folder, err := fs.Sub(f, "usr/lib/demo/resources")
			require.NoError(t, err)
			require.NoError(t, fstest.TestFS(folder, "package.json", "again"))
		})
	}
}

func TestNoImage(t *testing.T) {
	t.Parallel()
	whole := image(t, "gzip")
	put := func(at int, value any) []byte {
		b := bytes.Clone(whole)
		_, err := binary.Encode(b[at:], binary.LittleEndian, value)
		require.NoError(t, err)
		return b
	}
	for name, tt := range map[string]struct {
		image []byte
		says  string
	}{
		"empty":                  {nil, "not a readable"},
		"another file":           {bytes.Repeat([]byte("x"), 200), "not a readable"},
		"cut off":                {whole[:500], "ends before"},
		"version 3":              {put(28, uint16(3)), "only 4"},
		"blocks of 3 bytes":      {put(12, uint32(3)), "blocks of 3 bytes"},
		"packed by lzo":          {put(20, uint16(3)), "lzo"},
		"packed by what is new":  {put(20, uint16(99)), "compressor 99"},
		"root outside the table": {put(32, uint64(1)<<60), "ends before"},
		"table outside":          {put(64, uint64(1)<<63), "ends before"},
	} {
		_, err := New(bytes.NewReader(tt.image), 0, int64(len(tt.image)))
		require.ErrorIs(t, err, ErrFormat, name)
		require.ErrorContains(t, err, tt.says, name)
	}
	_, err := New(bytes.NewReader(whole), int64(len(whole)), int64(len(whole)))
	require.ErrorIs(t, err, ErrFormat)
}

// A block that asks for a dictionary of 4 GB does not get it.
func TestXZDictionary(t *testing.T) {
	t.Parallel()
	b := image(t, "xz")
	at := bytes.Index(b, []byte("\xfd7zXZ\x00"))
	require.Positive(t, at)
	properties := bytes.Index(b[at+12:], []byte{0x21, 1}) + at + 12 + 2
	b[properties] = 40
	allocated := testing.Benchmark(func(bench *testing.B) {
		for range bench.N {
			_, _ = unpackXZ(b[at:], 16<<10)
		}
	}).AllocedBytesPerOp()
	require.Less(t, allocated, int64(1<<20))
}

func FuzzImage(f *testing.F) {
	for _, name := range []string{"gzip", "xz", "zstd"} {
		f.Add(image(f, name))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fsys, err := New(bytes.NewReader(b), 0, int64(len(b)))
		if err != nil {
			return
		}
		left := 20
		_ = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
			if left--; left < 0 {
				return fs.SkipAll
			}
			if file, err := fsys.Open(path); err == nil {
				_, _ = io.CopyN(io.Discard, file, 64<<10)
			}
			return nil
		})
	})
}
