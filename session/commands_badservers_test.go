package session_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// badServer is a folder of the site whose address `bad` is served badly from the moment at which the test says so.
type badServer struct {
	folder string
	bad    atomic.Bool
	asked  atomic.Int32 // how often it was asked for meanwhile
	posted atomic.Int32
}

// page is what is around the bad address: a link, a form and a frame whose link leads there. It is not kept for `back`.
const badServerPage = `<!doctype html><title>Around</title><a id=link href=bad>Go</a><a id=save href=bad download=f.bin>Save</a>
	<form action=bad method=post><input id=q name=q value=x><button id=send>Send</button></form><iframe srcdoc="<a id=inside href='bad'>Inside</a>"></iframe>`

// serveBadly makes one that answers as the name says.
func serveBadly(t *testing.T, how string) *badServer {
	t.Helper()
	b := &badServer{}
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	b.folder = site.Answering(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if r.PathValue("rest") != "bad" || !b.bad.Load() {
			sessiontest.WritePage(w, badServerPage)
			return
		}
		b.asked.Add(1)
		if r.Method == http.MethodPost {
			b.posted.Add(1)
		}
		hold := func(how context.Context) {
			select {
			case <-how.Done():
			case <-ended:
			case <-site.Ended():
			}
		}
		switch how {
		case "is silent":
			hold(r.Context())
		case "is slow":
			later, cancel := context.WithTimeout(r.Context(), slowAnswer)
			defer cancel()
			hold(later)
			sessiontest.WritePage(w, "<!doctype html><title>Slow</title>")
		case "resets":
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
		case "sends half":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "9000")
			fmt.Fprint(w, "<!doctype html><title>Half</title><p>half"+strings.Repeat(" ", 2000))
			_ = http.NewResponseController(w).Flush()
			hold(r.Context())
		case "redirects for ever":
			http.Redirect(w, r, "bad", http.StatusFound)
		}
	})
	return b
}

// slowAnswer is how long the server takes that is slow, within the time of each command.
const slowAnswer = 400 * time.Millisecond

func (b *badServer) url(path string) string { return site.URL(b.folder + path) }

// badOp is a command that leads to the bad address.
type badOp struct {
	name string
	// command lines before the server turns bad; BAD and PAGE stand for addresses, NEXT for one of another site
	first []string
	args  []string
	moves bool // it loads the address into the tab by itself, so that a failure of the server is one of the command
	posts bool
}

var badOps = []badOp{
	{"open", []string{"open PAGE"}, []string{"open", "BAD"}, true, false},
	{"reload", []string{"open BAD"}, []string{"reload"}, true, false},
	{"back", []string{"open BAD", "open NEXT"}, []string{"back"}, true, false},
	{"click on a link", []string{"open PAGE"}, []string{"click", "#link"}, false, false},
	{"click on a form's button", []string{"open PAGE"}, []string{"click", "#send"}, false, true},
	{"submit", []string{"open PAGE"}, []string{"submit", "#q"}, false, true},
	{"Enter", []string{"open PAGE", "focus #q"}, []string{"press", "Enter"}, false, true},
	{"eval", []string{"open PAGE"}, []string{"eval", "location.href = 'bad'; 1"}, false, false},
	{"find", []string{"open PAGE"}, []string{"find", "text", "Go", "click"}, false, false},
	{"frame", []string{"open PAGE", "frame iframe"}, []string{"click", "#inside"}, false, false},
	{"download", []string{"open PAGE"}, []string{"download", "#save", "f.bin"}, false, false},
}

// badEnd is how a command ends: an error with the code, or none, and what it says.
type badEnd struct {
	code fault.Code
	says string
}

// end is what a command has to say of a server. What it did is done, whatever the server makes of it; only a command
// that loads a page itself fails with it.
func (op *badOp) end(how string) badEnd {
	const reset, circle = "net::ERR_CONNECTION_RESET", "net::ERR_TOO_MANY_REDIRECTS"
	switch op.name {
	case "frame":
		return badEnd{"", "(GET http"}
	case "download":
		return map[string]badEnd{
			"is silent":          {fault.DownloadFailed, "before a slow or silent server answers"},
			"is slow":            {"", "Download saved to"},
			"resets":             {fault.DownloadFailed, "Nothing was saved"},
			"sends half":         {fault.Timeout, "of 9000 bytes"},
			"redirects for ever": {fault.DownloadFailed, "Nothing was saved"},
		}[how]
	}
	if op.moves {
		return map[string]badEnd{
			"is silent":          {fault.Timeout, "no answer came within"},
			"is slow":            {"", "/bad"},
			"resets":             {fault.NavigationFailed, reset},
			"sends half":         {fault.Timeout, "did not finish loading within"},
			"redirects for ever": {fault.NavigationFailed, circle},
		}[how]
	}
	return map[string]badEnd{
		"is silent":          {"", "/bad"},
		"is slow":            {"", "/bad"},
		"resets":             {"", reset},
		"sends half":         {"", "the page is still loading"},
		"redirects for ever": {"", circle},
	}[how]
}

// Whatever a server does, each reply comes by its deadline and is true about what was sent, and the next command on
// another address works at once. SKUA_TEST_LATENESS=1 on a machine that does nothing else holds each reply to 100 ms.
func TestBadServers(t *testing.T) {
	t.Parallel()
	lateness := 10 * time.Second
	if os.Getenv("SKUA_TEST_LATENESS") != "" {
		lateness = 100 * time.Millisecond
	}
	// the time behind a deadline is for the reply: no wait goes on in it
	m := host.StartManager(t, session.Options{Grace: time.Hour})
	for _, how := range []string{"is silent", "is slow", "resets", "sends half", "redirects for ever"} {
		for _, op := range badOps {
			t.Run(how+"/"+op.name, func(t *testing.T) {
				t.Parallel()
				limit := 30 * time.Second
				if how == "is silent" || how == "sends half" { // it is what ends the command
					limit = 2 * time.Second
				}
				b, c := serveBadly(t, how), host.NewClient(t)
				c.Manager = m
				words := strings.NewReplacer("BAD", b.url("bad"), "PAGE", b.url("page"), "NEXT",
					site.Elsewhere(site.Write("<title>Next</title>")))
				for _, line := range op.first {
					c.Do(strings.Fields(words.Replace(line))...)
				}
				b.bad.Store(true)
				args := []string{"--timeout", strconv.FormatInt(limit.Milliseconds(), 10)}
				for _, word := range op.args {
					args = append(args, words.Replace(word))
				}
				began := time.Now()
				reply := c.Try(args...)
				require.Less(t, time.Since(began), limit+lateness)
				want := op.end(how)
				said := sessiontest.Told(reply)
				if want.code != "" {
					said = c.Failed(reply, want.code, args...).Error()
				} else {
					require.NoError(t, reply.Err)
					require.Equal(t, actions.OutcomeDone, reply.Result.Outcome)
				}
				require.Contains(t, said, want.says)
				if how == "is silent" && !op.moves && op.name != "frame" && op.name != "download" && op.name != "eval" {
					nav, _ := sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["navigation"].(object)
					require.Equal(t, true, nav["loading"], "it has not come")
				}
				require.NotContains(t, said, "within 0s")
				require.NotContains(t, said, "Runtime.evaluate")
				require.Eventually(t, func() bool {
					return b.asked.Load() > 0
				}, sessiontest.CommandLimit, time.Millisecond, "the server was asked")
				if op.posts {
					require.Positive(t, b.posted.Load())
				}
				if op.posts && how != "resets" { // Chromium asks again over a new connection
					require.Equal(t, int32(1), b.posted.Load(), "the form was sent once")
				}
				c.Do("open", site.URL(site.Write("<!doctype html><title>Fine</title>")))
				require.Equal(t, "Fine", c.Page("document.title"))
			})
		}
	}
}
