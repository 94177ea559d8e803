//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/agreement"
)

func TestReadPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, list string
		want       []page
		wrong      string
	}{
		{"a package", "# list\n@a/b@1.0.0 docs/x.html\n", []page{{pack: "@a/b@1.0.0", file: "docs/x.html"}}, ""},
		{"a site of its own", "b@1.0.0 dist//p/x.html", []page{{pack: "b@1.0.0", root: "dist", file: "p/x.html"}}, ""},
		{"a page of ours, and what others need", "libraries x.html\nb@1.0.0\n", []page{{file: "x.html"}}, ""},
		{"no version", "b docs/x.html", nil, "list.txt:1: want a package with its version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list := filepath.Join(t.TempDir(), "list.txt")
			require.NoError(t, os.WriteFile(list, []byte(tt.list), 0o600))
			got, err := readPages(list)
			if tt.wrong != "" {
				require.ErrorContains(t, err, tt.wrong)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestListsOfTheRepository(t *testing.T) {
	t.Parallel()
	pages, err := readPages("../../testdata/perception/pages.txt")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(pages), 60)
	names := map[string]bool{}
	for _, p := range pages {
		require.False(t, names[p.name()], "%s is there twice", p.name())
		names[p.name()] = true
	}
	sessions, err := readSessions("../../testdata/perception/sessions.txt")
	require.NoError(t, err)
	for _, s := range sessions {
		require.True(t, names[s.page], "%s: the list of pages does not have %s", s.title, s.page)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	const view = "- link \"Home page\" [ref=e1]\n- link \"Home\" [ref=e2]\n- textbox \"Name\" [ref=e3]"
	for _, tt := range []struct {
		name, call string
		want       []string
		ok         bool
	}{
		{"no target", "wait --text Orders", []string{"wait", "--text", "Orders"}, true},
		{"the whole name first", `click {link "Home"}`, []string{"click", "@e2"}, true},
		{"a part of a name", `click {link "page"}`, []string{"click", "@e1"}, true},
		{"a value", `fill {textbox "Name"} Ada Lovelace`, []string{"fill", "@e3", "Ada Lovelace"}, true},
		{"another role", `click {button "Home"}`, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := words(tt.call, view)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.ok, ok)
		})
	}
}

func TestWordsAfterChanges(t *testing.T) {
	t.Parallel()
	view := changedLines(
		"(3 changes)\n+ link \"Close\" [ref=e7]\n- button \"Open\" [ref=e2]\n~ button \"Saved\" [ref=e3] (was: button " +
			"\"Save\" [ref=e3])\n")
	require.Equal(t, "- link \"Close\" [ref=e7]\n- button \"Saved\" [ref=e3]\n", view)
	found, ok := words(`click {link "Close"}`, view)
	require.True(t, ok)
	require.Equal(t, []string{"click", "@e7"}, found)
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		found agreement.Disagreement
		want  string
	}{
		{agreement.Disagreement{Node: `button "A"`, Chrome: "-", Skua: `button "A"`}, "only skua has a button"},
		{agreement.Disagreement{Node: "Canvas", Chrome: `Canvas ""`, Skua: "-"}, "only Chrome has a Canvas"},
		{agreement.Disagreement{Node: `link "C"`, Chrome: `"B"`, Skua: `"C"`}, "name of a link"},
		{agreement.Disagreement{Node: `link "C"`, Chrome: "-", Skua: "expanded=true"}, "state expanded"},
		{agreement.Disagreement{Node: `link "C"`, Chrome: "in list", Skua: "in the page"}, "place of a link"},
		{agreement.Disagreement{Node: `link "C"`, Chrome: "no ref", Skua: "a ref"}, "ref of a link"},
		{agreement.Disagreement{Node: `link "C"`, Chrome: `button "C"`, Skua: `link "C"`}, "role of a link"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, kindOf(tt.found))
		})
	}
}

func TestReadCosts(t *testing.T) {
	t.Parallel()
	rows, err := readCosts(
		"goos: linux\nBenchmarkPerception/1000-2  5  9.1 interactive-best-ms  10.0 interactive-ms  40.0 " +
			"getFullAXTree-best-ms  50.0 getFullAXTree-ms\nPASS\n")
	require.NoError(t, err)
	require.Equal(t, []costRow{{1000, 10, 50}}, rows)
	require.Equal(t, []string{"1000", "10.0 ms", "50.0 ms", "0.20", "<= 0.20", "yes"}, costTable(rows)[1])
	_, err = readCosts("PASS\n")
	require.Error(t, err)
}

// message writes a field of Protocol Buffers: a number, or bytes.
func message(number int, value any) []byte {
	switch v := value.(type) {
	case int:
		return []byte{byte(number << 3 & 127), byte(v)}
	case []byte:
		return append([]byte{byte(number<<3 | 2), byte(len(v))}, v...)
	}
	panic("no such field")
}

func TestReadAnnotated(t *testing.T) {
	t.Parallel()
	box := append(append(append(message(1, 10), message(2, 20)...), message(3, 30)...), message(4, 40)...)
	geometry := message(attributesGeometry, message(geometryOuter, box))
	text := message(nodeChildren, message(nodeAttributes, message(attributesText, message(1, []byte("Save")))))
	// The number 21 takes two bytes.
	actions := append([]byte{21<<3&127 | 2 | 128, 1, 2}, message(actionsClickable, 1)...)
	button := append(message(nodeAttributes, append(append([]byte{}, geometry...), actions...)), text...)
	found, err := readAnnotated(message(contentRoot, message(nodeChildren, button)))
	require.NoError(t, err)
	require.Equal(t, []annotated{{"Save", rectangle{10, 20, 30, 40}}}, found)
	_, err = readAnnotated([]byte{1, 2, 3})
	require.ErrorIs(t, err, errNotAnnotated)
}

func TestUnlisted(t *testing.T) {
	t.Parallel()
	refs := refBoxes([]any{map[string]any{"role": "generic", "children": []any{
		map[string]any{"ref": "e1", "box": map[string]any{"x": 10.0, "y": 10.0, "width": 100.0, "height": 20.0}},
	}}})
	for _, tt := range []struct {
		name string
		box  rectangle
		want int
	}{
		{"in an element with a ref", rectangle{20, 12, 10, 10}, 0},
		{"around one", rectangle{0, 0, 200, 50}, 0},
		{"elsewhere", rectangle{300, 10, 20, 20}, 1},
		{"of no size", rectangle{300, 10, 0, 20}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, unlisted([]annotated{{box: tt.box}}, refs), tt.want)
		})
	}
}
