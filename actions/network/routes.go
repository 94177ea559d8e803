package network

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/internal/wording"
)

func runRoutes(_ context.Context, c *actions.Call) (actions.Result, error) {
	rows := []Route{}
	var lines []string
	if tab := c.Tabs.Active(); tab != nil {
		for _, s := range tab.Page.Context().Requests(nil).Routes() {
			rows = append(rows, routeRow(&s))
			lines = append(lines, routeLine(&s))
		}
	}
	text := strings.Join(lines, "\n")
	if len(rows) == 0 {
		text = "No routes"
	}
	return actions.Result{Data: Routes{rows}, Text: text}, nil
}

// does says in one word what a route does.
func does(r *interception.Route) string {
	switch {
	case r.Abort != "":
		return "abort"
	case r.Fulfill != nil:
		return "answer"
	case len(r.RequestHeaders)+len(r.ResponseHeaders) > 0:
		return "change"
	case r.Delay > 0:
		return "delay"
	}
	return "count"
}

func routeRow(s *interception.RouteState) Route {
	row := Route{
		Pattern:        s.Pattern,
		Does:           does(&s.Route),
		Hits:           s.Hits,
		Method:         s.Method,
		ResourceTypes:  s.Types,
		Times:          s.Times,
		UsedUp:         s.UsedUp,
		Delay:          s.Delay.Milliseconds(),
		Waiting:        s.Waiting,
		Reason:         strings.ToLower(s.Abort),
		RequestHeaders: headerNames(s.RequestHeaders),
		Headers:        headerNames(s.ResponseHeaders),
		Unreadable:     s.Blocked,
	}
	if a := s.Fulfill; a != nil {
		row.Status, row.Size = a.Status, new(len(a.Body))
		if len(a.Headers) > 0 {
			row.Headers = headerNames(a.Headers)
		}
	}
	return row
}

// headerNames are the names alone: values may be secrets.
func headerNames(headers []interception.HeaderField) []string {
	names := make([]string, len(headers))
	for i, h := range headers {
		names[i] = h.Name
	}
	return names
}

func routeLine(s *interception.RouteState) string {
	var b strings.Builder
	if s.Method != "" {
		b.WriteString(s.Method + " ")
	}
	b.WriteString(s.Pattern)
	if len(s.Types) > 0 {
		b.WriteString(" (" + strings.ToLower(strings.Join(s.Types, ", ")) + ")")
	}
	b.WriteString(" → ")
	switch does(&s.Route) {
	case "abort":
		b.WriteString("fails (" + strings.ToLower(s.Abort) + ")")
	case "answer":
		b.WriteString(strconv.Itoa(s.Fulfill.Status) + ", " + wording.Plural(len(s.Fulfill.Body), "byte"))
	case "change":
		b.WriteString("changes " +
			strings.Join(slices.Concat(headerNames(s.RequestHeaders), headerNames(s.ResponseHeaders)), ", "))
	default:
		b.WriteString("goes on")
	}
	if s.Delay > 0 {
		b.WriteString(" after " + s.Delay.String())
	}
	b.WriteString("; " + wording.Plural(s.Hits, "hit"))
	if s.Times > 0 {
		b.WriteString(" of " + strconv.Itoa(s.Times))
	}
	if s.Waiting > 0 {
		b.WriteString(", " + strconv.Itoa(s.Waiting) + " waiting")
	}
	if s.Blocked > 0 {
		b.WriteString("; " + strconv.Itoa(s.Blocked) + " from another origin, which cannot read it without --allow-origin")
	}
	return b.String()
}
