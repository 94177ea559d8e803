package fault_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestSaid(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"no such account"`:           "no such account",
		`{"message":"slow down"}`:     "slow down",
		`{"code":7}`:                  `{"code":7}`,
		`{"message":""}`:              `{"message":""}`,
		`null`:                        "",
		`["one","two"]`:               `["one","two"]`,
		`not JSON, whatever was said`: "not JSON, whatever was said",
	} {
		require.Equal(t, want, fault.MessageIn(json.RawMessage(raw)), raw)
	}
}
