package interception

import (
	"net/http"
	"slices"
)

// A dedicated worker gets the overrides while it waits for the debugger, through the session of its page. If the page
// navigates at that moment, Chromium ends the session and lets the worker run until it is destroyed, without the
// overrides. To be safe in that race, each worker has a Content-Security-Policy before its first line runs:
//   - The response with its script gets one when it is paused. Domain Fetch reports such a script only as type Other.
//   - Workers of blob: and data: URLs inherit their creator's.
//   - Chromium does not pause the script of a worker that another worker creates from a URL: the creator's policy
//     forbids these.
//   - What a service worker answers is not paused either: the service worker itself adds the policy.
//
// Service workers get the overrides through the browser's own session, which no page ends. Their scripts get no policy,
// because the browser keeps them, with their headers, for longer than the session has its rules.

const typeOther = "Other"

// workerPolicy is the Content-Security-Policy of dedicated and shared workers that are loaded from somewhere; empty:
// there is no list of hosts.
func (g *Rules) workerPolicy() string {
	if policy := g.contentPolicy(); policy != "" {
		return policy + "; worker-src blob: data:"
	}
	return ""
}

// workerPolicy is the policy that the answer to a request gets; empty means none, since it is the script of no worker.
func (q *pausedRequest) workerPolicy() string {
	if q.ResourceType != typeOther || q.Request.Method != http.MethodGet || q.header("Service-Worker") != "" {
		return ""
	}
	return q.of.Rules().workerPolicy()
}

// confined are the headers of an answer, with the policy of a worker behind what the server itself has said.
func (q *pausedRequest) confined(headers []HeaderField) []HeaderField {
	if policy := q.workerPolicy(); policy != "" {
		return append(slices.Clip(headers), HeaderField{"Content-Security-Policy", policy})
	}
	return headers
}

// gatedAnswers has a service worker put a policy into the scripts of workers that it answers with. Routes that it
// declares are answered from its caches without it: it may declare none.
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
