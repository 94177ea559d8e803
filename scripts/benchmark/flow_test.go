//go:build linux

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// scripted is a server whose one tool answers each command line with what the test says, and fails when it begins with
// "!".
func scripted(t *testing.T, answers map[string][]string) *agent {
	t.Helper()
	backend := mcp.NewServer(&mcp.Implementation{Name: "scripted", Version: "1"}, nil)
	backend.AddTool(&mcp.Tool{Name: "agent_browser", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var p struct{ Args []string }
			if err := json.Unmarshal(r.Params.Arguments, &p); err != nil {
				return nil, err
			}
			line := strings.Join(p.Args, " ")
			if len(answers[line]) == 0 {
				return &mcp.CallToolResult{
					IsError: true,
					Content: []mcp.Content{&mcp.TextContent{Text: "unexpected: " + line}},
				}, nil
			}
			text := answers[line][0]
			answers[line] = answers[line][1:]
			text, failed := strings.CutPrefix(text, "!")
			return &mcp.CallToolResult{IsError: failed, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	here, there := mcp.NewInMemoryTransports()
	serving, err := backend.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, session.Close())
		_ = serving.Wait()
	})
	p := &peer{program: program{name: "scripted"}, vocabulary: skuaWords}
	return &agent{server: &server{side: side{program: &p.program}, peer: p, session: session}}
}

func TestAgentRecovers(t *testing.T) {
	t.Parallel()
	const before, after, gone = `- button "Go" [ref=e1]`, `- button "Go" [ref=e7]`, `- button "Stop" [ref=e8]`
	tests := []struct {
		name    string
		answers map[string][]string
		want    cost
		fails   error
	}{
		{"nothing stale", map[string][]string{"click @e1": {"done"}}, cost{Calls: 2, Bytes: len(before) + 4}, nil},
		{
			"stale, and there again",
			map[string][]string{"click @e1": {"!@e1 is stale"}, "snapshot -i": {after}, "click @e7": {"done"}},
			cost{Calls: 4, Bytes: len(before) + 12 + len(after) + 4, Stale: 1, Recovered: 1, Failed: 1},
			nil,
		},
		{
			"stale, and gone",
			map[string][]string{"click @e1": {"!Unknown ref: e1"}, "snapshot -i": {gone}},
			cost{Calls: 3, Bytes: len(before) + 15 + len(gone), Stale: 1, Failed: 1},
			errNotThere,
		},
		{
			"stale twice",
			map[string][]string{"click @e1": {"!@e1 is stale"}, "snapshot -i": {after}, "click @e7": {"!@e7 is stale"}},
			cost{Calls: 4, Bytes: len(before) + 12 + len(after) + 12, Stale: 2, Failed: 2},
			errStale,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.answers["snapshot -i"] = append([]string{before}, test.answers["snapshot -i"]...)
			a := scripted(t, test.answers)
			require.NoError(t, a.look(t.Context()))
			err := a.press(t.Context(), "Go")
			if test.fails == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, test.fails)
			}
			require.Equal(t, test.want, a.cost)
		})
	}
	t.Run("another failure is not stale", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {before}, "click @e1": {"!it is covered"}})
		require.NoError(t, a.look(t.Context()))
		err := a.press(t.Context(), "Go")
		require.ErrorContains(t, err, "covered")
		require.NotErrorIs(t, err, errStale)
		require.Equal(t, 2, a.cost.Calls)
	})
	t.Run("a snapshot that came too early", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {gone, before}, "click @e1": {"done"}})
		require.NoError(t, a.look(t.Context()))
		require.NoError(t, a.press(t.Context(), "Go"))
		require.Equal(t, cost{Calls: 3, Bytes: len(gone) + len(before) + 4, Again: 1}, a.cost)
	})
	t.Run("a text that is there when it is asked for again", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {before}, "get text body": {"!not found", "Thank you"}})
		require.NoError(t, a.find(t.Context(), "Thank you", "get", "text", "body"))
		require.Equal(t, cost{Calls: 3, Bytes: 9 + len(before) + 9, Again: 1, Failed: 1}, a.cost)
	})
	t.Run("a text that never comes", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {before}, "get text body": {"Wait", "Wait"}})
		require.ErrorIs(t, a.find(t.Context(), "Thank you", "get", "text", "body"), errNotThere)
	})
	t.Run("what a reply shows is not looked at again", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"click @e1": {after}, "click @e7": {"done"}})
		a.views = []string{before}
		require.NoError(t, a.seeOn(t.Context(), "click", "button", "Go"))
		require.NoError(t, a.press(t.Context(), "Go"))
		require.Equal(t, cost{Calls: 2, Bytes: len(after) + 4}, a.cost)
	})
	t.Run("what no reply shows is looked at", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"click @e1": {"done"}, "snapshot -i": {gone}})
		a.peer.observe, a.peer.refsStand = nil, false
		a.views = []string{before}
		require.NoError(t, a.seeOn(t.Context(), "click", "button", "Go"))
		require.Equal(t, []string{gone}, a.views)
		require.Equal(t, cost{Calls: 2, Bytes: 4 + len(gone)}, a.cost)
	})
	t.Run("what was seen earlier serves while its refs stand", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {before, gone}, "click @e1": {"done"}})
		require.NoError(t, a.look(t.Context()))
		require.NoError(t, a.look(t.Context()))
		require.NoError(t, a.press(t.Context(), "Go"))
		require.Equal(t, 3, a.cost.Calls)
	})
	t.Run("what the replies do not show is not known", func(t *testing.T) {
		t.Parallel()
		a := scripted(t, map[string][]string{"snapshot -i": {before}})
		require.NoError(t, a.look(t.Context()))
		require.ErrorIs(t, a.sees("Thank you"), errNotThere)
		require.Equal(t, 1, a.cost.Calls, "nothing was called for it")
	})
}

func TestTabOfAList(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ said, want string }{
		"lines": {"t1 Inbox http://x/w/k/inbox\n→ t2 Reply http://x/w/k/reply", "t2"},
		"JSON": {
			"{\n \"tabId\": \"t1\",\n \"url\": \"http://x/w/k/inbox\"\n}, {\n \"tabId\": \"t12\",\n \"title\": \"Reply\",\n " +
				"\"url\": \"http://x/w/k/reply\"", "t12",
		},
		"none": {"t1 Inbox http://x/w/k/inbox", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := (&agent{said: test.said}).tab("w/k/reply")
			require.Equal(t, test.want, got)
			require.Equal(t, test.want == "", err != nil)
		})
	}
}

// The applications do what a browser makes of them, and nothing for those who have not earned it.
func TestOffice(t *testing.T) {
	t.Parallel()
	s, err := openSite()
	require.NoError(t, err)
	t.Cleanup(s.close)
	base := s.base + "/w/k/"
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar}
	read := func(r *http.Response, err error) string {
		t.Helper()
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return string(text)
	}
	require.Contains(t, read(client.Get(base+"account")), "<h1>Sign in</h1>", "without a session")
	require.Contains(t, read(client.PostForm(base+"session", url.Values{"user": {user}, "password": {"wrong"}})),
		"Wrong user name")
	require.Zero(t, s.count("k", "session"))
	require.Contains(t, read(client.PostForm(base+"session", url.Values{"user": {user}, "password": {password}})),
		"Welcome back, Ada")
	require.Equal(t, 1, s.count("k", "session"))

	require.Contains(t, read(client.PostForm(base+"address", url.Values{"name": {"A"}})), "<h1>Delivery</h1>")
	require.Contains(t, read(client.Get(base+"figures?region=North")), "Errors today in Billing: 517")
	require.Equal(t, reportText, read(client.Get(base+"report.csv")))
	request, err := http.NewRequest(http.MethodPut, base+"did/seat", strings.NewReader(`"12"`))
	require.NoError(t, err)
	read(client.Do(request))

	a := &agent{server: &server{side: side{site: s, token: "k"}}}
	require.NoError(t,
		all(happened("session", user), happened("address", "name=A"), happened("seat", "12"))(t.Context(), a))
	read(client.PostForm(base+"address", url.Values{"name": {"A"}}))
	require.ErrorContains(t, happened("address", "name=A")(t.Context(), a), "2 times")
}

func TestFlowsReport(t *testing.T) {
	t.Parallel()
	done := attempt{cost: cost{Calls: 3, Bytes: 100}, Milliseconds: 5}
	failed := attempt{cost: cost{Calls: 5, Bytes: 300, Stale: 1}, Milliseconds: 9, Failure: "no"}
	rows := []flowRow{{flow: flow{name: "login", title: "sign in"}, peers: [][]attempt{{done, done}, {done, failed}}}}
	var table strings.Builder
	require.NoError(t,
		flowsTable(rows, []string{"skua", "agent-browser"}, aims{"50 calls", "0.50", "0.70"}).WriteText(&table))
	var lines [][]string
	for line := range strings.Lines(table.String()) {
		lines = append(lines, strings.Fields(line))
	}
	require.Equal(t, [][]string{
		strings.Fields("Work by done calls bytes read failed calls stale refs recovered looked again time"),
		strings.Fields("sign in skua yes 3 100 0 0 0 0 5 ms"),
		strings.Fields("sign in agent-browser no 4 200 0 0 0 0 7 ms"),
		strings.Fields("all skua 1 of 1 3 100 0 5 ms"),
		strings.Fields("all agent-browser 0 of 1 4 200 0 7 ms"),
		strings.Fields("ratio 0.75 (target: 50 calls) 0.50 (target: 0.50) 0.71 (target: 0.70)"),
	}, lines)
	require.NoError(t, ourFailure(rows))
	rows[0].peers[0] = append(rows[0].peers[0], failed)
	require.ErrorContains(t, ourFailure(rows), "login: no")
	var text strings.Builder
	require.NoError(t, writeFlowsJSON(&text, rows, []string{"skua", "agent-browser"}, nil, machine{}))
	var back jsonFlows
	require.NoError(t, json.Unmarshal([]byte(text.String()), &back))
	require.Equal(t, rows[0].peers[1], back.Flows[0].Attempts["agent-browser"])
}
