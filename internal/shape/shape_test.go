package shape_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/shape"
)

type inner struct {
	Shared string `json:"shared"`
	Name   string `json:"name"`
}

type maybe struct {
	Path string `json:"path"`
}

type outer struct {
	inner
	*maybe
	Name     int            `json:"name"` // hides that of inner
	Children []outer        `json:"children,omitempty"`
	Label    *string        `json:"label"`
	Left     *string        `json:"left,omitempty"`
	Counts   map[string]int `json:"counts"`
	Unread   []string       `json:"unread" shape:"null"`
	When     time.Time      `json:"when"`
	Any      any            `json:"any"`
	Own      own            `json:"own"`
	Hidden   string         `json:"-"`
	private  string
}

type own struct{}

func (own) MarshalJSON() ([]byte, error) { return []byte(`{"shared": "s", "name": "n"}`), nil }

func (own) JSONShape() any { return inner{} }

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

// What encoding/json writes of a value is as the shape of its type says.
func TestValuesFit(t *testing.T) {
	t.Parallel()
	label := "x"
	for name, value := range map[string]outer{
		"empty": {Counts: map[string]int{}},
		"full": {
			inner: inner{"s", "hidden"}, maybe: &maybe{"p"}, Name: 3, Label: &label, Left: &label,
			Counts: map[string]int{"a": 1}, Unread: []string{"u"},
			Children: []outer{{Counts: map[string]int{}}}, Any: []any{1}, private: "p",
		},
	} {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		require.NoError(t, shape.Of(value).Check(decoded(t, string(text))), "%s: %s", name, text)
	}
}

func TestMismatchesAreNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"missing", `{"name": "n"}`, "shared: is missing"},
		{"unknown", `{"shared": "s", "name": "n", "more": 1}`, "more: is not declared"},
		{"null", `{"shared": null, "name": "n"}`, "shared: is null"},
		{"another kind", `{"shared": 1, "name": "n"}`, "shared: is float64, not a string"},
		{"no object", `[]`, "is []interface {}, not an object"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, shape.Of(inner{}).Check(decoded(t, tc.text)), tc.want)
		})
	}
	require.EqualError(t, shape.Of([]map[string]int{}).Check(decoded(t, `[{"a": 1}, {"b": 1.5}]`)),
		"[1][b]: is float64, not a whole number")
}

// A type that writes JSON of its own has to say what that is like.
func TestUnknownJSONIsRefused(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { shape.Of(silent{}) })
}

type silent struct{}

func (silent) MarshalJSON() ([]byte, error) { return []byte("1"), nil }
