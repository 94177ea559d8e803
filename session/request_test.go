package session

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// A question is asked at a terminal wherever the output goes, and it may quote a page.
func TestQuestionsAreEscaped(t *testing.T) {
	t.Parallel()
	var asked string
	r := Request{Ask: func(_ context.Context, prompt string, _ bool) (string, error) {
		asked = prompt
		return "y", nil
	}}
	r.fill()
	answer, err := r.Ask(t.Context(), "Allow fill #a \x1b]52;c;aGk=\x07\u202e? [y/N]: ", false)
	require.NoError(t, err)
	require.Equal(t, "y", answer)
	require.Equal(t, `Allow fill #a \x1b]52;c;aGk=\x07\u202e? [y/N]: `, asked)
}
