package turn

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A lock keeps out every caller with another token, an empty one included, until it is released or its time is over.
func TestLock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l Lock
		blocked := func(token string) bool {
			freed, _, _ := l.BlockedBy(token)
			return freed != nil
		}
		require.False(t, blocked(""), "without a lock every caller may work")
		mine, ok := l.Take("", "Ann", time.Minute)
		require.True(t, ok)
		require.NotEmpty(t, mine)
		for _, token := range []string{"", "other", mine + "x", mine[:len(mine)-1]} {
			require.True(t, blocked(token), "%q", token)
			_, ok := l.Take(token, "Bob", time.Minute)
			require.False(t, ok, "%q", token)
		}
		require.False(t, blocked(mine))
		require.Equal(t, "Ann", l.Holder().Name)

		time.Sleep(50 * time.Second)
		again, ok := l.Take(mine, "Ann", time.Minute)
		require.True(t, ok)
		require.Equal(t, mine, again, "who has it renews it")
		time.Sleep(59 * time.Second)
		require.True(t, blocked("other"))
		time.Sleep(time.Second)
		require.False(t, blocked("other"), "its time is over")
		require.Nil(t, l.Holder())

		theirs, ok := l.Take("", "Bob", time.Minute)
		require.True(t, ok)
		require.NotEqual(t, mine, theirs)
		freed, until, name := l.BlockedBy(mine)
		require.Equal(t, "Bob", name)
		require.Equal(t, time.Now().Add(time.Minute), until)
		l.Release()
		<-freed
		require.False(t, blocked(mine))
	})
}
