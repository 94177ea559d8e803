package reply

import (
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
)

// Draft is a result that is being made.
type Draft struct {
	Details *contract.Details
	Content []contract.Content

	whole any  // all of the data that is shown, without secrets: the details may have a preview of it
	json  bool // the caller wants JSON, to which nothing is added
}

// Begin returns the details of what parameters were turned into.
func Begin(line *input.Line) *contract.Details {
	d := &contract.Details{CompiledDetails: line.Details}
	d.Args, d.Command, d.Subcommand, d.SessionMode = line.Args, line.Words.Command, line.Words.Subcommand, line.SessionMode
	return d
}

// Planned returns the details of a call that was planned.
func Planned(p *planning.Plan) *contract.Details {
	d := Begin(p.Line)
	d.SessionDetails, d.NextActions, d.Inspection = p.Details, p.After, p.Words.Inspects()
	d.Command, d.Subcommand = p.Words.Command, p.Words.Subcommand
	return d
}

// Made is the result of a mode that makes its details by itself.
func Made(d *contract.Details, text string) *Draft {
	return &Draft{Details: d, Content: []contract.Content{contract.TextOf(text)}}
}

// Refused is the result of a call that was not run, and what may be done about it.
func Refused(d *contract.Details, r *contract.Refusal, after []contract.NextAction, caller Caller) *Draft {
	d.ResultCategory, d.FailureCategory, d.Error = contract.Failure, r.Category, r.Message
	if r.Category == contract.ValidationError {
		d.ValidationError, d.Error = r.Message, ""
	}
	d.NextActions = judging.AppendUnique(d.NextActions, after...)
	to := translation{caller}
	to.details(d)
	return Made(d, to.text(r.Message))
}

// Result is what the caller gets. Every result is made here, and here secrets are taken out of all of it.
func (d *Draft) Result(secrets *redact.Redactor) *contract.Result {
	r := &contract.Result{Content: d.Content, Details: d.Details, IsError: d.Details.ResultCategory == contract.Failure}
	secrets.Result(r)
	return r
}

// Data is the data of the result as scripts get it: without secrets, and not shortened for a model.
func (d *Draft) Data() any {
	if _, partial := d.Details.Data.(contract.Preview); partial && d.whole != nil {
		return d.whole
	}
	return d.Details.Data
}

// Add adds a text of its own.
func (d *Draft) Add(text string) { d.Content = append(d.Content, contract.TextOf(text)) }

// addText adds a paragraph to the text.
func (d *Draft) addText(text string) {
	for i := range d.Content {
		if d.Content[i].Type == "text" {
			if d.Content[i].Text != "" {
				text = "\n\n" + text
			}
			d.Content[i].Text += text
			return
		}
	}
	d.Content = append(d.Content, contract.TextOf(text))
}
