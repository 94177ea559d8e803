package reply

import (
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// Save writes the result to outputPath. What cannot be written makes the call a failure; the browser stays as it is.
func (d *Draft) Save(to *planning.Output, ledger *artifacts.Ledger) {
	if to == nil || d.Details.ResultCategory != contract.Success {
		return
	}
	path, place := to.Path, to.Place
	out := &contract.OutputFile{Status: "failed", Path: path, AbsolutePath: to.Absolute}
	d.Details.OutputFile = out
	for _, a := range d.Details.Artifacts {
		if artifacts.PlaceOf(a.AbsolutePath).Same(place) {
			d.unsaved(contract.ValidationError,
				"outputPath "+path+" is the same destination as artifact path "+a.Path+
					"; the artifact was kept, and the result was not written.")
			return
		}
	}
	if ledger.Reserved(place) {
		d.unsaved(contract.ValidationError,
			"outputPath "+path+" is reserved by an active recording; the result was not written.")
		return
	}
	allowed, err := to.Allowed() // checked again, since the call may have changed what is at the path
	if err != nil {
		d.unsaved(contract.PolicyBlocked,
			"policy-blocked: the command succeeded, and its result was not written to outputPath "+path+": "+err.Error())
		return
	}
	content, source, err := d.durable()
	if err == nil {
		err = allowed.Write(content)
	}
	if err != nil {
		d.unsaved(contract.UpstreamError,
			"The command succeeded, and its result could not be written to outputPath "+path+": "+err.Error())
		return
	}
	out.Status, out.Source, out.Bytes = "saved", source, len(content)
	if !d.json {
		d.addText("Output file: " + path)
	}
}

// unsaved makes the call a failure.

// unsaved makes the call a failure.
func (d *Draft) unsaved(category contract.FailureCategory, message string) {
	about := d.Details
	about.OutputFile.Error, about.Error = message, message
	about.ResultCategory, about.SuccessCategory, about.FailureCategory = contract.Failure, "", category
	if !d.json {
		d.addText(message)
	}
}

// durable is what is written: the data of the result, also of what was too long to show, else its text.
func (d *Draft) durable() (content []byte, source string, err error) {
	const ofData, ofText = "details.data", "content.text"
	data := d.Details.Data
	if d.whole != nil { // what is shown may be a preview of it
		data = d.whole
	}
	switch v := data.(type) {
	case nil:
		var text strings.Builder
		for _, item := range d.Content {
			text.WriteString(item.Text)
		}
		return []byte(text.String()), ofText, nil
	case string:
		return []byte(v), ofData, nil
	}
	content, err = plainjson.Sorted(data, "  ")
	return append(content, '\n'), ofData, err
}
