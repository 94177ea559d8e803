package network

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// routeCommands returns the commands that change what pages get and what servers are asked.
func routeCommands() []actions.Command {
	pattern := actions.Arg{Name: "pattern", Help: "A part of the address, or the whole of it with * for anything"}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "network route",
				Group:   actions.GroupNetwork,
				Summary: "Fail, answer, change or delay requests that match",
				Help: "Applies to all present and future tabs of the session, their frames and workers, until `network unroute` " +
					"or the end of the session. If " +
					"several routes match a request, the newest one applies. A route replaces an older one with the same pattern, " +
					"method and types.\n\n" +
					"--body, --file, --status or --content-type answer in place of the server; a body that is JSON is sent as " +
					"application/json. --abort and " +
					"--reason make the request fail. Otherwise it continues to the server: --request-header changes the request, " +
					"--header and " +
					"--allow-origin change the response; `Name:` removes a header. Without any of these flags requests are only " +
					"counted; see `network " +
					"routes`.\n\n" +
					"A page of another origin can read the response only with --allow-origin, which also answers the CORS " +
					"preflight request.",
				Args: []actions.Arg{pattern},
				Flags: []actions.Flag{
					{Name: "abort", Kind: actions.Bool, Help: "Make the requests fail"},
					{
						Name:  "reason",
						Value: "reason",
						OneOf: abortWords(),
						Help:  "The error that they fail with; failed when not given",
					},
					{
						Name:      "body",
						Value:     "text|json",
						DashValue: true,
						Secret:    true,
						Help:      "Answer with this text",
					},
					{Name: "file", Value: "path", Kind: actions.Path, Help: "Answer with the content of this file, as it is now"},
					{Name: "status", Value: "n", Kind: actions.Int, Help: "The HTTP status of the response; 200 when not given"},
					{Name: "content-type", Value: "type", Help: "The media type of the response"},
					{
						Name:   "header",
						Value:  "'name: value'",
						Kind:   actions.List,
						Split:  unsplit,
						Secret: true,
						Help:   "A header of the response",
					},
					{Name: "allow-origin", Value: "origin", Help: "The origin whose pages may read the response, or *"},
					{
						Name:   "request-header",
						Value:  "'name: value'",
						Kind:   actions.List,
						Split:  unsplit,
						Secret: true,
						Help:   "A header of the request to the server",
					},
					{Name: "delay", Kind: actions.Duration, Help: "How long to delay each request"},
					{Name: "method", Value: "method", Help: "Only requests with this method"},
					{
						Name:  "resource-type",
						Value: "types",
						Kind:  actions.List,
						Help:  "Only requests of these types: document, script, image …; xhr and fetch are the same",
					},
					{
						Name:  "times",
						Value: "n",
						Kind:  actions.Int,
						Help:  "Apply only to this many requests; later ones pass unchanged",
					},
				},
				Examples: []actions.Example{
					{Line: `network route /api/user --body '{"name":"Ada"}'`},
					{Line: "network route *.png --abort", Note: "addresses that end in .png"},
					{Line: "network route /api/save --status 503 --times 1", Note: "fails once, then works"},
					{Line: "network route https://api.example.com/* --body [] --allow-origin *"},
					{Line: "network route /api/ --delay 2s --request-header 'X-Test: 1'"},
				},
				Upstream: []string{
					"network route <url> [options]",
					"network route <url> [--abort|--body <json> [--allow-origin <origin>]] [--resource-type <csv>]",
					"network <subcommand> [args]",
				},
				Heading: "Network:  agent-browser network <action>",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety: actions.Safety{
				Action:   "route",
				Families: policy.Does(),
				Further:  answersWith,
				Implies:  runsAnswer,
				Gives:    actions.ToNamed(nil),
			},
			Showing: actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{
				Data: []any{Routed{}},
				Tools: []actions.AgentTool{{
					Name:  "browser_route",
					Title: "Route requests",
					About: "Let requests to an address (* for anything) fail, or answer them with body; remove ends that.",
					Params: []actions.Param{
						{
							Name: "url",
							Of:   "pattern",
						}, {Name: "action", Required: true, OneOf: []string{toolAbort, toolMock, toolRemove}}, {Name: "body"},
					},
					Lines: routeLines,
				}},
			},
			Run: runRoute,
		},
		{
			Spec: actions.Spec{
				Name:    "network unroute",
				Group:   actions.GroupNetwork,
				Summary: "Remove a route, or all of them",
				Help:    "Requests that a route delays continue. The pattern is the one that the route was created with.",
				Args: []actions.Arg{{
					Name:     "pattern",
					Optional: true,
					Help:     "The pattern of the route; all routes when not given",
				}},
				Upstream: []string{"network unroute [url]"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control},
			Safety:   actions.Safety{Action: "unroute", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Unrouted{}}},
			Run:      runUnroute,
		},
		{
			Spec: actions.Spec{
				Name: "network routes", Group: actions.GroupNetwork,
				Summary: "List the routes, and how many requests each was applied to",
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Routes{}}},
			Run:      runRoutes,
		},
	}
}

// What browser_route does.
const (
	toolAbort  = "abort"
	toolMock   = "mock"
	toolRemove = "remove"
)

func routeLines(c actions.ToolCall) ([][]string, error) {
	url := c.String("url")
	switch c.String("action") {
	case toolAbort:
		return [][]string{{"network", "route", url, "--abort"}}, nil
	case toolMock:
		return [][]string{{"network", "route", url, "--body", c.String("body")}}, nil
	}
	return [][]string{actions.ToolLine([]string{"network", "unroute"}, url)}, nil
}

func unsplit(value string) []string { return []string{value} }

func abortWords() []string {
	reasons := interception.AbortReasons()
	for i, r := range reasons {
		reasons[i] = strings.ToLower(r)
	}
	return reasons
}

func runRoute(ctx context.Context, c *actions.Call) (actions.Result, error) {
	route, err := route(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	state, err := tab.Page.Context().Requests(tab.Page).Route(ctx, route, interception.RouteLimits{
		Count: c.Bound("ROUTES_ENTRIES", 1000), Bytes: c.Bound("ROUTES_BYTES", 64<<20),
	})
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: Routed{Routed: route.Pattern, Does: does(&route), Replaced: state.Replaced},
		Text: "✓ Done",
	}, nil
}

// route reads what is asked for.
func route(ctx context.Context, c *actions.Call) (interception.Route, error) {
	r := interception.Route{
		Pattern: c.String("pattern"),
		Method:  strings.ToUpper(c.String("method")),
		Times:   c.Int("times"),
		Delay:   c.Duration("delay"),
	}
	switch {
	case strings.TrimSpace(r.Pattern) == "":
		return r, c.Invalid("The pattern is empty; * matches every address.")
	case c.Has("times") && r.Times < 1:
		return r, c.Invalid("--times expects 1 or more, got " + c.String("times"))
	case c.Has("method") && !header.IsToken(r.Method):
		return r, c.Invalid("--method expects a method such as POST, got " + wording.Quote(c.String("method")))
	}
	var err error
	if r.Types, err = typesGiven(c); err != nil {
		return r, err
	}
	if r.RequestHeaders, err = header.Flags(c, "request-header"); err != nil {
		return r, err
	}
	for _, h := range r.RequestHeaders {
		if reason := header.Unsendable(h.Name); reason != "" {
			return r, c.Invalid("--request-header cannot set " + h.Name + ": " + reason)
		}
	}
	headers, err := header.Flags(c, "header")
	if err != nil {
		return r, err
	}
	if origin := c.String("allow-origin"); origin != "" {
		headers = append(headers, interception.HeaderField{Name: "Access-Control-Allow-Origin", Value: origin})
		if origin != "*" {
			headers = append(headers, interception.HeaderField{
				Name:  "Access-Control-Allow-Credentials",
				Value: "true",
			}, interception.HeaderField{Name: "Vary", Value: "Origin"})
		}
	}
	answers := c.Has("body") || c.Has("file") || c.Has("status") || c.Has("content-type")
	if c.Bool("abort") || c.Has("reason") {
		if answers || len(headers) > 0 || len(r.RequestHeaders) > 0 {
			return r,
				c.Invalid(
					"A failed request has no response: give --abort or --reason without --body, --file, --status, --content-type, " +
						"headers and --allow-origin.")
		}
		r.Abort = "Failed"
		if i := slices.Index(abortWords(), c.String("reason")); i >= 0 {
			r.Abort = interception.AbortReasons()[i]
		}
		return r, nil
	}
	if !answers {
		r.ResponseHeaders = headers
		return r, nil
	}
	if len(r.RequestHeaders) > 0 {
		return r, c.Invalid("--request-header has no effect when the route itself answers: leave out one of them.")
	}
	if c.Has("allow-origin") {
		headers = exposed(headers)
	}
	r.Fulfill, err = answer(ctx, c, r.Pattern, headers)
	return r, err
}

// exposed lets pages of other origins read the headers that were given, not only the body.
func exposed(headers []interception.HeaderField) []interception.HeaderField {
	var names []string
	for _, h := range headers {
		name := strings.ToLower(h.Name)
		if name == "access-control-expose-headers" {
			return headers
		}
		if !strings.HasPrefix(name, "access-control-") && name != "vary" && h.Value != "" {
			names = append(names, h.Name)
		}
	}
	if len(names) == 0 {
		return headers
	}
	return append(headers, interception.HeaderField{
		Name:  "Access-Control-Expose-Headers",
		Value: strings.Join(names, ", "),
	})
}

// answer is what takes the place of a server's answer.
func answer(
	ctx context.Context, c *actions.Call, pattern string, headers []interception.HeaderField,
) (*interception.Answer, error) {
	a := &interception.Answer{Status: http.StatusOK, Body: []byte(c.String("body"))}
	if c.Has("status") {
		if a.Status = c.Int("status"); a.Status < 200 || a.Status > 599 {
			return nil, c.Invalid("--status expects a number from 200 to 599, got " + c.String("status"))
		}
	}
	kind := c.String("content-type")
	if c.Has("file") {
		if c.Has("body") {
			return nil, c.Invalid("--body and --file exclude each other.")
		}
		content, err := files.Read(ctx, c, c.String("file"), mostRouteFile)
		if err != nil {
			return nil, err
		}
		a.Body = content
		if kind == "" {
			kind = files.MediaType(c.String("file"))
		}
	}
	if kind == "" {
		kind = bodyType(pattern, a.Body)
	}
	given := func(name string) bool {
		return slices.ContainsFunc(headers, func(h interception.HeaderField) bool { return strings.EqualFold(h.Name, name) })
	}
	if kind != "" && !given("Content-Type") {
		if _, _, err := mime.ParseMediaType(kind); err != nil {
			return nil, c.Invalid("--content-type expects a media type such as text/html, got " + wording.Quote(kind))
		}
		a.Headers = append(a.Headers, interception.HeaderField{Name: "Content-Type", Value: kind})
	}
	for _, h := range headers {
		if h.Value != "" {
			a.Headers = append(a.Headers, h)
		}
	}
	return a, nil
}

// mostRouteFile is how large a file may be that answers requests.
const mostRouteFile = 32 << 20

// bodyType guesses the media type of a body from the address, or else from the body. It returns "" to leave it to the
// browser.
func bodyType(pattern string, body []byte) string {
	if u, err := url.Parse(strings.ReplaceAll(pattern, "*", "-")); err == nil {
		switch ext := path.Ext(u.Path); ext {
		case ".css", ".html", ".htm", ".js", ".mjs", ".svg", ".xml":
			return mime.TypeByExtension(ext)
		}
	}
	if len(body) > 0 && json.Valid(body) {
		return "application/json"
	}
	if kind := http.DetectContentType(body); strings.HasPrefix(kind, "text/html") {
		return kind
	}
	return ""
}

// typesGiven reads --resource-type.
func typesGiven(c *actions.Call) ([]string, error) {
	known := interception.ResourceTypes()
	var types []string
	for _, word := range c.Strings("resource-type") {
		i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, word) })
		switch {
		case strings.EqualFold(word, "websocket"):
			return nil,
				c.Invalid("--resource-type: routes do not apply to WebSockets; `set offline on` keeps pages from opening any.")
		case i < 0:
			return nil, c.Invalid("--resource-type expects types such as " + strings.ToLower(strings.Join(known, ", ")) +
				", got " + wording.Quote(word))
		case !slices.Contains(types, known[i]):
			types = append(types, known[i])
		}
	}
	slices.Sort(types)
	return types, nil
}

func runUnroute(ctx context.Context, c *actions.Call) (actions.Result, error) {
	pattern := c.String("pattern")
	data := Unrouted{Unrouted: "all"}
	if c.Has("pattern") {
		data.Unrouted = pattern
		if pattern == "" {
			return actions.Result{}, c.Invalid("The pattern is empty; leave it out to remove all routes.")
		}
	}
	tab := c.Tabs.Active()
	if tab == nil {
		c.Note("no browser runs in this session, so there is no route")
		return actions.Result{Data: data, Text: "✓ Done"}, nil
	}
	context := tab.Page.Context()
	removed, err := context.Requests(tab.Page).Unroute(ctx, pattern)
	if err != nil {
		return actions.Result{}, err
	}
	data.Removed = removed
	if removed == 0 && pattern != "" {
		note := "nothing was routed with the pattern " + wording.Quote(pattern)
		if left := context.Requests(nil).Routes(); len(left) > 0 {
			var patterns []string
			for _, s := range left {
				patterns = append(patterns, wording.Quote(s.Pattern))
			}
			note += "; there are " + strings.Join(patterns, ", ")
		} else {
			note += "; there is no route"
		}
		c.Note(note)
	}
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

// answersWith is what a route does by its answer: the page runs it, and it may be a file.
func answersWith(in *actions.Input) []policy.Family {
	var does []policy.Family
	if in.Has("body") || in.Has("file") {
		does = append(does, policy.RunsScript)
	}
	if in.Has("file") {
		does = append(does, policy.ReadsFiles)
	}
	return does
}

// runsAnswer is the script that the page runs when it is answered with one.
func runsAnswer(in *actions.Input) []string {
	if in.Has("body") || in.Has("file") {
		return []string{policy.Eval}
	}
	return nil
}
