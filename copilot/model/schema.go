package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/skua-browser/skua/internal/fault"
)

// maxMisfits is how many answers in a row may have calls that do not fit the schemas of their tools: after one the
// model is told what is wrong and asked again.
const maxMisfits = 1

// fitting checks the answers of a model against the schemas of its tools.
type fitting struct {
	model   Model
	tools   []Tool
	misfits int // in a row
}

// retry returns what continues the conversation after an answer whose calls do not fit: the answer, and what is wrong
// with it. Nothing of such an answer may be done. It returns nil for an answer that fits, and with the error of a model
// that errs again the messages that answer its calls.
func (f *fitting) retry(a Answer) ([]Message, error) {
	wrong, err := misfits(f.tools, a.Calls)
	switch {
	case err != nil:
		return nil, err
	case wrong == "":
		if len(a.Calls) > 0 {
			f.misfits = 0
		}
		return nil, nil
	}
	if f.misfits++; f.misfits > maxMisfits {
		err = unfit(f.model, wrong)
	}
	return []Message{a.message(), {Role: Results, Results: sayMisfit(a.Calls, wrong)}}, err
}

// misfits says which calls of an answer do not fit the schemas of their tools; empty means that all fit. The caller
// says what an unknown tool is.
func misfits(tools []Tool, calls []Call) (string, error) {
	var wrong []string
	for _, call := range calls {
		at := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == call.Name })
		if at < 0 {
			continue
		}
		why, err := tools[at].misfit(call.Args)
		if err != nil {
			return "", err
		}
		if why != "" {
			wrong = append(wrong, call.Name+": "+why)
		}
	}
	return strings.Join(wrong, "; "), nil
}

// misfit says why arguments do not fit the schema of the tool; empty means that they do.
func (t Tool) misfit(args json.RawMessage) (string, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(t.Schema, &s); err != nil {
		return "", fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return "", fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	var value any
	if err := json.Unmarshal([]byte(cmp.Or(string(args), "{}")), &value); err != nil {
		return "the arguments are not JSON: " + err.Error(), nil
	}
	if err := resolved.Validate(value); err != nil {
		return Truncate(err.Error(), mostWrong), nil
	}
	return "", nil
}

// mostWrong is how much of a schema's complaint is repeated.
const mostWrong = 400

// sayMisfit is what the model gets as the result of each call of an answer that does not fit. Nothing of such an answer
// is done.
func sayMisfit(calls []Call, wrong string) []Outcome {
	results := make([]Outcome, len(calls))
	for i, call := range calls {
		results[i] = Outcome{
			ID: call.ID,
			Text: "Nothing was done: the arguments do not fit the tool's schema. " + wrong +
				". Call again with arguments that fit.",
			Failed: true,
		}
	}
	return results
}

// unfit is the error of a model whose answers do not fit, also after it was told.
func unfit(m Model, wrong string) error {
	return fault.New(fault.ModelFailed, "The model %s answered twice with arguments that do not fit the schema: %s",
		m.Name(), wrong).About(m.Name()).
		With("schema", wrong).WithHint("Choose a model that can call tools.")
}
