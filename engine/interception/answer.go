package interception

import (
	"encoding/base64"
	"net/http"
)

// goOn lets the request go to the server, with changes to its headers.
func (q *pausedRequest) goOn(changes []HeaderField, answer bool) {
	params := map[string]any{"requestId": q.RequestID}
	answer = answer || q.ResourceType == typeDocument && q.tab != nil && q.of.Rules().HasProxy() || q.workerPolicy() != ""
	if len(changes) > 0 {
		headers := make([]HeaderField, 0, len(q.Request.Headers)+len(changes))
		for name, value := range q.Request.Headers {
			headers = append(headers, HeaderField{name, value})
		}
		params["headers"] = entries(patch(headers, changes))
	}
	if answer {
		params["interceptResponse"] = true
	}
	q.sess.Start("Fetch.continueRequest", params)
}

// goOnAnswered lets the server's answer through, with changes to its headers.
func (q *pausedRequest) goOnAnswered(changes []HeaderField) {
	headers := make([]HeaderField, len(q.Headers))
	for n, h := range q.Headers {
		headers[n] = HeaderField{h.Name, h.Value}
	}
	params := map[string]any{"requestId": q.RequestID, "responseCode": q.Status, "responseHeaders": entries(q.confined(patch(headers, changes)))}
	if q.StatusText != "" {
		params["responsePhrase"] = q.StatusText
	} else {
		params["responsePhrase"] = phrase(q.Status)
	}
	q.sess.Start("Fetch.continueResponse", params)
}

// fail ends the request without an answer.
func (q *pausedRequest) fail(reason string) {
	q.sess.Start("Fetch.failRequest", map[string]string{"requestId": q.RequestID, "errorReason": reason})
}

func (q *pausedRequest) fulfill(a *Answer) {
	q.sess.Start("Fetch.fulfillRequest", map[string]any{
		"requestId": q.RequestID, "responseCode": a.Status, "responsePhrase": phrase(a.Status), "responseHeaders": entries(q.confined(a.Headers)),
		"body": base64.StdEncoding.EncodeToString(a.Body),
	})
}

// phrase is the text for a status, without which the browser refuses those that it does not know.
func phrase(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status"
}

func entries(headers []HeaderField) []map[string]string {
	all := make([]map[string]string, len(headers))
	for n, h := range headers {
		all[n] = map[string]string{"name": h.Name, "value": h.Value}
	}
	return all
}
