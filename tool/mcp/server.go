package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/config"
	"github.com/skua-browser/skua/tool/guide"
)

// Opener gives a connection its tool. The task is the one that the client names, or empty. release is called once, when
// the connection has ended.
type Opener func(task string) (t *tool.Tool, release func(context.Context), err error)

// Options are what a server offers.
type Options struct {
	Open    Opener
	Sets    []Set       // of tools; nil means agent_browser alone
	Slim    bool        // agent_browser is listed in few words, and tells the rest when it is asked for help
	Further []ExtraTool // tools beside those of the sets
	// tools of the page are tools of the server, too; only for one client, since all see the same list
	Pages bool
	User  config.Browser // what agents learn about the user's own browser
	Log   *slog.Logger

	// Patience is how long a call may take until a client that knows tasks gets one in place of the result; 0 means five
	// seconds.
	Patience time.Duration
}

// ExtraTool is a tool that is not a form of agent_browser.
type ExtraTool struct {
	Name, Title, Description string
	Schema                   json.RawMessage
	ReadOnly                 bool
	// Call returns the text for the model, and the same as data. The model gets errors, too.
	Call func(ctx context.Context, arguments json.RawMessage) (text string, data any, err error)
}

// Server serves MCP clients. Its methods may be called from several goroutines.
type Server struct {
	server *sdk.Server
	open   Opener
	log    *slog.Logger

	patience time.Duration
	caller   tool.Caller // nil means that clients have agent_browser
	pages    *pageTools  // nil means tools of pages are not offered

	mu    sync.Mutex
	conns map[requester]*connection
	over  bool
	ends  sync.WaitGroup // goroutines that wait for connections to end
}

// New returns a server without connections.
func New(o Options) (*Server, error) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Server{open: o.Open, log: log, patience: cmp.Or(o.Patience, patience), conns: map[requester]*connection{}}
	s.server = sdk.NewServer(&sdk.Implementation{
		Name:    product.Name,
		Title:   "skua",
		Version: product.Version,
	}, &sdk.ServerOptions{
		Instructions: guide.ForInstructions(guide.Browser(o.User)),
		Capabilities: capabilities(),
	})
	s.server.AddReceivingMiddleware(receive)
	s.addTasks()
	if o.Pages {
		s.pages = &pageTools{}
	}
	sets := o.Sets
	if sets == nil {
		sets = []Set{SetAgent}
	}
	s.caller = callerOf(sets)
	for _, set := range sets {
		switch set {
		case SetAgent:
			s.addAgentTool(o.Slim)
		case SetBrowser:
			s.addBrowserTools()
		case SetCopilot:
			s.addCopilotTools()
			s.addSkillTools()
		default:
			return nil, fmt.Errorf("there is no set of tools %q", set)
		}
	}
	for _, f := range o.Further {
		s.addFurther(f)
	}
	s.addGuidance()
	s.addOutputs()
	return s, nil
}

// ServeStdio serves one client over a pair of streams, a message a line. It returns when the client has closed its end
// and the connection's tool is closed, or when ctx ends.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return s.serve(ctx, &lineTransport{in: in, out: out})
}

// maxMessage is the largest message that a client may send.
const maxMessage = 64 << 20

func (s *Server) serve(ctx context.Context, t sdk.Transport) error {
	ss, err := s.server.Connect(ctx, t, nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { s.hangUp(ss) })
	defer stop()
	err = ss.Wait()
	s.forget(ss)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Close ends all connections and their tools.
func (s *Server) Close() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	for ss := range s.server.Sessions() {
		s.hangUp(ss)
	}
	s.ends.Wait()
	s.mu.Lock()
	rest := slices.Collect(maps.Keys(s.conns)) // those without a connection that could be hung up
	s.mu.Unlock()
	for _, who := range rest {
		s.forget(who)
	}
}
