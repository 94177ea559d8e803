package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/guides"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/tool/guide"
)

const markdown = "text/markdown"

// addGuidance offers the prompts, the playbook and the guides.
func (s *Server) addGuidance() {
	for _, p := range guide.Prompts() {
		s.addPrompt(p)
	}
	s.addText("skua://guide/playbook", "playbook", "How to drive a page with agent_browser", guide.Text(guide.Playbook))
	all, err := guides.Own(product.Version)
	if err != nil {
		s.log.Warn("the guides of the program are not readable", "err", err)
		return
	}
	for _, g := range all {
		s.addText("skua://skills/"+g.Name, g.Name, g.Description, g.Content)
	}
}

func (s *Server) addPrompt(p guide.Prompt) {
	prompt := &sdk.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		prompt.Arguments = append(prompt.Arguments, &sdk.PromptArgument{
			Name:        a.Name,
			Description: a.Description,
			Required:    a.Required,
		})
	}
	s.server.AddPrompt(prompt, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		for _, a := range p.Arguments {
			if a.Required && req.Params.Arguments[a.Name] == "" {
				return nil, fmt.Errorf("the prompt %s needs the argument %q", p.Name, a.Name)
			}
		}
		text, _ := guide.Fill(p.Name, req.Params.Arguments)
		return &sdk.GetPromptResult{
			Description: p.Description, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
		}, nil
	})
}

func (s *Server) addText(uri, name, description, text string) {
	s.server.AddResource(&sdk.Resource{
		URI:         uri,
		Name:        name,
		Description: description,
		MIMEType:    markdown,
		Size:        int64(len(text)),
	},
		func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: markdown, Text: text}}}, nil
		})
}
