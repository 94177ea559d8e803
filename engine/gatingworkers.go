package engine

import (
	"net/http"
	"slices"
)

// A dedicated worker is told what stands while it waits, by the session of the page that has it. When the page goes on at that moment, Chromium
// ends the session and has the worker run for as long as it still lives, whoever has told it nothing. So that no worker stands on who wins,
// each has a policy of its own before its first line:
//   - The answer with its script gets one as it comes by. Domain Fetch says of such a script no more than that it is Other.
//   - What is made of blob: and data: addresses inherits that of its maker.
//   - Chromium pauses no script of a worker that a worker makes of an address: such a one is forbidden by its maker's policy.
//   - What a service worker answers is not paused either: the service worker itself puts the policy into it.
//
// Service workers are told by the browser's own session, which no page ends. Their scripts get nothing: the browser keeps those, with their
// headers, for longer than the session has its rules.

const typeOther = "Other"

// workerPolicy is the Content-Security-Policy of dedicated and shared workers that are loaded from somewhere; empty: there is no list of hosts.
func (g *Gating) workerPolicy() string {
	if policy := g.contentPolicy(); policy != "" {
		return policy + "; worker-src blob: data:"
	}
	return ""
}

// workerPolicy is the policy that the answer to a request gets; empty: none, since it is the script of no worker.
func (q *pausedRequest) workerPolicy() string {
	if q.ResourceType != typeOther || q.Request.Method != http.MethodGet || q.header("Service-Worker") != "" {
		return ""
	}
	return q.ctxt.gating.rules.Load().workerPolicy()
}

// confined are the headers of an answer, with the policy of a worker behind what the server itself has said.
func (q *pausedRequest) confined(headers []HeaderField) []HeaderField {
	if policy := q.workerPolicy(); policy != "" {
		return append(slices.Clip(headers), HeaderField{"Content-Security-Policy", policy})
	}
	return headers
}

// gatedAnswers has a service worker put a policy into the scripts of workers that it answers with. Routes that it declares are answered from
// its caches without it: it may declare none.
const gatedAnswers = `(policy => {
	if (!globalThis.FetchEvent || FetchEvent.gated) return;
	const method = f => Function.prototype.call.bind(f); // pages may redefine what others call
	const read = (of, name) => method(Object.getOwnPropertyDescriptor(of.prototype, name).get);
	const request = read(FetchEvent, 'request'), destination = read(Request, 'destination');
	const body = read(Response, 'body'), status = read(Response, 'status'), statusText = read(Response, 'statusText'), fields = read(Response, 'headers');
	const Answer = Response, Fields = Headers, append = method(Headers.prototype.append), respondWith = method(FetchEvent.prototype.respondWith);
	const confined = async answer => {
		const a = await answer, headers = new Fields(fields(a));
		append(headers, 'Content-Security-Policy', policy);
		return new Answer(body(a), {status: status(a), statusText: statusText(a), headers});
	};
	const gated = {respondWith(answer) {
		const to = destination(request(this));
		return respondWith(this, to === 'worker' || to === 'sharedworker' ? confined(answer) : answer);
	}}.respondWith;
	Object.defineProperty(FetchEvent.prototype, 'respondWith', {value: gated, writable: false, configurable: false});
	Object.defineProperty(FetchEvent, 'gated', {value: true});
	if (globalThis.InstallEvent) delete InstallEvent.prototype.addRoutes;
})`
