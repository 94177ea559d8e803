package mcp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// watching is a page whose state a test sees: it asks the test's own server when a call works in it.
func watching(t *testing.T) (address string, asked <-chan struct{}) {
	t.Helper()
	waits := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case waits <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, waits
}

// poll asks for a task until it is no longer in a state.
func poll(t *testing.T, url, id, while string, header map[string]string) map[string]any {
	t.Helper()
	for deadline := time.Now().Add(callLimit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		// a client can only poll
		_, answer := post(t, url, "tasks/get", fmt.Sprintf(`{"taskId":%q,%s}`, id, knowsTasks), header)
		if task := result(t, answer); task["status"] != while {
			return task
		}
	}
	require.Fail(t, "the task stays", "%s", while)
	return nil
}

func TestLongCallsAreTasks(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{Patience: time.Nanosecond})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	mine := map[string]string{mcp.TaskHeader: "mine"}
	post(t, url, "tools/call", line("", "--confirm-actions", "click", "open", site.Show(ruledPage)), mine)
	start := func(args ...string) string {
		_, answer := post(t, url, "tools/call", line(knowsTasks, args...), mine)
		r := result(t, answer)
		require.Equal(t, "task", r["resultType"], "%v", r)
		require.Equal(t, "working", r["status"])
		require.Positive(t, r["ttlMs"])
		return r["taskId"].(string)
	}

	t.Run("its result", func(t *testing.T) {
		task := poll(t, url, start("get", "title"), "working", mine)
		require.Equal(t, "completed", task["status"], "%v", task)
		require.Contains(t, fmt.Sprint(task["result"]), "clean")
		require.Equal(t, "complete", task["result"].(map[string]any)["resultType"])
	})
	t.Run("a failure of the command", func(t *testing.T) {
		task := poll(t, url, start("get", "text", "#nowhere"), "working", mine)
		require.Equal(t, "completed", task["status"])
		require.Equal(t, true, task["result"].(map[string]any)["isError"])
	})
	t.Run("a question", func(t *testing.T) {
		id := start("click", "#h")
		task := poll(t, url, id, "working", mine)
		require.Equal(t, "input_required", task["status"], "%v", task)
		for key := range task["inputRequests"].(map[string]any) {
			_, answer := post(t, url, "tasks/update",
				fmt.Sprintf(`{"taskId":%q,"inputResponses":{%q:{"action":"accept","content":{"allow":true}}},%s}`, id, key,
					knowsTasks), mine)
			require.Equal(t, "complete", result(t, answer)["resultType"])
		}
		task = poll(t, url, id, "working", mine)
		require.Equal(t, "completed", task["status"], "%v", task)
		task = poll(t, url, start("get", "title"), "working", mine)
		require.Contains(t, fmt.Sprint(task["result"]), "clicked")
	})
	t.Run("canceled", func(t *testing.T) {
		address, asked := watching(t)
		id := start("wait", "--fn", "fetch('"+address+"', {mode: 'no-cors'}) && false", "--timeout", "170000")
		<-asked // the page works at it
		_, answer := post(t, url, "tasks/cancel", fmt.Sprintf(`{"taskId":%q,%s}`, id, knowsTasks), mine)
		require.Equal(t, "complete", result(t, answer)["resultType"])
		began := time.Now()
		require.Equal(t, "cancelled", poll(t, url, id, "working", mine)["status"])
		task := poll(t, url, start("get", "title"), "working", mine) // the session is free
		require.Equal(t, "completed", task["status"])
		require.Less(t, time.Since(began), 100*time.Second)
	})
	t.Run("asked for by others", func(t *testing.T) {
		id := start("get", "title")
		_, answer := post(t, url, "tasks/get", fmt.Sprintf(`{"taskId":%q,%s}`, id, knowsTasks),
			map[string]string{mcp.TaskHeader: "others"})
		require.EqualValues(t, -32602, failureCode(answer), "%v", answer)
		_, answer = post(t, url, "tasks/get", fmt.Sprintf(`{"taskId":%q}`, id), mine)
		require.EqualValues(t, -32021, failureCode(answer), "%v", answer)
		_, answer = post(t, url, "tasks/get", fmt.Sprintf(`{"taskId":%q,%s}`, id, knowsTasks),
			map[string]string{mcp.TaskHeader: "mine", "Mcp-Name": "another"})
		require.EqualValues(t, -32020, failureCode(answer), "%v", answer)
	})
	t.Run("a client without tasks", func(t *testing.T) {
		_, answer := post(t, url, "tools/call", line("", "get", "title"), mine)
		require.Equal(t, "complete", result(t, answer)["resultType"])
	})
	t.Run("their owner goes", func(t *testing.T) {
		address, asked := watching(t)
		start("wait", "--fn", "fetch('"+address+"', {mode: 'no-cors'}) && false", "--timeout", "170000")
		<-asked
		began := time.Now()
		s.Close()
		require.Zero(t, tools.live.Load())
		require.Less(t, time.Since(began), 100*time.Second)
	})
}
