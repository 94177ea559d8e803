package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

func TestReadData(t *testing.T) {
	t.Parallel()
	details := contract.Details{}
	details.Data = struct {
		Title string `json:"title"`
		Tabs  []int  `json:"tabs"`
	}{"Shop", []int{1}}
	var typed struct{ Title string }
	require.NoError(t, details.ReadData(&typed))
	require.Equal(t, "Shop", typed.Title)
	untyped := map[string]any{}
	require.NoError(t, details.ReadData(&untyped))
	require.Equal(t, map[string]any{"title": "Shop", "tabs": []any{1.0}}, untyped)
	require.Error(t, details.ReadData(new(int)))

	details.Data = nil
	require.NoError(t, details.ReadData(&typed))
	require.Equal(t, "Shop", typed.Title, "a failure has no data, and changes nothing")
}
