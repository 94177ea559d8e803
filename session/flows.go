package session

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/flow"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// flows finds texts of one site in what would go to another. Without a rule for that it keeps nothing.
type flows struct {
	mu     sync.Mutex
	ledger *flow.Ledger
	known  map[string]bool // the texts of the task that the ledger knows
}

// of returns the ledger, which knows the texts of the task.
func (f *flows) of(known []string) *flow.Ledger {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ledger == nil {
		f.ledger, f.known = flow.NewLedger(), map[string]bool{}
	}
	for _, text := range known {
		if !f.known[text] {
			f.known[text] = true
			f.ledger.Know(text)
		}
	}
	return f.ledger
}

// forget forgets what pages have shown.
func (f *flows) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ledger, f.known = nil, nil
}

// flowRules returns the session's rules for flows, and its ledger; nil means that there is no rule. Rules of the
// process's owner are of all its sessions, so that what one of them has read does not leave by another.
func (r *runner) flowRules() (flow.Rules, *flow.Ledger) {
	s := r.session
	rules, known := s.ruling.Flows(s.Launch.Network.Several())
	if rules.Mode == flow.Off {
		return rules, nil
	}
	if r.req.Known != "" {
		known = append(known, r.req.Known)
	}
	if o, _ := policy.Flows(s.manager.owner.Actions(), nil); o.Mode > flow.Off {
		return rules, s.manager.flows.of(known)
	}
	return rules, s.flows.of(known)
}

// checkFlow applies the rules for flows to a command. It returns nil if the command may run, or else the reply to give
// instead.
func (r *runner) checkFlow(
	ctx context.Context, in *actions.Input, rules flow.Rules, ledger *flow.Ledger,
) (*actions.Result, error) {
	if ledger == nil || in.Command().Rows { // each row is asked for
		return nil, nil
	}
	f, found := r.findFlow(ctx, in, ledger)
	if !found || rules.Allows(f) {
		return nil, nil
	}
	line, _ := in.Masked()
	says := "text of " + f.From + " would go to " + f.To
	if f.Text != "" {
		says += `: "` + f.Text + `"`
	}
	v := policy.Verdict{Action: in.Name(), Reason: says, Rule: "flows " + rules.Mode.String()}
	switch rules.Mode {
	case flow.Log:
		r.session.addNotice("text of " + f.From + " went to " + f.To + ", by `" + line + "`")
		return nil, nil
	case flow.Ask:
		v.Effect = policy.Ask
		return r.askPerson(ctx, in, v)
	}
	r.session.recordRefusal(policy.Flow, f.From+" -> "+f.To, v.Rule, line)
	return nil, fault.New(fault.PolicyBlocked, "%s: refused: %s", in.Name(), says).About(in.Name()).
		With("rule", v.Rule).With("from", f.From).With("to", f.To).
		WithHint(
			"The owner of the rules can allow \"%s -> %s\" in \"flows\" of the action policy. Do not try to get around it.",
			f.From, f.To)
}

// address finds addresses in code.
var address = regexp.MustCompile(`(?:https?|wss?):\\?/\\?/[^\s"'` + "`" + `<>\\)]+`)

// findFlow looks for a text of one site in what a command would send to another.
func (r *runner) findFlow(ctx context.Context, in *actions.Input, ledger *flow.Ledger) (flow.Flow, bool) {
	out := in.Outgoing(r.req.Stdin)
	here := flow.Site(r.session.pageAddress(in))
	for _, at := range out.Addresses {
		if f, found := ledger.FindAddress(withScheme(at)); found {
			return f, true
		}
	}
	to := []string{here}
	if others := append(out.To, out.Addresses...); len(others) > 0 {
		to = nil
		for _, at := range others {
			if at != actions.AllSites {
				at = flow.Site(withScheme(strings.TrimPrefix(at, ".")))
			}
			to = append(to, at)
		}
	}
	texts := out.Texts
	for _, name := range out.Files {
		if text, err := userfile.Read(ctx, r.path(name), fileBytes); err == nil {
			texts = append(texts, string(text))
		}
	}
	for _, site := range to {
		if f, found := ledger.Find(site, texts...); found {
			return f, true
		}
	}
	if !out.Script || here == "" {
		return flow.Flow{}, false
	}
	for _, text := range texts { // the script of one page that asks another site may carry anything
		for _, at := range address.FindAllString(text, -1) {
			if site := flow.Site(strings.ReplaceAll(at, `\`, "")); site != here {
				return flow.Flow{From: here, To: site, Text: at}, true
			}
		}
	}
	return flow.Flow{}, false
}

// fileBytes is how much of a file that goes to a page is looked at.
const fileBytes = 1 << 20

// withScheme is an address as `open` completes it.
func withScheme(at string) string {
	if u, err := url.Parse(at); err == nil && (u.Host != "" || u.Opaque != "" && !strings.Contains(u.Scheme, ".")) {
		return at
	}
	return "https://" + strings.TrimPrefix(at, "//")
}

// pageAddress is the address of the page that a command works in; empty means of none.
func (s *callSession) pageAddress(in *actions.Input) string {
	if tab := s.tabNamed(in); tab != nil {
		return tab.Page.URL()
	}
	return ""
}

// noteShown notes what a reply shows of a page.
func (r *runner) noteShown(in *actions.Input, ledger *flow.Ledger, res *actions.Result, failed error) {
	cmd := in.Command()
	if ledger == nil || !cmd.ShowsPage() || cmd.Rows {
		return
	}
	at, ok := res.Origin()
	if !ok {
		at = r.session.pageAddress(in)
	}
	site := flow.Site(at)
	show := ledger.Show
	if cmd.Safety.Secrets {
		show = ledger.ShowSecret
	}
	show(site, res.Text)
	if failed != nil {
		show(site, failed.Error())
	}
}
