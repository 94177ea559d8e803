package mcp

import (
	"context"
	"mime"
	"path/filepath"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool/contract"
)

// outputs is the address of the files that calls wrote: clients may not be able to read files of this machine.
const outputs = "skua://output/"

// linksSince is the first version of the protocol whose results may have links to resources.
const linksSince = "2025-06-18"

// addOutputs offers the files that calls of a connection wrote, to that connection.
func (s *Server) addOutputs() {
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: outputs + "{name}",
		Name:        "output",
		Description: "A file that a call of this connection wrote, or the whole of an output that a reply showed in part",
	}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := req.Params.URI
		c, leave := s.known(requesterOf(req.Session, incomingOf(ctx).header, req.ClientInfo()))
		defer leave()
		if c == nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		content, typ, err := c.outputs.read(uri)
		switch {
		case err != nil:
			return nil, err
		case content == nil: // it had to go for newer ones, or is another file now
			return nil, sdk.ResourceNotFoundError(uri)
		}
		out := &sdk.ResourceContents{URI: uri, MIMEType: typ}
		if strings.HasPrefix(typ, "text/") || strings.Contains(typ, "json") || strings.Contains(typ, "xml") {
			if utf8.Valid(content) {
				out.Text = string(content)
				return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{out}}, nil
			}
		}
		out.Blob = content
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{out}}, nil
	})
}

func typeOf(path string) string {
	if t := mime.TypeByExtension(filepath.Ext(path)); t != "" {
		return t
	}
	return "text/plain"
}

// links are those to the files that a call wrote, and to the outputs that its result shows in part.
func (c *connection) links(d *contract.Details, protocol string) (list []sdk.Content) {
	if protocol != "" && protocol < linksSince {
		return nil
	}
	for _, path := range d.FullOutputPaths {
		if link := c.outputs.link(path, filepath.Base(path), typeOf(path)); link != nil {
			link.Description = "The whole output"
			list = append(list, link)
		}
	}
	for i := range d.Artifacts {
		a := &d.Artifacts[i]
		if a.Exists == nil || !*a.Exists || a.AbsolutePath == "" {
			continue // it is not there, or not yet
		}
		typ := a.MediaType
		if typ == "" {
			if typ = mime.TypeByExtension(filepath.Ext(a.AbsolutePath)); typ == "" {
				typ = "application/octet-stream"
			}
		}
		if link := c.outputs.link(a.AbsolutePath, "", typ); link != nil {
			link.Description = "The file that the call wrote (" + a.Kind + ")"
			list = append(list, link)
		}
	}
	return list
}
