package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// agent is an MCP client that reads and writes the lines itself, so that it sees all that comes.
type agent struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	last  int
	told  []string // the texts of progress notifications
}

// mcp starts a program of the user's that speaks MCP on its standard streams.
func (u *user) mcp(t testing.TB, program string, args ...string) *agent {
	t.Helper()
	cmd := exec.Command(filepath.Join(u.bin, program), args...)
	cmd.Dir, cmd.Env, cmd.Stderr = u.cwd, append(u.environ(), u.env...), os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	a := &agent{t: t, cmd: cmd, in: in, lines: bufio.NewScanner(out)}
	a.lines.Buffer(nil, 64<<20)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	a.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"},
	})
	a.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return a
}

func (a *agent) send(message any) {
	a.t.Helper()
	text, err := json.Marshal(message)
	require.NoError(a.t, err)
	_, err = a.in.Write(append(text, '\n'))
	require.NoError(a.t, err)
}

// begin sends a request, and does not wait for its answer.
func (a *agent) begin(method string, params any) {
	a.t.Helper()
	a.last++
	a.send(map[string]any{"jsonrpc": "2.0", "id": a.last, "method": method, "params": params})
}

// ask sends a request and returns its result. Every line that comes has to be a message.
func (a *agent) ask(method string, params any) map[string]any {
	a.t.Helper()
	a.begin(method, params)
	for a.lines.Scan() {
		var m struct {
			JSONRPC string
			ID      int
			Result  map[string]any
			Error   any
			Method  string
			Params  struct{ Message string }
		}
		require.NoError(a.t, json.Unmarshal(a.lines.Bytes(), &m), "%s", a.lines.Text())
		require.Equal(a.t, "2.0", m.JSONRPC)
		if m.Method == "notifications/progress" {
			a.told = append(a.told, m.Params.Message)
		}
		if m.ID == a.last {
			require.Nil(a.t, m.Error)
			return m.Result
		}
	}
	a.t.Fatalf("no answer to %s: %v", method, a.lines.Err())
	return nil
}

// do runs a command line that has to succeed, and returns its text.
func (a *agent) do(args ...string) string {
	a.t.Helper()
	r := a.ask("tools/call", map[string]any{"name": "agent_browser", "arguments": map[string]any{"args": args}})
	text := ""
	for _, item := range r["content"].([]any) {
		s, _ := item.(map[string]any)["text"].(string)
		text += s
	}
	require.NotEqual(a.t, true, r["isError"], "%v: %s", args, text)
	return text
}

// ends waits until the program has ended.
func (a *agent) ends() error {
	a.t.Helper()
	done := make(chan error, 1)
	go func() {
		for a.lines.Scan() { // what it still says
		}
		done <- a.cmd.Wait()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(callLimit):
		a.t.Fatal("the program does not end")
		return nil
	}
}

// The client becomes the program that serves, and both are the same. When the agent closes its end everything is gone;
// newUser looks for that.
func TestMCPOverStandardStreams(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"skua", "skuad"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			u.env = []string{"SKUA_SOCKET_DIR=/dev/null"} // no socket can be below a file
			a := u.mcp(t, program, "mcp")
			a.do("open", paperPage)
			require.Contains(t, a.do("snapshot", "-i"), "@e1"[1:])
			a.do("click", "@e1")
			require.Contains(t, a.do("get", "title"), "Two")
			require.NotEmpty(t, browsers(a.cmd.Process.Pid), "it holds the browser itself")
			require.NoError(t, a.in.Close())
			require.NoError(t, a.ends())
		})
	}
}

// However it ends, in the middle of a call too, its browser ends with it.
func TestMCPIsEnded(t *testing.T) {
	t.Parallel()
	ways := map[string]func(*agent){
		"stdin is closed": func(a *agent) { _ = a.in.Close() },
		"SIGTERM":         func(a *agent) { _ = a.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGKILL":         func(a *agent) { _ = a.cmd.Process.Kill() },
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			began := make(chan struct{}, 10)
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/began" {
					began <- struct{}{}
				}
			}))
			t.Cleanup(server.Close)
			a := u.mcp(t, "skua", "mcp")
			a.do("open", server.URL)
			running := browsers(a.cmd.Process.Pid)
			require.NotEmpty(t, running)
			a.begin("tools/call", map[string]any{"name": "agent_browser", "arguments": map[string]any{
				"args":      []string{"wait", "--fn", "(window.asked ||= fetch('/began'), false)", "--timeout", "50000"},
				"timeoutMs": 55000,
			}})
			<-began
			end(a)
			_ = a.ends()
			require.Eventually(t, func() bool {
				for _, p := range processes() {
					for _, r := range running {
						if p.pid == r.pid && p.start == r.start {
							return false
						}
					}
				}
				return true
			}, callLimit, 20*time.Millisecond)
		})
	}
}

// served starts a server and returns its address and token.
func (u *user) served(t *testing.T, args ...string) (cmd *exec.Cmd, address string) {
	t.Helper()
	cmd = exec.Command(filepath.Join(u.bin, "skua"), args...)
	cmd.Dir, cmd.Env = u.cwd, append(u.environ(), "SKUA_MCP_TOKEN=secret")
	return cmd, serving(t, cmd)
}

// serving starts the command of a server, which ends with the test, and returns its address.
func serving(t *testing.T, cmd *exec.Cmd) (address string) {
	t.Helper()
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "Serving MCP on "); ok {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return after
		}
	}
	t.Fatal("it does not serve")
	return ""
}

// request sends a request with the token, and returns the answer's text.
func request(t *testing.T, method, url string) (status int, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer secret")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(body)
}

// What watches a container has no token, and learns with one command or request whether the service works.
func TestServeHealth(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	check := func(address string) (string, error) {
		cmd, cancel := u.command("serve", "--check", "--http", address)
		defer cancel()
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	cmd, address := u.served(t, "serve", "--http", "127.0.0.1:0", "--profile-dir", u.cwd+"/kept")
	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/mcp")
	out, err := check(host)
	require.NoError(t, err, out)
	_, port, err := net.SplitHostPort(host)
	require.NoError(t, err)
	out, err = check("0.0.0.0:" + port)
	require.NoError(t, err, out)
	reply, err := http.Get("http://" + host + healthPath)
	require.NoError(t, err)
	require.NoError(t, reply.Body.Close())
	require.Equal(t, http.StatusOK, reply.StatusCode)

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	out, err = check(host)
	require.Error(t, err)
	require.Contains(t, out, "it does not answer")

	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	out, err = check(other.Listener.Addr().String())
	require.Error(t, err)
	require.Contains(t, out, "another program answers there")
}

// Logins outlive tasks and the service, killed or not; what is bridged is a task of the service.
func TestServeKeepsLogins(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Shop</title>")
	}))
	t.Cleanup(site.Close)
	u := newUser(t)
	u.env = []string{"SKUA_MCP_TOKEN=secret"}
	start := func() (*exec.Cmd, string) {
		return u.served(t, "serve", "--http", "127.0.0.1:0", "--profile-dir", u.cwd+"/kept")
	}
	cmd, address := start()
	base := strings.TrimSuffix(address, "/mcp")
	one := u.mcp(t, "skua", "mcp", "--serve", base, "--task", "one")
	two := u.mcp(t, "skua", "mcp", "--serve", base, "--task", "two")
	one.do("open", site.URL)
	one.do("eval", `document.cookie = "user=ann; max-age=10000"; document.cookie = "cart=full"`)
	two.do("open", site.URL)
	require.Contains(t, two.do("eval", "document.cookie"), "user=ann")
	one.do("tab", "new", site.URL, "--label", "cart")
	status, text := request(t, http.MethodGet, base+"/tasks")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `"one-cart"`)
	require.Contains(t, text, `"two-t1"`)
	status, text = request(t, http.MethodGet, base+"/metrics")
	require.Equal(t, http.StatusOK, status)
	for _, line := range []string{
		`skua_commands_total{command="open",code=""} 2`, `skua_command_seconds_count{command="open"} 2`, "skua_tasks 2",
		"skua_tabs 3",
		`skua_browser_launches_total{outcome="ok"} 1`, "skua_browser_losses_total 0",
		"# TYPE process_resident_memory_bytes gauge",
	} {
		require.Contains(t, text, line+"\n")
	}
	status, _ = request(t, http.MethodDelete, base+"/tasks/one")
	require.Equal(t, http.StatusNoContent, status)
	_, text = request(t, http.MethodGet, base+"/tasks")
	require.NotContains(t, text, "one")
	require.Contains(t, two.do("get", "title"), "Shop")

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	cmd, address = start()
	again := u.mcp(t, "skua", "mcp", "--serve", address, "--task", "two")
	again.do("open", site.URL)
	require.Contains(t, again.do("eval", "document.cookie"), "user=ann")
	require.Contains(t, again.do("eval", "document.cookie"), "cart=full", "although it would end with the browser")

	again.do("eval", `document.cookie = "user=bob; max-age=10000"`)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	_, address = start()
	last := u.mcp(t, "skua", "mcp", "--serve", address, "--task", "two")
	last.do("open", site.URL)
	require.Contains(t, last.do("eval", "document.cookie"), "user=bob",
		"the browser writes its profile when its owner is killed")
}

func TestServingHelp(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, name := range []string{"mcp", "serve"} {
		cmd, cancel := u.command(name, "--help")
		out, err := cmd.Output()
		cancel()
		require.NoError(t, err)
		require.Contains(t, string(out), "Usage: skua "+name)
	}
	cmd, cancel := u.command("batch", "mcp")
	defer cancel()
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "a program of its own")
	for _, flag := range [][]string{{"--slim"}, {"--tools", "browser"}, {"--http", "127.0.0.1:0"}} {
		cmd, cancel := u.command(append([]string{"mcp", "--serve", "http://127.0.0.1:1"}, flag...)...)
		out, err := cmd.CombinedOutput()
		cancel()
		require.Error(t, err)
		require.Contains(t, string(out), flag[0]+" has no effect with --serve")
	}
	cmd, cancel = u.command("mcp", "--bogus")
	defer cancel()
	out, err = cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "--bogus")
}
