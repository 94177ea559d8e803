package cdp

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// echo is a transport that answers each command itself, with the same result.
type echo struct {
	replies chan []byte
	result  string
}

func newEcho(result string) *echo { return &echo{replies: make(chan []byte, 1000), result: result} }

func (e *echo) Write(msg []byte) error {
	e.replies <- replyTo(msg, e.result)
	return nil
}

func (e *echo) Read() ([]byte, error) {
	msg, ok := <-e.replies
	if !ok {
		return nil, io.EOF
	}
	return msg, nil
}

func (e *echo) Close() error { return nil }

// replyTo returns a reply that fits into one allocation.
func replyTo(cmd []byte, result string) []byte {
	id := cmd[len(keyID):bytes.IndexByte(cmd, ',')]
	b := make([]byte, 0, 80+len(result))
	b = append(append(append(b, keyID...), id...), `,"result":`...)
	return append(append(b, result...), `,"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`...)
}

const (
	benchSession = "0123456789ABCDEF0123456789ABCDEF"
	benchResult  = `{"result":{"type":"string","value":"x","description":"x"}}`
)

// The transport's own share of each call is one allocation, the reply.
func BenchmarkCall(b *testing.B) {
	params := runtime.EvaluateParams{Expression: "document.title", ReturnByValue: new(true)}
	raw := jsonv2.Value(`{"expression":"document.title","returnByValue":true}`)
	tests := []struct {
		name string
		run  func(*Session, *testing.B) error
	}{
		{"typed", func(s *Session, b *testing.B) error {
			_, err := protocol.Call(b.Context(), s, runtime.Evaluate, params)
			return err
		}},
		{"raw", func(s *Session, b *testing.B) error {
			_, err := s.CallRaw(b.Context(), "Runtime.evaluate", raw)
			return err
		}},
		{"batch of 3", func(s *Session, b *testing.B) error {
			for _, p := range s.Batch(Call{"Input.a", raw}, Call{"Input.b", raw}, Call{"Input.c", raw}) {
				if _, err := p.Wait(b.Context()); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	for _, test := range tests {
		b.Run(test.name+"/memory", func(b *testing.B) {
			e := newEcho(benchResult)
			c := NewConn(e)
			defer func() {
				close(e.replies)
				c.Close()
			}()
			s := c.Session(benchSession)
			b.ReportAllocs()
			for b.Loop() {
				if err := test.run(s, b); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(test.name+"/os pipe", func(b *testing.B) {
			ours, theirs := osPipes(b)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					msg, err := theirs.Read()
					if err != nil || theirs.Write(replyTo(msg, benchResult)) != nil {
						return
					}
				}
			}()
			c := NewConn(ours)
			defer func() {
				c.Close()
				theirs.Close()
				<-done
			}()
			s := c.Session(benchSession)
			b.ReportAllocs()
			for b.Loop() {
				if err := test.run(s, b); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEvents(b *testing.B) {
	for _, handlers := range []int{0, 1, 3} {
		b.Run(strconv.Itoa(handlers)+" handlers", func(b *testing.B) {
			e := newEcho("")
			c := NewConn(e)
			defer func() {
				close(e.replies)
				c.Close()
			}()
			s := c.Session(benchSession)
			for range handlers {
				s.Handle(func(Event) {})
			}
			msg := fmt.Appendf(nil,
				`{"method":"Network.dataReceived","params":{"requestId":"1.2","timestamp":1,"dataLength":9},"sessionId":%q}`,
				benchSession)
			b.ReportAllocs()
			for b.Loop() {
				e.replies <- msg
			}
		})
	}
}

func BenchmarkPipeRead(b *testing.B) {
	for _, size := range []int{200, 300 << 10, 5 << 20} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			ours, theirs := osPipes(b)
			msg := bytes.Repeat([]byte("x"), size)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for theirs.Write(msg) == nil {
				}
			}()
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := ours.Read(); err != nil {
					b.Fatal(err)
				}
			}
			ours.Close()
			<-done
			theirs.Close()
		})
	}
}
