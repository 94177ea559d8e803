package lookup

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data any
		want []place
	}{
		"2.5.6 a path":     {"see src/Save.tsx for it", []place{{"src/Save.tsx", 0, 0}}},
		"2.5.6 a position": {"at Save (src/app/[id]/page.jsx:12:5)", []place{{"src/app/[id]/page.jsx", 12, 5}}},
		"2.5.6 an address": {"http://localhost:3000/src/a.js?t=1:7:2", []place{{"/src/a.js", 7, 2}}},
		"2.5.6 of webpack": {"webpack-internal:///./src/a.ts:3", []place{{"src/a.ts", 3, 0}}},
		"2.5.6 no source":  {"package.json and a.jsonl and x.css", nil},
		"2.5.5 file and line": {
			map[string]any{"fileName": "/w/src/A.tsx", "lineNumber": 4.0, "columnNumber": 2.0},
			[]place{{"/w/src/A.tsx", 4, 2}},
		},
		"2.5.5 as React tells it": {
			map[string]any{"text": "Save", "source": []any{"src/A.tsx", 4.0, 2.0}},
			[]place{{"src/A.tsx", 4, 2}},
		},
		"2.5.5 nothing": {map[string]any{"text": "Save", "source": nil}, nil},
		"2.6.4 an initiator": {
			map[string]any{"type": "script", "url": "http://x/app.js", "line": 9.0},
			[]place{{"/app.js", 9, 0}},
		},
		"2.6.4 a stack": {
			map[string]any{"stack": map[string]any{"callFrames": []any{map[string]any{
				"url":        "http://x/a.js",
				"lineNumber": 1.0,
			}}}}, []place{{"/a.js", 1, 0}},
		},
		"2.6.4 an initiator of the page": {map[string]any{"type": "parser", "url": "http://x/"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, placesOf(tt.data))
		})
	}
}

// workspace makes a folder with these files.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return root
}

func sourceOf(t *testing.T, params string, answers map[string]string, root string) *contract.SourceLookup {
	t.Helper()
	c, err := input.Compile(&contract.Params{SourceLookup: json.RawMessage(params)})
	require.NoError(t, err)
	q := c.Details.CompiledSourceLookup
	return Source(t.Context(), q, rowsFor(t, q.Steps, answers), nil, root)
}

func files(list []contract.SourceCandidate) (files []string) {
	for _, c := range list {
		files = append(files, fmt.Sprintf("%s %s %s:%d:%d", c.Source, c.Confidence, c.File, c.Line, c.Column))
	}
	return files
}

func TestSource(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		params     string
		answers    map[string]string
		candidates []string
		status     string
	}{
		"2.5.5 react": {
			`{"reactFiberId":"2"}`,
			map[string]string{"react inspect 2": `{"text":"Save","source":["src/Save.tsx",12,5]}`},
			[]string{"react-inspect high src/Save.tsx:12:5"},
			"candidates-found",
		},
		"2.5.6 attributes": {
			`{"selector":"a"}`,
			map[string]string{
				"get html a": `{"html":"<b data-component-file='src/B.tsx' data-line=\"7\" data-column='2'>x</b><i data-source=\"src/I.jsx:3\"></i>"}`,
			},
			[]string{"dom-attribute medium src/B.tsx:7:2", "dom-attribute medium src/I.jsx:3:0"},
			"candidates-found",
		},
		"2.5.6 2.5.5 paths in the html, each once": {
			`{"selector":"a"}`,
			map[string]string{"get html a": `{"html":"<p>src/A.ts:4</p><p>src/A.ts:4</p>"}`},
			[]string{"dom-attribute medium src/A.ts:4:0"},
			"candidates-found",
		},
		"2.5.7 nothing": {
			`{"selector":"a"}`,
			map[string]string{"get html a": `{"html":"<p>hello</p>"}`},
			nil, "no-candidates",
		},
		"2.5.7 nothing, and React failed": {
			`{"selector":"a","reactFiberId":"2"}`,
			map[string]string{"react inspect 2": "!no hook"},
			nil, "unsupported",
		},
		"2.5.7 React failed, and there is something": {
			`{"selector":"a","reactFiberId":"2"}`,
			map[string]string{"react inspect 2": "!no hook", "get html a": `{"html":"src/A.ts"}`},
			[]string{"dom-attribute medium src/A.ts:0:0"},
			"candidates-found",
		},
		"2.5.7 the selector failed": {
			`{"selector":"a"}`,
			map[string]string{"is visible a": "!none", "get html a": "!none"},
			nil, "no-candidates",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := sourceOf(t, tt.params, tt.answers, "")
			require.Equal(t, tt.candidates, files(l.Candidates))
			require.Equal(t, tt.status, l.Status)
			require.True(t, strings.HasPrefix(SourceText(l), l.Summary))
		})
	}
}

// The evidence says whose attribute it is: `get html` tells of the elements inside the one that is looked for.
func TestSourceEvidence(t *testing.T) {
	t.Parallel()
	l := sourceOf(t, `{"selector":"a"}`, map[string]string{
		"get html a": `{"html":"<b data-component-file='src/B.tsx'>x</b><MY-PART\n data-source='src/I.jsx:3'/><p>src/A.ts:4</p>"}`,
	}, "")
	var evidence []string
	for _, c := range l.Candidates {
		evidence = append(evidence, c.Evidence...)
	}
	require.Equal(t, []string{
		"data-component-file of a <b> inside the element", "data-source of a <my-part> inside the element",
		"path in the HTML inside the element",
	}, evidence)
}

func TestWorkspace(t *testing.T) {
	t.Parallel()
	t.Run("2.5.4 where it looks", func(t *testing.T) {
		t.Parallel()
		list := map[string]string{
			"a.md": "class Save", "b.mjs": "class Save",
			"sub/c.jsx": "\n\nexport default class Save {}",
		}
		for _, folder := range skippedFolders() {
			list[folder+"/x.ts"] = "const Save = 1"
		}
		root := workspace(t, list)
		outside := workspace(t, map[string]string{"o.ts": "const Save = 1"})
		require.NoError(t, os.Symlink(filepath.Join(outside, "o.ts"), filepath.Join(root, "link.ts")))
		require.NoError(t, os.Symlink(outside, filepath.Join(root, "folder")))
		l := sourceOf(t, `{"componentName":"Save"}`, map[string]string{"react tree": `{"text":"Save"}`}, root)
		require.Equal(t, []string{"workspace-search low sub/c.jsx:3:0"}, files(l.Candidates))
		require.Equal(t, []string{"declares Save", "the React tree of the page has a Save"}, l.Candidates[0].Evidence)
	})
	t.Run("2.5.4 ten candidates", func(t *testing.T) {
		t.Parallel()
		list := map[string]string{}
		for i := range 15 {
			list[fmt.Sprintf("f%02d.ts", i)] = "function Save() {}"
		}
		require.Len(t, sourceOf(t, `{"componentName":"Save"}`, nil, workspace(t, list)).Candidates, 10)
	})
	t.Run("2.5.3 so many files and no more", func(t *testing.T) {
		t.Parallel()
		l := sourceOf(t, `{"componentName":"Save","maxWorkspaceFiles":2}`, nil,
			workspace(t, map[string]string{"a.ts": "", "b.ts": "", "c.ts": "class Save {}"}))
		require.Empty(t, l.Candidates)
		require.Contains(t, strings.Join(l.Limitations, " "), "limited to 2 files")
	})
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	root := workspace(t, map[string]string{
		"a.ts": "const url = '/api/fail'\n", "b.ts": "x\ny\nfetch(`https://shop.test/api/fail?page=${n}`)",
		"c.ts": "'/api/failures'", "d.ts": "'/API/FAIL'",
	})
	const failing = `{"requests":[{"requestId":"r1","url":"https://shop.test/api/fail?key=hidden","status":503,"method":"POST"},{"requestId":"r2","url":"https://shop.test/api/fine","status":200}]}`
	tests := map[string]struct {
		params     string
		answers    map[string]string
		status     string
		failed     int
		candidates []string
	}{
		"2.6.4 a failed request": {
			`{"url":"/api"}`,
			map[string]string{"network requests --filter /api": failing},
			"failed-requests-found", 1,
			[]string{"initiator medium /app.js:5:0", "workspace-search low a.ts:1:0", "workspace-search low b.ts:3:0"},
		},
		"2.6.4 the same request twice": {
			`{"requestId":"r1","url":"/api"}`,
			map[string]string{
				"network requests --filter /api": failing,
				"network request r1":             `{"requestId":"r1","url":"https://shop.test/api/fail?key=hidden","status":503,"initiator":{"type":"script","url":"https://shop.test/lib.js","line":2}}`,
			},
			"failed-requests-found", 1,
			[]string{
				"initiator medium /lib.js:2:0", "initiator medium /app.js:5:0", "workspace-search low a.ts:1:0",
				"workspace-search low b.ts:3:0",
			},
		},
		"2.6.4 nothing failed": {
			`{"url":"/api"}`,
			map[string]string{
				"network requests --filter /api": `{"requests":[{"requestId":"r2","url":"https://shop.test/api/fine","status":200}]}`,
			},
			"no-failed-requests", 0, nil,
		},
		"2.6.4 no request": {
			`{"url":"/never"}`,
			map[string]string{"network requests --filter /never": `{"requests":[]}`},
			"no-candidates", 0, nil,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := input.Compile(&contract.Params{NetworkSourceLookup: json.RawMessage(tt.params)})
			require.NoError(t, err)
			q := c.Details.CompiledNetworkSourceLookup
			traced := []backend.Row{{Success: true, Result: map[string]any{
				"requestId": "r1", "url": "https://shop.test/api/fail?key=hidden", "status": 503.0,
				"initiator": map[string]any{"url": "https://shop.test/app.js", "line": 5.0},
			}}}
			redact := func(s string) string { return strings.ReplaceAll(s, "hidden", "[REDACTED]") }
			l := Network(t.Context(), q, rowsFor(t, q.Steps, tt.answers), traced, root, redact)
			require.Equal(t, tt.status, l.Status)
			require.Len(t, l.FailedRequests, tt.failed)
			require.Equal(t, tt.candidates, files(l.Candidates))
			require.NotContains(t, fmt.Sprint(l)+NetworkText(l), "hidden")
		})
	}
	t.Run("2.6.4 which requests are asked for what made them", func(t *testing.T) {
		t.Parallel()
		var data any
		require.NoError(t, json.Unmarshal([]byte(failing), &data))
		require.Equal(t, [][]string{{"network", "request", "r1"}}, Traces([]backend.Row{{Success: true, Result: data}}))
	})
}
