package tool

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// owner is what the owner of a backend has forbidden; nil: nothing.
func (t *Tool) owner(b backend.Backend) *policy.Owner {
	if o, ok := b.(interface{ Owner() *policy.Owner }); ok && o.Owner() != nil {
		return o.Owner()
	}
	return t.options.Owner
}

// lines are the command lines of the call: its own, and those of its batch.
func (c *call) lines() []*argv.Words {
	return argv.All(&c.words, c.plan.rows)
}

// domains is the list of domains that the session's pages may be of.
func (c *call) domains() string {
	if c.words.Has("allowed-domains") {
		return c.words.Value("allowed-domains")
	}
	return c.state.Domains
}

// checkDomains refuses to open what lies outside of the session's domains.
func (c *call) checkDomains() *contract.Refusal {
	list := c.domains()
	if list == "" {
		return nil
	}
	allowed, err := planning.Domains(list)
	if err != nil {
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	for _, line := range c.lines() {
		for _, address := range planning.Addresses(line) {
			if !strings.Contains(address, ":") || !strings.Contains(address, "//") {
				address = "https://" + address
			}
			if host := planning.Outside(allowed, address); host != "" {
				return contract.Refuse(contract.PolicyBlocked, "policy-blocked: --allowed-domains "+list+" does not allow "+host+"; nothing was opened. "+
					"sessionMode \"fresh\" starts a browser with another list.")
			}
		}
	}
	return nil
}

// checkFiles refuses what reaches for the files of sessions, and local files in a browser that is not ours.
func (c *call) checkFiles() *contract.Refusal {
	attached := c.state.Attached
	for _, line := range c.lines() {
		attached = attached || line.Attaches()
		for _, word := range planning.Paths(line) {
			if planning.Within(word, c.tool.options.Cwd, c.tool.protected) {
				return storageBlocked(word)
			}
		}
		for _, address := range planning.Addresses(line) {
			if attached && planning.IsLocalFile(address) {
				return contract.Refuse(contract.PolicyBlocked, "policy-blocked: "+address+" is a local file, and the session's browser was not started by the tool. "+
					"Open local files in a session of the tool's own: leave --session and --cdp out, or use sessionMode \"fresh\".")
			}
		}
	}
	if path := c.params.OutputPath; path != nil && planning.Within(*path, c.tool.options.Cwd, c.tool.protected) {
		return storageBlocked(*path)
	}
	return nil
}

func storageBlocked(word string) *contract.Refusal {
	return contract.Refuse(contract.PolicyBlocked, "policy-blocked: Browser access to local .agent-browser storage is blocked: "+word+
		" is where sessions and their sockets are kept. Use another path.")
}

// checkPage looks at the page that the session shows after the command.
func (c *call) checkPage() {
	if c.words.Has("allowed-domains") && c.reached() {
		c.state.Domains = c.words.Value("allowed-domains")
	}
	url := c.state.Target.URL
	if c.answer.Success && c.state.Domains != "" {
		allowed, err := planning.Domains(c.state.Domains) // which checkDomains has read before
		if host := planning.Outside(allowed, url); err == nil && host != "" {
			c.fail(contract.PolicyBlocked, planning.OutsideText(c.state.Domains, host, url))
		}
	}
	if planning.IsLocalFile(url) && isWeb(c.before.URL) && !c.asksForFile() {
		c.fail(contract.ValidationError, "The session went from "+c.before.URL+" to the local file "+url+" by itself. Open it by its address if that is meant, or go `back`.")
	}
}

func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// asksForFile reports whether the caller may have wanted a local file: by its address, or as a tab or page of the history.
func (c *call) asksForFile() bool {
	for _, line := range c.lines() {
		if line.Does(trait.Traverses|trait.ListsTabs|trait.ChoosesTab|trait.ClosesTab|trait.Connects|trait.EndsSession) || line.Entry == nil {
			return true
		}
		if slices.ContainsFunc(planning.Addresses(line), planning.IsLocalFile) {
			return true
		}
	}
	return false
}
