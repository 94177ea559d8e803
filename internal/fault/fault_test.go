package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want fault.Code
	}{
		{name: "none", err: nil, want: ""},
		{name: "ours", err: fault.New(fault.RefStale, "gone"), want: fault.RefStale},
		{name: "ours, wrapped", err: fmt.Errorf("click: %w", fault.New(fault.RefStale, "gone")), want: fault.RefStale},
		{
			name: "ours counts before its cause", err: fault.New(fault.File, "reading: %w", context.DeadlineExceeded),
			want: fault.File,
		},
		{name: "deadline", err: fmt.Errorf("waiting: %w", context.DeadlineExceeded), want: fault.Timeout},
		{name: "cancel", err: context.Canceled, want: fault.Canceled},
		{name: "anything else", err: io.EOF, want: fault.Internal},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, fault.CodeOf(test.err))
			require.True(t, fault.Is(test.err, test.want))
		})
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	err := fault.New(fault.File, "cannot read %s: %w", "a.txt", io.ErrUnexpectedEOF).About("a.txt").WithHint("Check %s.",
		"it").With("size", 3)
	require.Equal(t, "cannot read a.txt: unexpected EOF. Check it.", err.Error())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "a.txt", err.Subject)
	require.Equal(t, map[string]any{"size": 3}, err.Facts)

	require.Equal(t, "boom", (&fault.Error{Code: fault.Internal, Err: errors.New("boom")}).Error(),
		"without a message the cause speaks")
	require.Equal(t, "internal", (&fault.Error{Code: fault.Internal}).Error(), "the code is the last resort")
}
