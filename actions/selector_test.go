package actions

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

func TestParseSelector(t *testing.T) {
	t.Parallel()
	second := 1
	role := func(name wantedName) wanted {
		return wanted{Find: &wantedFind{By: "role", Value: "button", wantedName: name}}
	}
	tests := []struct {
		in   string
		want wanted
	}{
		{"#a", wanted{CSS: "#a"}},
		{"a[href='x=y']", wanted{CSS: "a[href='x=y']"}},
		{"css=a", wanted{CSS: "a"}},
		{"//a", wanted{XPath: "//a"}},
		{"xpath=a", wanted{XPath: "a"}},
		{"text=a b", wanted{Find: &wantedFind{By: "text", Value: "a b"}}},
		{`text="a b"`, wanted{Find: &wantedFind{By: "text", Value: "a b", wantedName: wantedName{Exact: true}}}},
		{`text="a`, wanted{Find: &wantedFind{By: "text", Value: `"a`}}},
		{"role=button", role(wantedName{})},
		{`role=button[name="a]\"b"]`, role(wantedName{Name: `a]"b`, Exact: true})},
		{`role=button[name='a]"b']`, role(wantedName{Name: `a]"b`, Exact: true})},
		{`role=button[name=a b]`, role(wantedName{Name: "a b"})},
		{`role=button[name=it's]`, role(wantedName{Name: "it's"})},
		{`role=button[name=/a[b]\/c/i]`, role(wantedName{Regex: `a[b]\/c`, Flags: "i"})},
		{`role=button[name="a.b" i]`, role(wantedName{Regex: `^a\.b$`, Flags: "i"})},
		{`role=button[name=""]`, role(wantedName{Regex: "^$"})},
		{`role=button [ nth = 1 ]`, wanted{Find: &wantedFind{By: "role", Value: "button"}, Index: &second}},
	}
	for _, tt := range tests {
		got, path, err := parseSelector(tt.in)
		require.NoError(t, err, tt.in)
		require.Empty(t, path, tt.in)
		require.Empty(t, cmp.Diff(tt.want, got, cmp.AllowUnexported(wantedFind{})), tt.in)
	}
}

// Whatever is typed is a selector that goes to the page as JSON, or an error that says how selectors are written.
func FuzzParseSelector(f *testing.F) {
	for _, seed := range []string{
		"", "#a", "@x", "//a", "text=", `text="a"`, `role=button[name="a]"][pressed][level=2][nth=-1][landmark=nav]`, `role=a[name=/x/i]`, `role=a[`, `role=a[=]`,
		`{"role":"button","name":{"exact":"a"},"landmark":{"role":"main","name":"x"},"framePath":["a"]}`, `{"kind":"text","text":"a","nth":0}`, `{"role":null}`, `{"css":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, _, err := parseSelector(s)
		if err != nil {
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok)
			require.Equal(t, fault.SelectorInvalid, e.Code)
			require.NotEmpty(t, e.Hint)
			return
		}
		_, err = json.Marshal(want)
		require.NoError(t, err)
		require.True(t, want.CSS != "" || want.XPath != "" || want.Find != nil && want.Find.By != "" && want.Find.Value != "", "%q", s)
	})
}
