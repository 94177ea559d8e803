package cdp

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// newSocketFake returns a connection over a websocket on the loopback interface.
func newSocketFake(t *testing.T) (*Conn, *fake) {
	t.Helper()
	accepted := make(chan *websocket.Conn, 1)
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Errorf("the fake browser did not accept: %v", err)
			return
		}
		ws.SetReadLimit(-1)
		accepted <- ws
		<-over
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(over) })

	ours, err := DialWebSocket(t.Context(), socketURL(server), nil)
	require.NoError(t, err)
	return start(t, ours, newSocket(<-accepted))
}

func socketURL(s *httptest.Server) string { return "ws" + strings.TrimPrefix(s.URL, "http") }

func TestDialSendsHeaders(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	host := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header
		host <- r.Host
		ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionContextTakeover})
		if err != nil {
			t.Errorf("the fake browser did not accept: %v", err)
			return
		}
		_ = ws.CloseNow() // the client may have closed it first
	}))
	defer server.Close()

	transport, err := DialWebSocket(t.Context(), socketURL(server), http.Header{
		"Authorization": {"Bearer secret"},
		"Host":          {"browser.example"},
	})
	require.NoError(t, err)
	require.NoError(t, transport.Close())
	header := <-got
	require.Equal(t, "Bearer secret", header.Get("Authorization"))
	require.Empty(t, header.Get("Sec-WebSocket-Extensions"), "compression is off")
	require.Equal(t, "browser.example", <-host)
}

func TestDialFaults(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("Rejected an incoming WebSocket connection\nsecond line"))
	}))
	t.Cleanup(refusing.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	over, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelLate()

	tests := []struct {
		name    string
		ctx     context.Context
		address string
		code    fault.Code
		says    string
	}{
		{
			"refused", t.Context(), socketURL(refusing) + "/x?token=secret", fault.ConnectFailed,
			"(Rejected an incoming WebSocket connection)",
		},
		{"no server", t.Context(), socketURL(gone) + "/x?token=secret", fault.ConnectFailed, "connection refused"},
		{"not an address", t.Context(), "ftp://host/?token=secret", fault.ConnectFailed, "unexpected url scheme"},
		{"not even a URL", t.Context(), "ws://a b/?token=secret", fault.ConnectFailed, "not a URL"},
		{"canceled", over, socketURL(refusing) + "/?token=secret", fault.Canceled, "canceled"},
		{"late", late, socketURL(refusing) + "/?token=secret", fault.Timeout, "in time"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := DialWebSocket(test.ctx, test.address, nil)
			require.Equal(t, test.code, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestSocketMessages(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789"), 300_000)
	tests := []struct {
		name string
		msg  []byte
	}{
		{"small", []byte(`{}`)},
		{"one chunk", large[:chunkSize]},
		{"a byte more", large[:chunkSize+1]},
		{"large", large},
		{"invalid UTF-8", []byte("{\"a\":\"\xff\"}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ws, err := websocket.Accept(w, r, nil)
				if err != nil {
					t.Errorf("the fake browser did not accept: %v", err)
					return
				}
				defer ws.CloseNow()
				ws.SetReadLimit(-1)
				for range 2 {
					typ, msg, err := ws.Read(r.Context())
					if err != nil {
						t.Errorf("the fake browser did not get the message: %v", err)
						return
					}
					// CDP has no binary messages.
					if ws.Write(r.Context(), websocket.MessageBinary, []byte("x")) != nil || ws.Write(r.Context(), typ, msg) != nil {
						t.Error("the fake browser could not answer")
					}
				}
			}))
			defer server.Close()
			transport, err := DialWebSocket(t.Context(), socketURL(server), nil)
			require.NoError(t, err)
			defer transport.Close()
			for range 2 {
				require.NoError(t, transport.Write(test.msg))
				got, err := transport.Read()
				require.NoError(t, err)
				require.True(t, bytes.Equal(test.msg, got))
				require.Equal(t, len(got), cap(got), "one slice of the right size")
			}
			_, err = transport.Read()
			require.Error(t, err, "the server has gone")
		})
	}
}

// A redirect would take the headers, which name who asks, and the address's path to another host.
func TestDialFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{
		http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect,
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			elsewhere := make(chan string, 10)
			other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				elsewhere <- r.URL.Path
			}))
			defer other.Close()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other.URL+"/taken", status)
			}))
			defer server.Close()

			_, err := DialWebSocket(t.Context(), socketURL(server), http.Header{"X-Amz-Security-Token": {"secret"}})
			require.Equal(t, fault.ConnectFailed, fault.CodeOf(err))
			require.ErrorContains(t, err, "redirects to "+strings.TrimPrefix(other.URL, "http://"))
			require.Empty(t, elsewhere)
		})
	}
}
