package cdp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"github.com/skua-browser/skua/internal/fault"
)

// socket is the transport over a websocket: one text frame a message, as Chromium does not take fragmented ones.
type socket struct {
	ws *websocket.Conn

	// Of the one reader.
	buf []byte
	asm assembler
}

// unredirected follows no redirect: the headers, and the secrets in the address, are for one host alone.
var unredirected = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}}

// DialWebSocket connects to a browser's websocket address (ws, wss, http or https) with the extra headers, which may be
// nil. The context bounds the handshake only.
func DialWebSocket(ctx context.Context, address string, header http.Header) (Transport, error) {
	shown, err := withoutSecrets(address)
	if err != nil {
		return nil, err
	}
	ws, resp, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient:      unredirected,
		HTTPHeader:      header,
		Host:            header.Get("Host"),
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, dialFault(ctx, shown, secretsIn(address), resp, err)
	}
	ws.SetReadLimit(-1)
	return newSocket(ws), nil
}

func newSocket(ws *websocket.Conn) *socket {
	s := &socket{ws: ws}
	s.buf = s.asm.chunk()
	return s
}

// withoutSecrets returns the address without user and query, which hold the access tokens of browser providers.
func withoutSecrets(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fault.New(fault.ConnectFailed, "the browser's address is not a URL: %w", unquoted(err))
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String(), nil
}

// unquoted returns what is behind a *url.Error, whose text repeats the whole address.
func unquoted(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// secretsIn returns what withoutSecrets takes out of an address, for texts of others that repeat it.
func secretsIn(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	secrets := []string{u.RawQuery}
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
	return slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
}

// dialFault reports a handshake that did not succeed.
func dialFault(ctx context.Context, shown string, secrets []string, resp *http.Response, err error) *fault.Error {
	err = unquoted(err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fault.New(fault.Timeout, "%s did not accept a CDP connection in time: %w", shown, err).About(shown)
	case ctx.Err() != nil:
		return fault.New(fault.Canceled, "the connection to %s was canceled: %w", shown, err).About(shown)
	}
	f := fault.New(fault.ConnectFailed, "no CDP connection to %s: %w", shown, err).About(shown)
	if resp != nil {
		f.With("status", resp.StatusCode)
		if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
			return fault.New(fault.ConnectFailed, "no CDP connection to %s: it redirects to %s, which is not followed", shown,
				to.Host).About(shown).
				With("status", resp.StatusCode).WithHint("Give the address to which it redirects, if you trust that host.")
		}
		line := firstLine(resp.Body)
		for _, secret := range secrets {
			line = strings.ReplaceAll(line, secret, "…")
		}
		if line != "" {
			f.Message += " (" + line + ")"
		}
	}
	return f
}

// firstLine returns the start of what a server said in place of a handshake. Chromium explains there why it refused an
// origin.
func firstLine(body io.Reader) string {
	if body == nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(body, 300)) // what could be read is all that matters
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(b), "")), "\n")
	return strings.TrimSpace(line)
}

// Read implements Transport.
func (s *socket) Read() ([]byte, error) {
	for {
		typ, r, err := s.ws.Reader(context.Background())
		if err != nil {
			return nil, err
		}
		msg, err := s.gather(r)
		if err != nil || typ == websocket.MessageText {
			return msg, err
		}
	}
}

// gather reads one message to its end.
func (s *socket) gather(r io.Reader) ([]byte, error) {
	end := 0
	for {
		n, err := r.Read(s.buf[end:])
		end += n
		switch {
		case err == io.EOF:
			return s.asm.join(s.buf[:end]), nil
		case err != nil:
			return nil, err
		case end == len(s.buf):
			s.asm.push(s.buf)
			s.buf = s.asm.chunk()
			end = 0
		}
	}
}

// Write implements Transport.
func (s *socket) Write(msg []byte) error {
	return s.ws.Write(context.Background(), websocket.MessageText, msg)
}

// Close implements Transport. There is no closing handshake: a browser that hangs would hold it up, and none of them
// needs it.
func (s *socket) Close() error {
	_ = s.ws.CloseNow() // its error says that the connection had ended before
	return nil
}
