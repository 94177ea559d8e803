package admin

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/agents"
)

// servingCommands are programs of their own: the host program runs them, not the host. They are here for their grammar
// and their help.
func servingCommands() []actions.Command {
	selfConfirm := actions.Flag{
		Name: actions.AllowSelfConfirm,
		Kind: actions.Bool,
		Help: "Agents may confirm their own requests for actions that need confirmation",
	}
	guard := []actions.Flag{
		{
			Name:  "token-file",
			Value: "file",
			Kind:  actions.Path,
			Help: "A file with the token that requests must carry (Authorization: Bearer …), instead of the variable " +
				"SKUA_MCP_TOKEN; without either a token is generated",
		},
		{
			Name:  "token",
			Value: "-",
			Help: "- reads the token from standard input. A token itself is refused here: every user of the machine sees the " +
				"command line",
		},
		{
			Name:  "allow-host",
			Value: "name",
			Kind:  actions.List,
			Help:  "A host name under which the server may be reached, in addition to those of this machine",
		},
		{Name: "allow-origin", Value: "origin", Kind: actions.List, Help: "Web pages of this origin may call it"},
		{
			Name: "slim",
			Kind: actions.Bool,
			Help: "List agent_browser in less than 1,000 bytes: the same tool, which tells the rest when it is called with " +
				"{\"help\":true}",
		},
		{
			Name:    "tools",
			Value:   "sets",
			Default: "agent",
			Help: "Sets of tools: agent (agent_browser, always there unless -agent is given), browser (browser_open, " +
				"browser_click …), copilot (get_mini_pcd, pcd_query, dom_click …)",
		},
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "mcp",
				Group:   actions.GroupServing,
				Summary: "Serve the tool agent_browser to an agent over MCP",
				Help: "Speaks MCP on standard input and output, or over streamable HTTP with --http. Each connection has " +
					"sessions of its own, which end with " +
					"it. Standard input and output need no host and no socket.\n\n" +
					"With --serve it forwards all calls to a running `skua serve`, as the task that --task names.\n\n" +
					"With --setup it does not serve. It prints the entry with which a program starts `skua mcp` and the other flags " +
					"of this command line: rules, --slim, --tools. --write puts the " +
					"entry into the program's configuration; everything else there stays as it is, comments included.",
				Flags: append([]actions.Flag{
					{
						Name:  "http",
						Value: "address",
						Help:  "Listen at this address, such as 127.0.0.1:8931 or :0, instead of standard input and output",
					},
					{
						Name:  "backend",
						OneOf: []string{"native", "subprocess"},
						Help:  "Where commands run: in this program, or in the real agent-browser",
					},
					{Name: "agent-browser", Value: "path", Kind: actions.Path, Help: "The program of the subprocess backend"},
					{Name: "serve", Value: "url", Help: "Use the browser of the service at this address"},
					{Name: "task", Value: "name", Help: "With --serve: the task whose pages these are"},
					{
						Name: "page-tools",
						Kind: actions.Bool,
						Help: "Offer the tools of the page that the session shows (WebMCP) as tools, too; on standard input and " +
							"output only",
					},
					{
						Name:  "setup",
						Value: "client",
						OneOf: agents.IDs(agents.WithMCP()),
						Help:  "Show the configuration with which this program starts skua",
					},
					{Name: "write", Kind: actions.Bool, Help: "With --setup: write it into the program's file"},
					{Name: "remove", Kind: actions.Bool, Help: "With --setup: take skua out of the program's file"},
					{Name: "project", Kind: actions.Bool, Help: "With --setup: in the file of the project around the current folder"},
					selfConfirm,
				}, guard...),
				Program: true,
				Examples: []actions.Example{{Line: "mcp"}, {Line: "mcp --slim"}, {Line: "mcp --tools browser"}, {
					Line: "mcp --tools copilot,-agent",
				}, {Line: "mcp --http 127.0.0.1:8931"}, {Line: "mcp --serve http://127.0.0.1:9224 --task shop"}, {
					Line:  "mcp --setup claude --write",
					Note:  "add the MCP server to an agent",
					Start: 7,
				}, {Line: "mcp --slim --setup cursor"}},
				Upstream: []string{"mcp", "mcp [--tools <profiles>] [--config <trusted-path>]"},
				UpstreamHelp: "`mcp call` prints the result of tools/call as JSON. The entry of a client's configuration is " +
					`{"mcpServers": {"agent-browser": {"command": "agent-browser", "args": ["mcp"]}}}` +
					"; --setup prints it for a client. " +
					"--tools may name the sets of agent-browser's server, too (core, network, state, debug, tabs, react, mobile, " +
					"webmcp, all): the tool agent_browser does what theirs do.",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.ServesTools},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name:    "mcp call",
				Group:   actions.GroupServing,
				Summary: "Call one tool as over MCP, without a server, and print its result as JSON",
				Help: "The browser that the call opens ends with it. To run several steps, put them into one call: " +
					"agent_browser takes a `job`. All tools are available unless --tools selects some. The exit code is 0 when the " +
					"tool succeeded, 1 when it reports an error, 2 when there is no such tool or the arguments are not a JSON object.",
				Args: []actions.Arg{
					{Name: "tool", Optional: true, Help: "Its name, such as agent_browser or browser_open"},
					{Name: "arguments", Value: "json|-", Optional: true, Help: "A JSON object; - reads it from standard input"},
				},
				Flags: []actions.Flag{
					{Name: "tools", Value: "sets", Default: "agent,browser,copilot", Help: "Sets of tools: agent, browser, copilot"},
					{
						Name:  "backend",
						OneOf: []string{"native", "subprocess"},
						Help:  "Where commands run: in this program, or in the real agent-browser",
					},
					{Name: "agent-browser", Value: "path", Kind: actions.Path, Help: "The program of the subprocess backend"},
					selfConfirm,
				},
				Program: true,
				Examples: []actions.Example{{Line: `mcp call agent_browser '{"args":["open","example.com"]}'`}, {
					Line: "mcp call agent_browser -",
				}},
				Upstream: []string{"mcp call <tool> [<arguments-json> | -]"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), Gives: actions.ToAll},
			Showing:  actions.Showing{Traits: trait.ServesTools},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name:    "serve",
				Group:   actions.GroupServing,
				Summary: "Serve one browser with a persistent profile to the tasks of many agents",
				Help: "Listens for MCP over streamable HTTP. A client names its task in the address (/mcp/shop, /mcp?task=shop) " +
					"or in the header Skua-Task; a " +
					"task has pages of its own, and shares cookies and storage with the others. Cookies and storage are kept when " +
					"tasks end and when the " +
					"service restarts.\n\n" +
					"GET /tasks lists tasks and pages, DELETE /tasks/shop ends one. GET /healthz answers without a token, for what " +
					"watches a container. Launch options before the command apply to the browser: `skua --headed serve`.",
				Flags: append([]actions.Flag{
					{Name: "http", Value: "address", Default: "127.0.0.1:9224", Help: "Where to listen"},
					{
						Name:  "profile-dir",
						Value: "folder",
						Kind:  actions.Path,
						Help:  "Where the profile and the token are kept; a folder in the user's configuration when not given",
					},
					{
						Name: "check",
						Kind: actions.Bool,
						Help: "Do not serve: ask the service at the address of --http whether it does. The exit code is 1 if not",
					},
					selfConfirm,
				}, guard...),
				Program: true,
				Examples: []actions.Example{{Line: "serve"}, {Line: "serve --http 127.0.0.1:9300 --profile-dir ./profile"}, {
					Line: "serve --check",
					Note: "for health checks",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
	}
}
