package copilot

import (
	"cmp"
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// grantsOf reads what --grant gives: name=env:VARIABLE or name=vault:login[.field], and behind either @origin. Without
// an origin, that of a variable is the page's at which the task begins, and that of a login its own.
func grantsOf(c *actions.Call) ([]task.Grant, error) {
	var grants []task.Grant
	for _, given := range c.Strings("grant") {
		name, source, ok := strings.Cut(given, "=")
		source, origin, bound := strings.Cut(source, "@")
		kind, what, _ := strings.Cut(source, ":")
		if !ok || name == "" || what == "" || kind != "env" && kind != "vault" {
			return nil, c.Invalid("--grant " + wording.Quote(given) +
				": not a grant; write name=env:VARIABLE or name=vault:login")
		}
		if bound && task.Origin(origin) == "" {
			return nil, c.Invalid("--grant " + name + ": " + wording.Quote(origin) +
				": not an origin; write one like https://example.com")
		}
		grants = append(grants, task.Grant{Name: name, Source: source, Origin: task.Origin(origin)})
	}
	return grants, nil
}

// bindGrants gives each grant the one origin whose pages get the value.
func bindGrants(ctx context.Context, c *actions.Call, grants []task.Grant, start string) error {
	for i := range grants {
		g := &grants[i]
		login, isLogin := strings.CutPrefix(g.Source, "vault:")
		if !isLogin {
			if g.Origin == "" {
				g.Origin = task.Origin(start)
			}
			if g.Origin == "" {
				return fault.New(fault.Usage, "The secret %s is bound to the page's origin, and %s has none.", g.Name,
					orBlank(start)).About(g.Name).
					WithHint("Open the site first, or name its origin: --grant %s=%s@https://example.com.", g.Name, g.Source)
			}
			continue
		}
		entry, _, err := grantedLogin(ctx, c, login)
		if err != nil {
			return err
		}
		bound, err := vault.Bind(entry.URL, entry.AllowOrigins...)
		if err != nil {
			return err
		}
		if g.Origin == "" {
			g.Origin = bound.Home()
		} else if !bound.Allows(g.Origin) {
			return fault.New(fault.PolicyBlocked, "The login %s was not saved for %s.", entry.Name, g.Origin).About(g.Name).
				WithHint("`auth save %s --allow-origin %s` lets it be used there.", entry.Name, g.Origin)
		}
	}
	return nil
}

func orBlank(address string) string {
	if address == "" {
		return "a session without a page"
	}
	return address
}

// grantedLogin returns an entry of the vault, and which of its fields is meant.
func grantedLogin(ctx context.Context, c *actions.Call, what string) (entry *vault.Entry, field string, err error) {
	name, field, _ := strings.Cut(what, ".")
	if err := vault.CheckName(name); err != nil {
		return nil, "", err
	}
	v, err := actions.OpenVault(c)
	if err != nil {
		return nil, "", err
	}
	entry, err = v.Get(ctx, name)
	return entry, field, err
}

// secretsOf lets a task have the values of its grants, each when it is typed.
func secretsOf(c *actions.Call) *task.Secrets {
	return &task.Secrets{
		Value: func(ctx context.Context, g task.Grant) (string, error) {
			if name, ok := strings.CutPrefix(g.Source, "env:"); ok {
				if value := c.Getenv(name); value != "" {
					return value, nil
				}
				return "", fault.New(fault.CredentialNotFound, "The variable %s of the secret %s is not set, or not handed over.",
					name, g.Name).About(g.Name).
					WithHint("Set it, and give --grant %s=%s with this command.", g.Name, g.Source)
			}
			entry, field, err := grantedLogin(ctx, c, strings.TrimPrefix(g.Source, "vault:"))
			if err != nil {
				return "", err
			}
			switch field {
			case "", "password":
				return entry.Password, nil
			case "username":
				return entry.Username, nil
			case "otp", "totp":
				totp, err := vault.ParseTOTP(entry.TOTP)
				if err != nil {
					return "", fault.New(fault.CredentialNotFound, "The login %s has no usable secret for one-time codes.",
						entry.Name).About(g.Name)
				}
				return totp.Code(ctx)
			}
			return "", fault.New(fault.Usage, "A login has no field %q that could be typed: it has password, username and otp.",
				field).About(g.Name)
		},
		Type: func(ctx context.Context, g task.Grant, tab, selector, value string) (toolbox.Reply, error) {
			if err := mayHave(ctx, c, g, tab, selector); err != nil {
				return toolbox.Reply{}, err
			}
			argv := []string{"fill", "--", selector, value}
			if tab != "" {
				argv = append([]string{"--tab=" + tab}, argv...)
			}
			in, err := c.Parse(argv)
			if err != nil {
				return toolbox.Reply{}, err
			}
			in.Hide("text")
			res, err := c.Exec(ctx, in)
			if err != nil {
				return toolbox.Reply{}, err
			}
			return replyOf(res), nil
		},
	}
}

// mayHave fails where the field at a selector is in a document of another origin than a grant is for: a frame gets no
// secret of the page that it is in.
func mayHave(ctx context.Context, c *actions.Call, g task.Grant, tabID, selector string) error {
	tab := c.Tabs.Active()
	if tabID != "" {
		var err error
		if tab, err = c.Tabs.FindTab(tabID); err != nil {
			return err
		}
	}
	if tab == nil {
		return fault.New(fault.PageGone, "The session has no page to type the secret %s into.", g.Name).About(g.Name)
	}
	t, err := element.Resolve(ctx, c, tab, selector)
	if err != nil {
		return err
	}
	if here := task.Origin(t.Frame.URL()); here != g.Origin {
		return fault.New(fault.PolicyBlocked, "The secret %s is for %s, but the field is in a frame of %s.", g.Name, g.Origin,
			cmp.Or(here, "no origin")).About(g.Name)
	}
	return nil
}

// taskPicture is what a tab shows, in a small file.
func taskPicture(ctx context.Context, c *actions.Call, id string) ([]byte, error) {
	tab := c.Tabs.Active()
	if id != "" {
		var err error
		if tab, err = c.Tabs.FindTab(id); err != nil {
			return nil, err
		}
	}
	if tab == nil {
		return nil, fault.New(fault.PageGone, "The session has no page to take a picture of.")
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	return capture.Screenshot(watched, tab.Page, capture.ScreenshotOptions{Format: capture.JPEG, Quality: 50})
}
