package actions

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	type typed struct {
		B string `json:"b,omitempty"`
	}
	for name, tt := range map[string]struct {
		data any
		want string
	}{
		"nothing":          {nil, `{"more":1,"text":"<a>"}`},
		"a map":            {map[string]any{"b": 2}, `{"b":2,"more":1,"text":"<a>"}`},
		"a struct":         {typed{"<b>"}, `{"b":"<b>","more":1,"text":"<a>"}`},
		"a pointer to one": {&typed{"b"}, `{"b":"b","more":1,"text":"<a>"}`},
		"an empty one":     {typed{}, `{"more":1,"text":"<a>"}`},
		"a list":           {[]int{1}, `[1]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Result{Data: tt.data}
			r.Add("more", 1)
			r.Add("text", "<a>")
			got, err := json.Marshal(r.Data)
			require.NoError(t, err)
			require.JSONEq(t, tt.want, string(got))
		})
	}
}
