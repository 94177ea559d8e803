package input

import (
	"encoding/json"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// paramFields are the fields of a call.
var paramFields = []string{
	"args", "electron", "job", "networkSourceLookup", "observe", "outputPath", "qa", "script", "semanticAction", "session",
	"sessionMode", "sourceLookup",
	"stdin", "timeoutMs",
}

// Decode reads the parameters of a call from JSON. Only their form is checked, and that there are no others.
func Decode(raw json.RawMessage) (contract.Params, error) {
	var p contract.Params
	if len(raw) == 0 {
		return p, nil
	}
	o := read("the call", raw, paramFields)
	p.Script, p.Stdin, p.OutputPath = o.optional("script"), o.stdin(), o.optional("outputPath")
	p.Args = o.args()
	p.SemanticAction, p.Job, p.QA, p.Electron = o.fields["semanticAction"], o.fields["job"], o.fields["qa"],
		o.fields["electron"]
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
		p.Session = contract.ScriptTarget(o.oneOf("session", "", string(contract.OwnSession),
			string(contract.CurrentSession)))
	}
	p.Observe = o.bool("observe", false)
	return p, o.err
}

// args reads a command line. Rows of a batch may be arrays of words, which need no quotes.
func (o *object) args() []string {
	var words []json.RawMessage
	if !o.decode("args", &words, "an array of strings") {
		return nil
	}
	args, rows := make([]string, len(words)), false
	for i, raw := range words {
		var row []string
		switch {
		case json.Unmarshal(raw, &args[i]) == nil && string(raw) != "null":
		case json.Unmarshal(raw, &row) == nil && len(row) > 0:
			args[i], rows = grammar.JoinWords(row), true
		default:
			o.fail("args must be an array of strings.")
		}
	}
	if rows && !new(argv.Read(args)).IsBatch() {
		o.fail("args must be an array of strings; only steps of a batch may be arrays.")
	}
	return args
}

// stdin reads what goes to standard input: text, or the rows of a batch as they are.
func (o *object) stdin() *string {
	if raw := o.fields["stdin"]; len(raw) > 0 && raw[0] == '[' {
		text := string(raw)
		return &text
	}
	return o.optional("stdin")
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
