package testapps

import (
	"bytes"
	"embed"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Archive packs files as asar does: a pickle with the header's size, a pickle with the header, the files.
func Archive(t testing.TB, files map[string]string) []byte {
	t.Helper()
	root := map[string]any{}
	var bodies bytes.Buffer
	for name, text := range files {
		at := root
		parts := strings.Split(name, "/")
		for _, dir := range parts[:len(parts)-1] {
			below, _ := at[dir].(map[string]any)
			if below == nil {
				below = map[string]any{"files": map[string]any{}}
				at[dir] = below
			}
			at = below["files"].(map[string]any)
		}
		at[parts[len(parts)-1]] = map[string]any{"size": len(text), "offset": strconv.Itoa(bodies.Len())}
		bodies.WriteString(text)
	}
	header, err := json.Marshal(map[string]any{"files": root})
	require.NoError(t, err)
	return append(Pickled(header), bodies.Bytes()...)
}

// Pickled is a header as it is at the beginning of an archive.
func Pickled(header []byte) []byte {
	padded := append(bytes.Clone(header), make([]byte, (4-len(header)%4)%4)...)
	b := binary.LittleEndian.AppendUint32(nil, 4)
	b = binary.LittleEndian.AppendUint32(b, uint32(8+len(padded)))
	b = binary.LittleEndian.AppendUint32(b, uint32(4+len(padded)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	return append(b, padded...)
}

// Write puts files below a folder; those whose name ends with * can be run.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		mode := os.FileMode(0o644)
		if name[len(name)-1] == '*' {
			name, mode = name[:len(name)-1], 0o755
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
}

// Electron are the files of an Electron app on Linux, below a folder.
func Electron(t testing.TB, dir, executable, packageJSON string) map[string]string {
	return map[string]string{
		dir + "/" + executable + "*": "\x7fELF, and somewhere in it Chrome/150.0.0.0 Electron/42.1.3 Safari",
		dir + "/chrome-sandbox*":     "", dir + "/icudtl.dat": "",
		dir + "/chrome_100_percent.pak": "", dir + "/LICENSES.chromium.html": "", dir + "/version": "42.1.3",
		dir + "/resources/app.asar": string(Archive(t,
			map[string]string{"package.json": packageJSON, "main.js": "", "src/index.html": "<p>Hello"})),
	}
}

// images are what AppImages carry behind their program, see README.md.
//
//go:embed *.sqfs
var images embed.FS

// AppImage is an AppImage of a type around a carried image: a program that consists of its header and one section.
func AppImage(t testing.TB, kind byte, carried string) string {
	t.Helper()
	image, err := images.ReadFile(carried + ".sqfs")
	require.NoError(t, err)
	const header, section, body = 64, 64, 100
	b := make([]byte, header+section+body)
	copy(b, "\x7fELF\x02\x01\x01\x00AI")
	b[10] = kind
	binary.LittleEndian.PutUint64(b[0x28:], header)
	binary.LittleEndian.PutUint16(b[0x3a:], section)
	binary.LittleEndian.PutUint16(b[0x3c:], 1)
	binary.LittleEndian.PutUint64(b[header+0x18:], header+section)
	binary.LittleEndian.PutUint64(b[header+0x20:], body)
	return string(append(b, image...))
}
