package read

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
	"github.com/skua-browser/skua/internal/invisible"
	"github.com/skua-browser/skua/internal/markdown"
	"github.com/skua-browser/skua/internal/wording"
)

func readCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "read",
			Group:   actions.GroupReading,
			Summary: "Read a page, or an address without opening it, as Markdown",
			Help: "Without an address it reads the page of the active tab as it is now: the main content, with frames, shadow " +
				"trees and the values " +
				"of fields, and without navigation and what is not rendered. Text that is rendered but cannot be seen, since it " +
				"is transparent, off the page or " +
				"of the color behind it, is marked [unseen], or [appears …] if the page brings it in; lines that speak to agents " +
				"are marked [says to agents]. A page without main content, such as an application, is read as a whole, except " +
				"for its menus.\n\n" +
				"With an address it fetches the document without a browser, through the session's proxy. It asks for Markdown, " +
				"looks for the page's Markdown at the address with .md " +
				"appended and in the nearest llms.txt, and else turns the page into Markdown. Text and JSON are printed as " +
				"they are.\n\n" +
				"--rendered loads the address in a background tab of the session instead, with its cookies and rules, runs the " +
				"page's scripts, waits until it " +
				"has settled (for at most a second after its load event), and closes the tab. Pictures, fonts, sound and video " +
				"are not fetched; the page " +
				"gets an empty picture instead of each. Use --pictures for a page whose scripts turn these into text.\n\n" +
				"Several addresses are read at the same time, up to --tabs, and printed in order; the exit code is 1 when one of " +
				"them could not be read.\n\n" +
				"Without an address, --llms and --require-md use the address of the active tab.",
			Args: []actions.Arg{
				{
					Name:     "url",
					Kind:     actions.URL,
					Optional: true,
					Help:     "What to fetch; without it the page of the active tab is read",
				},
				{Name: "more", Kind: actions.List, Optional: true, Help: "Further addresses, which are read at the same time"},
			},
			Flags: []actions.Flag{
				{Name: "full", Kind: actions.Bool, Help: "The whole page, not only its main content"},
				{Name: "raw", Kind: actions.Bool, Help: "The HTML of the page, or the body as the server sends it"},
				{Name: "require-md", Kind: actions.Bool, Help: "Fail unless the server has Markdown"},
				{
					Name:  "llms",
					OneOf: []string{"index", "full"},
					Value: "file",
					Help:  "The links of the nearest llms.txt, or the nearest llms-full.txt",
				},
				{Name: "outline", Kind: actions.Bool, Help: "Only the headings"},
				{Name: "filter", Value: "text", Help: "Only the sections, headings or links that contain this text"},
				{
					Name: "rendered",
					Kind: actions.Bool,
					Help: "Load the address in a background tab of the session and read what it shows",
				},
				{Name: "pictures", Kind: actions.Bool, Help: "With --rendered: load pictures, fonts, sound and video, too"},
				{
					Name:    "tabs",
					Kind:    actions.Int,
					Default: defaultReadTabs,
					Help:    "How many addresses are read at the same time, up to 16",
				},
			},
			Examples: []actions.Example{
				{Line: "read"},
				{Line: "read --outline"},
				{Line: `read https://example.com/docs --filter "getting started"`},
				{Line: "read https://example.com --llms index"},
				{
					Line: "read https://example.com/a https://example.com/b --rendered",
					Note: "two pages that scripts render, at the same time",
				},
			},
			Upstream: []string{
				"read [url]",
				"read [url] [--raw] [--require-md] [--llms <index|full>] [--outline] [--filter <text>] [--timeout <ms>]",
			},
		},
		Schedule: actions.Schedule{Effect: actions.Reads, Requests: readRequests, AtLeast: readTime},
		Safety:   actions.Safety{Families: policy.Does(), Also: opensAside},
		Bindings: actions.Bindings{Data: []any{DocumentResult{}, DocumentsResult{}}},
		Run:      runRead,
	}
}

// opensAside is what reading an address in a background tab is for rules.
func opensAside(in *actions.Input) []string {
	if in.Bool("rendered") {
		return []string{policy.NewTab, policy.Open}
	}
	return nil
}

// readTime is how long reading may take by how many addresses there are; one that is said is that of each.
func readTime(in *actions.Input) time.Duration {
	each := readLimit
	if in.Bool("rendered") {
		each = renderedLimit
	}
	if in.Flagged("timeout") || !in.Has("url") || in.Int("tabs") < 1 {
		return 0
	}
	rows := (len(in.Strings("more")) + in.Int("tabs")) / in.Int("tabs")
	return time.Duration(rows)*each + AsideLimit
}

// readRequests is how many requests `read` may make one after the other: it looks for forms of the page that are better
// to read, in the folders above it, too.
func readRequests(in *actions.Input) int {
	if in.Bool("raw") {
		return 1
	}
	depth := 0
	if u, err := url.Parse(in.String("url")); err == nil {
		for part := range strings.SplitSeq(u.Path, "/") {
			if part != "" {
				depth++
			}
		}
	}
	if in.Has("llms") {
		return depth + 1
	}
	return depth + 4
}

// reading is what was read, on its way to what is shown of it.
type reading struct {
	url, finalURL string
	contentType   string
	source        string
	status        int // 0 means not over HTTP
	truncated     bool
	content       string
	page          *markdown.Page // when content was made of HTML
	tried         bool           // main content was looked for
	missed        []string       // addresses of frames that could not be read
}

func runRead(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("llms") && (c.Bool("raw") || c.Bool("require-md")) {
		return actions.Result{}, c.Invalid("--llms reads a file of its own; leave out --raw and --require-md.")
	}
	if err := checkRendered(c); err != nil {
		return actions.Result{}, err
	}
	var r *reading
	var err error
	switch {
	case c.Has("more") || c.Bool("rendered"):
		return readGiven(ctx, c)
	case !c.Has("url") && !c.Has("llms") && !c.Bool("require-md"):
		r, err = readTab(ctx, c)
	default:
		var address string
		if address, err = addressToRead(ctx, c); err == nil {
			r, err = readAddress(ctx, c, address)
		}
	}
	if err != nil {
		return actions.Result{}, err
	}
	return render(c, r), nil
}

// checkRendered refuses what does not go with reading in a tab, or means nothing without it.
func checkRendered(c *actions.Call) error {
	if n := c.Int("tabs"); n < 1 || n > maxReadTabs {
		return c.Invalid(fmt.Sprintf("--tabs %d: it goes from 1 to %d.", n, maxReadTabs))
	}
	switch rendered := c.Bool("rendered"); {
	case !rendered && c.Bool("pictures"):
		return c.Invalid("--pictures needs --rendered: without a browser none are fetched.")
	case rendered && !c.Has("url"):
		return c.Invalid("--rendered needs an address; without one the page of the active tab is read as it is.")
	case rendered && (c.Has("llms") || c.Bool("require-md")):
		return c.Invalid("--rendered reads what a page shows; leave out --llms and --require-md.")
	}
	return nil
}

// readGiven reads several addresses, or one in a tab.
func readGiven(ctx context.Context, c *actions.Call) (actions.Result, error) {
	newReader := func() reader { return serverReader{c} }
	if c.Bool("rendered") {
		inTabs, done, err := renderedReaders(ctx, c)
		if err != nil {
			return actions.Result{}, err
		}
		defer done()
		newReader = inTabs
	}
	all, err := readAddresses(ctx, c, newReader)
	if err != nil {
		return actions.Result{}, err
	}
	if one := all[0]; len(all) == 1 {
		if one.err != nil {
			return actions.Result{}, one.err
		}
		return render(c, one.r), nil
	}
	return shownAll(c, all), nil
}

// serverReader reads over HTTP.
type serverReader struct{ call *actions.Call }

func (s serverReader) read(ctx context.Context, address string) (*reading, error) {
	return readAddress(ctx, s.call, address)
}

func (s serverReader) close(context.Context) {}

// readLimit is how long fetching may take when nothing else is said.
const readLimit = 10 * time.Second

// readAddress reads over HTTP.
func readAddress(ctx context.Context, c *actions.Call, address string) (*reading, error) {
	limit := readLimit
	if c.Flagged("timeout") {
		limit = c.Duration("timeout")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	road, err := c.Browser.Road(ctx)
	if err != nil {
		return nil, err
	}
	client := fetch.New(road)
	defer client.Close()
	var d *fetch.Document
	if c.Has("llms") {
		d, err = client.LLMs(ctx, address, c.String("llms"))
	} else {
		d, err = client.Read(ctx, address, fetch.ReadOptions{Raw: c.Bool("raw"), RequireMarkdown: c.Bool("require-md")})
	}
	if err != nil {
		return nil, err
	}
	text, err := markdown.Decode(d.Body, d.ContentType)
	if err != nil {
		return nil, fetch.NotTextError(d.FinalURL, d.MediaType())
	}
	r := &reading{
		url:         d.URL,
		finalURL:    d.FinalURL,
		contentType: d.ContentType,
		source:      d.Source,
		status:      d.Status,
		truncated:   d.Truncated,
		content:     text,
	}
	if d.Source == "html-fallback" {
		err = r.convert(text, c.Bool("full"))
	}
	return r, err
}

// addressToRead is the address that was given, or that of the active tab.
func addressToRead(ctx context.Context, c *actions.Call) (string, error) {
	if c.Has("url") {
		return navigate.Address(c, c.String("url"))
	}
	tab, err := openPage(ctx, c)
	if err != nil {
		return "", err
	}
	return tab.Page.URL(), nil
}

// openPage is the active tab of a session that has one. Reading opens no browser to find it empty.
func openPage(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	if !c.Browser.Running() {
		return nil, fault.New(fault.TabNotFound, "No page is open in the session %s.", c.Session.Name()).
			WithHint("`open` a page first, or give `read` an address.")
	}
	return run.Tab(ctx, c)
}

// convert turns HTML into the content.
func (r *reading) convert(source string, whole bool) error {
	page, err := markdown.FromHTML(source, markdown.Options{URL: r.finalURL, Whole: whole})
	if err != nil {
		return fault.New(fault.Internal, "reading %s: %w", r.finalURL, err)
	}
	r.page, r.content, r.tried = page, page.Markdown, !whole
	return nil
}

// render makes the answer: the content, or what of it was asked for.
// legible takes invisible characters that may spell a text out of what was read.
func (r *reading) legible(c *actions.Call, body string) string {
	if c.UpstreamText() {
		return body
	}
	body, hidden := invisible.Clean(body)
	if hidden {
		c.Note("invisible characters are left out: they may spell a text")
		r.content, _ = invisible.Clean(r.content)
	}
	return body
}

func render(c *actions.Call, r *reading) actions.Result {
	body := r.content // as text mode shows it
	if r.page != nil {
		body = r.headed()
	}
	for _, frame := range r.missed {
		c.Note("a frame could not be read: " + frame)
	}
	filter := c.String("filter")
	switch {
	case c.Bool("outline"):
		r.content, r.source = r.outline(filter), r.source+"-outline"
		body = r.content
	case c.String("llms") == "index":
		r.content = r.index(filter)
		body = r.content
	case filter != "":
		r.content, r.source = markdown.Sections(r.content, filter), r.source+"-filtered"
		body = r.content
	}
	if filter != "" && r.content == "" {
		c.Note("nothing in it contains " + wording.Quote(filter))
	}
	body = r.markAddressed(c, body)
	body = r.legible(c, body)
	data := DocumentResult{
		Content:     r.content,
		ContentType: r.contentType,
		FinalURL:    r.finalURL,
		Source:      r.source,
		Status:      r.status,
		Truncated:   r.truncated,
		URL:         r.url,
	}
	if r.truncated {
		c.Note("the document is longer than the part that was read")
	}
	if p := r.page; p != nil {
		if p.NoMenus {
			c.Note("menus are left out; --full has them")
		}
		data.Title, data.Byline, data.Excerpt, data.SiteName, data.Lang = p.Title, p.Byline, p.Excerpt, p.Site, p.Lang
		if !p.Published.IsZero() {
			data.Published = p.Published.Format(time.RFC3339)
		}
		if r.tried {
			data.MainContent = &p.Main
		}
	}
	return actions.Result{Data: data, Text: body}
}

// headed is the content with what it is of above it. A title that the content begins with is not said twice.
func (r *reading) headed() string {
	var b strings.Builder
	content, p := r.content, r.page
	if first, rest, _ := strings.Cut(content, "\n"); strings.HasPrefix(first, "# ") &&
		(p.Title == "" || p.Title == strings.TrimSpace(first[2:])) {
		b.WriteString(first + "\n\n")
		content = strings.TrimLeft(rest, "\n")
	} else if p.Title != "" {
		b.WriteString("# " + p.Title + "\n\n")
	}
	b.WriteString("Source: " + r.finalURL + "\n")
	if p.Byline != "" {
		b.WriteString("By: " + p.Byline + "\n")
	}
	return strings.TrimSuffix(b.String()+"\n"+content, "\n")
}

// outline lists the headings.
func (r *reading) outline(only string) string {
	headings := markdown.Outline(r.content, only)
	if len(headings) == 0 && only != "" {
		return ""
	}
	var text strings.Builder
	text.WriteString("# Outline\n\nSource: " + r.finalURL + "\n")
	top := 6
	for _, h := range headings {
		top = min(top, h.Level)
	}
	for _, h := range headings {
		text.WriteString("\n" + strings.Repeat("  ", h.Level-top) + "- " + h.Text)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// index lists the links of an llms.txt below their headings.
func (r *reading) index(only string) string {
	text, section := "", ""
	for _, l := range markdown.Links(r.content, r.finalURL) {
		line := "- [" + l.Text + "](" + l.URL + ")"
		if l.Note != "" {
			line += ": " + l.Note
		}
		if only != "" && !strings.Contains(strings.ToLower(line+" "+l.Section), strings.ToLower(only)) {
			continue
		}
		if l.Section != section {
			section = l.Section
			if text != "" {
				text += "\n"
			}
			text += "\n## " + section + "\n"
		}
		text += "\n" + line
	}
	if text == "" && only != "" {
		return ""
	}
	return "# Links\n\nSource: " + r.finalURL + "\n" + text
}
