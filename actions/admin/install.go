package admin

import (
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/browsers/install"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/internal/wording"
)

// installLimit is how long a browser may take to arrive, over a slow connection.
const installLimit = 40 * time.Minute

func installCommands() []actions.Command {
	long := func(*actions.Input) time.Duration { return installLimit }
	return []actions.Command{
		doctorCommand(),
		{
			Spec: actions.Spec{
				Name:    "install",
				Group:   actions.GroupSetup,
				Summary: "Download a browser, or install one with the system's package manager",
				Help: "Gets Chrome for Testing, or its headless shell, which starts in less than half the time and has no " +
					"window. A download continues where " +
					"an earlier one ended. It is checked (by SHA-256 where --sha256, the server or an earlier install says it), " +
					"unpacked into ~/.skua/browsers, and started once. " +
					"Only a browser that has answered counts as installed. From then on it is preferred to browsers on the PATH. " +
					"SKUA_CFT_URL is the address of another server of the same kind.\n\n" +
					"--system and --with-deps run the system's package manager: apt-get, dnf, yum, zypper, pacman, apk, brew, " +
					"winget. They print what they " +
					"run, and use sudo only at a terminal.",
				Args: []actions.Arg{{
					Name:     "product",
					Value:    "chrome|headless-shell|all",
					Optional: true,
					Default:  "headless-shell",
					OneOf: []string{
						"chrome", "headless-shell", "all",
					},
					Help: "Which browser; --headed needs chrome",
				}},
				Flags: []actions.Flag{
					{
						Name:  "with-deps",
						Short: "d",
						Kind:  actions.Bool,
						Help:  "First install the libraries and fonts that it needs, as packages of the system",
					},
					{
						Name:    "release",
						Value:   "version",
						Default: "stable",
						Help:    "stable, beta, dev, canary, a major version such as 140, or a whole version",
					},
					{
						Name:  "sha256",
						Kind:  actions.List,
						Value: "sum",
						Help:  "The SHA-256 that the downloaded archive must have; with several products <product>=<sum>, once for each",
					},
					{Name: "system", Kind: actions.Bool, Help: "Install the system's own package instead of a download"},
					{Name: "prune", Kind: actions.Bool, Help: "Remove the other versions that were installed before"},
				},
				Program: true,
				Examples: []actions.Example{{Line: "install", Note: "a browser, some 110 MB", Start: actions.StartWithoutBrowser}, {
					Line: "install chrome --with-deps",
				}, {Line: "install all --release 140"}, {Line: "install --system"}},
				Upstream: []string{"install", "install --with-deps", "install [--with-deps]"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine, AtLeast: long},
			Safety:   actions.Safety{Families: policy.Does(), Further: runsInstallers, Around: changesSystem},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Installed{}, Packages{}}},
			Run:      runInstall,
		},
		{
			Spec: actions.Spec{
				Name:    "upgrade",
				Group:   actions.GroupSetup,
				Summary: "Get newer builds of the installed browsers, and of skua",
				Help: "Browsers that were installed by the name of a channel or a major version get its newest build; others " +
					"stay. How to upgrade skua itself depends on how it was installed; the reply says how. With --from or " +
					"SKUA_RELEASE_URL, its two programs are replaced by the newest release in that folder or at that address, where " +
					"the file SHA256SUMS lists archives such as skua_0.2.0_linux_amd64.tar.gz. Without an address no server is " +
					"asked. With SKUA_NO_VERSION_CHECK=1 only --from is used.",
				Flags: []actions.Flag{
					{Name: "from", Value: "folder|url", Help: "The folder or the address of newer releases of skua"},
					{Name: "prune", Kind: actions.Bool, Help: "Remove builds that were replaced by newer ones"},
				},
				Program:  true,
				Examples: []actions.Example{{Line: "upgrade"}, {Line: "upgrade --prune"}, {Line: "upgrade --from dist"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine, AtLeast: long},
			Safety: actions.Safety{
				Families: policy.Does(),
				Further:  actions.IfGiven(policy.RunsPrograms, "from"),
				Around:   fromElsewhere,
			},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Upgraded{}}},
			Run:      runUpgrade,
		},
	}
}

// steps are the progress messages of long work: shown at once on a terminal, else with the result.
type steps struct {
	c    *actions.Call
	said []string
}

func (s *steps) say(line string) {
	if w := s.c.Terminal; w != nil {
		_, _ = fmt.Fprintln(w, line)
		return
	}
	run.Progress(s.c, line)
	s.said = append(s.said, line)
}

// result puts what was not said before in front of the text.
func (s *steps) result(data any, lines []string) actions.Result {
	return actions.Result{Data: data, Text: strings.Join(append(s.said, lines...), "\n")}
}

func installer(ctx context.Context, c *actions.Call, s *steps) (*install.Installer, error) {
	roots, err := caCert(ctx, c)
	if err != nil {
		return nil, err
	}
	return install.New(install.Options{
		Getenv:   c.Getenv,
		Terminal: c.Terminal,
		Say:      s.say,
		Roots:    roots,
		Proxy:    c.String("proxy"),
	}), nil
}

// mostCertificates is more than a list of all authorities has.
const mostCertificates = 64 << 20

// caCert reads the certificates that are trusted beside those of the system; nil means that none are.
func caCert(ctx context.Context, c *actions.Call) (*x509.CertPool, error) {
	path, source := c.String("ca-cert"), c.Source("ca-cert")
	if path == "" {
		path, source = grammar.FromEnv("CA_CERT", c.Getenv)
	}
	if path == "" {
		return nil, nil
	}
	path = c.Path(path)
	pem, err := userfile.Read(ctx, path, mostCertificates)
	if err != nil {
		return nil, fault.New(fault.File, "the certificates of %s cannot be read: %w", source, err).About(path)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fault.New(fault.File, "%s, which %s names, has no certificate in PEM form.", path, source).About(path)
	}
	return roots, nil
}

func runInstall(ctx context.Context, c *actions.Call) (actions.Result, error) {
	products := map[string][]string{
		"chrome": {install.Chrome}, "headless-shell": {install.Shell}, "all": {install.Shell, install.Chrome},
	}[c.String("product")]
	s := &steps{c: c}
	terms := install.RunOptions{Foreground: c.Terminal != nil, Agree: func(ctx context.Context, question string) bool {
		return agrees(ctx, c, question)
	}, Say: s.say, Getenv: c.Getenv}
	if c.Bool("system") {
		if c.Has("release") || c.Has("sha256") || c.Bool("with-deps") {
			return actions.Result{},
				c.Invalid(
					"--system installs the system's packages, whose version and dependencies the system chooses: leave out " +
						"--release, --sha256 and --with-deps.")
		}
		return installSystem(ctx, c, products, s, terms)
	}
	sums, err := install.ParseSHA256(c.Strings("sha256"), products)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Bool("with-deps") && runtime.GOOS == "linux" {
		m := install.DetectManager(c.Getenv)
		if m == nil {
			return actions.Result{}, noManager()
		}
		if err := m.Run(ctx, m.Needs(), terms); err != nil {
			return actions.Result{}, err
		}
	}
	i, err := installer(ctx, c, s)
	if err != nil {
		return actions.Result{}, err
	}
	defer i.Close()
	got, err := i.Install(ctx, install.Request{
		Products: products,
		Version:  c.String("release"),
		Prune:    c.Bool("prune"),
		SHA256:   sums,
	})
	if err != nil {
		return actions.Result{}, err
	}
	var lines []string
	for _, o := range got {
		lines = append(lines, outcomeLines(o)...)
	}
	return s.result(Installed{got, Steps{s.said}}, lines), nil
}

// agrees asks the person at the terminal.
func agrees(ctx context.Context, c *actions.Call, question string) bool {
	answer, err := c.Ask(ctx, question+" [y/N] ", false)
	answer = strings.ToLower(strings.TrimSpace(answer))
	return err == nil && (answer == "y" || answer == "yes")
}

func outcomeLines(o install.Outcome) []string {
	name := o.Product + " " + o.Version
	var lines []string
	switch {
	case o.Already:
		lines = append(lines, "✓ "+name+" is already installed: "+o.Path)
	default:
		how := wording.Bytes(o.Bytes)
		if o.Resumed > 0 {
			how += ", " + wording.Bytes(o.Resumed) + " of them from before"
		}
		if len(o.Checked) > 0 {
			how += "; checked by " + strings.Join(o.Checked, " and ")
		} else {
			how += "; the server gave no checksum"
		}
		follows := ""
		if o.From != "" {
			follows = " after " + o.From
		}
		lines = append(lines, "✓ Installed "+name+follows+": "+o.Path, "  "+how+"; it answers as "+o.Says)
		if o.SHA256By != "" {
			lines = append(lines, "  SHA-256 "+o.SHA256+", as "+o.SHA256By+" says")
		} else {
			lines = append(lines,
				"  not verified by SHA-256: the server names none, and --sha256 was not given. It is "+o.SHA256+
					"; from now on this version must have it")
		}
	}
	for _, v := range o.Pruned {
		lines = append(lines, "  removed "+v)
	}
	for _, v := range o.Kept {
		lines = append(lines, "  kept "+v+", which is in use")
	}
	return lines
}

func noManager() error {
	return fault.New(fault.InstallFailed,
		"No package manager of this system is known here: apt-get, dnf, yum, zypper, pacman, apk, brew and winget are.").
		WithHint("Install Chromium with the system's own tools, and set SKUA_EXECUTABLE_PATH if it is not found.")
}

// installSystem has the system install its own browser, and looks whether it is found then.
func installSystem(
	ctx context.Context, c *actions.Call, products []string, s *steps, terms install.RunOptions,
) (actions.Result, error) {
	m := install.DetectManager(c.Getenv)
	if m == nil {
		return actions.Result{}, noManager()
	}
	var packages []string
	for _, p := range products {
		packages = append(packages, m.Browser(p)...)
	}
	if len(products) > 1 && strings.Join(m.Browser(products[0]), " ") == strings.Join(m.Browser(products[1]), " ") {
		packages = m.Browser(products[0])
	}
	if err := m.Run(ctx, packages, terms); err != nil {
		return actions.Result{}, err
	}
	path, err := chrome.Find(products[0] == install.Shell, "", c.Getenv)
	if err != nil {
		return actions.Result{}, fault.New(fault.InstallFailed, "`%s` succeeded, but no browser is found: %w",
			m.Shown(packages), err)
	}
	return s.result(Packages{m.Name, packages, path, Steps{s.said}},
		[]string{"✓ Installed " + strings.Join(packages, " ") + " with " + m.Name, "  the browser is " + path}), nil
}

func runUpgrade(ctx context.Context, c *actions.Call) (actions.Result, error) {
	s := &steps{c: c}
	i, err := installer(ctx, c, s)
	if err != nil {
		return actions.Result{}, err
	}
	defer i.Close()
	own, lines, err := upgradeOwn(ctx, c, i)
	if err != nil {
		return actions.Result{}, err
	}
	got, pinned, err := i.UpgradeBrowsers(ctx, c.Bool("prune"))
	if err != nil {
		return actions.Result{}, err
	}
	for _, o := range got {
		lines = append(lines, outcomeLines(o)...)
	}
	for _, b := range pinned {
		lines = append(lines, "  "+b.Product+" "+b.Version+" was installed by its exact version, and stays")
	}
	if len(got)+len(pinned) == 0 {
		lines = append(lines, "  no browser was installed by `skua install`")
	}
	if got == nil {
		got = []install.Outcome{}
	}
	return s.result(Upgraded{got, own, Steps{s.said}}, lines), nil
}

// upgraded is the text about skua's own programs.
type upgraded struct {
	Version string         `json:"version"`
	Newest  string         `json:"newest,omitempty"` // at the release address
	Done    bool           `json:"upgraded"`
	Origin  install.Origin `json:"origin"`
}

// upgradeOwn replaces the programs when there is an address for newer ones, and else says how they are upgraded.
func upgradeOwn(ctx context.Context, c *actions.Call, i *install.Installer) (upgraded, []string, error) {
	u := upgraded{Version: product.Version}
	program, err := os.Executable()
	if err != nil {
		return u, nil, fault.New(fault.InstallFailed, "the location of this program is not known: %w", err)
	}
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.Main.Version
	}
	u.Origin = install.FindOrigin(ctx, program, built, c.Getenv)
	address := c.String("from")
	if address != "" && install.IsFolder(address) {
		address = c.Path(address)
	}
	if quiet, _ := grammar.FromEnv("NO_VERSION_CHECK", c.Getenv); address == "" &&
		(quiet == "" || quiet == "0" || quiet == "false") {
		address = install.ReleaseAddress(c.Getenv)
	}
	if address == "" {
		line := "  skua " + u.Version + ": upgrade it with `" + u.Origin.Command + "`"
		if u.Origin.Command == "" {
			line = "  skua " + u.Version + ": give the address of newer programs with --from"
		}
		return u, []string{line}, nil
	}
	newest, err := i.Newest(ctx, address)
	if err != nil {
		return u, nil, err
	}
	u.Newest = newest.Version
	switch {
	case !newest.IsNewer(u.Version):
		return u, []string{"✓ skua " + u.Version + " is the newest"}, nil
	case u.Origin.Kind != "binary" && u.Origin.Kind != "source":
		// What a package manager put there is that one's to replace.
		return u, []string{"  skua " + newest.Version + " is out, and this is " + u.Version + ": upgrade it with `" +
			u.Origin.Command + "`"}, nil
	}
	if err := i.Replace(ctx, newest, filepath.Dir(program)); err != nil {
		return u, nil, err
	}
	u.Done = true
	return u, []string{
		"✓ Upgraded skua from " + u.Version + " to " + newest.Version,
		"  the next command replaces a running host by the new one",
	}, nil
}

// changesSystem reports whether packages of the system are installed, which its own programs do.
func changesSystem(in *actions.Input) bool { return in.Bool("with-deps") || in.Bool("system") }

func runsInstallers(in *actions.Input) []policy.Family {
	if changesSystem(in) {
		return policy.Does(policy.RunsPrograms)
	}
	return nil
}

// fromElsewhere reports whether a program of the caller's takes the place of this one.
func fromElsewhere(in *actions.Input) bool { return in.Has("from") }
