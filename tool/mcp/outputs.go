package mcp

import (
	"context"
	"mime"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool/contract"
)

// outputs is the address of the outputs that were too long to show: clients may not be able to read files of this machine.
const outputs = "skua://output/"

// linksSince is the first version of the protocol whose results may have links to resources.
const linksSince = "2025-06-18"

// mostOutputs is how many outputs of a connection can be read.
const mostOutputs = 100

// addOutputs offers what was too long to show, to the connection that it was made for.
func (s *Server) addOutputs() {
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: outputs + "{name}", Name: "output", Description: "The whole of an output of this connection that a reply showed in part",
	}, func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := req.Params.URI
		path := s.output(req.Session, uri)
		if path == "" {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		text, err := os.ReadFile(path)
		if err != nil { // it had to go for newer ones
			return nil, sdk.ResourceNotFoundError(uri)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: typeOf(path), Text: string(text)}}}, nil
	})
}

func typeOf(path string) string {
	if t := mime.TypeByExtension(filepath.Ext(path)); t != "" {
		return t
	}
	return "text/plain"
}

// output returns the file of an output of a connection; empty: it has none of that address.
func (s *Server) output(session *sdk.ServerSession, uri string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conns[session]; c != nil {
		return c.outputs[uri]
	}
	return ""
}

// links are those to the outputs that a result shows in part.
func (s *Server) links(session *sdk.ServerSession, d *contract.Details) (list []sdk.Content) {
	if p := session.InitializeParams(); len(d.FullOutputPaths) == 0 || p != nil && p.ProtocolVersion < linksSince {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conns[session]
	if c == nil {
		return nil
	}
	for _, path := range d.FullOutputPaths {
		name := filepath.Base(path)
		uri := outputs + name
		if c.outputs == nil {
			c.outputs = map[string]string{}
		}
		if c.outputs[uri] == "" {
			if c.written = append(c.written, uri); len(c.written) > mostOutputs {
				delete(c.outputs, c.written[0])
				c.written = c.written[1:]
			}
		}
		c.outputs[uri] = path
		link := &sdk.ResourceLink{URI: uri, Name: name, Description: "The whole output", MIMEType: typeOf(path)}
		if info, err := os.Stat(path); err == nil {
			size := info.Size()
			link.Size = &size
		}
		list = append(list, link)
	}
	return list
}
