package model

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

// openAI speaks chat completions.
type openAI struct{}

type (
	openAIRequest struct {
		Model         string          `json:"model"`
		Messages      []openAIMessage `json:"messages"`
		Tools         []openAITool    `json:"tools,omitempty"`
		ToolChoice    string          `json:"tool_choice,omitempty"`
		Stream        bool            `json:"stream"`
		StreamOptions *openAIStream   `json:"stream_options,omitempty"`
	}
	openAIStream struct {
		Usage bool `json:"include_usage"`
	}
	openAIMessage struct {
		Role    string       `json:"role"`
		Content any          `json:"content"` // a text, or parts
		Calls   []openAICall `json:"tool_calls,omitempty"`
		CallID  string       `json:"tool_call_id,omitempty"`
	}
	openAIPart struct {
		Type  string     `json:"type"`
		Text  string     `json:"text,omitempty"`
		Image *openAIURL `json:"image_url,omitempty"`
	}
	openAIURL struct {
		URL string `json:"url"`
	}
	openAICall struct {
		Index    *int           `json:"index,omitempty"` // of pieces
		ID       string         `json:"id,omitempty"`
		Type     string         `json:"type,omitempty"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name string `json:"name,omitempty"`
		Args string `json:"arguments"`
	}
	openAITool struct {
		Type     string        `json:"type"`
		Function openAIAbility `json:"function"`
	}
	openAIAbility struct {
		Name   string          `json:"name"`
		About  string          `json:"description"`
		Schema json.RawMessage `json:"parameters"`
	}
	openAIAnswer struct {
		Choices []struct {
			Message openAISaid `json:"message"`
			Delta   openAISaid `json:"delta"`
			Finish  string     `json:"finish_reason"`
		} `json:"choices"`
		Usage *struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	openAISaid struct {
		Content string       `json:"content"`
		Refusal string       `json:"refusal"`
		Calls   []openAICall `json:"tool_calls"`
	}
)

func (openAI) sign(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (openAI) body(model string, r Request, stream bool) any {
	b := openAIRequest{Model: model, Stream: stream}
	if stream {
		b.StreamOptions = &openAIStream{Usage: true}
	}
	if r.System != "" {
		b.Messages = append(b.Messages, openAIMessage{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		switch m.Role {
		case Results:
			for _, o := range m.Results {
				b.Messages = append(b.Messages, openAIMessage{Role: "tool", Content: o.Text, CallID: o.ID})
			}
			if parts := openAIPictures(m.Results); len(parts) > 0 {
				b.Messages = append(b.Messages, openAIMessage{Role: "user", Content: parts})
			}
		default:
			message := openAIMessage{Role: string(m.Role), Content: m.Text}
			for _, c := range m.Calls {
				message.Calls = append(message.Calls, openAICall{
					ID:       c.ID,
					Type:     "function",
					Function: openAIFunction{Name: c.Name, Args: string(object(c.Args))},
				})
			}
			b.Messages = append(b.Messages, message)
		}
	}
	for _, t := range r.Tools {
		b.Tools = append(b.Tools, openAITool{Type: "function", Function: openAIAbility(t)})
	}
	if r.Forced && len(b.Tools) > 0 {
		b.ToolChoice = "required"
	}
	return b
}

// openAIPictures are the pictures of results, which a result cannot hold itself: they are said by the user behind it.
func openAIPictures(results []Outcome) []openAIPart {
	var parts []openAIPart
	for _, o := range results {
		if len(o.Image) > 0 {
			parts = append(parts, openAIPart{Type: "text", Text: "The picture of the call " + o.ID + ":"},
				openAIPart{
					Type:  "image_url",
					Image: &openAIURL{URL: "data:" + o.Type + ";base64," + base64.StdEncoding.EncodeToString(o.Image)},
				})
		}
	}
	return parts
}

// complaint is the error that an answer reports in place of one, or nil.
func complaint(raw json.RawMessage, event []byte) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return said(reason(event))
}

func (openAI) whole(b []byte) (Answer, error) {
	var got openAIAnswer
	if err := json.Unmarshal(b, &got); err != nil {
		return Answer{}, err
	}
	if err := complaint(got.Error, b); err != nil {
		return Answer{}, err
	}
	p := openAIPieces{}
	if len(got.Choices) == 0 {
		return Answer{}, said("an answer without choices")
	}
	p.take(got.Choices[0].Message, got.Choices[0].Finish)
	p.use(got)
	a, _ := p.answer()
	return a, nil
}

func (openAI) stream(onText func(string)) pieces { return &openAIPieces{onText: onText} }

type openAIPieces struct {
	onText  func(string)
	text    strings.Builder
	calls   []*openAICall
	finish  string
	refused bool
	done    bool
	usage   Usage
}

func (p *openAIPieces) add(_, data string) (bool, error) {
	if data == "[DONE]" {
		p.done = true
		return true, nil
	}
	var got openAIAnswer
	if err := json.Unmarshal([]byte(data), &got); err != nil {
		return false, err
	}
	if err := complaint(got.Error, []byte(data)); err != nil {
		return false, err
	}
	p.use(got)
	if len(got.Choices) > 0 { // the one with the usage has none
		p.take(got.Choices[0].Delta, got.Choices[0].Finish)
	}
	return false, nil
}

func (p *openAIPieces) use(got openAIAnswer) {
	if got.Usage != nil {
		p.usage = Usage{Input: got.Usage.Input, Output: got.Usage.Output}
	}
}

func (p *openAIPieces) take(said openAISaid, finish string) {
	for _, text := range []string{said.Content, said.Refusal} {
		p.text.WriteString(text)
		if text != "" && p.onText != nil {
			p.onText(text)
		}
	}
	p.refused = p.refused || said.Refusal != ""
	for i := range said.Calls {
		p.piece(said.Calls[i])
	}
	if finish != "" {
		p.finish = finish
	}
}

// piece puts a piece of a call to the others of its index. Some endpoints give none; a piece with an id begins a call
// there.
func (p *openAIPieces) piece(c openAICall) {
	var to *openAICall
	for _, known := range p.calls {
		if c.Index != nil && known.Index != nil && *known.Index == *c.Index {
			to = known
		}
	}
	if to == nil && c.Index == nil && c.ID == "" && len(p.calls) > 0 {
		to = p.calls[len(p.calls)-1]
	}
	if to == nil {
		p.calls = append(p.calls, &c)
		return
	}
	if to.ID == "" {
		to.ID = c.ID
	}
	if to.Function.Name == "" {
		to.Function.Name = c.Function.Name
	}
	to.Function.Args += c.Function.Args
}

func (p *openAIPieces) answer() (Answer, bool) {
	a := Answer{Text: p.text.String(), Usage: p.usage, Stop: Ended}
	for _, c := range p.calls {
		a.Calls = append(a.Calls, Call{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Args)})
	}
	switch {
	case len(a.Calls) > 0 && p.finish != "length":
		a.Stop = Calling
	case p.finish == "length":
		a.Stop = TooLong
	case p.finish == "content_filter", p.refused:
		a.Stop = Refused
	}
	return a, p.done || p.finish != ""
}
