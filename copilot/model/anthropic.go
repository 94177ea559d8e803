package model

import (
	"encoding/json"
	"net/http"
	"strings"
)

// anthropic speaks messages.
type anthropic struct{}

const (
	anthropicVersion = "2023-06-01"
	anthropicTokens  = 8192 // of an answer, which a request has to say
)

type (
	anthropicRequest struct {
		Model     string             `json:"model"`
		MaxTokens int                `json:"max_tokens"`
		System    string             `json:"system,omitempty"`
		Messages  []anthropicMessage `json:"messages"`
		Tools     []anthropicTool    `json:"tools,omitempty"`
		Choice    *anthropicChoice   `json:"tool_choice,omitempty"`
		Stream    bool               `json:"stream"`
	}
	anthropicChoice struct {
		Type string `json:"type"`
	}
	anthropicMessage struct {
		Role    string           `json:"role"`
		Content []anthropicBlock `json:"content"`
	}
	anthropicBlock struct {
		Type    string          `json:"type"`
		Text    string          `json:"text,omitempty"`
		ID      string          `json:"id,omitempty"`
		Name    string          `json:"name,omitempty"`
		Input   json.RawMessage `json:"input,omitempty"`
		CallID  string          `json:"tool_use_id,omitempty"`
		Content any             `json:"content,omitempty"` // of a result: a text, or blocks
		Failed  bool            `json:"is_error,omitempty"`
		Source  *anthropicFile  `json:"source,omitempty"` // of a picture
	}
	anthropicFile struct {
		Type  string `json:"type"`
		Media string `json:"media_type"`
		Data  []byte `json:"data"` // which JSON has in base64
	}
	anthropicTool struct {
		Name   string          `json:"name"`
		About  string          `json:"description"`
		Schema json.RawMessage `json:"input_schema"`
	}
	anthropicUsage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
	anthropicAnswer struct {
		Content []anthropicBlock `json:"content"`
		Stop    string           `json:"stop_reason"`
		Usage   anthropicUsage   `json:"usage"`
		Error   json.RawMessage  `json:"error"`
	}
	anthropicEvent struct {
		Type    string          `json:"type"`
		Index   int             `json:"index"`
		Message anthropicAnswer `json:"message"`
		Block   anthropicBlock  `json:"content_block"`
		Delta   struct {
			Type string `json:"type"`
			Text string `json:"text"`
			JSON string `json:"partial_json"`
			Stop string `json:"stop_reason"`
		} `json:"delta"`
		Usage anthropicUsage  `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
)

func (anthropic) sign(h http.Header, key string) {
	h.Set("Anthropic-Version", anthropicVersion)
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

func (anthropic) body(model string, r Request, stream bool) any {
	b := anthropicRequest{Model: model, MaxTokens: anthropicTokens, System: r.System, Stream: stream}
	add := func(role string, blocks []anthropicBlock) {
		if n := len(b.Messages); n > 0 && b.Messages[n-1].Role == role { // they take turns
			b.Messages[n-1].Content = append(b.Messages[n-1].Content, blocks...)
		} else if len(blocks) > 0 {
			b.Messages = append(b.Messages, anthropicMessage{Role: role, Content: blocks})
		}
	}
	for _, m := range r.Messages {
		role, blocks := "user", []anthropicBlock(nil)
		for _, o := range m.Results {
			blocks = append(blocks, anthropicBlock{
				Type:    "tool_result",
				CallID:  o.ID,
				Content: anthropicResult(o),
				Failed:  o.Failed,
			})
		}
		if m.Text != "" {
			blocks = append(blocks, anthropicBlock{Type: "text", Text: m.Text})
		}
		for _, c := range m.Calls {
			blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: object(c.Args)})
		}
		if m.Role == Assistant {
			role = "assistant"
		}
		add(role, blocks)
	}
	for _, t := range r.Tools {
		b.Tools = append(b.Tools, anthropicTool(t))
	}
	if r.Forced && len(b.Tools) > 0 {
		b.Choice = &anthropicChoice{Type: "any"}
	}
	return b
}

// anthropicResult is the content of a result: its text, or blocks when a picture belongs to it.
func anthropicResult(o Outcome) any {
	if len(o.Image) == 0 {
		return o.Text
	}
	return []anthropicBlock{
		{Type: "text", Text: o.Text},
		{Type: "image", Source: &anthropicFile{Type: "base64", Media: o.Type, Data: o.Image}},
	}
}

func (anthropic) whole(b []byte) (Answer, error) {
	var got anthropicAnswer
	if err := json.Unmarshal(b, &got); err != nil {
		return Answer{}, err
	}
	if err := complaint(got.Error, b); err != nil {
		return Answer{}, err
	}
	p := anthropicPieces{stop: got.Stop, usage: Usage(got.Usage)}
	for i := range got.Content {
		p.begin(i, got.Content[i])
	}
	a, _ := p.answer()
	return a, nil
}

func (anthropic) stream(onText func(string)) pieces { return &anthropicPieces{onText: onText} }

type anthropicPieces struct {
	onText func(string)
	text   strings.Builder
	calls  []*anthropicCall
	stop   string
	done   bool
	usage  Usage
}

type anthropicCall struct {
	index int
	id    string
	name  string
	whole json.RawMessage // as the block began
	args  strings.Builder
}

func (p *anthropicPieces) add(_, data string) (bool, error) {
	var e anthropicEvent
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		return false, err
	}
	switch e.Type { // the event's own name says the same
	case "error":
		return false, complaint(e.Error, []byte(data))
	case "message_start":
		p.usage.Input = e.Message.Usage.Input
	case "content_block_start":
		p.begin(e.Index, e.Block)
	case "content_block_delta":
		p.write(e.Delta.Text)
		for _, c := range p.calls {
			if c.index == e.Index {
				c.args.WriteString(e.Delta.JSON)
			}
		}
	case "message_delta":
		p.usage.Output = max(p.usage.Output, e.Usage.Output)
		if e.Delta.Stop != "" {
			p.stop = e.Delta.Stop
		}
	case "message_stop":
		p.done = true
		return true, nil
	}
	return false, nil
}

func (p *anthropicPieces) begin(i int, b anthropicBlock) {
	switch b.Type {
	case "text":
		p.write(b.Text)
	case "tool_use":
		p.calls = append(p.calls, &anthropicCall{index: i, id: b.ID, name: b.Name, whole: b.Input})
	}
}

func (p *anthropicPieces) write(text string) {
	p.text.WriteString(text)
	if text != "" && p.onText != nil {
		p.onText(text)
	}
}

func (p *anthropicPieces) answer() (Answer, bool) {
	a := Answer{Text: p.text.String(), Usage: p.usage, Stop: Ended}
	for _, c := range p.calls {
		args := json.RawMessage(c.args.String())
		if len(args) == 0 {
			args = c.whole
		}
		a.Calls = append(a.Calls, Call{ID: c.id, Name: c.name, Args: args})
	}
	switch {
	case p.stop == "max_tokens":
		a.Stop = TooLong
	case len(a.Calls) > 0:
		a.Stop = Calling
	case p.stop == "refusal":
		a.Stop = Refused
	}
	return a, p.done
}
