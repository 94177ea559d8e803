package testmodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

func (s *Server) readAnthropic(r *http.Request) (Turn, error) {
	var body struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		Stream    bool
		System    string
		Choice    struct{ Type string } `json:"tool_choice"`
		Messages  []struct {
			Role    string
			Content []struct {
				Type, Text, ID, Name string
				Input                json.RawMessage
				CallID               string `json:"tool_use_id"`
				Content              content
				Failed               bool `json:"is_error"`
			}
		}
		Tools []struct {
			Name, Description string
			Schema            json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return Turn{}, err
	}
	t := Turn{
		Model:    body.Model,
		Key:      r.Header.Get("X-Api-Key"),
		Stream:   body.Stream,
		System:   body.System,
		Messages: len(body.Messages),
		Forced:   body.Choice.Type == "any",
		Tools:    map[string]json.RawMessage{},
	}
	if r.Header.Get("Anthropic-Version") != "2023-06-01" || body.MaxTokens <= 0 || r.Header.Get("Authorization") != "" {
		return t, fmt.Errorf("version %q, max_tokens %d", r.Header.Get("Anthropic-Version"), body.MaxTokens)
	}
	for _, tool := range body.Tools {
		if !plainName(tool.Name) {
			return t, fmt.Errorf("the tool %q", tool.Name)
		}
		t.Tools[tool.Name] = tool.Schema
	}
	var open []string
	for i, m := range body.Messages {
		if want := [2]string{"user", "assistant"}[i%2]; m.Role != want || len(m.Content) == 0 {
			return t, fmt.Errorf("message %d is of %q with %d blocks, and it is the turn of %s", i, m.Role, len(m.Content), want)
		}
		if m.Role == "assistant" {
			t.Last = nil
		}
		for k, b := range m.Content {
			switch {
			case b.Type == "tool_result" && m.Role == "user":
				res, err := s.pair(&open, b.CallID, b.Content.text, b.Failed)
				if err != nil {
					return t, err
				}
				t.Results, t.Last = append(t.Results, res), append(t.Last, res)
				t.Pictures += b.Content.pictures
			case len(open) > 0 && m.Role == "user":
				return t, fmt.Errorf("block %d of message %d is %q, and %v have no results", k, i, b.Type, open)
			case b.Type == "text" && b.Text != "":
				if m.Role == "user" {
					t.User = append(t.User, b.Text)
				}
			case b.Type == "tool_use" && m.Role == "assistant":
				var input map[string]any
				if err := json.Unmarshal(b.Input, &input); err != nil {
					return t, fmt.Errorf("the call %q has the input %s", b.ID, b.Input)
				}
				open = append(open, b.ID)
			default:
				return t, fmt.Errorf("a block %q of %s", b.Type, m.Role)
			}
		}
	}
	if len(open) > 0 {
		return t, errors.New("the last calls have no results")
	}
	return t, nil
}

func (w *writer) anthropic(a Answer) {
	type object = map[string]any
	stop := "end_turn"
	if len(a.Calls) > 0 {
		stop = "tool_use"
	}
	if a.Stop != "" {
		stop = a.Stop
	}
	if !w.stream {
		content := []object{}
		if a.Text != "" {
			content = append(content, object{"type": "text", "text": a.Text})
		}
		for i, c := range a.Calls {
			content = append(content,
				object{"type": "tool_use", "id": w.ids[i], "name": c.Name, "input": json.RawMessage(asJSON(c.Args))})
		}
		w.whole(object{
			"id": "msg_1", "type": "message", "role": "assistant", "model": w.model, "content": content, "stop_reason": stop,
			"usage": object{"input_tokens": 11, "output_tokens": 7},
		}, a)
		return
	}
	event := func(name string, o object) {
		o["type"] = name
		w.event(name, o)
	}
	w.begin()
	event("message_start",
		object{"message": object{
			"id": "msg_1", "type": "message", "role": "assistant", "content": []any{},
			"usage": object{"input_tokens": 11, "output_tokens": 1},
		}})
	event("ping", object{})
	at := 0
	if a.Text != "" {
		event("content_block_start", object{"index": at, "content_block": object{"type": "text", "text": ""}})
		for _, piece := range pieces(a.Text) {
			event("content_block_delta", object{"index": at, "delta": object{"type": "text_delta", "text": piece}})
		}
		event("content_block_stop", object{"index": at})
		at++
	}
	if w.fails(a, func() { event("error", object{"error": object{"type": "overloaded_error", "message": a.Error}}) }) {
		return
	}
	for i, c := range a.Calls {
		event("content_block_start",
			object{"index": at, "content_block": object{"type": "tool_use", "id": w.ids[i], "name": c.Name, "input": object{}}})
		for _, piece := range pieces(asJSON(c.Args)) {
			event("content_block_delta", object{"index": at, "delta": object{"type": "input_json_delta", "partial_json": piece}})
		}
		event("content_block_stop", object{"index": at})
		at++
	}
	event("message_delta", object{"delta": object{"stop_reason": stop}, "usage": object{"output_tokens": 7}})
	event("message_stop", object{})
}
