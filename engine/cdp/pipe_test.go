package cdp

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestPipeFraming(t *testing.T) {
	t.Parallel()
	chunk := strings.Repeat("c", chunkSize)
	many := strings.Repeat("{\"id\":1,\"result\":{}}\x00", chunkSize/8) // messages across the borders of chunks
	tests := []struct {
		name string
		wire string
		want []string
		end  error
	}{
		{"nothing", "", nil, io.EOF},
		{"one", "{}\x00", []string{"{}"}, io.EOF},
		{"two", "{\"a\":1}\x00{}\x00", []string{`{"a":1}`, "{}"}, io.EOF},
		{"empty messages are skipped", "\x00\x00a\x00\x00b\x00", []string{"a", "b"}, io.EOF},
		{"cut off", "a\x00bcd", []string{"a"}, io.ErrUnexpectedEOF},
		{"ends with a chunk", chunk[1:] + "\x00", []string{chunk[1:]}, io.EOF},
		{"fills a chunk", chunk + "\x00", []string{chunk}, io.EOF},
		{"a byte more", chunk + "d\x00e\x00", []string{chunk + "d", "e"}, io.EOF},
		{"several chunks", "a\x00" + chunk + chunk + chunk + "\x00b\x00", []string{"a", chunk + chunk + chunk, "b"}, io.EOF},
		{"cut off behind chunks", chunk + chunk, nil, io.ErrUnexpectedEOF},
		{"many", many, strings.Split(strings.TrimSuffix(many, "\x00"), "\x00"), io.EOF},
	}
	readers := []struct {
		name string
		of   func(string) io.Reader
	}{
		{"whole", func(s string) io.Reader { return strings.NewReader(s) }},
		{"with the end", func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) }},
		{"halves", func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) }},
	}
	for _, test := range tests {
		for _, reader := range readers {
			t.Run(test.name+"/"+reader.name, func(t *testing.T) {
				t.Parallel()
				p := NewPipe(io.NopCloser(reader.of(test.wire)), nil)
				var got []string
				msg, err := p.Read()
				for ; err == nil; msg, err = p.Read() {
					if len(msg) != cap(msg) {
						t.Errorf("a message of %d bytes takes %d", len(msg), cap(msg))
					}
					got = append(got, string(msg))
				}
				require.ErrorIs(t, err, test.end)
				if !cmp.Equal(test.want, got) {
					t.Errorf("%d messages in, %d other ones out", len(test.want), len(got))
				}
			})
		}
	}
}

// A message belongs to the caller: the next read must not change it.
func TestPipeMessagesStay(t *testing.T) {
	t.Parallel()
	wire := "first\x00second\x00" + strings.Repeat("x", 3*chunkSize) + "\x00"
	p := NewPipe(io.NopCloser(iotest.OneByteReader(strings.NewReader(wire))), nil)
	first, err := p.Read()
	require.NoError(t, err)
	for range 2 {
		_, err = p.Read()
		require.NoError(t, err)
	}
	require.Equal(t, "first", string(first))
}

func TestPipeWrite(t *testing.T) {
	t.Parallel()
	ours, theirs := osPipes(t)
	large := bytes.Repeat([]byte("x"), 2*keepBuffer) // more than a pipe holds
	written := make(chan error, 1)
	go func() {
		written <- errors.Join(ours.Write([]byte("a")), ours.Write(large), ours.Write([]byte("b")))
	}()
	for _, want := range [][]byte{[]byte("a"), large, []byte("b")} {
		got, err := theirs.Read()
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	}
	require.NoError(t, <-written)

	require.NoError(t, theirs.Close())
	require.Error(t, ours.Write([]byte("c")))
	_, err := ours.Read()
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, ours.Close())
}

func TestPipeCloseUnblocks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pair func() (ours, theirs Transport)
	}{
		{"os pipe", func() (Transport, Transport) { return osPipes(t) }},
		{"memory pipe", memoryPipes},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := test.pair()
			defer theirs.Close()
			read, wrote := make(chan error, 1), make(chan error, 1)
			go func() {
				_, err := ours.Read()
				read <- err
			}()
			go func() { wrote <- ours.Write(bytes.Repeat([]byte("x"), keepBuffer)) }()
			require.NoError(t, ours.Close())
			require.Error(t, <-read)
			require.Error(t, <-wrote)
			require.NoError(t, ours.Close(), "a second time")
		})
	}
}

func TestTryWriteLeavesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p := NewPipe(r, w).(*pipe)
	defer p.Close()
	if !p.triesWrite() {
		t.Fatal("a pipe of the operating system can be written without blocking")
	}
	wrote, err := p.tryWrite(make([]byte, keepBuffer))
	require.NoError(t, err)
	require.Greater(t, wrote, 0)
	require.Less(t, wrote, keepBuffer)
	again, err := p.tryWrite([]byte("x"))
	require.NoError(t, err)
	require.Zero(t, again, "it is full")

	require.NoError(t, r.Close())
	_, err = p.tryWrite([]byte("x"))
	require.Error(t, err)

	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	require.False(t, NewPipe(a, a).(*pipe).triesWrite())
}
