package plainjson

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarshal(t *testing.T) {
	t.Parallel()
	v := map[string]any{"a": "<b> & \"c\"\n", "d": []int{1}}
	line, err := Marshal(v)
	require.NoError(t, err)
	require.Equal(t, `{"a":"<b> & \"c\"\n","d":[1]}`, string(line))
	lines, err := MarshalIndent(v, "  ")
	require.NoError(t, err)
	require.Equal(t, "{\n  \"a\": \"<b> & \\\"c\\\"\\n\",\n  \"d\": [\n    1\n  ]\n}", string(lines))
	_, err = Marshal(math.NaN())
	require.Error(t, err)
	require.Equal(t, `"</script> it's"`, Quote("</script> it's"))
}

func TestSorted(t *testing.T) {
	t.Parallel()
	type inner struct {
		Z string `json:"z"`
		A int64  `json:"a"`
	}
	v := struct {
		B inner           `json:"b"`
		A json.RawMessage `json:"a"`
	}{inner{"<z>", 1 << 60}, json.RawMessage(`[{"y":1.50,"x":null}]`)}
	line, err := Sorted(v, "")
	require.NoError(t, err)
	require.Equal(t, `{"a":[{"x":null,"y":1.50}],"b":{"a":1152921504606846976,"z":"<z>"}}`, string(line))
	lines, err := Sorted(v.B, " ")
	require.NoError(t, err)
	require.Equal(t, "{\n \"a\": 1152921504606846976,\n \"z\": \"<z>\"\n}", string(lines))
	_, err = Sorted(math.Inf(1), "")
	require.Error(t, err)
}
