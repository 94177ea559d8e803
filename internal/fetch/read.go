package fetch

import (
	"bytes"
	"context"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/markdown"
)

// ReadOptions choose the form of a document.
type ReadOptions struct {
	Raw             bool // the body as the server sends it
	RequireMarkdown bool // fail unless a server has Markdown
}

// patience is how long a better form of a page is looked for when the page itself is there.
const patience = 3 * time.Second

// Read gets a document, as Markdown where the server has that.
func (c *Client) Read(ctx context.Context, address string, w ReadOptions) (*Document, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	d, err := c.get(ctx, u.String())
	if err != nil {
		return nil, err
	}
	d.URL = address
	media := d.MediaType()
	switch {
	case !d.ok() && (!w.RequireMarkdown || d.Status != 406):
		return nil, httpError("Read", address, d.Status)
	case isMarkdown(media):
		d.Source = "accept-markdown"
		return d, nil
	case w.Raw && !w.RequireMarkdown:
		d.Source = "raw"
		return readable(d, media)
	case IsHTML(media) || w.RequireMarkdown:
		if better := c.better(ctx, u, w); better != nil {
			better.URL = address
			return better, nil
		}
		if w.RequireMarkdown {
			return nil, expectedMarkdown(address, media)
		}
		d.Source = "html-fallback"
		return d, nil
	}
	d.Source = "http-text"
	return readable(d, media)
}

func readable(d *Document, media string) (*Document, error) {
	if !IsText(media) ||
		bytes.IndexByte(d.Body, 0) >= 0 && !bytes.HasPrefix(d.Body, []byte{0xff, 0xfe}) &&
			!bytes.HasPrefix(d.Body, []byte{0xfe, 0xff}) {
		return nil, NotTextError(d.FinalURL, media)
	}
	return d, nil
}

// better looks for the Markdown of a page in both places at once. The address beside the page's wins.
func (c *Client) better(ctx context.Context, u *url.URL, w ReadOptions) *Document {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel()
	linked := make(chan *Document, 1)
	looking.Go(func() { linked <- c.linked(ctx, u, w) })
	if beside := markdownURL(u); beside != nil {
		if d, err := c.get(ctx, beside.String()); err == nil && isMarkdownOf(d, w) {
			d.Source = "markdown-url"
			return d
		}
	}
	return <-linked
}

// isMarkdownOf reports whether an answer is Markdown. Some servers call it plain text, and some send their page for
// every address.
func isMarkdownOf(d *Document, w ReadOptions) bool {
	if !d.ok() || len(bytes.TrimSpace(d.Body)) == 0 {
		return false
	}
	media := d.MediaType()
	return isMarkdown(media) ||
		!w.RequireMarkdown && media == "text/plain" && !bytes.HasPrefix(bytes.TrimSpace(d.Body), []byte("<"))
}

// markdownURL is where the Markdown of a page is by convention (llmstxt.org), or nil for what is Markdown already.
func markdownURL(u *url.URL) *url.URL {
	if strings.HasSuffix(u.Path, ".md") {
		return nil
	}
	beside := *u
	beside.RawPath = ""
	if beside.Path = strings.TrimRight(u.Path, "/") + ".md"; beside.Path == ".md" {
		beside.Path = "/index.md"
	}
	return &beside
}

// linked gets the document for a page that the nearest llms.txt links to, or nil. Links to other sites are not
// followed.
func (c *Client) linked(ctx context.Context, u *url.URL, w ReadOptions) *Document {
	index, err := c.LLMs(ctx, u.String(), "index")
	if err != nil {
		return nil
	}
	for _, link := range markdown.Links(string(index.Body), index.FinalURL) {
		to, err := url.Parse(link.URL)
		if err != nil || to.Host != u.Host || pageName(to.Path) != pageName(u.Path) {
			continue
		}
		to.Fragment = ""
		if to.String() == u.String() {
			continue // which was no Markdown
		}
		if d, err := c.get(ctx, to.String()); err == nil && isMarkdownOf(d, w) {
			d.Source = "llms-link"
			return d
		}
	}
	return nil
}

// pageName is a path without what tells the forms of a page apart.
func pageName(p string) string {
	p = strings.TrimSuffix(strings.TrimSuffix(p, "/"), ".md")
	switch ext := path.Ext(p); ext {
	case ".html", ".htm", ".txt", ".mdx":
		p = strings.TrimSuffix(p, ext)
	}
	return strings.TrimSuffix(strings.TrimSuffix(p, "/index"), "/")
}

// nearest is how many folders are looked into, from the page's own up, the top one always.
const nearest = 8

// LLMs gets the nearest llms.txt ("index") or llms-full.txt ("full") of a page: in its folder, else the one above, up
// to the top.
func (c *Client) LLMs(ctx context.Context, address, which string) (*Document, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	name := "llms.txt"
	if which == "full" {
		name = "llms-full.txt"
	}
	places := folders(u.Path)
	answers := make([]struct {
		d   *Document
		err error
	}, len(places))
	var asking sync.WaitGroup
	for i, folder := range places {
		at := *u
		at.Path, at.RawPath, at.RawQuery = folder+name, "", ""
		asking.Go(func() { answers[i].d, answers[i].err = c.get(ctx, at.String()) })
	}
	asking.Wait()
	for _, a := range answers {
		if a.err == nil && a.d.ok() && !IsHTML(a.d.MediaType()) {
			a.d.URL, a.d.Source = address, "llms-"+which
			return readable(a.d, a.d.MediaType())
		}
	}
	top := answers[len(answers)-1]
	if top.err != nil {
		return nil, top.err
	}
	if top.d.ok() {
		return nil, httpError(name, top.d.URL, 404) // a page for every address is the same as none
	}
	return nil, httpError(name, top.d.URL, top.d.Status)
}

// folders lists the folder of a path and those above, each with a slash at its end.
func folders(p string) []string {
	var all []string
	for folder := p[:strings.LastIndexByte("/"+p, '/')]; ; {
		folder = strings.TrimSuffix(folder, "/")
		if len(all) == nearest-1 {
			folder = ""
		}
		all = append(all, folder+"/")
		if folder == "" {
			return all
		}
		folder = folder[:strings.LastIndexByte(folder, '/')]
	}
}
