package engine

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// If a browser cannot be given a proxy, each request is paused until the rules have decided (domain Fetch). What Chromium 156 does not pause is
// blocked in other ways:
//   - A sandboxed frame with srcdoc gets a process of its own that does not wait for the debugger, so its first requests are sent before pausing
//     starts. But it inherits the Content-Security-Policy of its parent document, and each document gets one that lists the allowed hosts before it
//     has any content. Network.setBlockedURLs gets the same patterns; the first match decides. What these block is not reported.
//   - Neither covers WebSockets: their constructor refuses other hosts, in every document and worker.
//   - Workers may run before they get any of it: they have a policy of their own, see gateworkers.go.
//   - WebRTC and WebTransport are invisible to the protocol. Their constructors are removed from every document and worker before a script of the
//     page runs.
//   - Shared workers belong to no page, and popups start before they are attached to. The browser makes all new targets wait for the debugger.
//
// Connections without a request (preconnect, DNS prefetch) are not covered.

const gateKey = "gate"

// without takes from a global object what would go round the rules.
const without = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'RTCIceGatherer', 'TCPSocket', 'UDPSocket'])
	delete globalThis[name];`

// gatedSocket puts a constructor in the place of WebSocket's that opens none to other hosts. It is called with the hosts as URL patterns have them.
const gatedSocket = `(hosts) => {
	const Native = globalThis.WebSocket, Address = URL, Refused = DOMException, text = String, base = () => globalThis.location?.href;
	const slice = Function.prototype.call.bind(String.prototype.slice); // pages may redefine what others call
	if (!Native || Native.gated) return;
	const read = name => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Address.prototype, name).get);
	const hostname = read('hostname'), portOf = read('port'), protocol = read('protocol'), href = read('href');
	const list = hosts.map(h => { const at = h.lastIndexOf(':'); return [h.slice(0, at), h.slice(at + 1)]; });
	const allowed = u => {
		for (let i = 0; i < list.length; i++) {
			const host = list[i][0], port = list[i][1], below = host[0] === '*';
			const scheme = protocol(u), own = portOf(u) || (scheme === 'wss:' || scheme === 'https:' ? '443' : '80');
			const tail = below ? slice(host, 1) : host;
			if ((below ? slice(hostname(u), -tail.length) === tail : hostname(u) === tail) && (port === '*' || port === own)) return true;
		}
		return false;
	};
	function WebSocket(url, protocols) {
		if (!new.target) throw new TypeError("Failed to construct 'WebSocket': Please use the 'new' operator");
		const u = new Address(text(url), base());
		if (!allowed(u)) throw new Refused('WebSocket blocked: ' + hostname(u), 'SecurityError');
		return protocols === undefined ? new Native(href(u)) : new Native(href(u), protocols);
	}
	WebSocket.prototype = Native.prototype;
	for (const name of ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED']) Object.defineProperty(WebSocket, name, {value: Native[name], enumerable: true});
	Object.defineProperty(WebSocket, 'gated', {value: true});
	Object.defineProperty(Native.prototype, 'constructor', {value: WebSocket, writable: false, configurable: false});
	Object.defineProperty(globalThis, 'WebSocket', {value: WebSocket, writable: false, configurable: false});
}`

// contentPolicy is the Content-Security-Policy of documents of a browser without a proxy of ours: it forbids nothing but other hosts. Sources
// know no IPv6 addresses; 'self' stands for that of the document. Empty: there is no list of hosts.
func (g *GateOptions) contentPolicy() string {
	if g == nil || !g.all() || g.Hosts == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("default-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob: filesystem: mediastream:")
	for _, host := range g.Hosts {
		if strings.HasPrefix(host, "[") {
			continue
		}
		for _, scheme := range []string{"http", "https", "ws", "wss"} {
			b.WriteString(" " + scheme + "://" + host)
		}
	}
	b.WriteString("; webrtc 'block'")
	return b.String()
}

// confine puts a policy into a document: into one that is empty yet by way of a head that is gone again at once, since what was said stays.
const confine = `(policy => {
	if (!globalThis.document) return;
	const xhtml = 'http://www.w3.org/1999/xhtml';
	const meta = document.createElementNS(xhtml, 'meta');
	meta.setAttribute('http-equiv', 'Content-Security-Policy');
	meta.setAttribute('content', policy);
	if (document.head) {
		document.head.append(meta);
		meta.remove();
	} else if (!document.documentElement) {
		const html = document.createElementNS(xhtml, 'html'), head = document.createElementNS(xhtml, 'head');
		html.append(head);
		document.append(html);
		head.append(meta);
		html.remove();
	}
})`

// blockPattern is an entry of Network.setBlockedURLs.
type blockPattern struct {
	URLPattern string `json:"urlPattern"`
	Block      bool   `json:"block"`
}

// gateSockets has what is not paused kept from the pages of a browser that has no proxy of ours.
func (c *Context) gateSockets(ctx context.Context, rules *GateOptions) error {
	if err := c.NeedNetwork(ctx, nil, gateKey, NetworkBuffers{}); err != nil {
		return err
	}
	var blocked []blockPattern
	source := without
	if rules.Hosts != nil {
		hosts, err := json.Marshal(rules.Hosts)
		if err != nil {
			return err
		}
		source += "(" + gatedSocket + ")(" + string(hosts) + ")"
		for _, scheme := range []string{"http", "https", "ws", "wss"} {
			for _, host := range rules.Hosts {
				blocked = append(blocked, blockPattern{scheme + "://" + host + "/*", false})
			}
			blocked = append(blocked, blockPattern{scheme + "://*:*/*", true})
		}
		said, err := json.Marshal(rules.contentPolicy())
		if err != nil {
			return err
		}
		source += ";" + confine + "(" + string(said) + ")"
		if said, err = json.Marshal(rules.workerPolicy()); err != nil {
			return err
		}
		source += ";" + gatedAnswers + "(" + string(said) + ")"
	}
	calls := []cdp.Call{
		{Method: "Page.addScriptToEvaluateOnNewDocument", Params: map[string]any{"source": source, "runImmediately": true}},
		{Method: "Runtime.evaluate", Params: map[string]any{"expression": source}},
	}
	if len(blocked) > 0 {
		calls = append(calls, cdp.Call{Method: "Network.setBlockedURLs", Params: map[string]any{"urlPatterns": blocked}})
	}
	if err := c.SetOverride(ctx, nil, gateKey, &Override{Calls: calls, Frames: true, Workers: true}); err != nil {
		return err
	}
	return c.browser.holdNewTargets(ctx)
}

// holdNewTargets makes new targets of a browser wait until they have the overrides: popups of our pages, and workers that belong to no page.
func (b *Browser) holdNewTargets(ctx context.Context) error {
	b.mu.Lock()
	if b.waiting.swept {
		b.mu.Unlock()
		return nil
	}
	b.waiting.asked = true
	b.waiting.sweeping++
	b.mu.Unlock()
	_, err := b.root.CallRaw(ctx, target.CommandSetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Type: "service_worker"}, {Exclude: true}},
	})
	b.mu.Lock()
	b.waiting.sweeping--
	b.waiting.swept = b.waiting.swept || err == nil
	b.mu.Unlock()
	if fault.Is(err, fault.Protocol) {
		return fault.New(fault.ConnectFailed, "this browser cannot be made to keep to hosts: it does not let new pages wait: %w", err).
			WithHint("Leave --allowed-domains and --block-private out, or let skua start the browser.")
	}
	return err
}

// workerAlone attaches to a worker that belongs to no page, and resumes it once it has the overrides.
func (b *Browser) workerAlone(session string, info target.Info, waiting bool) {
	b.mu.Lock()
	c := b.contextOfLocked(info)
	b.mu.Unlock()
	if c == nil || c.gating.rules.Load() == nil {
		b.letWorkerGo(session)
		return
	}
	sess := b.conn.Session(session)
	sess.Tap(func(ev cdp.Event) { c.onFetch(nil, sess, ev) })
	for _, call := range c.overridesFor(WorkerSession) {
		sess.Start(call.Method, call.Params)
	}
	if waiting {
		sess.Start(runCall.Method, nil)
	}
}
