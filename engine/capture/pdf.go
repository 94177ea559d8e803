package capture

import (
	"context"
	"io"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// PDFOptions say how a page is printed. Lengths are inches; nil and zero values leave it to the browser.
type PDFOptions struct {
	Landscape   bool     `json:"landscape,omitzero"`
	Background  bool     `json:"printBackground,omitzero"`
	Scale       float64  `json:"scale,omitzero"`
	Width       float64  `json:"paperWidth,omitzero"`
	Height      float64  `json:"paperHeight,omitzero"`
	Top         *float64 `json:"marginTop,omitzero"`
	Right       *float64 `json:"marginRight,omitzero"`
	Bottom      *float64 `json:"marginBottom,omitzero"`
	Left        *float64 `json:"marginLeft,omitzero"`
	Pages       string   `json:"pageRanges,omitzero"` // such as "1-5, 8"
	Header      string   `json:"headerTemplate,omitzero"`
	Footer      string   `json:"footerTemplate,omitzero"`
	HeadAndFoot bool     `json:"displayHeaderFooter,omitzero"`
	CSSPageSize bool     `json:"preferCSSPageSize,omitzero"`
	Tagged      bool     `json:"generateTaggedPDF"`
	Outline     bool     `json:"generateDocumentOutline,omitzero"`
}

// PDF prints the page and copies the document to w.
func PDF(ctx context.Context, p *engine.Page, o PDFOptions, w io.Writer) error {
	params := struct {
		PDFOptions
		TransferMode string `json:"transferMode"`
	}{o, "ReturnAsStream"}
	raw, err := p.Session().CallRaw(ctx, "Page.printToPDF", params)
	if err != nil {
		return err
	}
	var res struct {
		Stream string `json:"stream"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return err
	}
	if res.Stream == "" {
		return fault.New(fault.Protocol, "the browser printed nothing")
	}
	return readStream(ctx, p.Session(), res.Stream, w)
}
