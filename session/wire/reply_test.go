package wire

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFrames(t *testing.T) {
	t.Parallel()
	type frame struct {
		kind    FrameKind
		payload string
	}
	long := strings.Repeat("x", 300)
	b := AppendFrame(nil, Stdout, []byte("out"))
	b = AppendFrame(b, Stderr, []byte(long))
	b = AppendFrame(b, Stdout, nil)
	b = AppendExit(b, 255)
	var got []frame
	for len(b) > 0 {
		kind, size, n := Header(b)
		require.Positive(t, n)
		got = append(got, frame{kind, string(b[n : n+int(size)])})
		b = b[n+int(size):]
	}
	require.Equal(t, []frame{{Stdout, "out"}, {Stderr, long}, {Stdout, ""}, {Exit, "\xff"}}, got)
}

func TestHeader(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		input []byte
		size  uint64
		n     int
	}{
		{"nothing yet", nil, 0, 0},
		{"kind only", []byte{byte(Stdout)}, 0, 0},
		{"half a length", []byte{byte(Stdout), 0x80}, 0, 0},
		{"short", []byte{byte(Stdout), 5}, 5, 2},
		{"unknown kind", []byte{77, 5}, 0, -1},
		{"kind 0", []byte{0, 5}, 0, -1},
		{"large output", appendUvarint([]byte{byte(Stdout)}, 1<<40), 1 << 40, 7},
		{"large control frame", appendUvarint([]byte{byte(Retry)}, MaxControl+1), 0, -1},
		{"largest control frame", appendUvarint([]byte{byte(Retry)}, MaxControl), MaxControl, 4},
		{"endless length", append([]byte{byte(Stdout)}, bytes.Repeat([]byte{0xff}, 12)...), 0, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, size, n := Header(tc.input)
			require.Equal(t, tc.n, n)
			if n > 0 {
				require.Equal(t, tc.size, size)
			}
		})
	}
}

func TestControlPayloads(t *testing.T) {
	t.Parallel()
	payload := func(b []byte) []byte {
		_, size, n := Header(b)
		require.Equal(t, len(b), n+int(size))
		return b[n:]
	}
	code, err := ExitCode(payload(AppendExit(nil, 7)))
	require.NoError(t, err)
	require.Equal(t, 7, code)

	want := Identity{PID: 4711, Stamp: Stamp{MTime: 99, Size: 1}}
	id, err := ParsePong(payload(AppendPong(nil, want)))
	require.NoError(t, err)
	require.Equal(t, want, id)

	for _, bad := range [][]byte{nil, {1, 2}} {
		_, err := ExitCode(bad)
		require.ErrorIs(t, err, ErrMalformed)
	}
	for _, bad := range [][]byte{nil, {1, 2}, {1, 2, 3, 4}} {
		_, err := ParsePong(bad)
		require.ErrorIs(t, err, ErrMalformed)
	}
}

func TestNewer(t *testing.T) {
	t.Parallel()
	older, newer := Stamp{MTime: 1, Size: 5}, Stamp{MTime: 2, Size: 4}
	require.True(t, newer.Newer(older))
	require.False(t, older.Newer(newer))
	require.False(t, newer.Newer(newer))
	require.False(t, newer.Newer(Stamp{}))
	require.False(t, Stamp{}.Newer(older))
}

func FuzzHeader(f *testing.F) {
	f.Add(AppendFrame(nil, Retry, nil))
	f.Add(AppendPong(nil, Identity{PID: 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		kind, size, n := Header(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return
		}
		frame, payload := b[:n+int(size)], b[n:n+int(size)]
		if again := AppendFrame(nil, kind, payload); !bytes.Equal(again, frame) {
			t.Fatalf("read %x and wrote %x", frame, again)
		}
		_, _ = ParsePong(payload)
		_, _ = ExitCode(payload)
	})
}
