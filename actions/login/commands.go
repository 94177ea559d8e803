package login

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/plugins"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
)

// Commands returns the commands of the vault, and of logging in with what it has.
func Commands() []actions.Command {
	name := actions.Arg{Name: "name", Help: "The login's name: letters, digits, - and _"}
	selectors := func(origins string) []actions.Flag {
		return []actions.Flag{
			{Name: "username-selector", Value: "css", Help: "The user name field, if it is not found automatically"},
			{
				Name:  "password-selector",
				Value: "css",
				Help:  "The password field, if it is not found automatically; it must be of type password",
			},
			{Name: "submit-selector", Value: "css", Help: "The control that sends the form"},
			{Name: "allow-origin", Value: "origin", Kind: actions.List, Help: origins},
		}
	}
	return append([]actions.Command{
		{
			Spec: actions.Spec{
				Name:    "auth save",
				Group:   actions.GroupLogins,
				Summary: "Save a login in the vault",
				Help: "The vault consists of encrypted files below ~/.skua/auth. Its key is in SKUA_ENCRYPTION_KEY or " +
					"AGENT_BROWSER_ENCRYPTION_KEY (64 hexadecimal digits), else in the keyring of the system, else in a file that " +
					"only you can read. A password given with --password is visible in the process list and in the shell's history; " +
					"--password-stdin reads it from standard input instead. With --totp, `auth login` also enters one-time codes. " +
					"If both secrets come from standard input, the password is the first line. A login of the same name is replaced.",
				Args: []actions.Arg{name},
				Flags: append([]actions.Flag{
					{
						Name:  "url",
						Kind:  actions.String,
						Value: "url",
						Help:  "The address of the login page, to whose origin the login is bound",
					},
					{Name: "username", Value: "user", DashValue: true, Help: "The user name"},
					{
						Name:      "password",
						Value:     "password",
						DashValue: true,
						Secret:    true,
						Help:      "The password; prefer --password-stdin",
					},
					{Name: "password-stdin", Kind: actions.Bool, Help: "Read the password from standard input"},
					{
						Name:      "totp",
						Value:     "secret",
						DashValue: true,
						Secret:    true,
						Help:      "The secret of one-time codes: an otpauth:// address or base32; prefer --totp-stdin",
					},
					{Name: "totp-stdin", Kind: actions.Bool, Help: "Read the secret of one-time codes from standard input"},
				}, selectors("Another origin that the login may be typed into and sent to, such as that of a sign-in service")...),
				Stdin: secretByStdin,
				Examples: []actions.Example{{
					Line: "auth save github --url https://github.com/login --username ann --password-stdin",
					Note: "pipe the password in",
				}},
				Upstream: []string{
					"auth save <name> [opts]", "auth save <name> --url <url> --username <user> --password <pass>",
					"auth save <name> [--username-selector <s>] [--password-selector <s>] [--submit-selector <s>]",
					"auth <subcommand> [args]",
				},
			},
			Schedule: actions.Schedule{
				Effect:      actions.Control | actions.NoBrowser,
				Sessionless: trait.OnMachine,
				AtLeast:     passwordPatience,
			},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Saved{}}},
			Run:      runAuthSave,
		},
		{
			Spec: actions.Spec{
				Name:    "auth list",
				Group:   actions.GroupLogins,
				Summary: "List the logins of the vault, without passwords",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{Logins{}}},
			Run:      runAuthList,
		},
		{
			Spec: actions.Spec{
				Name: "auth show", Group: actions.GroupLogins, Summary: "Show a login, without its password",
				Args: []actions.Arg{name},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{LoginEntry{}}},
			Run:      runAuthShow,
		},
		{
			Spec: actions.Spec{
				Name:    "auth delete",
				Aliases: []string{"auth remove"},
				Group:   actions.GroupLogins,
				Summary: "Delete a login",
				Args:    []actions.Arg{name},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Deleted{}}},
			Run:      runAuthDelete,
		},
		{
			Spec: actions.Spec{
				Name:    "auth login",
				Group:   actions.GroupLogins,
				Summary: "Log in with a login of the vault, and check that it worked",
				Help: "Opens the login's page, finds the form (user name and password together, or one after the other, also " +
					"in frames), fills it in, sends it, and checks the result. It succeeds when the form is gone and the page shows " +
					"no error, and reports what it saw. Otherwise it fails with the page's message. If the login has a secret for " +
					"one-time codes, it also enters the code. It types nothing into a page of an origin that the login was not " +
					"saved for, or into a form that sends to one, and types the password only into a password field. If the login " +
					"has passkeys, the page gets them until the login is over, and a control such as \"Sign in with a passkey\" is " +
					"pressed where there is one.",
				Args: []actions.Arg{name},
				Flags: append([]actions.Flag{
					{
						Name: "no-navigate",
						Kind: actions.Bool,
						Help: "Log in on the page that is shown, which must be of the login's origin",
					},
					{Name: "credential-provider", Value: "plugin", Help: "Get the login from this plugin, and store nothing"},
					{Name: "item", Value: "ref", Help: "The login's name in the plugin's vault"},
					{
						Name:  "url",
						Kind:  actions.String,
						Value: "url",
						Help:  "An address other than the login's own, of an origin that it was saved for",
					},
				}, selectors("Only this origin of those that the login was saved for")...),
				Examples: []actions.Example{{Line: "auth login github"}, {Line: "auth login github --no-navigate"}},
				Upstream: []string{
					"auth login <name>", "auth login <name> --no-navigate",
					"auth login <name> --username-selector <s> --password-selector <s>",
					"auth login <name> --credential-provider <plugin> [--item <ref>] [--url <url>]",
					"auth login <name> --credential-provider <p>",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Navigates},
			Safety: actions.Safety{
				Families: policy.Does(policy.ActsByPointer, policy.ActsByKeyboard, policy.Sends),
				Blind:    true,
			},
			Showing:  actions.Showing{Traits: trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{LoggedIn{}}},
			Run:      runAuthLogin,
		},
	}, passkeyCommands()...)
}

func secretByStdin(in *actions.Input) bool { return in.Bool("password-stdin") || in.Bool("totp-stdin") }

// givenSecrets reads the password and the secret of one-time codes, which may come by the standard input: a line each
// when both do.
func givenSecrets(c *actions.Call) (password, totp string, err error) {
	password, totp = c.String("password"), c.String("totp")
	switch {
	case c.Has("password") && c.Bool("password-stdin"):
		return "", "", c.Invalid("--password and --password-stdin both give the password: leave one out.")
	case c.Has("totp") && c.Bool("totp-stdin"):
		return "", "", c.Invalid("--totp and --totp-stdin both give the secret: leave one out.")
	case !secretByStdin(c.Input):
		return password, totp, nil
	}
	given := strings.TrimSuffix(strings.TrimSuffix(string(c.Stdin), "\n"), "\r")
	if given == "" {
		return "", "", c.Invalid("Standard input is empty: pipe the secret into the command.")
	}
	if c.Bool("password-stdin") && c.Bool("totp-stdin") {
		first, second, ok := strings.Cut(given, "\n")
		if !ok {
			return "", "", c.Invalid("--password-stdin with --totp-stdin needs two lines: the password, then the secret.")
		}
		return strings.TrimSuffix(first, "\r"), second, nil
	}
	if c.Bool("totp-stdin") {
		return password, given, nil
	}
	return given, totp, nil
}

// passwordTakes is more than a person needs to type a password.
const passwordTakes = 2 * time.Minute

// passwordPatience is how long `auth save` may take: a person is waited for when no password is given.
func passwordPatience(in *actions.Input) time.Duration {
	if in.Has("password") || in.Bool("password-stdin") {
		return 0
	}
	return passwordTakes
}

// askPassword has a person type the password at a terminal. Without a terminal, it is missing.
func askPassword(ctx context.Context, c *actions.Call) (string, error) {
	if c.Ask == nil {
		return "", c.Missing("url", "username", "password")
	}
	password, err := c.Ask(ctx, "Password of "+c.String("username")+": ", true)
	if errors.Is(err, actions.ErrNoTerminal) || err == nil && password == "" {
		return "", c.Missing("url", "username", "password")
	}
	return password, err
}

// onCommandLine is agent-browser's warning.
const onCommandLine = "Passwords on the command line may be visible in process listings and shell history. Use " +
	"--password-stdin instead."

func runAuthSave(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if err := vault.CheckName(c.String("name")); err != nil {
		return actions.Result{}, err
	}
	password, totp, err := givenSecrets(c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.String("url") == "" || c.String("username") == "" {
		return actions.Result{}, c.Missing("url", "username", "password")
	}
	if password == "" {
		if password, err = askPassword(ctx, c); err != nil {
			return actions.Result{}, err
		}
	}
	address, err := navigate.Address(c, c.String("url"))
	if err != nil {
		return actions.Result{}, err
	}
	bound, err := vault.Bind(address, c.Strings("allow-origin")...)
	if err != nil {
		return actions.Result{}, err
	}
	if totp != "" {
		if _, err := vault.ParseTOTP(totp); err != nil {
			return actions.Result{}, err
		}
	}
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	e := &vault.Entry{
		Name:             c.String("name"),
		URL:              address,
		Username:         c.String("username"),
		Password:         password,
		TOTP:             strings.TrimSpace(totp),
		UsernameSelector: c.String("username-selector"),
		PasswordSelector: c.String("password-selector"),
		SubmitSelector:   c.String("submit-selector"),
		AllowOrigins:     c.Strings("allow-origin"),
	}
	if before, err := v.Get(ctx, e.Name); err == nil {
		e.Passkeys = slices.DeleteFunc(before.Passkeys, func(p passkey.Passkey) bool { return !bound.Owns(&p) })
	}
	replaced, note, err := v.Save(ctx, e)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Has("password") || c.Has("totp") {
		c.Note(onCommandLine)
	}
	if note != "" {
		c.Note(note)
	}
	return actions.Result{Data: Saved{Saved: e.Name, Replaced: replaced}, Text: "✓ Done"}, nil
}

func runAuthList(ctx context.Context, c *actions.Call) (actions.Result, error) {
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	entries, locked, err := v.List(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	lines := []string{"Auth profiles:"}
	profiles := []LoginSummary{}
	for i := range entries {
		e := &entries[i]
		lines = append(lines, "  "+e.Name+" "+e.Username+" "+e.URL)
		profiles = append(profiles, LoginSummary{
			Name:         e.Name,
			URL:          e.URL,
			Username:     e.Username,
			OneTimeCodes: e.TOTP != "",
			Passkeys:     len(e.Passkeys),
		})
	}
	if len(entries) == 0 {
		lines = []string{"No auth profiles saved"}
	}
	if len(locked) > 0 {
		c.Note("no available key opens " + strings.Join(locked, ", ") + ": set SKUA_ENCRYPTION_KEY, or save them again")
	}
	return actions.Result{Data: Logins{Profiles: profiles, Locked: locked}, Text: strings.Join(lines, "\n")}, nil
}

func runAuthShow(ctx context.Context, c *actions.Call) (actions.Result, error) {
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	e, err := v.Get(ctx, c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	profile := Profile{
		Name:             e.Name,
		URL:              e.URL,
		Username:         e.Username,
		UsernameSelector: orNull(e.UsernameSelector),
		PasswordSelector: orNull(e.PasswordSelector),
		SubmitSelector:   orNull(e.SubmitSelector),
		OneTimeCodes:     e.TOTP != "",
		AllowOrigins:     e.AllowOrigins,
		File:             e.UpstreamFile,
		Passkeys:         shownPasskeys(e.Passkeys),
	}
	lines := []string{"Name: " + e.Name, "URL: " + e.URL, "Username: " + e.Username}
	moment := func(label string, t *time.Time) string {
		if t == nil {
			return ""
		}
		lines = append(lines, label+": "+t.Format(time.RFC3339))
		return t.Format(time.RFC3339)
	}
	profile.CreatedAt = moment("Created", e.CreatedAt)
	profile.LastLoginAt = moment("Last login", e.LastLoginAt)
	if e.TOTP != "" {
		lines = append(lines, "One-time codes: yes")
	}
	if len(e.AllowOrigins) > 0 {
		lines = append(lines, "Also typed into: "+strings.Join(e.AllowOrigins, ", "))
	}
	for _, s := range [][2]string{
		{"Username field", e.UsernameSelector},
		{"Password field", e.PasswordSelector},
		{"Sent by", e.SubmitSelector},
	} {
		if s[1] != "" {
			lines = append(lines, s[0]+": "+s[1])
		}
	}
	for _, p := range profile.Passkeys {
		lines = append(lines, "Passkey: "+p.line())
	}
	if e.UpstreamFile != "" {
		lines = append(lines, "File: "+e.UpstreamFile)
	}
	return actions.Result{Data: LoginEntry{profile}, Text: strings.Join(lines, "\n")}, nil
}

func runAuthDelete(_ context.Context, c *actions.Call) (actions.Result, error) {
	v, err := actions.OpenVault(c)
	if err != nil {
		return actions.Result{}, err
	}
	removed, err := v.Delete(c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	for _, path := range removed {
		if v.Foreign(path) {
			c.Note("agent-browser had it, too: " + path + " is deleted")
		}
	}
	return actions.Result{Data: Deleted{c.String("name")}, Text: "✓ Done"}, nil
}

// runAuthLogin logs in with a login of the vault, or of a plugin.
func runAuthLogin(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if err := vault.CheckName(c.String("name")); err != nil {
		return actions.Result{}, err
	}
	if c.Has("item") && !c.Has("credential-provider") {
		return actions.Result{},
			c.Invalid("--item is the login's name in a plugin's vault: name the plugin with --credential-provider.")
	}
	source, err := credential(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	e := source.entry
	for flag, place := range map[string]*string{
		"username-selector": &e.UsernameSelector, "password-selector": &e.PasswordSelector,
		"submit-selector": &e.SubmitSelector,
	} {
		if c.Has(flag) {
			*place = c.String(flag)
		}
	}
	if e.URL == "" {
		return actions.Result{}, c.Invalid("The login has no address: save it again with --url.")
	}
	if e.URL, err = navigate.Address(c, e.URL); err != nil {
		return actions.Result{}, err
	}
	bound, err := bind(c, e)
	if err != nil {
		return actions.Result{}, err
	}
	l := &login{
		Call:    c,
		entry:   e,
		bound:   bound,
		code:    source.code,
		counted: source.counted,
	}
	res, err := l.run(ctx)
	if err != nil {
		return actions.Result{}, l.hide(err)
	}
	if source.used != nil {
		if err := source.used(ctx); err != nil {
			c.Note("the time of the login's last use could not be saved: " + err.Error())
		}
	}
	return res, nil
}

// credentials are what is typed to log in, from the vault or a plugin.
type credentials struct {
	entry *vault.Entry
	code  codeSource // of one-time codes; nil means that the login has none
	// These record in the vault that the login was used, and how often its passkeys have signed. They are nil if it is not
	// from the vault.
	used    func(context.Context) error
	counted passkeyCounter
}

func credential(ctx context.Context, c *actions.Call) (found credentials, err error) {
	if c.Has("credential-provider") {
		found.entry, found.code, err = plugins.Credential(ctx, c)
		return found, err
	}
	v, err := actions.OpenVault(c)
	if err != nil {
		return credentials{}, err
	}
	kept, err := v.Get(ctx, c.String("name"))
	if err != nil {
		return credentials{}, err
	}
	if kept.TOTP != "" {
		totp, err := vault.ParseTOTP(kept.TOTP)
		if err != nil {
			return credentials{}, fault.New(fault.VaultLocked,
				"the login %s has a secret for one-time codes that cannot be used", kept.Name).About(kept.Name).
				WithHint("Save it again.")
		}
		found.code = totp.Code
	}
	typed := *kept // what is given for one login does not change what is kept
	found.used = func(ctx context.Context) error { return v.MarkUsed(ctx, kept) }
	found.counted = func(ctx context.Context, keys []passkey.Passkey) error {
		kept.Passkeys = keys
		return v.SavePasskeys(ctx, kept)
	}
	found.entry = &typed
	return found, nil
}
