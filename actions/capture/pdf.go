package capture

import (
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// papers are the names of sizes, in inches.
var papers = map[string][2]float64{
	"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17}, "ledger": {17, 11}, "a0": {33.1, 46.8},
	"a1": {23.4, 33.1},
	"a2": {16.54, 23.4}, "a3": {11.7, 16.54}, "a4": {8.27, 11.7}, "a5": {5.83, 8.27}, "a6": {4.13, 5.83},
}

func pdfCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "pdf",
			Group:   actions.GroupCapture,
			Summary: "Save the page as a PDF",
			Help: "The page's print styles apply, unless `set media screen` is set. Lengths have a unit: cm, mm, in, pt or px " +
				"(96 to the inch). Templates of --header and --footer are HTML in which elements with the classes date, title, " +
				"url, pageNumber and totalPages are filled in; they need a font-size of their own, and a margin that has " +
				"room for them.",
			Args: []actions.Arg{{Name: "path", Kind: actions.Path, Help: "Where to save it"}},
			Flags: []actions.Flag{
				{
					Name:    "format",
					Value:   "a4|letter|legal|…",
					Default: "letter",
					Help:    "The paper size: letter, legal, tabloid, ledger, a0 to a6, or width and height such as 10cmx20cm",
				},
				{Name: "landscape", Kind: actions.Bool, Help: "Landscape orientation"},
				{
					Name:    "margin",
					Value:   "length[,…]",
					Default: "1cm",
					Help:    "One length for all sides, two for top/bottom and the sides, or four for top, right, bottom and left",
				},
				{
					Name:    "scale",
					Kind:    actions.Number,
					Value:   "0.1-2",
					Default: "1",
					Help:    "The scale of the page",
				},
				{Name: "pages", Value: "1-2,5", Help: "Only these pages"},
				{Name: "background", Kind: actions.Bool, Help: "Print background colors and pictures, which is the default"},
				{Name: "no-background", Kind: actions.Bool, Help: "Leave out background colors and pictures"},
				{Name: "header", Value: "html", DashValue: true, Help: "HTML above each page"},
				{Name: "footer", Value: "html", DashValue: true, Help: "HTML below each page"},
				{Name: "css-page-size", Kind: actions.Bool, Help: "Prefer the size in the page's own @page rule to --format"},
				{Name: "tagged", Kind: actions.Bool, Help: "Write the structure that screen readers need"},
				{Name: "outline", Kind: actions.Bool, Help: "Write the headings as bookmarks; implies --tagged"},
			},
			Examples: []actions.Example{
				{Line: "pdf page.pdf"},
				{Line: "pdf report.pdf --format a4 --margin 2cm --pages 1-3"},
				{Line: `pdf report.pdf --footer '<p style="font-size: 8px" class=pageNumber></p>'`, Note: "with page numbers"},
			},
		},
		Schedule: actions.Schedule{Effect: actions.Reads},
		Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
		Showing:  actions.Showing{Traits: trait.Summarized, Writes: &trait.Output{Kind: trait.PDF, Arg: "path"}},
		Bindings: actions.Bindings{
			Data:  []any{files.SavedFile{}},
			Value: &actions.Value{Method: "pdf bytes", Member: "path", File: true},
			Tools: []actions.AgentTool{{
				Name: "browser_pdf", Title: "PDF", About: "Save the page as a PDF.", Params: []actions.Param{{Name: "path"}},
			}},
		},
		Run: runPDF,
	}
}

func runPDF(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := pdfOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	file, err := files.NewArtifact(c, "PDF", c.String("path"), "", ".pdf")
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	out, err := file.Create()
	if err != nil {
		return actions.Result{}, err
	}
	defer out.Abort()
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := printPage(watched, c, tab, o, out); err != nil {
		if fault.Is(err, fault.Protocol) && strings.Contains(strings.ToLower(err.Error()), "page range") {
			return actions.Result{}, c.Invalid("--pages " + c.String("pages") + " matches no page of this document: " +
				err.Error())
		}
		return actions.Result{}, err
	}
	if _, err := out.Commit(); err != nil {
		return actions.Result{}, err
	}
	data, err := file.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	data.Type = "application/pdf"
	(&innerBoxes{what: "the page", unless: ", unless its styles for print show it"}).tell(watched, c, tab)
	return actions.Result{Data: data, Text: "✓ PDF saved to " + file.Shown}, nil
}

var opPrinting = inpage.Define[bool, inpage.None]("printing")

// printPage prints by the browser, or in an app's main process. The page's script knows it first, since the effects of
// the action before are still watched for, and a request of the page to print is one of them.
func printPage(ctx context.Context, c *actions.Call, tab *actions.Tab, o capture.PDFOptions, out io.Writer) error {
	frame := tab.Page.Main()
	if _, err := opPrinting.In(ctx, frame, true); err == nil { // a page that cannot be asked watches for nothing
		defer func() { _, _ = opPrinting.In(context.WithoutCancel(ctx), frame, false) }()
	}
	err := capture.PDF(ctx, tab.Page, o, out)
	if fault.Is(err, fault.Protocol) && embedder.StandIn(ctx, tab.Page.Context()) != nil {
		return printInApp(ctx, c, tab, o, out)
	}
	return err
}

// AppPrinter prints pages of desktop apps, whose browsers cannot: the main process does it.
type AppPrinter interface {
	// PrintInApp prints a page of the app that the session works in. The document is empty if there is no such app, or its
	// main process is not inspected.
	PrintInApp(ctx context.Context, targetID string, o capture.PDFOptions) ([]byte, error)
}

func printInApp(ctx context.Context, c *actions.Call, tab *actions.Tab, o capture.PDFOptions, out io.Writer) error {
	document, err := actions.Service[AppPrinter](c).PrintInApp(ctx, tab.Page.ID(), o)
	if err == nil && len(document) == 0 {
		return fault.New(fault.Protocol, "the browser of this app prints no PDF").
			WithHint(
				"The main process of an app prints its pages: start the app by `electron launch`, without --no-inspect. " +
					"`screenshot --full` pictures the page.")
	}
	if err == nil {
		_, err = out.Write(document)
	}
	return err
}

var pagesPattern = regexp.MustCompile(`^\s*\d+\s*(-\s*\d*\s*)?(,\s*\d+\s*(-\s*\d*\s*)?)*$`)

func pdfOptions(c *actions.Call) (capture.PDFOptions, error) {
	o := capture.PDFOptions{
		Landscape:   c.Bool("landscape"),
		Background:  !c.Bool("no-background"),
		Scale:       c.Float("scale"),
		Pages:       c.String("pages"),
		Header:      c.String("header"),
		Footer:      c.String("footer"),
		CSSPageSize: c.Bool("css-page-size"),
		Tagged:      c.Bool("tagged") || c.Bool("outline"),
		Outline:     c.Bool("outline"),
	}
	if c.Bool("background") && c.Bool("no-background") {
		return o, c.Invalid("--background and --no-background exclude each other.")
	}
	if o.Scale < 0.1 || o.Scale > 2 {
		return o, c.Invalid("--scale takes 0.1 to 2, got " + strconv.FormatFloat(o.Scale, 'g', -1, 64))
	}
	if c.Has("pages") && !pagesPattern.MatchString(o.Pages) {
		return o, c.Invalid("--pages takes numbers and ranges such as 1-3,5, got '" + o.Pages + "'")
	}
	if o.HeadAndFoot = c.Has("header") || c.Has("footer"); o.HeadAndFoot {
		for _, template := range []*string{&o.Header, &o.Footer} {
			if *template == "" {
				*template = "<span></span>" // the browser has texts of its own for what is left out
			}
		}
	}
	var ok bool
	if o.Width, o.Height, ok = paperSize(c.String("format")); !ok {
		return o, c.Invalid("--format takes letter, legal, tabloid, ledger, a0 to a6, or a size such as 10cmx20cm, got '" +
			c.String("format") + "'")
	}
	sides := strings.Split(c.String("margin"), ",")
	var inches []float64
	for _, side := range sides {
		n, ok := length(side)
		if !ok {
			return o, c.Invalid("--margin takes lengths such as 1cm, 10mm, 0.5in or 20px, got '" + c.String("margin") + "'")
		}
		inches = append(inches, n)
	}
	switch len(inches) {
	case 1:
		inches = []float64{inches[0], inches[0], inches[0], inches[0]}
	case 2:
		inches = []float64{inches[0], inches[1], inches[0], inches[1]}
	case 4:
	default:
		return o, c.Invalid("--margin takes one, two or four lengths, got '" + c.String("margin") + "'")
	}
	o.Top, o.Right, o.Bottom, o.Left = &inches[0], &inches[1], &inches[2], &inches[3]
	return o, nil
}

func paperSize(name string) (width, height float64, ok bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if size, ok := papers[name]; ok {
		return size[0], size[1], true
	}
	// "10cmx20cm"; the x of "px" is not a separator.
	if m := sizePattern.FindStringSubmatch(name); m != nil {
		width, ok1 := length(m[1])
		height, ok2 := length(m[2])
		return width, height, ok1 && ok2 && width > 0 && height > 0
	}
	return 0, 0, false
}

var sizePattern = regexp.MustCompile(`^([\d.]+(?:cm|mm|in|pt|px)?)\s*[x,]\s*([\d.]+(?:cm|mm|in|pt|px)?)$`)

// length reads a length in inches. A bare number is one of CSS pixels.
func length(s string) (inches float64, ok bool) {
	s = strings.TrimSpace(s)
	per := 96.0
	for unit, n := range map[string]float64{"cm": 2.54, "mm": 25.4, "in": 1, "pt": 72, "px": 96} {
		if number, found := strings.CutSuffix(s, unit); found {
			s, per = number, n
			break
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n / per, err == nil && n >= 0 && n < 1e5
}
