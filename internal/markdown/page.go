package markdown

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	readability "github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// Options say how a document is read.
type Options struct {
	URL   string // its address, which relative ones in it are resolved against
	Whole bool   // all of it, not its main content
}

// Page is a document as Markdown. Fields that nothing is known about are empty.
type Page struct {
	Title     string
	Byline    string
	Excerpt   string
	Site      string
	Lang      string
	Published time.Time
	Markdown  string
	Main      bool // the Markdown is the document's main content, and not all of it
	NoMenus   bool // the Markdown is all of the document except its menus
}

// Decode returns the text of a body, whose charset is said by its Content-Type, by a byte order mark, or, in HTML, by a
// meta element.
func Decode(body []byte, contentType string) (string, error) {
	if utf8.Valid(body) {
		return strings.TrimPrefix(string(body), "\ufeff"), nil
	}
	r, err := charset.NewReader(bytes.NewReader(body), contentType)
	if err != nil {
		return "", fmt.Errorf("decoding the text: %w", err)
	}
	text, err := io.ReadAll(r)
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\ufffd"), "\ufeff"), err
}

// FromHTML reads a document.
func FromHTML(source string, o Options) (*Page, error) {
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil { // which a string gives only where elements lie too deep in each other
		doc, err = html.Parse(strings.NewReader(shallow(source)))
	}
	if err != nil {
		return nil, fmt.Errorf("parsing the page: %w", err)
	}
	address, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("the address of the page: %w", err)
	}
	tidy(doc, address)
	page := &Page{Title: titleOf(doc)}
	content := doc
	parser := readability.NewParser()
	parser.KeepClasses = true // code blocks have their language there
	if article, err := parser.ParseDocument(doc, address); err == nil {
		page.describe(&article)
		if !o.Whole && article.Node != nil && isMain(doc, article.Length) && parser.CheckDocument(doc) {
			content, page.Main = article.Node, true
		}
	}
	if !o.Whole && !page.Main {
		if declared := declaredMain(doc); declared != nil {
			content, page.Main = declared, true
		} else {
			page.NoMenus = removeNavigation(doc)
		}
	}
	text, err := markdownConverter().ConvertNode(content)
	if err != nil {
		return nil, fmt.Errorf("writing the page as Markdown: %w", err)
	}
	page.Markdown = finished(string(text))
	return page, nil
}

func (p *Page) describe(a *readability.Article) {
	if a.Title != "" {
		p.Title = a.Title
	}
	p.Byline, p.Excerpt, p.Site, p.Lang = a.Byline, a.Excerpt, a.SiteName, a.Language
	if a.PublishedTime != nil {
		p.Published = *a.PublishedTime
	}
}

// The main content of a page is a text, and most of what the page has besides its navigation. Readability always finds
// something: in lists and applications that is any one part among many.
const (
	leastMain   = 200
	mainPercent = 40
)

func isMain(doc *html.Node, length int) bool {
	return length >= leastMain && length*100 >= textLength(doc)*mainPercent
}

// textLength counts the characters of a document that are not in its navigation and the like.
func textLength(n *html.Node) int {
	if n.Type == html.TextNode {
		return utf8.RuneCountInString(strings.Join(strings.Fields(n.Data), " "))
	}
	if n.Type == html.ElementNode {
		switch n.Data {
		case "head", "nav", "aside", "header", "footer", "form", "script", "style":
			return 0
		}
	}
	length := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		length += textLength(c)
	}
	return length
}

// markdownConverter makes the converter on first use, so that the host does not pay for it when it starts. It is safe
// for concurrent use.
var markdownConverter = sync.OnceValue(func() *converter.Converter {
	return converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false),
			commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip)),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithHeaderPromotion(true), table.WithSkipEmptyRows(true)),
	))
})

// finished puts the marks of check boxes in, and takes out blanks that say nothing.
func finished(text string) string {
	text = marksInWords.Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if trimmed := strings.TrimRight(line, " \t"); len(line)-len(trimmed) != 2 { // two blanks break a line
			lines[i] = trimmed
		}
		if strings.HasPrefix(line, "|") {
			lines[i] = strings.ReplaceAll(lines[i], "  <br />", "<br>")
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
