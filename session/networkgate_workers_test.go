package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a worker says of itself: what its policies have forbidden, and whether it may ask others and the server of the
// page. The browser tells of what it has forbidden a little later.
const confession = `
	const said = new Set, tell = globalThis.postMessage ? m => postMessage(m) : m => port.postMessage(m);
	addEventListener('securitypolicyviolation', e =>
		said.add(new URL(e.blockedURI).hostname + ' forbidden by ' + (e.originalPolicy === "connect-src 'none'" ? 'the server' : 'us')));
	const ask = async (u, by) => {
		const came = await fetch(u, {mode: 'no-cors'}).then(() => 'reached', () => 'refused'), host = new URL(u).hostname;
		for (let n = 0; n < 100 && came === 'refused' && !said.has(host + ' forbidden by ' + by); n++) await new Promise(turn => setTimeout(turn));
		return host + ' ' + came;
	};
	const confess = async () => {
		const answers = [await ask('http://evil.localhost:1/', 'us'), await ask(ORIGIN + '/blank', 'the server')];
		tell([...said, ...answers].join(', '));
	};`

// A worker may run before it gets the overrides. It has a policy of its own, so the outcome of that race does not
// matter.
func TestWorkersHaveAPolicyOfTheirOwn(t *testing.T) {
	var origin string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		run := strings.NewReplacer("ORIGIN", "'"+origin+"'").Replace(confession)
		script := func(text string) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = fmt.Fprint(w, text)
		}
		switch r.URL.Path {
		case "/worker.js", "/module.js", "/moved.js":
			script(run + "confess();")
		case "/strict.js":
			w.Header().Set("Content-Security-Policy", "connect-src 'none'")
			script(run + "confess();")
		case "/moving.js":
			http.Redirect(w, r, "/moved.js", http.StatusFound)
		case "/nesting.js":
			script("new Worker('/worker.js').onerror = () => postMessage('forbidden');")
		case "/nestingblob.js":
			script("new Worker(URL.createObjectURL(new Blob([`" + run + "confess();`]))).onmessage = e => postMessage(e.data);")
		case "/service.js":
			script("let port;" + run + `onmessage = e => { port = e.ports[0]; confess(); };
				onfetch = e => {
					if (e.request.destination !== 'worker') return;
					e.respondWith(new Response(` + strconv.Quote(run+"confess();") +
				`, {headers: {'Content-Type': 'text/javascript'}}));
				};`)
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, `<!doctype html><title>page</title><script>
				const heard = w => new Promise(done => { w.onmessage = e => done(e.data); w.onerror = e => done('error'); });
				const inBlob = `+"`"+run+`confess();`+"`"+`;
				const service = async () => {
					const r = await navigator.serviceWorker.register('/service.js', {scope: '/served/'}), s = r.installing || r.waiting || r.active;
					if (s.state !== 'activated') await new Promise(done => s.onstatechange = () => s.state === 'activated' && done());
					return s;
				};
				const asked = s => { const c = new MessageChannel; s.postMessage(1, [c.port2]); return heard(c.port1); };
			</script>`)
		}
	}))
	t.Cleanup(server.Close)
	origin = "http://good.localhost:" + server.URL[strings.LastIndex(server.URL, ":")+1:]
	c := newService(t, t.TempDir()).task()
	c.Do("--allowed-domains", onlyGood, "open", origin+"/")
	const own = "evil.localhost forbidden by us, evil.localhost refused, good.localhost reached"
	for _, tt := range []struct{ name, made, said string }{
		{"from an address", "heard(new Worker('/worker.js'))", own},
		{"as a module", "heard(new Worker('/module.js', {type: 'module'}))", own},
		{"from an address that is elsewhere", "heard(new Worker('/moving.js'))", own},
		{
			"with a policy of the server", "heard(new Worker('/strict.js'))",
			"evil.localhost forbidden by the server, evil.localhost forbidden by us, good.localhost forbidden by the server, " +
				"evil.localhost refused, good.localhost refused",
		},
		{"from a blob", "heard(new Worker(URL.createObjectURL(new Blob([inBlob]))))", own},
		{"from an address that holds it", "heard(new Worker('data:text/javascript,' + encodeURIComponent(inBlob)))", own},
		{"of a worker, from an address", "heard(new Worker('/nesting.js'))", "forbidden"},
		{"of a worker, from a blob", "heard(new Worker('/nestingblob.js'))", own},
		{"of a service worker", "service().then(() => heard(new Worker('/served/made.js')))", own},
		{
			"a service worker itself, which the browser keeps", "service().then(asked)",
			"evil.localhost refused, good.localhost reached",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, strconv.Quote(tt.said), c.Do("eval", tt.made).Result.Text)
		})
	}
	c.Do("network", "route", "**/routed.js", "--body",
		"addEventListener('securitypolicyviolation', () => postMessage('confined'));fetch('http://evil.localhost:1/')",
		"--content-type", "text/javascript")
	require.Equal(t, `"confined"`, c.Do("eval", "heard(new Worker('/routed.js'))").Result.Text,
		"an answer of ours has the policy, too")
}
