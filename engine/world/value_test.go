package world

import (
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestReadValue(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		want        string // the value's text, or the error's
		code        fault.Code
	}{
		{"a string", `{"result":{"type":"string","value":"a\u00e4"}}`, `"aä"`, ""},
		{"an object", `{"result":{"type":"object","value":{"a":1}}}`, "{\n  \"a\": 1\n}", ""},
		{"null", `{"result":{"type":"object","subtype":"null","value":null}}`, "null", ""},
		{"undefined", `{"result":{"type":"undefined"}}`, "undefined", ""},
		{"what JSON cannot say", `{"result":{"type":"number","unserializableValue":"NaN"}}`, "NaN", ""},
		{
			"an exception",
			`{"result":{"type":"object"},"exceptionDetails":{"text":"Uncaught","exception":{"description":"Error: no"}}}`,
			"Evaluation error: Error: no", fault.EvalFailed,
		},
		{"no result", `{}`, "the page went away while the script ran: its browser answered without a result", fault.PageGone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := readValue(jsonv2.Value(tt.reply))
			if tt.code != "" {
				require.Equal(t, tt.code, fault.CodeOf(err))
				require.EqualError(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, v.Text())
		})
	}
}
