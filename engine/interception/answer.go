package interception

import (
	"cmp"
	"encoding/base64"
	"net/http"
)

// continueRequest are the parameters of Fetch.continueRequest.
type continueRequest struct {
	RequestID         string        `json:"requestId"`
	Headers           []HeaderField `json:"headers,omitzero"`
	InterceptResponse bool          `json:"interceptResponse,omitzero"`
}

// FulfillRequest are the parameters of Fetch.fulfillRequest, and without a body those of Fetch.continueResponse.
type FulfillRequest struct {
	RequestID string        `json:"requestId"`
	Status    int           `json:"responseCode"`
	Phrase    string        `json:"responsePhrase,omitzero"`
	Headers   []HeaderField `json:"responseHeaders"`
	Body      *string       `json:"body,omitzero"` // in Base64; nil leaves the server's
}

// goOn lets the request go to the server, with changes to its headers.
func (q *pausedRequest) goOn(changes []HeaderField, answer bool) {
	answer = answer || q.ResourceType == typeDocument && q.tab != nil && q.of.Rules().HasProxy() || q.workerPolicy() != ""
	params := continueRequest{RequestID: q.RequestID, InterceptResponse: answer}
	if len(changes) > 0 {
		headers := make([]HeaderField, 0, len(q.Request.Headers)+len(changes))
		for name, value := range q.Request.Headers {
			headers = append(headers, HeaderField{name, value})
		}
		params.Headers = patch(headers, changes)
	}
	q.sess.Start("Fetch.continueRequest", params)
}

// goOnAnswered lets the server's answer through, with changes to its headers.
func (q *pausedRequest) goOnAnswered(changes []HeaderField) {
	headers := make([]HeaderField, len(q.Headers))
	for n, h := range q.Headers {
		headers[n] = HeaderField{h.Name, h.Value}
	}
	q.sess.Start("Fetch.continueResponse", FulfillRequest{
		RequestID: q.RequestID,
		Status:    q.Status,
		Phrase:    cmp.Or(q.StatusText, phrase(q.Status)),
		Headers:   q.confined(patch(headers, changes)),
	})
}

// fail ends the request without an answer.
func (q *pausedRequest) fail(reason string) {
	q.sess.Start("Fetch.failRequest", map[string]string{"requestId": q.RequestID, "errorReason": reason})
}

func (q *pausedRequest) fulfill(a *Answer) {
	q.sess.Start("Fetch.fulfillRequest", FulfillRequest{
		q.RequestID, a.Status, phrase(a.Status), q.confined(a.Headers), new(base64.StdEncoding.EncodeToString(a.Body)),
	})
}

// phrase is the text for a status, without which the browser refuses those that it does not know.
func phrase(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status"
}
