package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// running is one call of a tool. It outlives its request where the client comes back for the rest: to answer a
// question, or to poll.
type running struct {
	id     string
	call   [sha256.Size]byte // the tool and its arguments: another call does not get the result
	made   time.Time
	cancel context.CancelFunc

	ended  chan struct{} // closed when there is a result
	result *sdk.CallToolResult
	err    error

	asked chan struct{} // has an entry when a question was put

	mu       sync.Mutex
	updated  time.Time
	message  string            // what goes on
	notify   func(text string) // tells the client that waits; nil means that none waits
	canceled bool              // the client has asked for that
	count    int               // of questions
	open     map[string]*question
}

// question waits for a person at the client.
type question struct {
	params *sdk.ElicitParams
	answer chan *sdk.ElicitResult
}

// answerLimit is how long a question waits for its answer.
const answerLimit = 10 * time.Minute

var errUnanswered = errors.New("the question was not answered")

// begin runs a call, which ends with ctx.
func begin(
	ctx context.Context, req *sdk.CallToolRequest, do func(ctx context.Context, r *running) (*sdk.CallToolResult, error),
) *running {
	ctx, cancel := context.WithCancel(ctx)
	now := time.Now()
	r := &running{
		id:      rand.Text(),
		call:    sumOf(req),
		made:    now,
		updated: now,
		cancel:  cancel,
		ended:   make(chan struct{}),
		asked:   make(chan struct{}, 1),
		open:    map[string]*question{},
	}
	go func() { // ends with the call; who began it waits for ended, and so does calls.end
		defer close(r.ended)
		defer cancel()
		r.result, r.err = do(ctx, r)
		r.mu.Lock()
		r.updated = time.Now()
		r.mu.Unlock()
	}()
	return r
}

func sumOf(req *sdk.CallToolRequest) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(req.Params.Name+"\x00"), arguments(req.Params.Arguments)...))
}

// over reports whether there is a result.
func (r *running) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// tell notes what goes on, and tells the client that waits.
func (r *running) tell(text string) {
	r.mu.Lock()
	r.message, r.updated = text, time.Now()
	notify := r.notify
	r.mu.Unlock()
	if notify != nil {
		notify(text)
	}
}

// telling tells a client that waits what goes on, until stop is called.
func (r *running) telling(ctx context.Context, n *notifier) (stop func()) {
	if n == nil {
		return func() {}
	}
	r.mu.Lock()
	r.notify = func(text string) { n.tell(ctx, text) }
	message := r.message
	r.mu.Unlock()
	if message != "" {
		n.tell(ctx, message)
	}
	end := n.keepTelling(ctx)
	return func() {
		r.mu.Lock()
		r.notify = nil
		r.mu.Unlock()
		end()
	}
}

// ask puts a question, and returns when it is answered, after a long time without an answer, or when ctx ends.
func (r *running) ask(ctx context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	q := &question{params: p, answer: make(chan *sdk.ElicitResult, 1)}
	r.mu.Lock()
	r.count++
	key := "question-" + strconv.Itoa(r.count) // never used again in the call
	r.open[key], r.updated = q, time.Now()
	r.mu.Unlock()
	select {
	case r.asked <- struct{}{}:
	default:
	}
	defer func() {
		r.mu.Lock()
		delete(r.open, key)
		r.mu.Unlock()
	}()
	limit := time.NewTimer(answerLimit)
	defer limit.Stop()
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-limit.C:
		return nil, errUnanswered
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// questions returns the questions that wait.
func (r *running) questions() sdk.InputRequestMap {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := sdk.InputRequestMap{}
	for key, q := range r.open {
		list[key] = q.params
	}
	return list
}

// answer passes answers on. Those to questions that do not wait are left aside.
func (r *running) answer(given sdk.InputResponseMap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, response := range given {
		result, ok := response.(*sdk.ElicitResult)
		if q := r.open[key]; ok && q != nil {
			delete(r.open, key)
			r.updated = time.Now()
			q.answer <- result
		}
	}
}
