package actions

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/snapshot/walls"
)

func TestReport(t *testing.T) {
	t.Parallel()
	type typed struct {
		B string `json:"b,omitempty"`
	}
	type walled struct {
		Wall string `json:"wall"`
	}
	for name, tt := range map[string]struct {
		data any
		want string
	}{
		"nothing": {
			nil,
			`{"healed":[{"ref":"@e1","role":"link","name":"<a>"}],"wall":{"kind":"login","why":"a form"}}`,
		},
		"a map": {
			map[string]int{"b": 2},
			`{"b":2,"healed":[{"ref":"@e1","role":"link","name":"<a>"}],"wall":{"kind":"login","why":"a form"}}`,
		},
		"a struct": {
			typed{"<b>"},
			`{"b":"<b>","healed":[{"ref":"@e1","role":"link","name":"<a>"}],"wall":{"kind":"login","why":"a form"}}`,
		},
		"a pointer to one": {
			&typed{"b"},
			`{"b":"b","healed":[{"ref":"@e1","role":"link","name":"<a>"}],"wall":{"kind":"login","why":"a form"}}`,
		},
		"an empty one": {
			typed{},
			`{"healed":[{"ref":"@e1","role":"link","name":"<a>"}],"wall":{"kind":"login","why":"a form"}}`,
		},
		"a member of own": {walled{"own"}, `{"wall":"own","healed":[{"ref":"@e1","role":"link","name":"<a>"}]}`},
		"a list":          {[]int{1}, `[1]`},
		"its own JSON":    {json.RawMessage(`{"b":1}`), `{"b":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Result{Data: tt.data}
			r.Report(func(r *fact.Reports) { r.Wall = &walls.Wall{Kind: "login", Why: "a form"} })
			r.Report(func(r *fact.Reports) { r.Healed = []fact.RefReport{{Ref: "@e1", Role: "link", Name: "<a>"}} })
			got, err := json.Marshal(r.Data)
			require.NoError(t, err)
			require.JSONEq(t, tt.want, string(got))
			if _, isList := tt.data.([]int); !isList && tt.data != nil {
				require.Equal(t, fact.Value(tt.data), Own(r.Data))
			}
		})
	}
}
