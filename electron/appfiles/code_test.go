package appfiles

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testapps"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	packed := testapps.Archive(t, map[string]string{
		"package.json": `{"name":"demo","productName":"Demo","version":"1.2.3","main":"main.js"}`, "main.js": "",
		"dist/app.js": "", "dist/app.js.map": "", "src/index.html": "",
		"node_modules/x/x.js.map": "",
	})
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	testapps.Write(t, root, map[string]string{
		"opt/demo/demo*": "\x7fELF", "opt/demo/resources/app.asar": string(packed),
		"opt/open/open*": "\x7fELF", "opt/open/resources/app/package.json": `{"name":"open"}`,
		"opt/open/resources/app/index.html": "", "opt/open/resources/app/a.css.map": "",
		"Mine.app/Contents/MacOS/Mine*": "", "Mine.app/Contents/Resources/app.asar": string(packed),
		"usr/lib/electron33/electron*": "", "usr/lib/signal/app.asar": string(packed),
		"usr/lib/word/package.json": `{"name":"word","main":"w.js"}`,
		"image*":                    testapps.AppImage(t, 2, "builder"), "opt/bare/bare*": "", "opt/bare/resources/x": "",
		"deep*": "",
		"resources/app.asar": string(testapps.Pickled([]byte(`{"files":` + strings.Repeat(`{"a":{"files":`, 5000) + `{}` +
			strings.Repeat(`}}`, 5000) + `}`))),
	})
	in := func(path string) string { return filepath.Join(root, path) }
	demo := Code{
		Path: in("opt/demo/resources/app.asar"), Packed: true, Name: "Demo", Version: "1.2.3", Main: "main.js",
		Files: 6, SourceMaps: 2, MapOfOne: "dist/app.js.map",
	}
	with := func(c Code, path, page string) *Code {
		c.Path, c.Page = path, page
		return &c
	}
	for name, tt := range map[string]struct {
		executable, appPath, address string
		want                         *Code
	}{
		"2.5.8 an archive, the page of an own scheme": {in("opt/demo/demo"), "", "app://demo/src/index.html", &demo},
		"2.5.8 an archive, and the page in it": {
			in("opt/demo/demo"), "", "file://" + in("opt/demo/resources/app.asar/src/index.html") + "?x#y",
			with(demo, demo.Path, "src/index.html"),
		},
		"2.5.8 an archive, and a page that is not in it": {
			in("opt/demo/demo"), "",
			"file://" + in("opt/demo/resources/app.asar/none.html"), &demo,
		},
		"2.5.8 a folder": {
			in("opt/open/open"), "", "file://" + in("opt/open/resources/app/index.html"),
			&Code{
				Path: in("opt/open/resources/app"), Name: "open", Page: "index.html", Files: 3, SourceMaps: 1,
				MapOfOne: "a.css.map",
			},
		},
		"2.5.8 a bundle": {
			in("Mine.app/Contents/MacOS/Mine"), in("Mine.app"), "",
			with(demo, in("Mine.app/Contents/Resources/app.asar"), ""),
		},
		"2.5.8 an app of the system's": {
			in("usr/lib/electron33/electron"), in("usr/lib/signal"), "",
			with(demo, in("usr/lib/signal/app.asar"), ""),
		},
		"2.5.8 an app of the system's, open": {
			in("usr/lib/electron33/electron"), in("usr/lib/word"), "",
			&Code{Path: in("usr/lib/word"), Name: "word", Main: "w.js", Files: 1},
		},
		"2.5.8 no code": {in("opt/bare/bare"), in("opt/bare"), "file:///etc/passwd", nil},
		"2.5.8 an archive that is a trap": {
			in("deep"), "", "",
			&Code{Path: in("resources/app.asar"), Packed: true, Cut: true},
		},
		"2.5.8 an AppImage": {
			in("image"), in("image"),
			"file:///tmp/.mount_x/resources/app.asar/src/index.html",
			&Code{
				Path: in("image/resources/app.asar"), Packed: true, Name: "Demo Player", Version: "2.3.4",
				Page: "src/index.html", Files: 3,
			},
		},
		"2.5.8 an archive elsewhere, the page": {
			in("usr/lib/electron33/electron"), "",
			"file://" + in("usr/lib/signal/app.asar/main.js"), with(demo, in("usr/lib/signal/app.asar"), "main.js"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := CodeOf(tt.executable, tt.appPath, tt.address)
			require.Equal(t, tt.want, got)
		})
	}
	t.Run("2.5.8 a great archive is not counted to its end", func(t *testing.T) {
		t.Parallel()
		var b strings.Builder
		b.WriteString(`{"files":{"package.json":{"size":0,"offset":"0"}`)
		for i := range maxCounted + 5 {
			fmt.Fprintf(&b, `,"f%d.js":{"size":0,"offset":"0"}`, i)
		}
		b.WriteString("}}")
		dir := t.TempDir()
		testapps.Write(t, dir,
			map[string]string{"x*": "", "resources/app.asar": string(testapps.Pickled([]byte(b.String())))})
		c := CodeOf(filepath.Join(dir, "x"), dir, "")
		require.True(t, c.Cut)
		require.Equal(t, maxCounted, c.Files)
	})
}
