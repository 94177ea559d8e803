package input

import (
	"encoding/json"

	"github.com/skua-browser/skua/tool/contract"
)

// How many files of a workspace a lookup reads.
const (
	defaultWorkspaceFiles = 2000
	maxWorkspaceFiles     = 5000
)

var (
	sourceFields  = []string{"componentName", "includeDomHints", "maxWorkspaceFiles", "reactFiberId", "selector"}
	networkFields = []string{"filter", "maxWorkspaceFiles", "namespace", "requestId", "session", "url"}
)

func (o *object) workspaceFiles() int {
	n := o.count("maxWorkspaceFiles", defaultWorkspaceFiles)
	if n > maxWorkspaceFiles {
		o.fail("%s.maxWorkspaceFiles must be %d or less.", o.path, maxWorkspaceFiles)
	}
	return int(n)
}

func (p *plan) lookup(files int) contract.CompiledLookup {
	return contract.CompiledLookup{Args: batchArgs(false), Stdin: p.stdin(), Steps: p.steps, MaxWorkspaceFiles: files}
}

// sourceLookup reads a search for the source of an element.
func sourceLookup(raw json.RawMessage) (*contract.CompiledSourceLookup, error) {
	o := read("sourceLookup", raw, sourceFields)
	c := &contract.CompiledSourceLookup{
		Selector: o.word("selector"), ReactFiberID: o.word("reactFiberId"), ComponentName: o.word("componentName"),
		IncludeDOMHints: o.bool("includeDomHints", true),
	}
	files := o.workspaceFiles()
	if c.Selector == "" && c.ReactFiberID == "" && c.ComponentName == "" {
		o.fail("sourceLookup requires selector, reactFiberId, or componentName.")
	}
	if o.err != nil {
		return nil, o.err
	}
	p := &plan{}
	if c.Selector != "" {
		p.add("visible", "is", "visible", c.Selector)
		if c.IncludeDOMHints {
			p.add("html", "get", "html", c.Selector)
		}
	}
	if c.ReactFiberID != "" {
		p.add("reactInspect", "react", "inspect", c.ReactFiberID)
	}
	if c.ComponentName != "" {
		p.add("reactTree", "react", "tree")
	}
	c.CompiledLookup = p.lookup(files)
	return c, nil
}

// networkSourceLookup reads a search for the source of failed requests.
func networkSourceLookup(raw json.RawMessage) (*contract.CompiledNetworkSourceLookup, error) {
	o := read("networkSourceLookup", raw, networkFields)
	c := &contract.CompiledNetworkSourceLookup{
		RequestID: o.word("requestId"), Filter: o.word("filter"), URL: o.word("url"), Session: o.word("session"),
	}
	if o.has("namespace") {
		c.Namespace = new(string)
		o.decode("namespace", c.Namespace, "a string")
	}
	files := o.workspaceFiles()
	if c.RequestID == "" && c.Filter == "" && c.URL == "" {
		o.fail("networkSourceLookup requires requestId, filter, or url.")
	}
	if o.err != nil {
		return nil, o.err
	}
	p := &plan{}
	if c.RequestID != "" {
		p.add("request", "network", "request", c.RequestID)
	}
	if filter := c.Filter; filter != "" || c.URL != "" {
		if filter == "" {
			filter = c.URL
		}
		p.add("requests", "network", "requests", "--filter", filter)
	}
	c.CompiledLookup = p.lookup(files)
	if c.Session != "" {
		c.Args = append([]string{"--session", c.Session}, c.Args...)
	}
	if c.Namespace != nil {
		c.Args = append([]string{"--namespace", *c.Namespace}, c.Args...)
	}
	return c, nil
}
