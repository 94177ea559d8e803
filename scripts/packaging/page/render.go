package main

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList,
		// the page's policy allows no style attribute
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()), // the documents are the project's own
)

// render makes the page of a document.
func (s *site) render(p *page, source []byte) error {
	root := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{
		used: map[string]int{},
	}))))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		switch n := n.(type) {
		case *ast.Link:
			n.Destination, err = s.resolve(p, n.Destination)
		case *ast.Image:
			n.Destination, err = s.picture(p, n.Destination)
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return err
	}
	p.divide(root, source)
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, root); err != nil {
		return err
	}
	p.body = template.HTML(out.String())
	return nil
}

// resolve makes a link between documents one between pages. What is not a page is a file of the repository.
func (s *site) resolve(p *page, destination []byte) ([]byte, error) {
	u, err := url.Parse(string(destination))
	if err != nil {
		return nil, err
	}
	if u.IsAbs() || u.Path == "" {
		return destination, nil
	}
	file := path.Join(path.Dir(p.file), u.Path)
	target := s.byFile[file]
	if target == nil {
		if _, err := os.Stat(filepath.Join(s.root, file)); err != nil {
			return nil, fmt.Errorf("link %s: there is no such file: %w", destination, err)
		}
		return []byte(repository + file), nil
	}
	u.Path = relative(p.address, target.address)
	return []byte(u.String()), nil
}

func (s *site) picture(p *page, destination []byte) ([]byte, error) {
	u, err := url.Parse(string(destination))
	if err != nil {
		return nil, err
	}
	if u.IsAbs() {
		return nil, fmt.Errorf("picture %s: a reader's browser would ask another server; put the picture into the repository",
			destination)
	}
	s.files[path.Join(path.Dir(p.file), u.Path)] = true
	return destination, nil // documents and pages have the same folders
}

// relative is the way from one page to another one.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// divide finds the title and the sections.
func (p *page) divide(root ast.Node, source []byte) {
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			if len(p.sections) > 0 {
				last := &p.sections[len(p.sections)-1]
				last.Text = strings.TrimSpace(last.Text + " " + plain(n, source))
			}
			continue
		}
		heading := plain(h, source)
		if p.title == "" {
			p.title = heading
		}
		to := p.address
		if id, ok := h.AttributeString("id"); ok && h.Level > 1 {
			to += "#" + string(id.([]byte))
		}
		p.sections = append(p.sections, section{Address: to, Page: p.title, Heading: heading})
	}
}

// plain is the text of a node, without marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// anchors makes the ids of headings as GitHub does, because the documents link to those.
type anchors struct{ used map[string]int }

// Generate returns the id of a heading.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	n := a.used[id]
	a.used[id]++
	if n > 0 {
		id += "-" + strconv.Itoa(n)
	}
	return []byte(id)
}

// Put notes an id that a document sets itself.
func (a *anchors) Put(value []byte) { a.used[string(value)]++ }
