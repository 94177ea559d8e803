package input

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type schemaNode struct {
	Properties           map[string]*schemaNode `json:"properties"`
	Items                *schemaNode            `json:"items"`
	Enum                 []string               `json:"enum"`
	AdditionalProperties *bool                  `json:"additionalProperties"`
	Description          string                 `json:"description"`
}

func (n *schemaNode) fields() []string { return slices.Sorted(maps.Keys(n.Properties)) }

// What the schema says and what the compilers read are the same.
func TestSchema(t *testing.T) {
	t.Parallel()
	var root schemaNode
	require.NoError(t, json.Unmarshal(Schema(), &root))
	require.LessOrEqual(t, len(Schema()), 4_340,
		"what each request carries: shorten a mode that few calls use before another field is listed")
	step := root.Properties["job"].Properties["steps"].Items
	stepFields, stepActions := map[string]bool{"action": true}, []string(nil)
	for _, a := range jobActions() {
		stepActions = append(stepActions, a.name)
		for _, f := range a.fields {
			stepFields[f] = true
		}
	}
	tests := map[string]struct {
		node   *schemaNode
		fields []string
		open   bool // lists only the fields of most calls, and takes the others
	}{
		"1.2 the call":            {&root, paramFields, false},
		"2.2 semanticAction":      {root.Properties["semanticAction"], intentFields, false},
		"2.3 job":                 {root.Properties["job"], []string{"failFast", "steps"}, false},
		"2.3.4 a step":            {step, slices.Sorted(maps.Keys(stepFields)), false},
		"2.4 qa":                  {root.Properties["qa"], qaFields, false},
		"2.5 sourceLookup":        {root.Properties["sourceLookup"], sourceFields, true},
		"2.6 networkSourceLookup": {root.Properties["networkSourceLookup"], networkFields, true},
		"2.7 13.1 electron":       {root.Properties["electron"], electronFields, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.open {
				require.Subset(t, tt.fields, tt.node.fields())
				require.Nil(t, tt.node.AdditionalProperties)
				return
			}
			require.Equal(t, tt.fields, tt.node.fields())
			require.NotNil(t, tt.node.AdditionalProperties)
			require.False(t, *tt.node.AdditionalProperties)
		})
	}
	require.Equal(t, intentActions, root.Properties["semanticAction"].Properties["action"].Enum)
	require.Equal(t, intentLocators, root.Properties["semanticAction"].Properties["locator"].Enum)
	require.Equal(t, stepActions, step.Properties["action"].Enum)
	require.Equal(t, electronActions, root.Properties["electron"].Properties["action"].Enum)
}

// The description of a step's action says which fields each action takes, and no other.
func TestStepFieldsAreSaid(t *testing.T) {
	t.Parallel()
	said := map[string][]string{}
	form := "locator"
	for clause := range strings.SplitSeq(strings.TrimPrefix(stepFields, "Fields: "), "; ") {
		words := strings.FieldsFunc(withoutExamples(clause), func(r rune) bool { return r == ',' || r == ' ' || r == ':' })
		var actions []string
		for _, w := range words {
			if i := slices.IndexFunc(jobActions(), func(a jobAction) bool {
				return a.name == w
			}); i >= 0 && !(w == "press" && len(actions) > 0) {
				actions = append(actions, w)
				continue
			}
			if slices.Contains([]string{"or", "also", "with", "none"}, w) {
				continue
			}
			for _, a := range actions {
				said[a] = append(said[a], w)
				if w == form {
					said[a] = append(said[a], "role", "name")
				}
			}
		}
	}
	for _, a := range jobActions() {
		require.ElementsMatch(t, a.fields, said[a.name], "%s in %q", a.name, stepFields)
	}
}

// withoutExamples leaves out what is in parentheses: values of a field, not fields.
func withoutExamples(text string) string {
	for {
		before, rest, open := strings.Cut(text, " (")
		_, after, closed := strings.Cut(rest, ")")
		if !open || !closed {
			return text
		}
		text = before + after
	}
}
