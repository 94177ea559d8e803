package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// provider is one of the two APIs: how a search is asked for, and what the answer says.
type provider interface {
	name() string
	limit(p params) time.Duration
	request(ctx context.Context, p params, key string, now time.Time) (*http.Request, error)
	read(body []byte, p params, clean cleaner) (answer, error)
}

// answer is what a provider said, in one form for both.
type answer struct {
	returnedQuery string
	requestID     string
	searchType    string
	results       []Item
}

const (
	usualLimit = 15 * time.Second
	deepLimit  = 45 * time.Second
	maxAnswer  = 8 << 20
)

// ask sends one request and reads its answer.
func (s *Search) ask(ctx context.Context, who Provider, p params, secret veil) (*Result, error) {
	asked := s.asks[who]
	limited, cancel := context.WithTimeout(ctx, asked.limit(p))
	defer cancel()
	request, err := asked.request(limited, p, secret.key, s.options.Clock.Now())
	if err != nil {
		return nil, secret.overError(fmt.Errorf("the request could not be made: %w", err))
	}
	body, err := s.send(request, secret)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("no answer within %s", asked.limit(p))
	case err != nil:
		return nil, secret.overError(err)
	}
	clean := cleaner{secret}
	results, err := asked.read(body, p, clean)
	if err != nil {
		return nil, secret.overError(err)
	}
	result := &Result{
		Details: Details{
			Provider:      who,
			Query:         secret.over(p.query),
			ReturnedQuery: clean.text(results.returnedQuery, maxQuery),
			Count:         p.count,
			Offset:        p.offset,
			SearchType:    results.searchType,
			RequestID:     clean.text(results.requestID, maxID),
			FetchedAt:     s.options.Clock.Now().UTC().Format(timestamp),
			Results:       results.results,
		},
	}
	if result.ReturnedQuery == "" {
		result.ReturnedQuery = result.Query
	}
	if result.Results == nil {
		result.Results = []Item{}
	}
	result.Text = result.text(asked.name())
	return result, nil
}

// errTooMany is the answer to more requests than the key may make.
var errTooMany = errors.New(
	"too many searches with this key (HTTP 429): do not search in parallel; wait before the next search, or name the " +
		"other provider")

func (s *Search) send(request *http.Request, secret veil) ([]byte, error) {
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests:
		return nil, errTooMany
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return nil, fmt.Errorf("it refused the key (HTTP %d)", status)
	case status != http.StatusOK:
		return nil, fmt.Errorf("it answered HTTP %d%s", status, complaint(body, secret))
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("its answer is over %d bytes", maxAnswer)
	}
	return body, nil
}

// complaint is what an answer says about itself, as far as it is of a known form.
func complaint(body []byte, secret veil) string {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	var inner struct{ Detail, Message string }
	var text string
	_ = json.Unmarshal(answer.Error, &inner)
	_ = json.Unmarshal(answer.Error, &text)
	for _, candidate := range []string{text, inner.Detail, inner.Message, answer.Message} {
		if candidate != "" {
			return ": " + cut(secret.over(strings.Join(strings.Fields(candidate), " ")), maxComplaint)
		}
	}
	return ""
}

// veil keeps a key out of texts.
type veil struct{ key string }

func (v veil) overError(err error) error { return errors.New(v.over(err.Error())) }
