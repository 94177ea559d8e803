package plainjson

import (
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
