package wire

// Question is the payload of an Ask frame.
type Question struct {
	Prompt string
	Hidden bool // typed text is not echoed
}

// Answer is the client's answer to a question.
type Answer struct {
	Answered bool   // a person typed the line; false means that there is no terminal, or the person gave up
	Line     string // without its end
}

// MaxAnswer is the largest line of an answer in bytes.
const MaxAnswer = 64 << 10

// AppendAsk adds an Ask frame to b.
func AppendAsk(b []byte, q Question) []byte {
	b = append(b, byte(Ask))
	b = appendUvarint(b, uint64(1+len(q.Prompt)))
	b = append(b, flag(q.Hidden))
	return append(b, q.Prompt...)
}

// ParseQuestion decodes the payload of Ask.
func ParseQuestion(payload []byte) (Question, error) {
	if len(payload) == 0 || payload[0] > 1 {
		return Question{}, ErrMalformed
	}
	return Question{Hidden: payload[0] == 1, Prompt: string(payload[1:])}, nil
}

// AppendAnswer adds an answer to b.
func AppendAnswer(b []byte, a Answer) []byte {
	return appendString(append(b, flag(a.Answered)), a.Line)
}

// ParseAnswer decodes the answer at the start of b and returns its length, 0 if b is incomplete.
func ParseAnswer(b []byte) (a Answer, n int, err error) {
	if len(b) == 0 {
		return Answer{}, 0, nil
	}
	size, head := uvarint(b[1:])
	switch {
	case b[0] > 1, head < 0, head > 0 && size > MaxAnswer:
		return Answer{}, 0, ErrMalformed
	case head == 0 || uint64(len(b)-1-head) < size:
		return Answer{}, 0, nil
	}
	n = 1 + head + int(size)
	return Answer{Answered: b[0] == 1, Line: string(b[1+head : n])}, n, nil
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}
