package annotations

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func send(b *Board, size int) bool { return b.add(&drawing{frozen: &frozen{raw: make([]byte, size)}}) }

func ids(b *Board) (list []string) {
	drawn, _, _ := b.list()
	for _, d := range drawn {
		list = append(list, d.id)
	}
	return list
}

// What persons leave is bounded in number and size, and what went unread is counted until the agent is told.
func TestBoardIsBounded(t *testing.T) {
	t.Parallel()
	b := &Board{}
	for range maxDrawings + 3 {
		send(b, 10)
	}
	require.Len(t, ids(b), maxDrawings)
	require.Equal(t, "a4", ids(b)[0])
	drawn, _, lost := b.list()
	require.Equal(t, 3, lost)
	require.True(t, b.noteRead(drawn[0], nil))
	require.False(t, b.noteRead(drawn[0], nil), "it was read before")
	_, _, lost = b.list()
	require.Zero(t, lost)
	send(b, maxPictures-25)
	require.Equal(t, []string{"a22", "a23", "a24"}, ids(b))
	send(b, maxPictures+1)
	require.Equal(t, []string{"a25"}, ids(b), "the newest stays")
	require.Equal(t, []string{"a25"}, b.remove("a25", "a99"))
	require.Empty(t, ids(b))
}

func TestBoardTellsWhoWaits(t *testing.T) {
	t.Parallel()
	b := &Board{}
	arrived := b.next()
	require.NotNil(t, arrived)
	require.True(t, send(b, 1), "a command waits")
	<-arrived
	require.Nil(t, b.next(), "there is something to read")
	require.False(t, send(b, 1), "no command waits")
}
