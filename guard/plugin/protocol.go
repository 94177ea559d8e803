package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// The types of skua's own requests.
const (
	typeManifest   = "plugin.manifest"
	typeCredential = "credential.resolve"
	typeMutate     = "launch.mutate"
	typeLaunch     = "browser.launch"
	typeClose      = "browser.close"
)

// isCore reports whether a request type belongs to skua's own commands, so that `plugin run` refuses it.
func isCore(requestType string) bool {
	switch requestType {
	case typeManifest, typeCredential, typeMutate, typeLaunch, typeClose, CredentialRead, BrowserProvider:
		return true
	}
	return false
}

// How long plugins may take; the caller's deadline applies as well.
const (
	manifestLimit   = 60 * time.Second // npm may have to fetch the plugin first
	credentialLimit = 60 * time.Second // a vault may ask its owner
	mutateLimit     = 10 * time.Second
	browserLimit    = 60 * time.Second
	closeLimit      = 10 * time.Second
)

type request struct {
	Capability string `json:"capability"`
	Protocol   string `json:"protocol"`
	Request    any    `json:"request"`
	Type       string `json:"type"`
}

// response is the part that all answers have.
type response struct {
	Protocol string          `json:"protocol"`
	Success  bool            `json:"success"`
	Error    json.RawMessage `json:"error"`
}

// ask sends a request and decodes the answer into result. It quotes the plugin's error only if detailed is set, since
// the error may contain a secret.
func (h Host) ask(
	ctx context.Context, p *Plugin, capability, kind string, body, result any, limit time.Duration, detailed bool,
) (raw []byte, said string, err error) {
	text, err := json.Marshal(request{Capability: capability, Protocol: Protocol, Request: body, Type: kind})
	if err != nil {
		return nil, "", fault.New(fault.Usage, "the request for plugin '%s' is not JSON: %w", p.Name, err)
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	raw, said, err = h.exchange(ctx, p, text)
	if err != nil {
		return nil, said, err
	}
	failed := func(format string, args ...any) error {
		return fault.New(fault.PluginFailed, format, args...).About(p.Name).With("type", kind)
	}
	raw = bytes.TrimSpace(raw)
	var r response
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, said, failed("Plugin '%s' returned invalid JSON", p.Name)
	}
	if r.Protocol != Protocol {
		if detailed {
			return nil, said, failed("Plugin '%s' used unsupported protocol '%s'", p.Name, r.Protocol)
		}
		return nil, said, failed("Plugin '%s' used unsupported protocol", p.Name)
	}
	if !r.Success {
		if detailed {
			if why := fault.MessageIn(r.Error); why != "" {
				return nil, said, failed("Plugin '%s' failed: %s", p.Name, why)
			}
		}
		return nil, said, failed("Plugin '%s' returned success=false", p.Name)
	}
	if result != nil && json.Unmarshal(raw, result) != nil {
		return nil, said, failed("Plugin '%s' returned an answer that does not match the protocol", p.Name)
	}
	return raw, said, nil
}

// Manifest describes a plugin.
type Manifest struct {
	Name         string   `json:"name"`
	Capabilities []string `json:"capabilities"`
	Description  string   `json:"description"`
}

// Manifest returns a plugin's name and capabilities.
func (h Host) Manifest(ctx context.Context, p *Plugin) (*Manifest, error) {
	var r struct {
		Manifest *Manifest `json:"manifest"`
	}
	_, stderr, err := h.ask(ctx, p, typeManifest, typeManifest, struct{}{}, &r, manifestLimit, true)
	h.log(p, stderr)
	if err != nil {
		return nil, err
	}
	if r.Manifest == nil {
		return nil, fault.New(fault.PluginFailed, "Plugin '%s' returned no manifest", p.Name).About(p.Name)
	}
	return r.Manifest, nil
}

// Credential is a login from a plugin.
type Credential struct {
	Username         string `json:"username"`
	Password         string `json:"password"`
	OTP              string `json:"otp"` // a one-time code that is valid now
	URL              string `json:"url"`
	UsernameSelector string `json:"usernameSelector"`
	PasswordSelector string `json:"passwordSelector"`
	SubmitSelector   string `json:"submitSelector"`
}

// Credential requests a login: by its name, the item in the plugin's vault, and the URL where it is used; the last two
// may be empty.
func (h Host) Credential(ctx context.Context, p *Plugin, name, item, address string) (*Credential, error) {
	var r struct {
		Credential *Credential `json:"credential"`
	}
	body := struct {
		Item    *string `json:"itemRef"`
		Profile string  `json:"profileName"`
		URL     *string `json:"url"`
	}{orNull(item), name, orNull(address)}
	_, stderr, err := h.ask(ctx, p, CredentialRead, typeCredential, body, &r, credentialLimit, false)
	if err != nil {
		return nil, err // its error output may contain the password
	}
	if r.Credential == nil || r.Credential.Password == "" {
		return nil, fault.New(fault.PluginFailed, "Plugin '%s' returned no login", p.Name).About(p.Name)
	}
	h.log(p, stderr, r.Credential.Password, r.Credential.OTP)
	return r.Credential, nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// MutateOptions are how a local browser will be started; nil texts are not given.
type MutateOptions struct {
	AllowFileAccess bool     `json:"allowFileAccess"`
	Args            []string `json:"args"`
	ColorScheme     *string  `json:"colorScheme"`
	Engine          string   `json:"engine"`
	Headless        bool     `json:"headless"`
	UserAgent       *string  `json:"userAgent"`
	WebGPU          bool     `json:"webgpu"`
}

// BrowserOptions are the wishes for a browser that a plugin starts; nil texts are not given.
type BrowserOptions struct {
	ColorScheme *string `json:"colorScheme"`
	Engine      string  `json:"engine"`
	Headed      bool    `json:"headed"`
	UserAgent   *string `json:"userAgent"`
}

// Mutation is what a plugin adds to a launch.
type Mutation struct {
	Args        []string `json:"args"`
	Extensions  []string `json:"extensions"`
	InitScripts []string `json:"initScripts"`
}

// Mutate tells a plugin how a local browser will be started, and returns what it adds.
func (h Host) Mutate(ctx context.Context, p *Plugin, session string, options MutateOptions) (*Mutation, error) {
	var r struct {
		Launch *Mutation `json:"launch"`
	}
	body := struct {
		Options MutateOptions `json:"launchOptions"`
		Session string        `json:"session"`
	}{options, session}
	_, stderr, err := h.ask(ctx, p, LaunchMutate, typeMutate, body, &r, mutateLimit, false)
	h.log(p, stderr)
	if err != nil {
		return nil, err
	}
	if r.Launch == nil {
		r.Launch = &Mutation{}
	}
	return r.Launch, nil
}

// Browser is a browser that a plugin started.
type Browser struct {
	Address string // ws, wss, http or https; may contain a secret
	Direct  bool   // the address belongs to a page, not a browser
	cleanup json.RawMessage
}

// Launch requests a browser. Close ends it.
func (h Host) Launch(ctx context.Context, p *Plugin, session string, options BrowserOptions) (*Browser, error) {
	var r struct {
		Browser *struct {
			CDPURL     string          `json:"cdpUrl"`
			CDPURLOld  string          `json:"cdp_url"`
			ConnectURL string          `json:"connectUrl"`
			WSURL      string          `json:"wsUrl"`
			DirectPage bool            `json:"directPage"`
			Cleanup    json.RawMessage `json:"cleanup"`
		} `json:"browser"`
	}
	body := struct {
		Options  BrowserOptions `json:"launchOptions"`
		Provider string         `json:"provider"`
		Session  string         `json:"session"`
	}{options, p.Name, session}
	_, _, err := h.ask(ctx, p, BrowserProvider, typeLaunch, body, &r, browserLimit, false)
	if err != nil {
		return nil, err
	}
	b := &Browser{}
	if r.Browser != nil {
		for _, address := range []string{r.Browser.CDPURL, r.Browser.CDPURLOld, r.Browser.ConnectURL, r.Browser.WSURL} {
			if b.Address == "" {
				b.Address = address
			}
		}
		b.Direct, b.cleanup = r.Browser.DirectPage, r.Browser.Cleanup
	}
	if b.Address == "" {
		return nil, fault.New(fault.PluginFailed, "Plugin '%s' returned no address of a browser", p.Name).About(p.Name)
	}
	return b, nil
}

// Close tells the plugin that its browser is no longer used.
func (h Host) Close(ctx context.Context, p *Plugin, session string, b *Browser) error {
	body := struct {
		Cleanup  json.RawMessage `json:"cleanup"`
		Provider string          `json:"provider"`
		Session  string          `json:"session"`
	}{b.cleanup, p.Name, session}
	_, _, err := h.ask(ctx, p, BrowserProvider, typeClose, body, nil, closeLimit, false)
	return err
}

// Run sends a request of the plugin's own type and returns the whole answer. The capability is the type if the plugin
// declares it, else command.run.
func (h Host) Run(
	ctx context.Context, p *Plugin, requestType string, payload json.RawMessage,
) (json.RawMessage, error) {
	capability := CommandRun
	switch {
	case isCore(requestType):
		return nil, fault.New(fault.Usage,
			"plugin run cannot invoke core plugin entrypoint '%s'; use the dedicated agent-browser command path", requestType).
			About(requestType).
			WithHint(
				"Logins are read by `auth login --credential-provider`, browsers by --provider, launches by any command that " +
					"starts one.")
	case !p.Has(CommandRun) && p.Has(requestType):
		capability = requestType
	case !p.Has(CommandRun):
		return nil, fault.New(fault.PluginNotFound, "Plugin '%s' does not declare required capability '%s'", p.Name,
			CommandRun).About(p.Name).
			WithHint("It declares: %s.", orNone(p.Capabilities))
	}
	if len(bytes.TrimSpace(payload)) == 0 {
		payload = json.RawMessage("{}")
	}
	raw, stderr, err := h.ask(ctx, p, capability, requestType, payload, nil, 0, true)
	h.log(p, stderr)
	return raw, err
}
