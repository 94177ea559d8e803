package main

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// document is what a page has of interest to links.
type document struct {
	links, loaded []string
	anchors       map[string]bool
}

// made returns a folder with the page of this repository.
func made(t *testing.T) string {
	t.Helper()
	dist := t.TempDir()
	require.NoError(t, run([]string{"--root", "../../..", dist}, &bytes.Buffer{}))
	return dist
}

func documentsOf(t *testing.T, dist string) map[string]document {
	t.Helper()
	all := map[string]document{}
	require.NoError(t, fs.WalkDir(os.DirFS(dist), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		f, err := os.Open(path.Join(dist, name))
		if err != nil {
			return err
		}
		defer f.Close()
		root, err := html.Parse(f)
		if err != nil {
			return err
		}
		d := document{anchors: map[string]bool{}}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					d.anchors[a.Val] = true
				case a.Key == "href" && n.Data == "a":
					d.links = append(d.links, a.Val)
				case a.Key == "href", a.Key == "src", a.Key == "srcset":
					d.loaded = append(d.loaded, a.Val)
				}
			}
		}
		all[name] = d
		return nil
	}))
	return all
}

// Every link within the site leads to a page that is there, and to a place that the page has. A link to a file of the
// repository names one that is there.
func TestLinks(t *testing.T) {
	t.Parallel()
	dist := made(t)
	all := documentsOf(t, dist)
	require.Greater(t, len(all), 40)
	checked := 0
	for name, d := range all {
		for _, link := range d.links {
			u, err := url.Parse(link)
			require.NoError(t, err, name)
			if u.IsAbs() {
				if file, ok := strings.CutPrefix(link, repository); ok {
					file, _, _ = strings.Cut(file, "#")
					_, err := os.Stat(path.Join("../../..", file))
					require.NoError(t, err, "%s links to %s", name, link)
				}
				continue
			}
			checked++
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			target, ok := all[to]
			if !ok {
				t.Errorf("%s links to %s, which is not there", name, link)
			} else if u.Fragment != "" && !target.anchors[u.Fragment] {
				t.Errorf("%s links to %s, which has no such place", name, link)
			}
		}
	}
	require.Greater(t, checked, 1000)
}

// What a reader's browser loads comes from the site itself.
func TestNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	dist := made(t)
	for name, d := range documentsOf(t, dist) {
		require.NotEmpty(t, d.loaded, name)
		for _, address := range d.loaded {
			if strings.HasPrefix(address, "data:") {
				continue
			}
			_, err := os.Stat(path.Join(dist, path.Dir(name), address))
			require.NoError(t, err, "%s loads %s", name, address)
		}
	}
}

// Documents link to headings by the anchors that GitHub gives them.
func TestAnchors(t *testing.T) {
	t.Parallel()
	a := &anchors{used: map[string]int{}}
	for _, tc := range []struct{ heading, want string }{
		{"Chromium's sandbox", "chromiums-sandbox"},
		{"Targets of `connect` and `--cdp`", "targets-of-connect-and---cdp"},
		{"snake_case, 2 words", "snake_case-2-words"},
		{"Limits", "limits"},
		{"Limits", "limits-1"},
		{"Größe", "größe"},
	} {
		require.Equal(t, tc.want, string(a.Generate([]byte(tc.heading), 0)))
	}
}
