package interception

import (
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
)

// If a browser cannot be given a proxy, each request is paused until the rules have decided (domain Fetch). What
// Chromium 156 does not pause is blocked in other ways:
//   - A sandboxed frame with srcdoc gets a process of its own that does not wait for the debugger, so its first
//     requests are sent before pausing starts. But it inherits the Content-Security-Policy of its parent document, and
//     each document gets one that lists the allowed hosts before it has any content. Network.setBlockedURLs gets the
//     same patterns; the first match decides. What these block is not reported.
//   - Neither covers WebSockets: their constructor refuses other hosts, in every document and worker.
//   - Workers may run before they get any of it: they have a policy of their own, see gateworkers.go.
//   - WebRTC and WebTransport are invisible to the protocol. Their constructors are removed from every document and
//     worker before a script of the page runs.
//   - Shared workers belong to no page, and popups start before they are attached to. The browser makes all new targets
//     wait for the debugger.
//
// Connections without a request (preconnect, DNS prefetch) are not covered.

// without takes from a global object what would go round the rules.
const without = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'RTCIceGatherer', 'TCPSocket', 'UDPSocket'])
	delete globalThis[name];`

// gatedSocket puts a constructor in the place of WebSocket's that opens none to other hosts. It is called with the
// hosts as URL patterns have them.
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

// contentPolicy is the Content-Security-Policy of documents of a browser without a proxy of ours: it forbids nothing
// but other hosts. Sources know no IPv6 addresses; 'self' stands for that of the document. Empty means that there is no
// list of hosts.
func (g *Rules) contentPolicy() string {
	if g == nil || !g.PausesAll() || g.Hosts == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(
		"default-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob: filesystem: mediastream:")
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

// confine puts a policy into a document: into one that is empty yet by way of a head that is gone again at once, since
// what was said stays.
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

// newDocumentScript are the parameters of Page.addScriptToEvaluateOnNewDocument.
type newDocumentScript struct {
	Source      string `json:"source"`
	Immediately bool   `json:"runImmediately"`
}

// Confine returns the calls that keep from a document or worker what is not paused, for the pages of a browser that has
// no proxy of ours. They need domain Network.
func (g *Rules) Confine() ([]cdp.Call, error) {
	var blocked []blockPattern
	source := without
	if g.Hosts != nil {
		hosts, err := json.Marshal(g.Hosts)
		if err != nil {
			return nil, err
		}
		source += "(" + gatedSocket + ")(" + string(hosts) + ")"
		for _, scheme := range []string{"http", "https", "ws", "wss"} {
			for _, host := range g.Hosts {
				blocked = append(blocked, blockPattern{scheme + "://" + host + "/*", false})
			}
			blocked = append(blocked, blockPattern{scheme + "://*:*/*", true})
		}
		policy, err := json.Marshal(g.contentPolicy())
		if err != nil {
			return nil, err
		}
		source += ";" + confine + "(" + string(policy) + ")"
		if policy, err = json.Marshal(g.workerPolicy()); err != nil {
			return nil, err
		}
		source += ";" + gatedAnswers + "(" + string(policy) + ")"
	}
	calls := []cdp.Call{
		{Method: "Page.addScriptToEvaluateOnNewDocument", Params: newDocumentScript{source, true}},
		{Method: "Runtime.evaluate", Params: map[string]string{"expression": source}},
	}
	if len(blocked) > 0 {
		calls = append(calls, cdp.Call{
			Method: "Network.setBlockedURLs",
			Params: map[string][]blockPattern{"urlPatterns": blocked},
		})
	}
	return calls, nil
}
