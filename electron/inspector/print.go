package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/print.js
var printScript string

// PrintOptions are the options of webContents.printToPDF. Lengths are inches.
type PrintOptions struct {
	Landscape   bool         `json:"landscape"`
	Background  bool         `json:"printBackground"`
	Scale       float64      `json:"scale,omitzero"`
	PageSize    PageSize     `json:"pageSize,omitzero"`
	Margins     PrintMargins `json:"margins"`
	Pages       string       `json:"pageRanges,omitzero"`
	HeadAndFoot bool         `json:"displayHeaderFooter"`
	Header      string       `json:"headerTemplate,omitzero"`
	Footer      string       `json:"footerTemplate,omitzero"`
	CSSPageSize bool         `json:"preferCSSPageSize"`
	Tagged      bool         `json:"generateTaggedPDF"`
	Outline     bool         `json:"generateDocumentOutline"`
}

// PageSize is the size of the paper.
type PageSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// PrintMargins are the margins of the paper.
type PrintMargins struct {
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
	Left   float64 `json:"left"`
}

// PrintPDF prints the page of a target of the app's debugging port. The document is empty if the app shows no such
// target.
func (p *Process) PrintPDF(ctx context.Context, targetID string, o PrintOptions) ([]byte, error) {
	var document []byte
	err := p.call(ctx, printScript, struct {
		TargetID string       `json:"targetId"`
		Options  PrintOptions `json:"options"`
	}{targetID, o}, &document)
	return document, err
}
