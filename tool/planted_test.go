package tool_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/testport"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// sowing plants a secret in each place where one can come in, and keeps all that comes out.
type sowing struct {
	*caller
	manager *session.Manager
	log     *lockedBuffer
	state   string // the tool's folder
	site    *httptest.Server
	secrets []string
	out     map[string]string // by where it came out
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

const plantedPage = `<!doctype html><title>Fields</title>
	<input id=a type=password><input id=b type=password><input id=c type=password><label>Hush <input id=d type=password></label>
	<input id=e type=password><input id=f style="-webkit-text-security:disc"><input id=g type=password disabled><input id=h type=password readonly>
	<input id=i type=password><input id=j type=password onkeydown="if (event.key === 'Enter') location = '/gone'"><p>Text</p>`

func newSowing(t *testing.T) *sowing {
	t.Helper()
	s := &sowing{log: &lockedBuffer{}, state: filepath.Join(t.TempDir(), "state"), out: map[string]string{}}
	s.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/login":
			_, _ = io.WriteString(w,
				`<!doctype html><title>Sign in</title><form method=post action=/in><input name=email type=email><input name=pass type=password><button>Sign in</button></form>`)
		case "/in":
			_, _ = io.WriteString(w, `<!doctype html><title>In</title><a href=/out>Sign out</a>`)
		case "/basic":
			if _, _, ok := r.BasicAuth(); !ok {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = io.WriteString(w, `<!doctype html><title>Basic</title>`)
		default:
			_, _ = io.WriteString(w, plantedPage)
		}
	}))
	t.Cleanup(s.site.Close)
	var err error
	s.manager, err = session.New(session.Options{
		Registry: catalog.Registry(),
		Log:      slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	require.NoError(t, err)
	t.Cleanup(func() { s.manager.Close(context.Background()) })
	s.caller = newCallerWith(t, tool.Options{
		SessionID: t.Name(), Backend: backend.OnManager(s.manager), StateDir: s.state,
		Env: map[string]string{"SKUA_KEYRING": "off"},
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	return s
}

// secret is a new one, named for where it is planted.
func (s *sowing) secret(where string) string {
	value := "pl4nted-" + where
	s.secrets = append(s.secrets, value)
	return value
}

// plant makes a call, and keeps its result.
func (s *sowing) plant(p contract.Params) *contract.Result {
	s.t.Helper()
	r := s.call(p)
	raw, err := json.Marshal(r)
	require.NoError(s.t, err)
	s.out[fmt.Sprintf("reply %d", len(s.out))] = string(raw)
	return r
}

func (s *sowing) run(args ...string) { s.t.Helper(); s.plant(contract.Params{Args: args}) }

// must is run of what has to succeed, so that the secret went where it is meant for.
func (s *sowing) must(args ...string) {
	s.t.Helper()
	r := s.plant(contract.Params{Args: args})
	require.False(s.t, r.IsError, "%v: %s", args, textOf(r))
}

// raw runs a command past the tool, which would take out what it knows, and keeps the reply.
func (s *sowing) raw(args ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	var out strings.Builder
	s.manager.Do(ctx, session.Request{Args: args, Cwd: s.dir, Getenv: func(name string) string {
		return map[string]string{"HOME": s.dir}[name]
	}}).Write(&out, &out)
	s.out["raw "+strings.Join(args, " ")] = out.String()
	return out.String()
}

// board is what the dashboard's page gets.
func (s *sowing) board() {
	s.t.Helper()
	var started struct {
		Data struct {
			URLs []string `json:"access_urls"`
		} `json:"data"`
	}
	reply := s.raw("dashboard", "start", "--port", testport.Free(s.t), "--json")
	require.NoError(s.t, json.Unmarshal([]byte(reply), &started))
	require.NotEmpty(s.t, started.Data.URLs, reply)
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	person := &http.Client{Jar: jar, Timeout: time.Minute}
	entry, err := person.Get(started.Data.URLs[0])
	require.NoError(s.t, err)
	require.NoError(s.t, entry.Body.Close())
	at, err := url.Parse(started.Data.URLs[0])
	require.NoError(s.t, err)
	events, err := person.Get("http://" + at.Host + "/api/events")
	require.NoError(s.t, err)
	defer events.Body.Close()
	var seen strings.Builder
	for buffer := make([]byte, 64<<10); !strings.Contains(seen.String(), "\n\n"); {
		n, err := events.Body.Read(buffer)
		seen.Write(buffer[:n])
		require.NoError(s.t, err)
	}
	require.Contains(s.t, seen.String(), "fill", "the dashboard shows commands")
	s.out["dashboard"] = seen.String()
}

// files are those that came to be in the caller's folders.
func (s *sowing) files(dirs ...string) {
	s.t.Helper()
	for _, dir := range dirs {
		require.NoError(s.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			s.out["file "+path] = string(content)
			return err
		}))
	}
}

// Each place where a secret can come in gets one of its own; then all that came out is searched for them.
func TestSecretsStayInside(t *testing.T) {
	s := newSowing(t)
	page := s.site.URL + "/"
	s.must("--debug", "open", page)
	s.must("network", "har", "start")

	// Into fields that do not show what they hold: by each command, alone, in a batch, in a job, by a script, and where it
	// fails.
	s.must("fill", "#a", s.secret("fill"))
	s.must("type", "#b", s.secret("type"))
	s.must("find", "label", "Hush", "fill", s.secret("find"))
	s.must("fill", "#f", s.secret("disc"))
	s.must("focus", "#e")
	s.must("keyboard", "type", s.secret("keyboard"))
	s.must("keyboard", "inserttext", s.secret("insert"))
	s.run("fill", "#g", s.secret("disabled"))
	s.run("type", "#h", s.secret("readonly"))
	s.must("type", "#j", s.secret("leaving")+"\n")
	s.must("open", page)
	batch := [][]string{
		{"fill", "#a", s.secret("batch-fill")},
		{"type", "#b", s.secret("batch-type")},
		{"find", "label", "Hush", "fill", s.secret("batch-find")},
		{"focus", "#i"},
		{"keyboard", "type", s.secret("batch-keyboard")},
		{"get", "value", "#a"},
		{"cookies", "set", "b", s.secret("batch-cookie")},
		{"fill", "#g", s.secret("batch-disabled")},
		{"click", "#nothing", "--timeout", "1000"},
	}
	s.plant(contract.Params{Args: []string{"batch"}, Stdin: jsonOf(t, batch), OutputPath: new("out/batch.json")})
	s.must("batch", "fill #a "+s.secret("batch-words"), "get title")
	s.plant(contract.Params{Job: json.RawMessage(`{"steps":[{"action":"fill","selector":"#a","text":"` + s.secret("job") +
		`"}]}`)})
	s.plant(contract.Params{SemanticAction: json.RawMessage(`{"action":"fill","locator":"label","value":"Hush","text":"` +
		s.secret("semantic") + `"}`)})
	s.plant(contract.Params{Script: new(`await browser({args: ["open", "` + page +
		`"]}); const r = await browser({args: ["fill", "#a", "` + s.secret("script") + `"]}); emit(r)`)})
	s.must("get", "value", "#a")
	s.must("get", "attr", "#a", "value")
	s.must("snapshot")

	// As what servers, cookies and storage get.
	s.must("set", "credentials", s.secret("user"), s.secret("credentials"))
	s.must("set", "headers", `{"X-Api-Key":"`+s.secret("headers")+`"}`)
	s.must("open", page, "--headers", `{"Authorization":"Bearer `+s.secret("open-headers")+`"}`)
	s.must("cookies", "set", "sid", s.secret("cookie"))
	s.must("storage", "local", "set", "k", s.secret("local"))
	s.must("storage", "session", "set", "k", s.secret("session"))
	s.must("clipboard", "write", s.secret("clipboard"))
	s.must("network", "route", "**/never", "--body", s.secret("body"), "--header", "X-A: "+s.secret("route-header"))
	s.must("network", "route", "**/never2", "--request-header", "X-A: "+s.secret("route-request"))
	s.must("network", "route", "--help")
	s.run("cookies", "set", "a", "b", s.secret("surplus"))
	s.must("open", strings.Replace(s.site.URL, "://", "://ann:"+s.secret("address")+"@", 1)+"/basic")
	s.must("tab", "list")
	s.must("get", "url")
	s.must("reload")

	// Logins.
	s.must("auth", "save", "one", "--url", s.site.URL+"/login", "--username", "ann@example.com", "--password",
		s.secret("password"))
	s.plant(contract.Params{Args: []string{
		"auth", "save", "two", "--url", s.site.URL + "/login", "--username",
		"ann@example.com", "--password-stdin",
	}, Stdin: new(s.secret("stdin"))})
	s.must("auth", "login", "one")
	s.must("auth", "login", "two")
	s.must("auth", "show", "two")

	s.must("network", "requests")
	s.must("network", "har", "stop", "--redact", "out/capture.har")
	s.must("network", "requests", "--json")
	s.plant(contract.Params{Args: []string{"journal"}, OutputPath: new("out/journal.json")})
	var listed struct {
		Data struct {
			Sessions []string `json:"sessions"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.raw("session", "list", "--json")), &listed))
	require.NotEmpty(t, listed.Data.Sessions)
	for _, name := range listed.Data.Sessions {
		for _, line := range [][]string{
			{"journal", "--json"},
			{"journal"},
			{"journal", "export", "sh"},
			{"journal", "export", "playwright"},
			{"tab", "list", "--json"},
			{"session", "info", "--json"},
			{"journal", "replay", "--dry-run"},
			{"console", "--json"},
			{"network", "requests", "--json"},
		} {
			s.raw(append([]string{"--session", name}, line...)...)
		}
	}
	s.board()
	s.files(s.dir, s.state)
	s.out["log"] = s.log.String()

	for where, text := range s.out {
		for _, secret := range s.secrets {
			for form, value := range map[string]string{
				"itself": secret, "base64": base64.StdEncoding.EncodeToString([]byte("ann:" + secret)),
				"escaped": url.QueryEscape(secret + "\n"),
			} {
				if i := strings.Index(text, value); i >= 0 {
					t.Errorf("%s (%s) came out in %s: …%s…", secret, form, where, text[max(0, i-200):min(len(text), i+len(value)+60)])
				}
			}
		}
	}
}
