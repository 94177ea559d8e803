package input

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type schemaNode struct {
	Properties           map[string]*schemaNode `json:"properties"`
	Items                *schemaNode            `json:"items"`
	Enum                 []string               `json:"enum"`
	AdditionalProperties *bool                  `json:"additionalProperties"`
}

func (n *schemaNode) fields() []string { return slices.Sorted(maps.Keys(n.Properties)) }

// What the schema says and what the compilers read are the same.
func TestSchema(t *testing.T) {
	t.Parallel()
	var root schemaNode
	require.NoError(t, json.Unmarshal(Schema(), &root))
	require.Less(t, len(Schema()), 6_000)
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
	}{
		"1.2 the call":            {&root, paramFields},
		"2.2 semanticAction":      {root.Properties["semanticAction"], intentFields},
		"2.3 job":                 {root.Properties["job"], []string{"failFast", "steps"}},
		"2.3.4 a step":            {step, slices.Sorted(maps.Keys(stepFields))},
		"2.4 qa":                  {root.Properties["qa"], qaFields},
		"2.5 sourceLookup":        {root.Properties["sourceLookup"], sourceFields},
		"2.6 networkSourceLookup": {root.Properties["networkSourceLookup"], networkFields},
		"2.7 13.1 electron":       {root.Properties["electron"], electronFields},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
