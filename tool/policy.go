package tool

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
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
	for _, line := range c.plan.Lines() {
		if line.Does(trait.Traverses|trait.ListsTabs|trait.ChoosesTab|trait.ClosesTab|trait.Connects|trait.EndsSession) || line.Entry == nil {
			return true
		}
		if slices.ContainsFunc(planning.Addresses(line), planning.IsLocalFile) {
			return true
		}
	}
	return false
}
