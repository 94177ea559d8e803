package element

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestParseSelector(t *testing.T) {
	t.Parallel()
	second := 1
	role := func(name WantedName) Wanted {
		return Wanted{Find: &WantedFind{By: "role", Value: "button", WantedName: name}}
	}
	tests := []struct {
		in   string
		want Wanted
	}{
		{"#a", Wanted{CSS: "#a"}},
		{"a[href='x=y']", Wanted{CSS: "a[href='x=y']"}},
		{"css=a", Wanted{CSS: "a"}},
		{"//a", Wanted{XPath: "//a"}},
		{"xpath=a", Wanted{XPath: "a"}},
		{"text=a b", Wanted{Find: &WantedFind{By: "text", Value: "a b"}}},
		{`text="a b"`, Wanted{Find: &WantedFind{By: "text", Value: "a b", WantedName: WantedName{Exact: true}}}},
		{`text="a`, Wanted{Find: &WantedFind{By: "text", Value: `"a`}}},
		{"role=button", role(WantedName{})},
		{`role=button[name="a]\"b"]`, role(WantedName{Name: `a]"b`, Exact: true})},
		{`role=button[name='a]"b']`, role(WantedName{Name: `a]"b`, Exact: true})},
		{`role=button[name=a b]`, role(WantedName{Name: "a b"})},
		{`role=button[name=it's]`, role(WantedName{Name: "it's"})},
		{`role=button[name=/a[b]\/c/i]`, role(WantedName{Regex: `a[b]\/c`, Flags: "i"})},
		{`role=button[name="a.b" i]`, role(WantedName{Regex: `^a\.b$`, Flags: "i"})},
		{`role=button[name=""]`, role(WantedName{Regex: "^$"})},
		{`role=button [ nth = 1 ]`, Wanted{Find: &WantedFind{By: "role", Value: "button"}, Index: &second}},
	}
	for _, tt := range tests {
		got, path, err := ParseSelector(tt.in)
		require.NoError(t, err, tt.in)
		require.Empty(t, path, tt.in)
		require.Empty(t, cmp.Diff(tt.want, got, cmp.AllowUnexported(WantedFind{})), tt.in)
	}
}

// Whatever is typed is a selector that goes to the page as JSON, or an error that says how selectors are written.
func FuzzParseSelector(f *testing.F) {
	for _, seed := range []string{
		"", "#a", "@x", "//a", "text=", `text="a"`, `role=button[name="a]"][pressed][level=2][nth=-1][landmark=nav]`,
		`role=a[name=/x/i]`, `role=a[`, `role=a[=]`,
		`{"role":"button","name":{"exact":"a"},"landmark":{"role":"main","name":"x"},"framePath":["a"]}`,
		`{"kind":"text","text":"a","nth":0}`, `{"role":null}`, `{"css":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _, err := ParseSelector(s)
		if err != nil {
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok)
			require.Equal(t, fault.SelectorInvalid, e.Code)
			require.NotEmpty(t, e.Hint)
			return
		}
		_, err = json.Marshal(want)
		require.NoError(t, err)
		require.True(t, want.CSS != "" || want.XPath != "" || want.Find != nil && want.Find.By != "" && want.Find.Value != "",
			"%q", s)
	})
}
