package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShortSecretsLeaveWordsAlone(t *testing.T) {
	t.Parallel()
	s := &Secrets{known: []string{"123", "hunter2"}}
	require.Equal(t, "••• e1234 (•••) x•••y", s.Hide("123 e1234 (123) xhunter2y"))
	require.Equal(t, `{"n":123,"t":"•••"}`, strings.TrimSpace(string(s.line([]byte(`{"t":"123","n":123}`)))))
	require.Equal(t, "x", (*Secrets)(nil).Hide("x"))
}
