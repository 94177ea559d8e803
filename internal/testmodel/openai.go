package testmodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) readOpenAI(r *http.Request) (Turn, error) {
	var body struct {
		Model    string
		Stream   bool
		Choice   string `json:"tool_choice"`
		Messages []struct {
			Role    string
			Content content
			CallID  string `json:"tool_call_id"`
			Calls   []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct {
			Type     string
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return Turn{}, err
	}
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t := Turn{
		Model:    body.Model,
		Key:      key,
		Stream:   body.Stream,
		Forced:   body.Choice == "required",
		Messages: len(body.Messages),
		Tools:    map[string]json.RawMessage{},
	}
	for _, tool := range body.Tools {
		if tool.Type != "function" || !plainName(tool.Function.Name) {
			return t, fmt.Errorf("the tool %q of type %q", tool.Function.Name, tool.Type)
		}
		t.Tools[tool.Function.Name] = tool.Function.Parameters
	}
	var open []string
	for i, m := range body.Messages {
		if m.Role != "tool" && len(open) > 0 {
			return t, fmt.Errorf("message %d is of %q, and %v have no results", i, m.Role, open)
		}
		switch m.Role {
		case "system":
			if i > 0 {
				return t, errors.New("the system speaks late")
			}
			t.System = m.Content.text
		case "user":
			t.User = append(t.User, m.Content.text)
			t.Pictures += m.Content.pictures
		case "assistant":
			t.Last = nil
			for _, c := range m.Calls {
				if c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
					return t, fmt.Errorf("the call %q of type %q has the arguments %q", c.ID, c.Type, c.Function.Arguments)
				}
				open = append(open, c.ID)
			}
		case "tool":
			res, err := s.pair(&open, m.CallID, m.Content.text, false)
			if err != nil {
				return t, err
			}
			t.Results, t.Last = append(t.Results, res), append(t.Last, res)
		default:
			return t, fmt.Errorf("a message of %q", m.Role)
		}
	}
	if len(open) > 0 {
		return t, fmt.Errorf("%v have no results", open)
	}
	return t, nil
}

func (w *writer) openAI(a Answer) {
	type object = map[string]any
	calls := []object{}
	for i, c := range a.Calls {
		calls = append(calls,
			object{
				"index": i, "id": w.ids[i], "type": "function",
				"function": object{"name": c.Name, "arguments": asJSON(c.Args)},
			})
	}
	finish := "stop"
	if len(calls) > 0 {
		finish = "tool_calls"
	}
	if a.Stop != "" {
		finish = a.Stop
	}
	usage := object{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
	if !w.stream {
		message := object{"role": "assistant", "content": a.Text}
		if len(calls) > 0 {
			message["tool_calls"] = calls
		}
		w.whole(object{
			"id": "c1", "object": "chat.completion", "model": w.model, "usage": usage,
			"choices": []object{{"index": 0, "message": message, "finish_reason": finish}},
		}, a)
		return
	}
	chunk := func(delta object, finish any) {
		w.event("", object{
			"id": "c1", "object": "chat.completion.chunk", "model": w.model,
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
		})
	}
	w.begin()
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(a.Text) {
		chunk(object{"content": piece}, nil)
	}
	if w.fails(a, func() { w.event("", object{"error": object{"message": a.Error}}) }) {
		return
	}
	for i, c := range calls {
		f := c["function"].(object)
		args := f["arguments"].(string)
		chunk(object{"tool_calls": []object{{
			"index": i, "id": c["id"], "type": "function",
			"function": object{"name": f["name"], "arguments": ""},
		}}}, nil)
		for _, piece := range pieces(args) {
			chunk(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	chunk(object{}, finish)
	w.event("",
		object{"id": "c1", "object": "chat.completion.chunk", "model": w.model, "choices": []object{}, "usage": usage})
	w.line("data: [DONE]\n\n")
}
