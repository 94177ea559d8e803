package redact

import (
	"testing"

	"github.com/skua-browser/skua/actions/live"
	"github.com/stretchr/testify/require"
)

func TestArgs(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want []string }{
		"9.2 body": {
			[]string{"network", "route", "**/a", "--body", `{"a":1}`},
			[]string{"network", "route", "**/a", "--body", Mark},
		},
		"9.2 body with equals sign": {
			[]string{"network", "route", "**/a", "--body=x"},
			[]string{"network", "route", "**/a", "--body=" + Mark},
		},
		"9.2 headers": {
			[]string{"--headers", `{"X":"y"}`, "open", "a.test"},
			[]string{"--headers", Mark, "open", "a.test"},
		},
		"9.2 secret of codes": {
			[]string{"auth", "save", "x", "--totp", "GEZDGNBVGY3TQOJQ"},
			[]string{"auth", "save", "x", "--totp", Mark},
		},
		"9.2 password": {
			[]string{"auth", "save", "x", "--password", "p"},
			[]string{"auth", "save", "x", "--password", Mark},
		},
		"9.2 proxy": {
			[]string{"--proxy=http://u:p@h:1", "open", "a.test"},
			[]string{"--proxy=" + Mark, "open", "a.test"},
		},
		"9.2 proxy word": {
			[]string{"--proxy", "http://h:1", "open", "a.test"},
			[]string{"--proxy", Mark, "open", "a.test"},
		},
		"9.2 cookies set": {
			[]string{"cookies", "set", "sid", "v", "--path", "/"},
			[]string{"cookies", "set", "sid", Mark, "--path", "/"},
		},
		"9.2 cookies set after flags": {
			[]string{"--session", "s", "cookies", "set", "--path", "/", "sid", "v"},
			[]string{"--session", "s", "cookies", "set", "--path", "/", "sid", Mark},
		},
		"9.2 same name and value": {[]string{"cookies", "set", "a", "a"}, []string{"cookies", "set", "a", Mark}},
		"9.2 storage local": {
			[]string{"storage", "local", "set", "k", "v"},
			[]string{"storage", "local", "set", "k", Mark},
		},
		"9.2 storage session": {
			[]string{"storage", "session", "set", "k", "v"},
			[]string{"storage", "session", "set", "k", Mark},
		},
		"9.2 credentials": {
			[]string{"set", "credentials", "me", "pw"},
			[]string{"set", "credentials", Mark, Mark},
		},
		"9.2 clipboard": {[]string{"clipboard", "write", "a b"}, []string{"clipboard", "write", Mark}},
		"9.2 address": {
			[]string{"open", "https://a.test/?api_key=1&b=2"},
			[]string{"open", "https://a.test/?api_key=" + Mark + "&b=2"},
		},
		"9.2 bearer in a header": {
			[]string{"set", "headers", `{"Authorization":"Bearer x"}`},
			[]string{"set", "headers", Mark},
		},
		"9.2 inline": {
			[]string{"eval", "run('DB_PASSWORD=pw1')"},
			[]string{"eval", "run('DB_PASSWORD=" + Mark + "')"},
		},
		"9.2 rows that are strings": {
			[]string{"batch", "cookies set a v1", "get title"},
			[]string{"batch", "cookies set a " + Mark, "get title"},
		},
		"9.2 nothing secret": {[]string{"get", "text", "@e1"}, []string{"get", "text", "@e1"}},
		"9.7 password field": {[]string{"fill", "#password", "hunter2"}, []string{"fill", "#password", Mark}},
		"9.7 password label": {
			[]string{"find", "label", "Password", "fill", "hunter2"},
			[]string{"find", "label", "Password", "fill", Mark},
		},
		"9.7 password by role": {
			[]string{"find", "role", "textbox", "fill", "hunter2", "--name", "Password"},
			[]string{"find", "role", "textbox", "fill", Mark, "--name", "Password"},
		},
		"9.7 other fields are shown": {[]string{"fill", "#city", "Rome"}, []string{"fill", "#city", "Rome"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := append([]string(nil), tt.in...)
			require.Equal(t, tt.want, New(tt.in, nil).Args(tt.in))
			require.Equal(t, was, tt.in, "the caller's line stays as it was")
		})
	}
}

func TestData(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	tests := map[string]struct {
		command  string
		in, want any
	}{
		"the schema of a secret": {
			"skill list",
			m{"properties": m{"password": m{"type": "string", "description": "vault:LOGIN, or the name of a grant"}}},
			m{"properties": m{"password": m{"type": "string", "description": "vault:LOGIN, or the name of a grant"}}},
		},
		"what only looks like a schema": {
			"eval", m{"password": m{"type": "string", "value": "hunter2hunter2"}}, m{"password": m{"type": Mark, "value": Mark}},
		},
		"a name in the place of a secret": {
			"skill list",
			m{"about": "the page alone sees the password", "examples": []any{m{"password": "password"}}},
			m{"about": "the page alone sees the password", "examples": []any{m{"password": Mark}}},
		},
		"9.4 cookies": {
			"cookies get",
			m{"cookies": []any{m{"name": "a", "value": "1"}, m{"name": "theme", "value": "dark"}}},
			m{"cookies": []any{m{"name": "a", "value": Mark}, m{"name": "theme", "value": Mark}}},
		},
		"9.4 cookies that another command shows": {
			"eval",
			m{"result": []any{m{"name": "a", "value": "1", "httpOnly": false}}},
			m{"result": []any{m{"name": "a", "value": Mark, "httpOnly": false}}},
		},
		"9.4 storage entry that is a credential": {
			"storage local get",
			m{"key": "authToken", "value": "x"},
			m{
				"key": "authToken", "value": Mark, "valueRedacted": true,
				"valueRedactionReason": "the key is named as credentials are",
			},
		},
		"9.4 storage entry that looks like one": {
			"storage session get",
			m{"key": "x", "value": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"},
			m{"key": "x", "value": Mark, "valueRedacted": true, "valueRedactionReason": "the value looks like a credential"},
		},
		"9.4 storage entry that is not secret": {
			"storage local get",
			m{"key": "theme", "value": "dark"},
			m{"key": "theme", "value": "dark"},
		},
		"9.4 all of storage": {
			"storage local get",
			m{"data": m{"theme": "dark", "api_key": "zz"}},
			m{
				"data": m{"theme": "dark", "api_key": Mark}, "valueRedacted": true,
				"valueRedactionReason": "the key is named as credentials are",
			},
		},
		"9.4 saved state": {
			"state show",
			m{"state": m{
				"cookies": []any{m{"name": "a", "value": "1"}},
				"origins": []any{m{"origin": "http://x", "localStorage": []any{m{"name": "theme", "value": "dark"}}}},
			}},
			m{"state": m{
				"cookies": []any{m{"name": "a", "value": Mark}},
				"origins": []any{m{"origin": "http://x", "localStorage": []any{m{"name": "theme", "value": Mark}}}},
			}},
		},
		"9.4 by the member's name, at any depth": {
			"eval",
			m{"result": []any{m{"user": "me", "auth": m{"refreshToken": "x", "n": 1.0}}}},
			m{"result": []any{m{"user": "me", "auth": m{"refreshToken": Mark, "n": 1.0}}}},
		},
		"9.4 all of a list, and what is in it": {
			"eval",
			m{"result": m{"password": []any{"x", m{"old": "y"}}}},
			m{"result": m{"password": []any{Mark, m{"old": Mark}}}},
		},
		"9.4 headers": {
			"network requests",
			m{"headers": m{"Authorization": "zz", "Accept": "*/*", "Cookie": "a=b"}},
			m{"headers": m{"Authorization": Mark, "Accept": "*/*", "Cookie": Mark}},
		},
		"9.4 headers as a list": {
			"network request",
			[]any{m{"name": "X-Api-Key", "value": "zz"}, m{"name": "Accept", "value": "*/*"}},
			[]any{m{"name": "X-Api-Key", "value": Mark}, m{"name": "Accept", "value": "*/*"}},
		},
		"9.4 by how a text looks": {"eval", m{"result": "Bearer abc123def"}, m{"result": "Bearer " + Mark}},
		"9.4 rows have their lines": {
			"batch",
			[]any{m{"command": []any{"cookies", "set", "a", "v"}, "success": true}},
			[]any{m{"command": []any{"cookies", "set", "a", Mark}, "success": true}},
		},
		"9.6 benign data": {
			"eval",
			m{"result": m{"key": "Enter", "code": "KeyA", "secret": true, "tokens": 3.0}},
			m{"result": m{"key": "Enter", "code": "KeyA", "secret": true, "tokens": 3.0}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, New(nil, nil).Data(tt.command, tt.in))
		})
	}
}

func TestWhatWasNotSecretIsShared(t *testing.T) {
	t.Parallel()
	in := map[string]any{
		"refs":     map[string]any{"e1": map[string]any{"name": "Go", "role": "button"}},
		"snapshot": `- button "Go" [ref=e1]`,
	}
	require.False(t, changed(New(nil, nil).Data("snapshot", in), in))
}

// An address that a caller asked for has its secret, whatever that looks like: this one begins as keys of a cloud do.
func TestAddressThatIsHandedOut(t *testing.T) {
	t.Parallel()
	stream := live.Stream{Enabled: true, URL: "ws://127.0.0.1:34473/AKIAMG765U4I672BEYKU6AYKXS"}
	r := New([]string{"stream", "enable"}, nil)
	require.Equal(t, stream, r.Data("stream enable", stream))
	require.Equal(t, "WebSocket: "+stream.URL, r.Text("WebSocket: "+stream.URL))
	require.NotContains(t, New([]string{"get", "text"}, nil).Text(stream.URL), "AKIA")
}
