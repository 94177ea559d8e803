package monitor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/monitor"
	"github.com/skua-browser/skua/internal/fault"
)

func TestAwait(t *testing.T) {
	t.Parallel()
	errGone, errEnded := errors.New("the owner is gone"), errors.New("nothing changes any more")
	for _, tt := range []struct {
		name string
		then func(m *monitor.Monitor, state *int, owner *error, ended chan struct{}, cancel func())
		want error
	}{
		{name: "the condition comes", then: func(m *monitor.Monitor, state *int, _ *error, _ chan struct{}, _ func()) {
			m.Do(func() { *state = 1; m.Broadcast() })
			synctest.Wait() // a wait whose condition is not met goes on
			m.Do(func() { *state = 2; m.Broadcast() })
		}},
		{
			name: "the owner fails", want: errGone,
			then: func(m *monitor.Monitor, _ *int, owner *error, _ chan struct{}, _ func()) {
				m.Do(func() { *owner = errGone; m.Broadcast() })
			},
		},
		{
			name: "the condition comes with the failure",
			then: func(m *monitor.Monitor, state *int, owner *error, _ chan struct{}, _ func()) {
				m.Do(func() { *state, *owner = 2, errGone; m.Broadcast() })
			},
		},
		{
			name: "nothing changes any more", want: errEnded,
			then: func(_ *monitor.Monitor, _ *int, _ *error, ended chan struct{}, _ func()) {
				close(ended)
			},
		},
		{
			name: "the caller gives up", want: context.Canceled,
			then: func(_ *monitor.Monitor, _ *int, _ *error, _ chan struct{}, cancel func()) {
				cancel()
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var state int
				var owner error
				ended := make(chan struct{})
				m := monitor.New(monitor.Owner{Err: func() error { return owner }, Ended: ended, Cause: func() error {
					return errEnded
				}})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				result := make(chan error, 1)
				go func() { result <- m.Await(ctx, "waiting for two", func() bool { return state == 2 }) }()
				synctest.Wait()
				require.Empty(t, result)
				tt.then(m, &state, &owner, ended, cancel)
				require.ErrorIs(t, <-result, tt.want)
			})
		})
	}
}

// A wait names what it waited for when its caller's time is over, and an owner's error does not end a wait that looks
// for another one.
func TestAwaitUnless(t *testing.T) {
	t.Parallel()
	m := monitor.New(monitor.Owner{Err: func() error { return errors.New("not asked for") }})
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	err := m.AwaitUnless(ctx, "closing the tab", func() error { return nil }, func() bool { return false })
	require.True(t, fault.Is(err, fault.Timeout), err)
	require.ErrorContains(t, err, "closing the tab")
}
