package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Config is what all layers say together.
type Config struct {
	Search  Search
	Browser Browser
	Backend Backend
}

// Backend is where calls run.
type Backend struct {
	Name         string // native or subprocess; empty if not configured
	AgentBrowser string // the path of the subprocess backend's program; empty means that it is looked for
}

// Search is about the companion search.
type Search struct {
	Disabled  bool   // a layer turned it off, and none above turned it on again
	Preferred string // the provider for callers who name none: exa, brave, or empty for no preference
	Exa       Credential
	Brave     Credential
}

// Browser is what agents are told about the person's browser. Nothing is launched by it.
type Browser struct {
	Profile        string // its name; empty means that none is set
	Policy         string // when to use it: explicit-only, authenticated-only or always
	ExecutablePath string
}

// file is a layer as it is written. What it leaves out is left as the layers below have it.
type file struct {
	Version   *json.Number `json:"version"`
	WebSearch *struct {
		Enabled           *bool   `json:"enabled"`
		PreferredProvider *string `json:"preferredProvider"`
		ExaAPIKey         *string `json:"exaApiKey"`
		BraveAPIKey       *string `json:"braveApiKey"`
	} `json:"webSearch"`
	Browser *struct {
		DefaultProfile *struct {
			Name   string `json:"name"`
			Policy string `json:"policy"`
		} `json:"defaultProfile"`
		ExecutablePath *string `json:"executablePath"`
	} `json:"browser"`
	Backend *struct {
		Name         *string `json:"name"`
		AgentBrowser *string `json:"agentBrowser"`
	} `json:"backend"`
}

// Policies of the default profile.
const (
	ExplicitOnly      = "explicit-only"
	AuthenticatedOnly = "authenticated-only"
	Always            = "always"
)

// put lays a file on top of what the layers below say.
func (c *Config) put(f file) error {
	if f.Version != nil && f.Version.String() != "1" {
		return fmt.Errorf("version %s is not known, only 1 is", *f.Version)
	}
	if w := f.WebSearch; w != nil {
		if w.Enabled != nil {
			c.Search.Disabled = !*w.Enabled
		}
		if w.PreferredProvider != nil {
			switch *w.PreferredProvider {
			case "exa", "brave":
				c.Search.Preferred = *w.PreferredProvider
			case "auto", "":
				c.Search.Preferred = ""
			default:
				return fmt.Errorf("webSearch.preferredProvider %q: it is exa, brave or auto", *w.PreferredProvider)
			}
		}
		if w.ExaAPIKey != nil {
			c.Search.Exa = Credential{name: "webSearch.exaApiKey", source: *w.ExaAPIKey}
		}
		if w.BraveAPIKey != nil {
			c.Search.Brave = Credential{name: "webSearch.braveApiKey", source: *w.BraveAPIKey}
		}
	}
	if b := f.Browser; b != nil {
		if p := b.DefaultProfile; p != nil {
			switch p.Policy {
			case "":
				p.Policy = AuthenticatedOnly
			case ExplicitOnly, AuthenticatedOnly, Always:
			default:
				return fmt.Errorf("browser.defaultProfile.policy %q: it is %s, %s or %s", p.Policy, ExplicitOnly, AuthenticatedOnly,
					Always)
			}
			if p.Name == "" {
				return fmt.Errorf("browser.defaultProfile has no name")
			}
			c.Browser.Profile, c.Browser.Policy = p.Name, p.Policy
		}
		if b.ExecutablePath != nil {
			c.Browser.ExecutablePath = *b.ExecutablePath
		}
	}
	if b := f.Backend; b != nil {
		if b.Name != nil {
			switch *b.Name {
			case "native", "subprocess":
				c.Backend.Name = *b.Name
			default:
				return fmt.Errorf("backend.name %q: it is native or subprocess", *b.Name)
			}
		}
		if b.AgentBrowser != nil {
			if *b.AgentBrowser != "" && !filepath.IsAbs(*b.AgentBrowser) {
				return fmt.Errorf("backend.agentBrowser %q: it must be an absolute path", *b.AgentBrowser)
			}
			c.Backend.AgentBrowser = *b.AgentBrowser
		}
	}
	return nil
}
