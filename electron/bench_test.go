package electron

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testapps"
)

// crowded is a machine with many apps: each has an archive with the header of a real one, and a desktop file; some have
// no file `version`.
func crowded(t testing.TB, apps int) Places {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	modules := map[string]string{}
	for i := range 2000 {
		modules[fmt.Sprintf("node_modules/module-%03d/lib/file-%d.js", i/10, i)] = ""
	}
	for i := range apps {
		modules["package.json"] = fmt.Sprintf(`{"productName":"App %03d","version":"1.0.%d"}`, i, i)
		name := fmt.Sprintf("app%03d", i)
		files := testapps.Electron(t, "opt/"+name, name, "")
		files["opt/"+name+"/resources/app.asar"] = string(testapps.Archive(t, modules))
		if i%10 == 0 {
			delete(files, "opt/"+name+"/version")
			files["opt/"+name+"/"+name+"*"] = "\x7fELF" + strings.Repeat("code", 1<<18) + "Electron/42.1.3 Safari"
		}
		files["usr/share/applications/"+name+".desktop"] = "[Desktop Entry]\nType=Application\nName=Menu " + name +
			"\nExec=" + root + "/opt/" + name + "/" + name + " %U\n"
		files[fmt.Sprintf("usr/lib/library%03d/lib.so", i)] = ""
		testapps.Write(t, root, files)
	}
	return linuxPlaces(root, filepath.Join(root, "home/me"), func(string) string { return "" })
}

func BenchmarkDiscover(b *testing.B) {
	places := crowded(b, 500)
	b.ReportAllocs()
	for b.Loop() {
		found, err := places.Discover(b.Context(), Query{MaxResults: MaxResults})
		require.NoError(b, err)
		require.Len(b, found.Apps, MaxResults)
		require.Equal(b, 300, found.Omitted)
	}
}
