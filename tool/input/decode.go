package input

import (
	"encoding/json"

	"github.com/skua-browser/skua/tool/contract"
)

// paramFields are the fields of a call.
var paramFields = []string{
	"args", "electron", "job", "networkSourceLookup", "observe", "outputPath", "qa", "script", "semanticAction", "session", "sessionMode", "sourceLookup",
	"stdin", "timeoutMs",
}

// Decode reads the parameters of a call from JSON. Only their form is checked, and that there are no others.
func Decode(raw json.RawMessage) (contract.Params, error) {
	var p contract.Params
	if len(raw) == 0 {
		return p, nil
	}
	o := read("the call", raw, paramFields)
	p.Script, p.Stdin, p.OutputPath = o.optional("script"), o.optional("stdin"), o.optional("outputPath")
	if o.decode("args", &p.Args, "an array of strings") && p.Args == nil {
		p.Args = []string{}
	}
	p.SemanticAction, p.Job, p.QA, p.Electron = o.fields["semanticAction"], o.fields["job"], o.fields["qa"], o.fields["electron"]
	p.SourceLookup, p.NetworkSourceLookup = o.fields["sourceLookup"], o.fields["networkSourceLookup"]
	if o.has("timeoutMs") {
		p.TimeoutMs = new(float64)
		if json.Unmarshal(o.fields["timeoutMs"], p.TimeoutMs) != nil {
			o.fail("timeoutMs must be a positive integer when provided.")
		}
	}
	if o.has("sessionMode") {
		p.SessionMode = contract.SessionMode(o.oneOf("sessionMode", "", string(contract.Auto), string(contract.Fresh)))
	}
	if o.has("session") {
		p.Session = contract.ScriptTarget(o.oneOf("session", "", string(contract.OwnSession), string(contract.CurrentSession)))
	}
	p.Observe = o.bool("observe", false)
	return p, o.err
}

// optional reads a string that may be empty.
func (o *object) optional(name string) *string {
	if !o.has(name) {
		return nil
	}
	s := new(string)
	o.decode(name, s, "a string")
	return s
}
