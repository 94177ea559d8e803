package network_test

import (
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// replaySite tells in its responses what it was sent.
func replaySite() string {
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("rest") {
		case "api":
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			if strings.Contains(string(body), "bad") {
				w.WriteHeader(http.StatusBadRequest)
			}
			_ = json.NewEncoder(w).Encode(map[string]any{
				"method": r.Method, "body": string(body), "cookie": r.Header.Get("Cookie"), "key": r.Header.Get("X-Api-Key"),
				"trace": r.Header.Values("X-Trace"), "origin": r.Header.Get("Origin"), "query": r.URL.RawQuery,
			})
		default:
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3cret", Path: "/"})
			sessiontest.WritePage(w, "<!doctype html><title>Replay</title>")
		}
	})
}

// asked opens the page of replaySite, which sends a request, and returns that.
func asked(t *testing.T, body string) (c *sessiontest.Client, folder, id string) {
	t.Helper()
	folder = replaySite()
	c = host.NewClient(t)
	c.Do("network", "requests", "--clear")
	c.Do("open", site.URL(folder+"page"))
	c.Page(fmt.Sprintf(`fetch("api?a=[1]&b=it's", {method: "POST", body: %q,
		headers: {"X-Api-Key": "k-123", "X-Trace": "one", "Content-Type": "application/json"}}).then((r) => r.text())`, body))
	return c, folder, c.RequestTo("b=it%27s")["requestId"].(string)
}

// echoed is what the server of replaySite was sent.
type echoed struct {
	Method, Body, Cookie, Key, Origin, Query string
	Trace                                    []string
}

func echo(t *testing.T, data any) (reply object, got echoed) {
	t.Helper()
	reply = sessiontest.Decode[object](t, data)
	require.NoError(t, json.Unmarshal([]byte(reply["responseBody"].(string)), &got), reply)
	return reply, got
}

func TestNetworkReplay(t *testing.T) {
	t.Parallel()
	c, _, id := asked(t, `{"n":1}`)

	res := c.Do("network", "replay", id).Result
	reply, got := echo(t, res.Data)
	require.Equal(t, "POST", got.Method)
	require.Equal(t, `{"n":1}`, got.Body)
	require.Equal(t, "sid=s3cret", got.Cookie, "the browser sends its cookies")
	require.Equal(t, "k-123", got.Key)
	require.Equal(t, []string{"one"}, got.Trace)
	require.Equal(t, "a=[1]&b=it%27s", got.Query)
	require.Equal(t, true, reply["sameBody"])
	require.Equal(t, id, reply["replayed"])
	require.NotEqual(t, id, reply["requestId"], "it is a request of its own")
	require.Contains(t, res.Text, "is ["+id+"] again; the body is the same as before")
	require.Contains(t, c.Do("network", "requests").Result.Text, reply["requestId"], "and in the log")

	res = c.Do("network", "replay", id, "--method", "put", "--body", "bad", "--header", "X-Trace: two",
		"--header", "X-Api-Key:", "--header", "X-Trace: three").Result
	reply, got = echo(t, res.Data)
	require.Equal(t, echoed{
		Method: "PUT", Body: "bad", Cookie: "sid=s3cret", Origin: got.Origin, Query: got.Query,
		Trace: []string{"two, three"},
	}, got)
	require.EqualValues(t, 400, reply["status"])
	require.EqualValues(t, 200, reply["statusBefore"])
	require.Equal(t, []any{"method", "body", "X-Trace", "X-Api-Key"}, reply["changed"])
	require.Contains(t, res.Text, "with another method, body, X-Trace, X-Api-Key; the status was 200; the body is another")
}

func TestNetworkReplayRefuses(t *testing.T) {
	t.Parallel()
	c, folder, id := asked(t, "x")
	page := c.RequestTo("/page")["requestId"].(string)
	for _, tt := range []struct {
		name, says string
		code       fault.Code
		args       []string
	}{
		{"unknown", "Request not found", fault.Usage, []string{"9.9"}},
		{"cookie", "`cookies set` changes", fault.Usage, []string{id, "--header", "Cookie: a=b"}},
		{"host", "the browser itself sets", fault.Usage, []string{id, "--header", "Host: a"}},
		{"no header", "there is no colon", fault.Usage, []string{id, "--header", "nothing"}},
		{"method", "not an HTTP method", fault.Usage, []string{id, "--method", "a b"}},
		{"body of a GET", "--method", fault.Usage, []string{page, "--body", "x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := c.In(t).Fails(tt.code, append([]string{"network", "replay"}, tt.args...)...)
			require.Contains(t, err.Error(), tt.says)
		})
	}
	c.Do("open", site.Elsewhere(folder+"page"))
	err := c.Fails(fault.TargetUnsuitable, "network", "replay", id)
	require.Contains(t, err.Error(), "its tab shows no page of "+strings.TrimSuffix(site.URL("/"), "/"))
}

// A request that is sent again goes the way that the page's requests go: through routes, and as the rules allow.
func TestNetworkReplayRouted(t *testing.T) {
	t.Parallel()
	c, _, id := asked(t, "x")
	c.Do("network", "route", "/api", "--abort", "--reason", "connectionrefused")
	res := c.Do("network", "replay", id).Result
	require.Equal(t, "net::ERR_CONNECTION_REFUSED", sessiontest.Decode[object](t, res.Data)["failure"])
	require.Contains(t, res.Text, "Status: failed: net::ERR_CONNECTION_REFUSED")
	c.Do("network", "unroute")
	c.Do("network", "route", "/api", "--body", "routed", "--content-type", "text/plain")
	require.Equal(t, "routed", sessiontest.Decode[object](t, c.Do("network", "replay", id).Result.Data)["responseBody"])
}

func TestNetworkRequestAsCode(t *testing.T) {
	t.Parallel()
	body := `{"who":"it's","n":` + "\"`\"}"
	c, _, id := asked(t, body)
	code := func(as string, flags ...string) (code, notes string) {
		reply := c.Do(append([]string{"network", "request", id, "--as", as}, flags...)...)
		return sessiontest.Decode[object](t, reply.Result.Data)["code"].(string), sessiontest.Notes(reply)
	}
	for _, as := range []string{"curl", "fetch", "go", "har"} {
		masked, notes := code(as)
		if as != "har" { // whose response has what the server was sent
			require.NotContains(t, masked, "k-123")
			require.NotContains(t, masked, "s3cret")
		}
		require.Contains(t, masked, "(hidden)")
		require.Contains(t, notes, "--secrets writes them")
		whole, _ := code(as, "--secrets")
		require.Contains(t, whole, "k-123")
	}
	sent := func(out []byte, err error) echoed {
		require.NoError(t, err, string(out))
		var got echoed
		require.NoError(t, json.Unmarshal(out, &got), string(out))
		return got
	}
	want := echoed{
		Method: "POST", Body: body, Cookie: "sid=s3cret", Key: "k-123", Trace: []string{"one"},
		Query: "a=[1]&b=it%27s", Origin: strings.TrimSuffix(site.URL("/"), "/"),
	}

	if _, err := exec.LookPath("curl"); err == nil {
		text, _ := code("curl", "--secrets")
		out, err := exec.Command("sh", "-c", strings.Replace(text, "curl ", "curl --silent ", 1)).Output()
		require.Equal(t, want, sent(out, err))
	}

	text, _ := code("go", "--secrets")
	formatted, err := format.Source([]byte(text))
	require.NoError(t, err, text)
	require.Equal(t, string(formatted), text, "it is written as gofmt writes it")
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	run := exec.Command("go", "run", file)
	out, err := run.Output()
	require.Equal(t, want, sent(out, err))

	text, _ = code("fetch", "--secrets")
	reply := c.Do("eval", "const r = "+text+"; return r.text()")
	var got echoed
	require.NoError(t, json.Unmarshal(
		[]byte(sessiontest.Decode[object](t, reply.Result.Data)["result"].(string)), &got))
	require.Equal(t, want, got)

	text, _ = code("har", "--secrets")
	var file1 struct {
		Log struct {
			Entries []struct {
				Request  struct{ PostData struct{ Text string } }
				Response struct{ Content struct{ Text string } }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &file1))
	require.Len(t, file1.Log.Entries, 1)
	require.Equal(t, body, file1.Log.Entries[0].Request.PostData.Text)
	require.Contains(t, file1.Log.Entries[0].Response.Content.Text, "k-123")

	require.Contains(t, c.Fails(fault.Usage, "network", "request", id, "--secrets").Error(), "--as")
	require.Contains(t, c.Fails(fault.Usage, "network", "request", id, "--as", "go", "--body-file", "x").Error(), "one of")
}
