package login

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/wording"
)

// passkeyCommands returns the commands of the session's virtual authenticator, and of passkeys in the vault.
func passkeyCommands() []actions.Command {
	const quiet = " Private keys are never shown."
	name := actions.Arg{Name: "name", Help: "The login's name: letters, digits, - and _"}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "auth passkey on",
				Group:   actions.GroupLogins,
				Summary: "Let pages of the session register and use passkeys",
				Help: "All tabs get a virtual authenticator, which confirms each request of a page at once, as if a person " +
					"had. The passkeys that pages register belong to the session: `state save` and --restore keep them, and `auth " +
					"passkey save` puts them into the vault. The browser gives a passkey only to pages of the domain that it was " +
					"registered for. Meanwhile pages do not reach the authenticators of the machine.",
				Examples: []actions.Example{{Line: "auth passkey on"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true, Steps: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Passkeys{}}},
			Run:      runPasskeyOn,
		},
		{
			Spec: actions.Spec{
				Name: "auth passkey off", Group: actions.GroupLogins, Summary: "Take the virtual authenticator away from the pages",
				Help: "The session keeps its passkeys for when it is turned on again.",
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true, Steps: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Passkeys{}}},
			Run:      runPasskeyOff,
		},
		{
			Spec: actions.Spec{
				Name: "auth passkey list", Group: actions.GroupLogins, Summary: "List the passkeys of the session",
				Help: "Each with its domain, its user and how often it has signed." + quiet,
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{Passkeys{}}},
			Run:      runPasskeyList,
		},
		{
			Spec: actions.Spec{
				Name:    "auth passkey save",
				Group:   actions.GroupLogins,
				Summary: "Save passkeys of the session in a login of the vault",
				Help: "`auth login` logs in with them from then on. A login without a password is created if there is none of " +
					"that name; its address is " +
					"--url, else that of the page. A passkey of a domain that is not the login's own is refused." + quiet,
				Args: []actions.Arg{name},
				Flags: []actions.Flag{
					{Name: "id", Value: "id", Help: "Only this passkey: its id, or how that begins"},
					{
						Name:  "url",
						Kind:  actions.String,
						Value: "url",
						Help:  "The address of the login page, for a login that does not exist yet",
					},
				},
				Examples: []actions.Example{{Line: "auth passkey save app"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{PasskeysSaved{}}},
			Run:      runPasskeySave,
		},
		{
			Spec: actions.Spec{
				Name:    "auth passkey load",
				Group:   actions.GroupLogins,
				Summary: "Give the session the passkeys of a login of the vault",
				Help: "Turns the authenticator on. Load them for pages on which you log in yourself; `auth login` needs " +
					"no loading." + quiet,
				Args:     []actions.Arg{name},
				Examples: []actions.Example{{Line: "auth passkey load app"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true, Steps: true},
			Safety:   actions.Safety{Families: policy.Does(), Blind: true},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Passkeys{}}},
			Run:      runPasskeyLoad,
		},
		{
			Spec: actions.Spec{
				Name:    "auth passkey remove",
				Aliases: []string{"auth passkey delete"},
				Group:   actions.GroupLogins,
				Summary: "Remove a passkey from the session, or from a login",
				Help:    "It is gone for good, unless it is saved elsewhere, too. The server of its page still knows it.",
				Args:    []actions.Arg{{Name: "id", Help: "Its id, or how that begins"}},
				Flags: []actions.Flag{{
					Name:  "login",
					Value: "name",
					Help:  "Remove it from this login of the vault, and not from the session",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true, Steps: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{PasskeyRemoved{}}},
			Run:      runPasskeyRemove,
		},
	}
}

// passkeyNews keeps what pages have done with the session's passkeys, for a later reply.
type passkeyNews struct {
	mu sync.Mutex
	of *engine.Context
}

func followPasskeys(c *actions.Call, of *engine.Context) {
	n := actions.StateOf[passkeyNews](c.Session.States())
	n.mu.Lock()
	defer n.mu.Unlock()
	n.of = of
}

// TakeNote implements what [actions.States] asks for.
func (n *passkeyNews) TakeNote() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of == nil {
		return ""
	}
	var notes []string
	for _, use := range webauthn.Uses(n.of) {
		did := "a page used the passkey of "
		if use.Created {
			did = "a page registered a passkey for "
		}
		did += use.RPID
		if use.User != "" {
			did += " (" + wording.OneLine(use.User) + ")"
		}
		if !slices.Contains(notes, did) {
			notes = append(notes, did)
		}
	}
	return strings.Join(notes, "; ")
}

func shownPasskeys(keys []passkey.Passkey) []Passkey {
	shown := []Passkey{}
	for i := range keys {
		shown = append(shown, shownPasskey(&keys[i]))
	}
	return shown
}

func shownPasskey(p *passkey.Passkey) Passkey {
	at := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.Format(time.RFC3339)
	}
	one := Passkey{
		CreatedAt:    at(p.CreatedAt),
		Discoverable: !p.Hidden,
		ID:           p.ID,
		RP:           wording.OneLine(p.RPID),
		SignCount:    p.SignCount,
		UsedAt:       at(p.UsedAt),
		User:         wording.OneLine(p.User()),
	}
	if p.DisplayName != p.User() {
		one.DisplayName = wording.OneLine(p.DisplayName)
	}
	return one
}

// line is the passkey in words.
func (p *Passkey) line() string {
	line := p.ID + "  " + p.RP
	if p.User != "" {
		line += "  " + p.User
	}
	return line + "  " + wording.Plural(int(p.SignCount), "signature")
}

func passkeysResult(of *engine.Context) actions.Result {
	data := Passkeys{Passkeys: []Passkey{}}
	if of != nil {
		data = Passkeys{On: webauthn.IsOn(of), Passkeys: shownPasskeys(webauthn.List(of))}
	}
	lines := []string{"Passkeys: off"}
	if data.On {
		lines[0] = "Passkeys: on"
	}
	for i := range data.Passkeys {
		lines = append(lines, "  "+data.Passkeys[i].line())
	}
	if len(data.Passkeys) == 0 {
		lines = append(lines, "  none yet")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}
}

func runPasskeyOn(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.ReadyTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	of := tab.Page.Context()
	if err := webauthn.On(ctx, of, tab.Page); err != nil {
		return actions.Result{}, err
	}
	followPasskeys(c, of)
	return passkeysResult(of), nil
}

func runPasskeyOff(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab := c.Tabs.Active()
	if tab == nil {
		return passkeysResult(nil), nil
	}
	if err := webauthn.Off(ctx, tab.Page.Context()); err != nil {
		return actions.Result{}, err
	}
	return passkeysResult(tab.Page.Context()), nil
}

func runPasskeyList(_ context.Context, c *actions.Call) (actions.Result, error) {
	tab := c.Tabs.Active()
	if tab == nil {
		return passkeysResult(nil), nil
	}
	followPasskeys(c, tab.Page.Context())
	return passkeysResult(tab.Page.Context()), nil
}

// choosePasskey returns the one whose id is given, or begins with what is given.
func choosePasskey(keys []passkey.Passkey, id, whose string) (passkey.Passkey, error) {
	var found []passkey.Passkey
	for _, k := range keys {
		if k.ID == id {
			return k, nil
		}
		if strings.HasPrefix(k.ID, id) && id != "" {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return passkey.Passkey{}, fault.New(fault.CredentialNotFound, "%s has no passkey %s.", whose, wording.Quote(id)).
			About(id).
			WithHint("`auth passkey list` lists those of the session, `auth show` those of a login.")
	case 1:
		return found[0], nil
	}
	return passkey.Passkey{}, fault.New(fault.Usage, "%s has %s whose ids begin with %s.", whose,
		wording.Plural(len(found), "passkey"), wording.Quote(id)).About(id).
		WithHint("Give more of the id.")
}

func runPasskeyRemove(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("login") {
		return removeFromLogin(ctx, c)
	}
	var keys []passkey.Passkey
	tab := c.Tabs.Active()
	if tab != nil {
		keys = webauthn.List(tab.Page.Context())
	}
	one, err := choosePasskey(keys, c.String("id"), "the session")
	if err != nil {
		return actions.Result{}, err
	}
	if _, err := webauthn.Remove(ctx, tab.Page.Context(), one.ID); err != nil {
		return actions.Result{}, err
	}
	return removedPasskey(&one, ""), nil
}

func removedPasskey(p *passkey.Passkey, login string) actions.Result {
	shown := shownPasskey(p)
	return actions.Result{
		Data: PasskeyRemoved{Login: login, Removed: shown},
		Text: "✓ Removed the passkey of " + shown.RP + strings.TrimSuffix(" ("+shown.User+")", " ()") + ", after " +
			strconv.FormatInt(p.SignCount, 10) + " signatures",
	}
}
