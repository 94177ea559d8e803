package config

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
)

// The schema says of a file what the parser says of it.
func TestSchema(t *testing.T) {
	t.Parallel()
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(actions.ConfigSchema().String()), &schema))
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema.Schema)
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	r := New()
	for _, flag := range r.flags {
		require.Contains(t, schema.Properties, flag.ConfigKey())
	}
	for text, valid := range map[string]bool{
		`{}`: true,
		`{"headed":true,"userAgent":"a","timeout":5000,"args":["--a"],"initScripts":"a.js","colorScheme":"dark","cdp":9222,"cdpHeaders":{"a":"b"},"proxy":null}`: true,
		`{"version":1,"webSearch":{"enabled":false,"preferredProvider":"exa"},"backend":{"name":"native"},"browser":{"defaultProfile":{"name":"x"}}}`:            true,
		`{"future":[1]}`:            true,
		`{"headed":"yes"}`:          false,
		`{"headed":1}`:              false,
		`{"timeout":1.5}`:           false,
		`{"timeout":true}`:          false,
		`{"args":[1]}`:              false,
		`{"args":5}`:                false,
		`{"colorScheme":"blue"}`:    false,
		`{"executablePath":""}`:     false,
		`{"userAgent":["a"]}`:       false,
		`{"cdpHeaders":["a"]}`:      false,
		`{"inputMode":{"a":"b"}}`:   false,
		`{"proxy":{"server":"a"}}`:  false,
		`{"allowFileAccess":"yes"}`: false,
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		require.Equal(t, valid, resolved.Validate(value) == nil, "the schema of %s", text)
		_, err := r.parse([]byte(text), true, "/home")
		require.Equal(t, valid, err == nil, "the parser of %s", text)
	}
}
