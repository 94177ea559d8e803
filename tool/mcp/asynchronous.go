package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Long calls as tasks, after the extension io.modelcontextprotocol/tasks of 2026-07-28. Those of other protocols wait
// for their results.
const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	patience       = 5 * time.Second
	pollAfter      = time.Second // what clients are told
)

func capabilities() *sdk.ServerCapabilities {
	c := &sdk.ServerCapabilities{}      // no logging; what is added later adds itself
	c.AddExtension(tasksExtension, nil) // which has no settings
	return c
}

// knowsTasks reports whether a client has said with its request that it knows tasks.
func knowsTasks(protocol string, can *sdk.ClientCapabilities) bool {
	if can == nil || protocol < alone {
		return false
	}
	_, declared := can.Extensions[tasksExtension]
	return declared
}

// addTasks offers what clients ask of their tasks.
func (s *Server) addTasks() {
	for method, do := range map[string]func(r *running, p *taskParams) sdk.Result{
		"tasks/get":    func(r *running, _ *taskParams) sdk.Result { return r.detailed() },
		"tasks/update": func(r *running, p *taskParams) sdk.Result { r.answer(p.InputResponses); return acknowledged() },
		"tasks/cancel": func(r *running, _ *taskParams) sdk.Result { r.stop(); return acknowledged() },
	} {
		err := sdk.AddReceivingCustomMethod(s.server, method,
			func(ctx context.Context, ss *sdk.ServerSession, p *taskParams) (sdk.Result, error) {
				r, leave, err := s.taskFor(ctx, ss, p)
				if err != nil {
					return nil, err
				}
				defer leave()
				return do(r, p), nil
			})
		if err != nil {
			panic(err) // a mistake of ours: the SDK has come to know the method
		}
	}
}

// taskParams are the params of all requests about a task.
type taskParams struct {
	sdk.ParamsBase

	TaskID         string               `json:"taskId"`
	InputResponses sdk.InputResponseMap `json:"inputResponses"`
}

// requiredCapabilities says with an error what a client has to be able to do.
type requiredCapabilities struct {
	Capabilities struct {
		Extensions map[string]struct{} `json:"extensions"` // none of them has settings
	} `json:"requiredCapabilities"`
}

// taskFor finds the task that a request is about, among those of its sender.
func (s *Server) taskFor(
	ctx context.Context, ss *sdk.ServerSession, p *taskParams,
) (r *running, leave func(), err error) {
	req := sdk.ServerRequest[*taskParams]{Session: ss, Params: p}
	if !knowsTasks(req.ProtocolVersion(), req.ClientCapabilities()) {
		var required requiredCapabilities
		required.Capabilities.Extensions = map[string]struct{}{tasksExtension: {}}
		data, _ := json.Marshal(required)
		return nil, nil, &jsonrpc.Error{
			Code:    sdk.CodeMissingRequiredClientCapabilities,
			Message: "Missing required client capability",
			Data:    data,
		}
	}
	header := incomingOf(ctx).header
	if named := header.Get("Mcp-Name"); named != "" && named != p.TaskID {
		return nil, nil, &jsonrpc.Error{
			Code:    sdk.CodeHeaderMismatch,
			Message: "the header Mcp-Name names another task than taskId",
		}
	}
	c, leave := s.known(requesterOf(ss, header, req.ClientInfo()))
	if c != nil {
		r = c.kept.find(p.TaskID)
	}
	if r == nil {
		leave()
		return nil, nil, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidParams,
			Message: "taskId: there is no such task; it may have expired",
		}
	}
	return r, leave, nil
}

// taskState is a task as clients see it.
type taskState struct {
	sdk.ResultBase

	ResultType    string              `json:"resultType"`
	TaskID        string              `json:"taskId"`
	Status        string              `json:"status"`
	StatusMessage string              `json:"statusMessage,omitempty"`
	Created       time.Time           `json:"createdAt"`
	Updated       time.Time           `json:"lastUpdatedAt"`
	TTL           int64               `json:"ttlMs"`
	Poll          int64               `json:"pollIntervalMs"`
	InputRequests sdk.InputRequestMap `json:"inputRequests,omitempty"`
	Result        json.RawMessage     `json:"result,omitempty"`
	Error         *jsonrpc.Error      `json:"error,omitempty"`
}

// What a task can be.
const (
	taskWorking   = "working"
	taskAsks      = "input_required"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskCanceled  = "cancelled"
)

// handle is what the client gets in place of the result.
func (r *running) handle() *taskState {
	t := r.state(taskWorking)
	t.ResultType = "task"
	return t
}

func (r *running) state(status string) *taskState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &taskState{
		ResultType:    "complete",
		TaskID:        r.id,
		Status:        status,
		StatusMessage: r.message,
		Created:       r.made.UTC(),
		Updated:       r.updated.UTC(),
		TTL:           callKept.Milliseconds(),
		Poll:          pollAfter.Milliseconds(),
	}
}

// detailed is all that is known about the task.
func (r *running) detailed() *taskState {
	if !r.over() {
		if waiting := r.questions(); len(waiting) > 0 {
			t := r.state(taskAsks)
			t.InputRequests = waiting
			return t
		}
		return r.state(taskWorking)
	}
	r.mu.Lock()
	canceled := r.canceled
	r.mu.Unlock()
	switch {
	case r.err != nil:
		t := r.state(taskFailed)
		t.StatusMessage, t.Error = r.err.Error(), protocolError(r.err)
		return t
	case canceled && r.result.IsError: // else it was done before
		return r.state(taskCanceled)
	}
	t := r.state(taskCompleted)
	raw, err := complete(r.result)
	if err != nil {
		t = r.state(taskFailed)
		t.StatusMessage, t.Error = err.Error(), protocolError(err)
		return t
	}
	t.StatusMessage, t.Result = "", raw
	return t
}

func protocolError(err error) *jsonrpc.Error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// complete is a result with its type, which the SDK sets only in answers to calls.
func complete(result *sdk.CallToolResult) (json.RawMessage, error) {
	raw, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	members["resultType"] = json.RawMessage(`"complete"`)
	return json.Marshal(members)
}

// stop cancels the call.
func (r *running) stop() {
	r.mu.Lock()
	if !r.over() {
		r.canceled, r.updated = true, time.Now()
	}
	r.mu.Unlock()
	r.cancel()
}

type acknowledgement struct {
	sdk.ResultBase

	ResultType string `json:"resultType"`
}

func acknowledged() *acknowledgement { return &acknowledgement{ResultType: "complete"} }
