package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func full() Request {
	return Request{
		Kind: Run, Stamp: Stamp{MTime: 1_700_000_000_123_456_789, Size: 9 << 20}, Token: "secret", Name: "agent-browser",
		Cwd: "/home/me/ü", TTY: StdinTTY | StderrTTY, Args: []string{"fill", "@e3", "", "a\x00b\nc"},
		Env: []string{"HOME=/home/me", "SKUA_X="}, HasStdin: true, Stdin: []byte{0, 1, 2, 255},
	}
}

func TestRequestRoundTrip(t *testing.T) {
	t.Parallel()
	large := full()
	large.Stdin = bytes.Repeat([]byte("0123456789"), 1<<20)
	many := full()
	many.Args = strings.Split(strings.Repeat("x,", 5000), ",")
	for _, tc := range []struct {
		name string
		req  Request
	}{
		{"empty", Request{}},
		{"ping", Request{Kind: Ping}},
		{"every field", full()},
		{"empty standard input", Request{Kind: Run, HasStdin: true}},
		{"negative stamp", Request{Kind: Run, Stamp: Stamp{MTime: -1, Size: -5}}},
		{"10 MB of standard input", large},
		{"5000 arguments", many},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := tc.req.Append([]byte("before"))
			require.Equal(t, "before", string(b[:6]))
			b = b[6:]
			require.Equal(t, len(b), tc.req.Size())
			want := tc.req
			want.Version = Version
			for name, r := range map[string]io.Reader{
				"at once":     bytes.NewReader(b),
				"in halves":   iotest.HalfReader(bytes.NewReader(b)),
				"data at EOF": iotest.DataErrReader(bytes.NewReader(b)),
				"nothing":     nil,
			} {
				var head []byte
				if r == nil {
					head, r = b, iotest.ErrReader(io.ErrNoProgress) // the caller has read it all
				}
				got, err := ReadRequest(r, head)
				require.NoError(t, err, name)
				require.True(t, bytes.Equal(want.Stdin, got.Stdin), name)
				// Ten megabytes are not for reflection.
				if diff := cmp.Diff(want, *got, cmp.Comparer(func(a, b []byte) bool {
					return (a == nil) == (b == nil)
				})); diff != "" {
					t.Errorf("%s: request changed (-sent +read):\n%s", name, diff)
				}
			}
		})
	}
}

func TestReadRequestByteByByte(t *testing.T) {
	t.Parallel()
	req := full()
	got, err := ReadRequest(iotest.OneByteReader(bytes.NewReader(req.Append(nil))), nil)
	require.NoError(t, err)
	require.Equal(t, req.Args, got.Args)
}

// A request that ends early is never taken for a whole one, wherever it ends.
func TestReadRequestTruncated(t *testing.T) {
	t.Parallel()
	req := full()
	b := req.Append(nil)
	for n := range b {
		_, err := ReadRequest(bytes.NewReader(b[:n]), nil)
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		require.ErrorIs(t, err, want, "after %d of %d bytes", n, len(b))
	}
}

func TestReadRequestRefuses(t *testing.T) {
	t.Parallel()
	body := func(b ...byte) []byte { return append(appendUvarint([]byte(magic), uint64(len(b))), b...) }
	req := full()
	for _, tc := range []struct {
		name  string
		input []byte
		want  error
	}{
		{"HTTP", []byte("GET / HTTP/1.1\r\n\r\n"), ErrMalformed},
		{"JSON", []byte(`{"id":1,"action":"click"}` + "\n"), ErrMalformed},
		{"zeros", make([]byte, 100), ErrMalformed},
		{"half the magic and something else", []byte("skXX"), ErrMalformed},
		{"more than 64 MiB", appendUvarint([]byte(magic), MaxRequest+1), ErrTooLarge},
		{"a length beyond all bounds", append([]byte(magic), bytes.Repeat([]byte{0xff}, 20)...), ErrMalformed},
		{"a length in a longer form", append([]byte(magic), 0x81, 0x80, 0x00), ErrMalformed},
		{"empty body", body(), ErrMalformed},
		{"bytes after the request", append(req.Append(nil), 'x'), ErrMalformed},
		{"bytes after the last field", body(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9), ErrMalformed},
		{"a string longer than the body", body(1, 1, 0, 0, 200), ErrMalformed},
		{"a list longer than the body", body(1, 1, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0x03), ErrMalformed},
		{"standard input without the mark", body(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 'x'), ErrMalformed},
		{"a mark that is neither 0 nor 1", body(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0), ErrMalformed},
		{"another version", body(2, 1, 7, 8, 'n', 'e', 'w'), ErrVersion},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadRequest(bytes.NewReader(tc.input), nil)
			require.ErrorIs(t, err, tc.want)
		})
	}
}

// The build of a client can be told even if the rest cannot be read.
func TestReadRequestOfAnotherVersion(t *testing.T) {
	t.Parallel()
	b := append(appendUvarint([]byte(magic), 7), 99, 1, 7, 8, 'n', 'e', 'w')
	got, err := ReadRequest(bytes.NewReader(b), nil)
	require.ErrorIs(t, err, ErrVersion)
	require.Equal(t, &Request{Version: 99, Kind: Run, Stamp: Stamp{MTime: 7, Size: 8}}, got)
}

// A client that announces 64 MiB and sends nothing costs next to nothing.
func TestReadRequestMemoryFollowsTheData(t *testing.T) {
	t.Parallel()
	r := &countingReader{r: bytes.NewReader(append(appendUvarint([]byte(magic), MaxRequest), make([]byte, 1000)...))}
	_, err := ReadRequest(r, nil)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.LessOrEqual(t, r.largest, FirstRead)
}

type countingReader struct {
	r       io.Reader
	largest int
}

func (c *countingReader) Read(p []byte) (int, error) {
	c.largest = max(c.largest, len(p))
	return c.r.Read(p)
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	req := Request{Kind: Run, HasStdin: true, Stdin: make([]byte, MaxRequest-100)}
	require.False(t, req.TooLarge())
	req.Stdin = make([]byte, MaxRequest)
	require.True(t, req.TooLarge())
}

func TestAppendAllocatesNothing(t *testing.T) {
	req := full()
	b := make([]byte, 0, req.Size())
	require.Zero(t, testing.AllocsPerRun(100, func() { b = req.Append(b[:0]) }))
}

func TestLookup(t *testing.T) {
	t.Parallel()
	req := Request{Env: []string{"AB=1", "A=", "A=2", "odd", "=C:=x"}}
	for _, tc := range []struct {
		name, want string
		ok         bool
	}{{"A", "", true}, {"AB", "1", true}, {"B", "", false}, {"odd", "", false}, {"", "C:=x", true}} {
		got, ok := req.LookupEnv(tc.name)
		require.Equal(t, tc.want, got, tc.name)
		require.Equal(t, tc.ok, ok, tc.name)
		require.Equal(t, tc.want, req.Getenv(tc.name))
	}
}

func FuzzReadRequest(f *testing.F) {
	req := full()
	f.Add(req.Append(nil))
	f.Add((&Request{Kind: Ping}).Append(nil))
	f.Add([]byte("skua\x05\x01\x01\x00\x00\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadRequest(bytes.NewReader(b), nil)
		if err != nil {
			if got != nil && !errors.Is(err, ErrVersion) {
				t.Fatalf("a request beside the error %v", err)
			}
			return
		}
		// What is accepted has one encoding only.
		if again := got.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("read %x and wrote %x", b, again)
		}
	})
}
