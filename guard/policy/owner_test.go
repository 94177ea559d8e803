package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of several rules the strictest counts, and of those the first; what would get around them has to be named.
func TestOwnerJudge(t *testing.T) {
	t.Parallel()
	click := ActionRequest{Action: "click", Names: []string{"click"}}
	program := ActionRequest{Action: "launch", Names: []string{"launch"}, Granted: true}
	for _, tc := range []struct {
		name    string
		files   []string
		request ActionRequest
		want    Effect
		from    string
	}{
		{"nothing is said", nil, program, Permit, ""},
		{"deny behind allow", []string{`{"allow":["click"]}`, `{"deny":["click"]}`}, click, Forbid, "b"},
		{"deny before allow", []string{`{"deny":["click"]}`, `{"allow":["click"]}`}, click, Forbid, "a"},
		{"deny behind confirm", []string{`{"confirm":["click"]}`, `{"deny":["click"]}`}, click, Forbid, "b"},
		{"the first of two", []string{`{"confirm":["click"]}`, `{"confirm":["click"]}`}, click, Ask, "a"},
		{"what gets around rules", []string{`{"deny":["click"]}`}, program, Forbid, ""},
		{"and is named", []string{`{"deny":["click"]}`, `{"allow":["launch"]}`}, program, Permit, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var rules []*Actions
			for i, file := range tc.files {
				a, err := Parse([]byte(file), []string{"a", "b"}[i], few)
				require.NoError(t, err)
				rules = append(rules, a)
			}
			o, err := NewOwner(OwnerRules{Actions: rules})
			require.NoError(t, err)
			v := o.Judge([]ActionRequest{tc.request})
			require.Equal(t, tc.want, v.Effect)
			if v.Effect != Permit {
				require.Equal(t, tc.from, v.From)
			}
		})
	}
}
