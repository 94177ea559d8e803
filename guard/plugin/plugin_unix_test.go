//go:build unix

package plugin

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprogram"
)

// script makes a plugin of a shell script, which has its request in the file request beside it.
func script(t *testing.T, text string, capabilities ...string) (*Plugin, Host) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "plugin")
	testprogram.Write(t, file, "#!/bin/sh\ncat > request\nenv > environment\n"+text+"\n")
	return &Plugin{Name: "p", Command: file, Capabilities: capabilities}, Host{Dir: dir, Getenv: func(k string) string {
		return map[string]string{
			"PATH": "/usr/bin:/bin", "SKUA_ENCRYPTION_KEY": "key-of-the-vault", "WANTED": "1",
			"UNWANTED": "2",
		}[k]
	}}
}

const yes = `{"protocol":"agent-browser.plugin.v1","success":true`

func answers(rest string) string { return "printf '%s' '" + yes + rest + "}'" }

func request1(t *testing.T, h Host) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.Dir, "request"))
	require.NoError(t, err)
	return string(text)
}

// The requests are, byte by byte, those that agent-browser 0.41.2 makes.
func TestRequests(t *testing.T) {
	t.Parallel()
	p, h := script(t, answers(`,"credential":{"username":"u","password":"hunter2","otp":"123456","url":"https://a/"}`),
		CredentialRead)
	c, err := h.Credential(t.Context(), p, "my-app", "It em", "http://127.0.0.1:18431/")
	require.NoError(t, err)
	require.Equal(t, &Credential{Username: "u", Password: "hunter2", OTP: "123456", URL: "https://a/"}, c)
	require.Equal(t,
		`{"capability":"credential.read","protocol":"agent-browser.plugin.v1","request":{"itemRef":"It em","profileName":"my-app",`+
			`"url":"http://127.0.0.1:18431/"},"type":"credential.resolve"}`, request1(t, h))
	_, err = h.Credential(t.Context(), p, "my-app", "", "")
	require.NoError(t, err)
	require.Contains(t, request1(t, h), `"request":{"itemRef":null,"profileName":"my-app","url":null}`)

	p, h = script(t, answers(`,"data":{"a":1}`), CommandRun)
	raw, err := h.Run(t.Context(), p, "foo.bar", json.RawMessage(`{"a":1}`))
	require.NoError(t, err)
	require.JSONEq(t, yes+`,"data":{"a":1}}`, string(raw))
	require.Equal(t,
		`{"capability":"command.run","protocol":"agent-browser.plugin.v1","request":{"a":1},"type":"foo.bar"}`,
		request1(t, h))

	p, h = script(t, answers(`,"browser":{"wsUrl":"ws://127.0.0.1:1/x","cleanup":{"id":7}}`), BrowserProvider)
	b, err := h.Launch(t.Context(), p, "q2", BrowserOptions{Engine: "chrome"})
	require.NoError(t, err)
	require.Equal(t, "ws://127.0.0.1:1/x", b.Address)
	require.Equal(t,
		`{"capability":"browser.provider","protocol":"agent-browser.plugin.v1","request":{"launchOptions":{"colorScheme":null,"engine":"chrome",`+
			`"headed":false,"userAgent":null},"provider":"p","session":"q2"},"type":"browser.launch"}`, request1(t, h))
	require.NoError(t, h.Close(t.Context(), p, "q2", b))
	require.Contains(t, request1(t, h), `"cleanup":{"id":7}`)
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	p, h := script(t, answers(""), CommandRun)
	p.Env = []string{"WANTED", "SKUA_ENCRYPTION_KEY"}
	_, err := h.Run(t.Context(), p, "a.b", nil)
	require.NoError(t, err)
	env, err := os.ReadFile(filepath.Join(h.Dir, "environment"))
	require.NoError(t, err)
	require.Contains(t, string(env), "WANTED=1")
	require.NotContains(t, string(env), "UNWANTED")
	require.NotContains(t, string(env), "key-of-the-vault")
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text, says string
	}{
		"it says so": {
			`printf '%s' '{"protocol":"agent-browser.plugin.v1","success":false,"error":"no item hunter2"}'`,
			"returned success=false",
		},
		"it fails":         {"echo hunter2 >&2; exit 3", "exited unsuccessfully"},
		"no JSON":          {"echo hunter2", "returned invalid JSON"},
		"nothing":          {"", "returned invalid JSON"},
		"another protocol": {`printf '%s' '{"protocol":"hunter2","success":true}'`, "used unsupported protocol"},
		"no login":         {answers(""), "returned no login"},
		"another form":     {answers(`,"credential":"hunter2"`), "does not match the protocol"},
		"too much":         {"head -c 9000000 /dev/zero", "more than 4 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, h := script(t, tt.text, CredentialRead)
			_, err := h.Credential(t.Context(), p, "a", "", "")
			require.True(t, fault.Is(err, fault.PluginFailed), err)
			require.Contains(t, err.Error(), tt.says)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
	_, h := script(t, "")
	_, err := h.Run(t.Context(), &Plugin{Name: "p", Command: "/nonexistent", Capabilities: []string{CommandRun}}, "a.b",
		nil)
	require.True(t, fault.Is(err, fault.PluginFailed), err)
}

// A plugin that does not answer ends with all that it started.
func TestDeadline(t *testing.T) {
	t.Parallel()
	p, h := script(t, "sleep 600 & echo $! > child; wait", CommandRun)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := h.Run(ctx, p, "a.b", nil); ended <- err }()
	var pid int
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(filepath.Join(h.Dir, "child"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	}, 30*time.Second, 10*time.Millisecond)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ")
	}, 30*time.Second, 10*time.Millisecond)

	late, cancelLate := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancelLate()
	_, err := h.Run(late, p, "a.b", nil)
	require.True(t, fault.Is(err, fault.PluginFailed), err)
}

// What a plugin does not declare it is not called for.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	p, h := script(t, answers(""), CommandRun)
	for _, kind := range []string{
		"credential.read", "credential.resolve", "launch.mutate", "browser.launch",
		"plugin.manifest",
	} {
		_, err := h.Run(t.Context(), p, kind, nil)
		require.True(t, fault.Is(err, fault.Usage), kind)
	}
	_, err := Set{*p}.For("p", CredentialRead)
	require.True(t, fault.Is(err, fault.PluginNotFound), err)
	_, err = Set{*p}.For("q", CommandRun)
	require.True(t, fault.Is(err, fault.PluginNotFound), err)
	p.Capabilities = []string{"captcha.solve"}
	_, err = h.Run(t.Context(), p, "other.thing", nil)
	require.True(t, fault.Is(err, fault.PluginNotFound), err)
	require.NoFileExists(t, filepath.Join(h.Dir, "request"))
	_, err = h.Run(t.Context(), p, "captcha.solve", nil)
	require.NoError(t, err)
}
