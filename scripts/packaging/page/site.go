package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repository is where files are that are no pages.
const repository = "https://github.com/skua-browser/skua/blob/main/"

// documents are the Markdown files that become pages.
var documents = []string{
	"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md",
	"docs/decisions/*.md",
}

//go:embed assets
var assets embed.FS

// site is the project's page.
type site struct {
	root   string
	pages  []*page // README.md first, then by title
	byFile map[string]*page
	files  map[string]bool // beside pages: pictures, by their path in the repository
}

// page is one document.
type page struct {
	file     string // in the repository
	address  string // in the site
	title    string
	body     template.HTML
	sections []section
}

// section is what search finds: a heading with the text below it.
type section struct {
	Address string `json:"a"`
	Page    string `json:"p"`
	Heading string `json:"h"`
	Text    string `json:"t"`
}

// read reads the documents of a repository.
func read(root string) (*site, error) {
	s := &site{root: root, byFile: map[string]*page{}, files: map[string]bool{}}
	for _, pattern := range documents {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, full := range found {
			name, err := filepath.Rel(root, full)
			if err != nil {
				return nil, err
			}
			p := &page{file: filepath.ToSlash(name)}
			p.address = address(p.file)
			s.pages = append(s.pages, p)
			s.byFile[p.file] = p
		}
	}
	for _, p := range s.pages {
		source, err := os.ReadFile(filepath.Join(root, p.file))
		if err != nil {
			return nil, err
		}
		if err := s.render(p, source); err != nil {
			return nil, fmt.Errorf("%s: %w", p.file, err)
		}
	}
	slices.SortFunc(s.pages, func(a, b *page) int {
		if first, second := a.file == "README.md", b.file == "README.md"; first != second {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
	})
	return s, nil
}

// address is where a document is in the site.
func address(file string) string {
	if path.Base(file) == "README.md" {
		return path.Join(path.Dir(file), "index.html")
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// view is what the template shows.
type view struct {
	Title, Up string // Up leads from the page to the top of the site
	Body      template.HTML
	Groups    []group
}

type group struct {
	Name  string
	Links []link
}

type link struct {
	Title, Address string
	Here           bool
}

// groups are the parts of the menu.
func (s *site) groups(here *page) []group {
	all := []group{{Name: "Start"}, {Name: "Guides"}, {Name: "Decisions"}, {Name: "Project"}}
	for _, p := range s.pages {
		g := &all[3]
		switch path.Dir(p.file) {
		case "docs":
			g = &all[1]
		case "docs/decisions":
			g = &all[2]
		}
		if p.file == "README.md" || p.file == "docs/installation.md" {
			g = &all[0]
		}
		g.Links = append(g.Links, link{p.title, p.address, p == here})
	}
	return all
}

// write writes all files of the site.
func (s *site) write(dist string) error {
	tmpl, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	var sections []section
	for _, p := range s.pages {
		sections = append(sections, p.sections...)
		var out bytes.Buffer
		up := strings.Repeat("../", strings.Count(p.address, "/"))
		if err := tmpl.Execute(&out, view{p.title, up, p.body, s.groups(p)}); err != nil {
			return err
		}
		if err := put(dist, p.address, out.Bytes()); err != nil {
			return err
		}
	}
	index, err := json.Marshal(sections)
	if err != nil {
		return err
	}
	// A script and not a JSON file, so that search also works in files that are opened without a server.
	if err := put(dist, "index.js", slices.Concat([]byte("globalThis.skuaIndex = "), index, []byte(";\n"))); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "search.js"} {
		content, err := assets.ReadFile("assets/" + name)
		if err == nil {
			err = put(dist, name, content)
		}
		if err != nil {
			return err
		}
	}
	for name := range s.files {
		content, err := os.ReadFile(filepath.Join(s.root, name))
		if err == nil {
			err = put(dist, name, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func put(dist, name string, content []byte) error {
	to := filepath.Join(dist, filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o644))
}
