package policy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// words is a small vocabulary.
type words []string

func (w words) Knows(name string) bool { return slices.Contains(w, name) }

func (w words) Nearest(string) []string { return w[:1] }

var few = words{"evaluate", "eval", "click", "launch", "close", "find"}

func TestJudge(t *testing.T) {
	t.Parallel()
	eval := ActionRequest{Action: "evaluate", Names: []string{"eval", "evaluate"}}
	click := ActionRequest{Action: "click", Names: []string{"click"}}
	finding := ActionRequest{Action: "getbyrole", Names: []string{"find"}, Reach: WhenNamed}
	for _, tc := range []struct {
		name, file string
		requests   []ActionRequest
		want       Verdict
	}{
		{"nothing is said", `{}`, []ActionRequest{eval}, Verdict{}},
		{
			"upstream's name", `{"deny":["evaluate"]}`,
			[]ActionRequest{eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' is denied by policy", "deny evaluate", "f"},
		},
		{
			"our name", `{"deny":["eval"]}`,
			[]ActionRequest{eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' is denied by policy", "deny eval", "f"},
		},
		{
			"deny before confirm before allow", `{"deny":["click"],"confirm":["click"],"allow":["click"]}`,
			[]ActionRequest{click},
			Verdict{Forbid, "click", "Action 'click' is denied by policy", "deny click", "f"},
		},
		{
			"confirm before allow", `{"confirm":["click"],"allow":["click"]}`,
			[]ActionRequest{click},
			Verdict{Ask, "click", "", "confirm click", "f"},
		},
		{
			"an allow list denies what is not in it", `{"allow":["click"]}`,
			[]ActionRequest{eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' is not in the allow list", "allow click", "f"},
		},
		{
			"also with a default", `{"default":"deny","allow":["click"]}`,
			[]ActionRequest{eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' is not in the allow list", "allow click", "f"},
		},
		{"unless the default allows", `{"default":"allow","allow":["click"]}`, []ActionRequest{eval}, Verdict{}},
		{
			"default deny", `{"default":"deny"}`,
			[]ActionRequest{eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' denied: default policy is deny", "default deny", "f"},
		},
		{"what is in the list is allowed", `{"default":"deny","allow":["eval"]}`, []ActionRequest{eval}, Verdict{}},
		{"what only counts when named", `{"allow":["click"]}`, []ActionRequest{click, finding}, Verdict{}},
		{
			"and is", `{"deny":["find"]}`,
			[]ActionRequest{click, finding},
			Verdict{Forbid, "getbyrole", "Action 'getbyrole' is denied by policy", "deny find", "f"},
		},
		{
			"the strictest of several", `{"confirm":["click"],"deny":["eval"]}`,
			[]ActionRequest{click, eval},
			Verdict{Forbid, "evaluate", "Action 'evaluate' is denied by policy", "deny eval", "f"},
		},
		{
			"what no rule reaches", `{"default":"deny","deny":["click"]}`,
			[]ActionRequest{{Action: "click", Names: []string{"click"}, Reach: Never}},
			Verdict{},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, err := Parse([]byte(tc.file), "f", few)
			require.NoError(t, err)
			got := a.Judge(tc.requests)
			if tc.want.Effect == Permit {
				require.Equal(t, Permit, got.Effect)
				return
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, want string }{
		{"an unknown action", `{"deny":["evil"]}`, "there is no action 'evil'; did you mean evaluate?"},
		{"in the allow list", `{"allow":["click",""]}`, "there is no action ''"},
		{"a wrong default", `{"default":"maybe"}`, "default is 'maybe'"},
		{"an unknown key", `{"denied":["click"]}`, `unknown field "denied"`},
		{"a wrong type", `{"deny":"click"}`, "cannot unmarshal"},
		{"two objects", `{}{}`, "something follows"},
		{"null", ` null `, "null"},
		{"nothing", ``, "EOF"},
		{"too much", strings.Repeat(" ", maxPolicy+1), "1 MiB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse([]byte(tc.file), "f", few)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// A file is either refused, or every name in it is known, and an action that it denies is denied.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"default":"deny","allow":["click"],"deny":["eval"],"confirm":["close"]}`))
	f.Add([]byte(`{"default":null,"allow":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Parse(data, "f", few)
		if err != nil {
			return
		}
		require.True(t, json.Valid(data))
		for _, name := range slices.Concat(a.Allow, a.Deny, a.Confirm) {
			require.True(t, few.Knows(name))
		}
		for _, name := range a.Deny {
			require.Equal(t, Forbid, a.Judge([]ActionRequest{{Action: name, Names: []string{name}}}).Effect)
		}
		a.Rules()
	})
}
