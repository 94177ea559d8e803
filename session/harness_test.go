package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// The page tests (files commands_*_test.go) run whole command lines in one host, whose sessions share one browser. Each test has a
// session of its own, a page from testdata/pages or written in the test, and reads from the page, the server or the disk what the
// command did there. What a command says of itself is only looked at where the saying is what is tested.

func TestMain(m *testing.M) {
	if folder := os.Getenv(mortalFolder); folder != "" {
		os.Exit(runMortal(folder))
	}
	os.Exit(withHost(m.Run))
}

// host is the host of all page tests. The first one that asks for it starts it, so that the others of the package need no browser.
var host *lazyHost

type lazyHost struct {
	get   func() *session.Manager
	began atomic.Bool
}

func withHost(run func() int) int {
	// A page test waits for about half of its time: for the browser, or for the patience of a command. More than this makes tests late.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	host = &lazyHost{}
	host.get = sync.OnceValue(func() *session.Manager {
		host.began.Store(true)
		m, err := session.New(session.Options{Registry: catalog.Registry(), Grace: answerPatience})
		if err != nil {
			panic(err)
		}
		// A browser ends with its last session; this one stays.
		ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
		defer cancel()
		if r := m.Do(ctx, session.Request{Args: []string{"--session", "keeper", "open"}}); r.Err != nil {
			panic(r.Err)
		}
		return m
	})
	site = startSite()
	defer site.close()
	defer func() {
		if host.began.Load() {
			host.get().Close(context.Background())
		}
	}()
	return run()
}

// commandLimit bounds each command of a test, so that a hang names its command.
const commandLimit = 3 * time.Minute

// answerPatience is how long pages may take, on a machine that runs many tests, to say what a command saw that ran out of time.
const answerPatience = 2 * time.Second

var lastClient atomic.Int64

// client is a caller with a session of its own.
type client struct {
	t       testing.TB
	host    *session.Manager
	session string
	dir     string            // its working directory
	env     map[string]string // its environment
	seen    string            // its last snapshot, for messages
	kept    *atomic.Bool      // whether a command may have left more than a page in its session; nil: it is not given back
}

// newClient makes a caller whose session ends with the test.
func newClient(t testing.TB) *client {
	t.Helper()
	c := makeClient(t, newSession())
	t.Cleanup(c.closeSession)
	return c
}

func newSession() string { return fmt.Sprintf("test-%d", lastClient.Add(1)) }

func makeClient(t testing.TB, name string) *client {
	t.Helper()
	dir := t.TempDir()
	return &client{t: t, host: host.get(), session: name, dir: dir, env: map[string]string{"HOME": dir}, kept: &atomic.Bool{}}
}

func (c *client) closeSession() {
	reply := c.host.Do(context.Background(), session.Request{Args: []string{"--session", c.session, "close"}})
	require.NoError(c.t, reply.Err)
}

// openedFresh makes a caller that has opened a page of the site in a session of its own.
func openedFresh(t testing.TB, path string) *client {
	t.Helper()
	c := newClient(t)
	c.do("open", site.url(path))
	return c
}

// showingFresh makes a caller that has opened a page with this content in a session of its own.
func showingFresh(t testing.TB, html string) *client {
	t.Helper()
	return openedFresh(t, site.write(html))
}

// in is the same caller in a subtest.
func (c *client) in(t testing.TB) *client {
	sub := *c
	sub.t = t
	return &sub
}

func (c *client) request(stdin string, args []string) session.Request {
	return session.Request{
		Args:   append([]string{"--session", c.session}, args...),
		Cwd:    c.dir,
		Getenv: func(name string) string { return c.env[name] },
		Stdin:  []byte(stdin),
	}
}

// try runs a command.
func (c *client) try(args ...string) session.Reply { return c.tryWith("", args...) }

// tryWith runs a command that reads stdin. The test fails if the reply's data is not as the command's definition says.
func (c *client) tryWith(stdin string, args ...string) session.Reply {
	ctx, cancel := context.WithTimeoutCause(context.Background(), commandLimit, errors.New("the test's own limit: "+strings.Join(args, " ")))
	defer cancel()
	req := c.request(stdin, args)
	reply := c.host.Do(ctx, req)
	if err := checkData(c.host, req, reply); err != nil {
		c.t.Error(err)
	}
	if c.kept != nil && leavesMore(args, reply) {
		c.kept.Store(true)
	}
	return reply
}

// do runs a command that must succeed.
func (c *client) do(args ...string) session.Reply {
	c.t.Helper()
	return c.doWith("", args...)
}

func (c *client) doWith(stdin string, args ...string) session.Reply {
	c.t.Helper()
	reply := c.tryWith(stdin, args...)
	require.NoError(c.t, reply.Err, "%q", args)
	return reply
}

// refusedTargets are the codes of what is said of an element when the patience with it is over.
var refusedTargets = []fault.Code{fault.TargetHidden, fault.TargetCovered, fault.TargetOutside, fault.TargetDisabled, fault.SelectorNotFound}

// fails runs a command that must fail with the code, and returns its error. A refusal is waited for half as long as the product would.
func (c *client) fails(code fault.Code, args ...string) *fault.Error {
	c.t.Helper()
	if slices.Contains(refusedTargets, code) && !slices.Contains(args, "--timeout") {
		args = append([]string{"--timeout", "1000"}, args...)
	}
	return c.failed(c.try(args...), code, args...)
}

func (c *client) failed(reply session.Reply, code fault.Code, args ...string) *fault.Error {
	c.t.Helper()
	require.Error(c.t, reply.Err, "%q said %q", args, reply.Result.Text)
	require.Equal(c.t, code, fault.CodeOf(reply.Err), "%q: %v", args, reply.Err)
	e, ok := errors.AsType[*fault.Error](reply.Err)
	require.True(c.t, ok, "%q: %T", args, reply.Err)
	return e
}

// start runs a command beside the test, which takes its reply from the channel.
func (c *client) start(args ...string) <-chan session.Reply {
	reply := make(chan session.Reply, 1)
	go func() { reply <- c.try(args...) }()
	return reply
}

// await takes the reply of a started command that must succeed.
func (c *client) await(reply <-chan session.Reply) session.Reply {
	c.t.Helper()
	r := <-reply
	require.NoError(c.t, r.Err)
	return r
}

// page is the value of an expression in the page, as JSON decodes it.
func (c *client) page(expression string) any {
	c.t.Helper()
	reply := c.do("eval", expression)
	data := decode[struct{ Result any }](c.t, reply.Result.Data)
	return data.Result
}

// log is what the page wrote into its array `log`, one entry a line.
func (c *client) log() string {
	c.t.Helper()
	return c.page(`log.join("\n")`).(string)
}

// object is a decoded JSON object.
type object = map[string]any

// data runs a command that must succeed and returns its data as in JSON, without its effect.
func (c *client) data(args ...string) object {
	c.t.Helper()
	return withoutEffect(c.t, c.do(args...))
}

func withoutEffect(t testing.TB, reply session.Reply) object {
	t.Helper()
	data := decode[object](t, reply.Result.Data)
	delete(data, "effect")
	return data
}

// effect runs a command that must succeed and returns what it says of its effect.
func (c *client) effect(args ...string) object {
	c.t.Helper()
	effect, ok := decode[object](c.t, c.do(args...).Result.Data)["effect"].(object)
	require.True(c.t, ok, "%q tells no effect", args)
	return effect
}

// decode takes a value through JSON.
func decode[T any](t testing.TB, v any) T {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var out T
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// printed is what a reply shows to its caller.
type printed struct {
	Out, Err string
	Code     int
}

func printedReply(reply session.Reply) printed {
	var out, errOut bytes.Buffer
	code := reply.Write(&out, &errOut)
	return printed{Out: out.String(), Err: errOut.String(), Code: code}
}

// told is all that a reply tells in words.
func told(reply session.Reply) string { return reply.Result.Text + "\n" + notes(reply) }

// notes are the warnings of a reply.
func notes(reply session.Reply) string { return strings.Join(reply.Result.Notes, "\n") }

// refs takes a snapshot and returns the ref of each element by `role "name"`; of several equal ones the first.
func (c *client) refs(args ...string) map[string]string {
	c.t.Helper()
	data := decode[struct {
		Snapshot string
	}](c.t, c.do(append([]string{"snapshot"}, args...)...).Result.Data)
	c.seen = data.Snapshot
	refs := map[string]string{}
	for _, m := range refLine.FindAllStringSubmatch(data.Snapshot, -1) {
		if key := strings.TrimSpace(m[1]); refs[key] == "" {
			refs[key] = "@" + m[2]
		}
	}
	return refs
}

// ref is the ref of one element.
func (c *client) ref(roleAndName string) string {
	c.t.Helper()
	refs := c.refs()
	require.Contains(c.t, refs, roleAndName, "in\n%s", c.seen)
	return refs[roleAndName]
}

var refLine = regexp.MustCompile(`(?m)^ *- (\w+(?: "(?:[^"\\]|\\.)*")?) \[[^\]\n]*?ref=(e\d+)`)
