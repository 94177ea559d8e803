package session_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/testport"
	"github.com/skua-browser/skua/session"
)

// What a host is needed for, and what ends that.
func TestNeeded(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name       string
		begin, end []string
	}{
		{"a session", []string{"open"}, []string{"close"}},
		{"a dashboard", []string{"dashboard", "start", "--port", testport.Free(t)}, []string{"dashboard", "stop"}},
		{"how dialogs are treated", []string{"dialog", "policy", "accept"}, []string{"close"}},
		{"rules", []string{"session", "list", "--confirm-actions", "click"}, []string{"close"}},
		{"a lock", []string{"session", "lock", "--as", "me"}, []string{"session", "unlock", "--force"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, err := session.New(session.Options{Registry: catalog.Registry()})
			require.NoError(t, err)
			t.Cleanup(func() { m.Close(context.Background()) })
			do := func(args ...string) {
				t.Helper()
				require.NoError(t, m.Do(t.Context(), session.Request{Args: args, Cwd: t.TempDir()}).Err)
			}
			do("session", "list")
			require.False(t, m.InUse(), "before")
			told := make(chan struct{}, 1)
			t.Cleanup(m.OnChange(func() {
				select {
				case told <- struct{}{}:
				default:
				}
			}))
			do(tc.begin...)
			require.True(t, m.InUse())
			do(tc.end...)
			require.False(t, m.InUse(), "after")
			<-told
		})
	}
}
