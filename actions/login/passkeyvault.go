package login

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/wording"
)

func runPasskeySave(ctx context.Context, c *actions.Call) (actions.Result, error) {
	name := c.String("name")
	if err := vault.CheckName(name); err != nil {
		return actions.Result{}, err
	}
	var keys []passkey.Passkey
	tab := c.Tabs.Active()
	if tab != nil {
		keys = webauthn.List(tab.Page.Context())
	}
	if len(keys) == 0 {
		return actions.Result{}, fault.New(fault.CredentialNotFound, "the session has no passkeys: nothing was saved.").
			WithHint("Use `auth passkey on`, then register one on the page.")
	}
	if c.Has("id") {
		one, err := choosePasskey(keys, c.String("id"), "the session")
		if err != nil {
			return actions.Result{}, err
		}
		keys = []passkey.Passkey{one}
	}
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	e, err := v.Get(ctx, name)
	created := fault.Is(err, fault.CredentialNotFound)
	switch {
	case err != nil && !created:
		return actions.Result{}, err
	case !created && c.Has("url"):
		return actions.Result{}, c.Invalid("--url is for a login that does not exist yet: " + wording.Quote(name) +
			" has an address.")
	case created:
		address := tab.Page.URL()
		if c.Has("url") {
			if address, err = navigate.Address(c, c.String("url")); err != nil {
				return actions.Result{}, err
			}
		}
		e = &vault.Entry{Name: name, URL: address, Username: keys[0].UserName}
	}
	bound, err := vault.Bind(e.URL, e.AllowOrigins...)
	if err != nil {
		return actions.Result{}, err
	}
	own := slices.DeleteFunc(slices.Clone(keys), func(p passkey.Passkey) bool { return !bound.Owns(&p) })
	if len(own) == 0 {
		rp := wording.OneLine(keys[0].RPID)
		return actions.Result{}, fault.New(fault.PolicyBlocked,
			"The login %s belongs to %s, and the passkey to %s: it was not saved.", wording.Quote(name), bound.Home(), rp).
			About(rp).With("origin", rp).With("belongsTo", bound.Home()).
			WithHint("Save it in a login of its own, whose --url is of %s.", rp)
	}
	if left := len(keys) - len(own); left > 0 {
		c.Note(wording.Plural(left, "passkey") + " of other domains than " + bound.Home() + " not saved in this login")
	}
	if created {
		e.Username = own[0].UserName
	}
	for _, k := range own {
		e.Passkeys = append(slices.DeleteFunc(e.Passkeys, func(p passkey.Passkey) bool { return p.ID == k.ID }), k)
	}
	_, note, err := v.Save(ctx, e)
	if err != nil {
		return actions.Result{}, err
	}
	if note != "" {
		c.Note(note)
	}
	if e.UpstreamFile != "" {
		c.Note("the login is agent-browser's: a copy with the passkeys is in skua's vault")
	}
	data := PasskeysSaved{Created: created, Login: name, Passkeys: shownPasskeys(e.Passkeys)}
	return actions.Result{
		Data: data,
		Text: "✓ " + wording.Plural(len(own), "passkey") + " saved in the login '" + name + "'",
	}, nil
}

func runPasskeyLoad(ctx context.Context, c *actions.Call) (actions.Result, error) {
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	e, err := v.Get(ctx, c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	if len(e.Passkeys) == 0 {
		return actions.Result{}, fault.New(fault.CredentialNotFound, "the login %s has no passkeys.", wording.Quote(e.Name)).
			About(e.Name).
			WithHint("`auth passkey save %s` saves those of a session in it.", e.Name)
	}
	for i := range e.Passkeys {
		if err := e.Passkeys[i].Check(); err != nil {
			return actions.Result{}, fault.New(fault.VaultLocked, "the passkey %s of the login %s cannot be used: %w",
				e.Passkeys[i].ID, e.Name, err).About(e.Name)
		}
	}
	tab, err := run.ReadyTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	of := tab.Page.Context()
	if err := webauthn.On(ctx, of, tab.Page); err != nil {
		return actions.Result{}, err
	}
	if err := webauthn.Add(ctx, of, e.Passkeys); err != nil {
		return actions.Result{}, err
	}
	followPasskeys(c, of)
	c.Note("the session counts the signatures of these passkeys now: `auth passkey save " + e.Name +
		"` afterwards, or servers may refuse them as copies")
	return passkeysResult(of), nil
}

func removeFromLogin(ctx context.Context, c *actions.Call) (actions.Result, error) {
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	e, err := v.Get(ctx, c.String("login"))
	if err != nil {
		return actions.Result{}, err
	}
	one, err := choosePasskey(e.Passkeys, c.String("id"), "the login "+wording.Quote(e.Name))
	if err != nil {
		return actions.Result{}, err
	}
	e.Passkeys = slices.DeleteFunc(e.Passkeys, func(p passkey.Passkey) bool { return p.ID == one.ID })
	if e.Password == "" && len(e.Passkeys) == 0 {
		return actions.Result{}, fault.New(fault.Usage, "the login %s consists of this passkey: nothing was removed.",
			wording.Quote(e.Name)).About(e.Name).
			WithHint("`auth delete %s` deletes the login.", e.Name)
	}
	if err := v.SavePasskeys(ctx, e); err != nil {
		return actions.Result{}, err
	}
	return removedPasskey(&one, e.Name), nil
}
