package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuestionsAndAnswers(t *testing.T) {
	t.Parallel()
	for _, q := range []Question{{}, {Prompt: "Allow? [y/N]: "}, {Prompt: "ü", Hidden: true}} {
		b := AppendAsk(nil, q)
		kind, size, n := Header(b)
		require.Equal(t, Ask, kind)
		require.Len(t, b, n+int(size))
		got, err := ParseQuestion(b[n:])
		require.NoError(t, err)
		require.Equal(t, q, got)
	}
	for _, a := range []Answer{{}, {Answered: true}, {Answered: true, Line: "yes"}} {
		b := AppendAnswer(nil, a)
		for i := range b {
			_, n, err := ParseAnswer(b[:i])
			require.NoError(t, err)
			require.Zero(t, n)
		}
		got, n, err := ParseAnswer(append(b, 7))
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, a, got)
	}
	for _, bad := range [][]byte{nil, {2}} {
		_, err := ParseQuestion(bad)
		require.ErrorIs(t, err, ErrMalformed)
	}
	for _, bad := range [][]byte{{2}, {1, 0x80, 0}, AppendAnswer(nil, Answer{Line: string(make([]byte, MaxAnswer+1))})} {
		_, _, err := ParseAnswer(bad)
		require.ErrorIs(t, err, ErrMalformed)
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(AppendAnswer(nil, Answer{Answered: true, Line: "y"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, n, err := ParseAnswer(b)
		if err != nil || n == 0 {
			return
		}
		require.Equal(t, string(b[:n]), string(AppendAnswer(nil, a)))
		_, _ = ParseQuestion(b)
	})
}
