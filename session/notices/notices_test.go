package notices_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/notices"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	var q notices.Queue
	require.False(t, q.Any())
	q.Add("one")
	q.Lack(fault.New(fault.File, "the copy lacks a file").WithHint("copy it"))
	q.Lack(fault.New(fault.StreamState, "the session is not streamed"))
	require.True(t, q.Any())
	require.Equal(t, []string{"one"}, q.Take())
	require.Empty(t, q.Take())
	notes, err := q.Failed("open", nil)
	require.Equal(t, fault.File, fault.CodeOf(err))
	require.EqualError(t, fault.WithoutHint(err), "`open` was done, but the copy lacks a file")
	require.Equal(t, []string{"the session is not streamed"}, notes)
	notes, err = q.Failed("open", nil)
	require.NoError(t, err)
	require.Empty(t, notes)

	q.Lack(fault.New(fault.File, "the copy lacks a file"))
	notes, err = q.Failed("open", errors.New("the command failed"))
	require.NoError(t, err)
	require.Equal(t, []string{"the copy lacks a file"}, notes)
	q.Add("two")
	q.Clear()
	require.False(t, q.Any())
}
