package appfiles

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testapps"
)

func opened(t testing.TB, archive []byte) (*Archive, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.asar")
	require.NoError(t, os.WriteFile(path, archive, 0o600))
	a, err := OpenArchive(path)
	if err == nil {
		t.Cleanup(func() { require.NoError(t, a.Close()) })
	}
	return a, err
}

func TestArchive(t *testing.T) {
	t.Parallel()
	a, err := opened(t,
		testapps.Archive(t, map[string]string{"package.json": `{"name":"a"}`, "src/deep/x.txt": "x", "empty": ""}))
	require.NoError(t, err)
	for name, want := range map[string]string{
		"package.json": `{"name":"a"}`, "src/deep/x.txt": "x",
		"/src/../src/deep/x.txt": "x", "empty": "",
	} {
		got, err := a.ReadFile(name)
		require.NoError(t, err, name)
		require.Equal(t, want, string(got), name)
	}
	for _, name := range []string{"none", "src", "src/none", "package.json/x", "", "../../etc/passwd"} {
		_, err := a.ReadFile(name)
		require.ErrorIs(t, err, os.ErrNotExist, name)
	}
}

func TestArchiveEntries(t *testing.T) {
	t.Parallel()
	header := `{"files":{"link":{"link":"real.txt"},"loop":{"link":"loop"},"out":{"link":"../../../etc/hostname"},"real.txt":{"size":2,"offset":"0"},
		"beyond":{"size":9,"offset":"1"},"negative":{"size":-1,"offset":"0"},"huge":{"size":99999999,"offset":"0"},"odd":{"size":1,"offset":"x"},
		"far":{"size":1,"offset":"9223372036854775807"},"beside":{"size":2,"unpacked":true},
		"sealed":{"size":2,"offset":"0","executable":true,"integrity":{"algorithm":"SHA256","hash":"0","blockSize":4194304,"blocks":["0"]}},"text":7,"none":null}}`
	a, err := opened(t, append(testapps.Pickled([]byte(header)), "ok"...))
	require.NoError(t, err)
	got, err := a.ReadFile("link")
	require.NoError(t, err)
	require.Equal(t, "ok", string(got))
	got, err = a.ReadFile("sealed")
	require.NoError(t, err)
	require.Equal(t, "ok", string(got))
	testapps.Write(t, filepath.Dir(a.file.(*os.File).Name()), map[string]string{"app.asar.unpacked/beside": "by"})
	got, err = a.ReadFile("beside")
	require.NoError(t, err)
	require.Equal(t, "by", string(got))
	for _, name := range []string{"loop", "out", "beyond", "negative", "huge", "odd", "far", "text", "none"} {
		_, err := a.ReadFile(name)
		require.Error(t, err, name)
	}
}

func TestNoArchive(t *testing.T) {
	t.Parallel()
	whole := testapps.Archive(t, map[string]string{"a": "b"})
	for name, text := range map[string][]byte{
		"empty": {}, "text": []byte("this is not an archive at all"), "cut off": whole[:20],
		"other first word":       append([]byte{5}, whole[1:]...),
		"header beyond the file": append(append([]byte{}, whole[:4]...), append([]byte{255, 255, 255, 0}, whole[8:]...)...),
		"no JSON":                testapps.Pickled([]byte("{files}")),
	} {
		_, err := opened(t, text)
		require.Error(t, err, name)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(testapps.Archive(f, map[string]string{"package.json": "{}"}))
	f.Add(testapps.Pickled([]byte(`{"files":{"package.json":{"size":5,"offset":"-3"}}}`)))
	f.Fuzz(func(t *testing.T, archive []byte) {
		a, err := opened(t, archive)
		if err != nil {
			return
		}
		if text, err := a.ReadFile("package.json"); err == nil {
			require.LessOrEqual(t, len(text), maxEntry)
		}
	})
}

// The oracle is the standard library.
func FuzzMember(f *testing.F) {
	f.Add([]byte(`{"files":{"a\\"b":{"size":1},"c":{"files":{}}},"x":[1,{"y":"]}"}, null]}`), "x")
	f.Add([]byte(` { "a" : -1.5e3 , "b":true}`), "b")
	f.Add([]byte(`{"\u0061":1}`), "a")
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		got, ok := member(text, name)
		var all map[string]json.RawMessage
		if json.Unmarshal(text, &all) != nil || all == nil || !utf8.ValidString(name) || !utf8.Valid(text) {
			return
		}
		want, there := all[name]
		require.Equal(t, there, ok)
		if there && bytes.Count(text, []byte(name)) == 1 { // of two with one name the standard library takes the last
			require.JSONEq(t, string(want), string(got))
		}
	})
}
