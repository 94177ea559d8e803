package tool

import (
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

// save writes the result to outputPath. What cannot be written makes the call a failure; the browser stays as it is.
func (c *call) save() {
	if c.params.OutputPath == nil || c.details.ResultCategory != contract.Success {
		return
	}
	d := c.details
	to := c.plan.Output
	path, absolute := to.Path, to.Absolute
	out := &contract.OutputFile{Status: "failed", Path: path, AbsolutePath: absolute}
	d.OutputFile = out
	place := to.Place
	for _, a := range d.Artifacts {
		if artifacts.PlaceOf(a.AbsolutePath).Same(place) {
			c.unsaved(contract.ValidationError, "outputPath "+path+" is the same destination as artifact path "+a.Path+"; the artifact was kept, and the result was not written.")
			return
		}
	}
	if c.tool.files.Reserved(place) {
		c.unsaved(contract.ValidationError, "outputPath "+path+" is reserved by an active recording; the result was not written.")
		return
	}
	allowed, err := to.Allowed() // checked again, since the call may have changed what is at the path
	if err != nil {
		c.unsaved(contract.PolicyBlocked, "policy-blocked: the command succeeded, and its result was not written to outputPath "+path+": "+err.Error())
		return
	}
	content, source, err := c.durable()
	if err == nil {
		err = allowed.Write(content)
	}
	if err != nil {
		c.unsaved(contract.UpstreamError, "The command succeeded, and its result could not be written to outputPath "+path+": "+err.Error())
		return
	}
	out.Status, out.Source, out.Bytes = "saved", source, len(content)
	if !c.words.JSON {
		c.addText("Output file: " + path)
	}
}

// unsaved makes the call a failure.
func (c *call) unsaved(category contract.FailureCategory, message string) {
	d := c.details
	d.OutputFile.Error, d.Error = message, message
	d.ResultCategory, d.SuccessCategory, d.FailureCategory = contract.Failure, "", category
	if !c.words.JSON {
		c.addText(message)
	}
}

func (c *call) addText(text string) {
	for i := range c.content {
		if c.content[i].Type == "text" {
			if c.content[i].Text != "" {
				text = "\n\n" + text
			}
			c.content[i].Text += text
			return
		}
	}
	c.content = append(c.content, contract.TextOf(text))
}

// wholeData is the data of the result as scripts get it: without secrets, and not shortened for a model.
func (c *call) wholeData() any {
	if m, ok := c.details.Data.(map[string]any); ok && m["compacted"] == true && c.whole != nil {
		return c.whole
	}
	return c.details.Data
}

// durable is what is written: the data of the result, also of what was too long to show, else its text.
func (c *call) durable() (content []byte, source string, err error) {
	const ofData, ofText = "details.data", "content.text"
	data := c.details.Data
	if c.whole != nil { // what is shown may be a preview of it
		data = c.whole
	}
	switch v := data.(type) {
	case nil:
		var text strings.Builder
		for _, item := range c.content {
			text.WriteString(item.Text)
		}
		return []byte(text.String()), ofText, nil
	case string:
		return []byte(v), ofData, nil
	}
	content, err = plainjson.MarshalIndent(data, "  ")
	return append(content, '\n'), ofData, err
}
