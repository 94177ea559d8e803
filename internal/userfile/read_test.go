package userfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("12345"), 0o600))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(file, link))
	for _, tt := range []struct {
		name, path, want string
		most             int64
		err              string
	}{
		{name: "a file", path: file, most: 5, want: "12345"},
		{name: "through a link", path: link, most: 5, want: "12345"},
		{name: "too large", path: file, most: 4, err: "it has 5 bytes, but at most 4 are read"},
		{name: "a folder", path: dir, most: 5, err: "is a directory"},
		{name: "a device without an end", path: "/dev/zero", most: 5, err: "it is not a regular file"},
		{name: "not there", path: filepath.Join(dir, "none"), most: 5, err: "no such file or directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text, err := Read(t.Context(), tt.path, tt.most)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, string(text))
		})
	}
}

// A file system that does not answer ends the wait, not the goroutine.
func TestBounded(t *testing.T) {
	t.Parallel()
	gone := errors.New("the caller is gone")
	for _, tt := range []struct {
		name string
		ctx  func(context.Context) (context.Context, func())
		want error
		took time.Duration
	}{
		{
			name: "no deadline", want: errSilent, took: Limit,
			ctx: func(ctx context.Context) (context.Context, func()) { return ctx, func() {} },
		},
		{
			name: "a deadline", want: gone, took: time.Second,
			ctx: func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := context.WithTimeoutCause(ctx, time.Second, gone)
				return ctx, cancel
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := tt.ctx(t.Context())
				defer cancel()
				late, dropped, begun := make(chan string), make(chan string, 1), time.Now()
				_, err := bounded(ctx, func() (string, error) { return <-late, nil }, func(s string) { dropped <- s })
				require.ErrorIs(t, err, tt.want)
				require.Equal(t, tt.took, time.Since(begun))
				late <- "file"
				require.Equal(t, "file", <-dropped)
			})
		})
	}
}
