package pagescript

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeFiles makes a package folder with these files.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestStale(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"js/main.js":  "import { one } from './one.js';\n\none();\n",
		"js/one.js":   "import {\n  two,\n} from './two.js';\nimport './three.js';\n\nexport function one() {\n  two();\n}\n",
		"js/two.js":   "export function two() {}\n",
		"js/three.js": "// It imports nothing: import './four.js';\n",
		"js/links.js": "export default function links() {}\n",
	}
	all := modules{}
	maps.Copy(all, sources)
	current := map[string]string{}
	for _, entry := range []string{"main.js", "links.js"} {
		header, err := all.header("js/" + entry)
		require.NoError(t, err)
		current["bundle/"+entry] = header + "script\n"
	}
	tests := []struct {
		name   string
		change map[string]string // on top of the sources and their bundles; empty: the file is missing
		want   string
	}{
		{"current", nil, ""},
		{
			"a changed entry point",
			map[string]string{"js/links.js": "export default function links() { return 1; }\n"},
			"js/links.js: it changed",
		},
		{
			"a changed import of an import",
			map[string]string{"js/two.js": "export function two() { return 2; }\n"},
			"js/main.js: it changed",
		},
		{
			"a changed module that is imported for its effect",
			map[string]string{"js/three.js": "globalThis.x = 1;\n"},
			"js/main.js: it changed",
		},
		{"a missing bundle", map[string]string{"bundle/links.js": ""}, "js/links.js: it changed"},
		{"an edited header", map[string]string{"bundle/links.js": "// Sources: 00\nscript\n"}, "js/links.js: it changed"},
		{
			"a module that nothing imports",
			map[string]string{"js/five.js": "export const five = 5;\n"},
			"js/five.js: no entry point reaches it",
		},
		{
			"a bundle without a source",
			map[string]string{"bundle/old.js": "script\n"},
			"bundle/old.js: no entry point makes it",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, layer := range []map[string]string{sources, current, tt.change} {
				for name, text := range layer {
					if files[name] = text; text == "" {
						delete(files, name)
					}
				}
			}
			problems, err := Stale(writeFiles(t, files))
			require.NoError(t, err)
			if tt.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, filepath.ToSlash(problems[0]), tt.want)
		})
	}
}

func TestStaleNeedsEveryImport(t *testing.T) {
	t.Parallel()
	_, err := Stale(writeFiles(t, map[string]string{"js/main.js": "import './gone.js';\n"}))
	require.EqualError(t, err, "js/main.js: it imports ./gone.js, which does not exist")
}

func TestAsFunction(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, module, want, err string
	}{
		{
			"a function", `function e(t){return t}export{e as default};`,
			`(arg=>{"use strict";function e(t){return t}return e(arg)})`, "",
		},
		{
			"a name with a dollar", `function $(t){}export{$ as default}`, `(arg=>{"use strict";function $(t){}return $(arg)})`,
			"",
		},
		{"two exports", `function e(){}export{e as default,e as two};`, "", "exports one function and nothing else"},
		{"no export", `f();`, "", "exports one function and nothing else"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := asFunction("js/x.js", tt.module)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// TestStaleSeesOtherPackages: a module of another package's folder is a source of the bundle as well.
func TestStaleSeesOtherPackages(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"one/js/main.js":    "import { shared } from '../../two/js/shared.js';\n",
		"two/js/shared.js":  "import './other.js';\nexport const shared = 1;\n",
		"two/js/other.js":   "globalThis.other = 1;\n",
		"one/bundle/x.json": "",
	})
	require.NoError(t, os.Remove(filepath.Join(dir, "one/bundle/x.json")))
	one := filepath.Join(dir, "one")
	all, err := readModules(one)
	require.NoError(t, err)
	header, err := all.header("js/main.js")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(bundlePath(one, "js/main.js"), []byte(header), 0o644))
	problems, err := Stale(one)
	require.NoError(t, err)
	require.Empty(t, problems)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "two/js/other.js"), []byte("globalThis.other = 2;\n"), 0o644))
	problems, err = Stale(one)
	require.NoError(t, err)
	require.Len(t, problems, 1)
}
