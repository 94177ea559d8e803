package model

import (
	"net/url"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// endpoint is where a model is, and how it is spoken to.
type endpoint struct {
	address string // that requests are sent to
	model   string
	key     string
	keyVar  string // where the key is from
	speaks  dialect
}

// family is a kind of endpoint that the environment may name.
type family struct {
	prefix string // of variables
	urlVar string
	base   string // without urlVar
	path   string // behind the base
	model  string // without any wish
	maker  string // the prefix before the slash in a gateway's model names, which the maker's own endpoint does not know
	likes  string // how the names of its models begin
	speaks dialect
}

// families are in the order in which a key counts when the name of the model does not tell.
func families() []family {
	return []family{
		{
			prefix: "AI_GATEWAY", urlVar: "AI_GATEWAY_URL", base: "https://ai-gateway.vercel.sh",
			path: "/v1/chat/completions", model: "anthropic/claude-sonnet-4.6", speaks: openAI{},
		},
		{
			prefix: "OPENAI", urlVar: "OPENAI_BASE_URL", base: "https://api.openai.com/v1",
			path: "/chat/completions", model: "gpt-4o", maker: "openai/", likes: "gpt-", speaks: openAI{},
		},
		{
			prefix: "ANTHROPIC", urlVar: "ANTHROPIC_BASE_URL", base: "https://api.anthropic.com",
			path: "/v1/messages", model: "claude-sonnet-4-6", maker: "anthropic/", likes: "claude-", speaks: anthropic{},
		},
	}
}

// find chooses the endpoint as the environment says. Model is the name that was asked for; without one it is that of
// AI_GATEWAY_MODEL.
//
// A gateway's key counts before all others, since a gateway has the models of all makers. Else the name of the model
// says which maker's key is meant, "openai/…" and "gpt-…" or "anthropic/…" and "claude-…", and where it does not,
// OpenAI's counts before Anthropic's. An address without a key is one that wants none, such as that of a model on this
// machine.
func find(getenv func(string) string, model string) (endpoint, error) {
	if model == "" {
		model = getenv("AI_GATEWAY_MODEL")
	}
	var chosen *family
	for _, f := range families() {
		if getenv(f.prefix+"_API_KEY") == "" && (getenv(f.urlVar) == "" || f.maker == "") {
			continue
		}
		fits := f.maker != "" && (strings.HasPrefix(model, f.maker) || strings.HasPrefix(model, f.likes))
		if chosen == nil || fits && chosen.maker != "" {
			chosen = &f
		}
	}
	if chosen == nil {
		return endpoint{}, fault.New(fault.ModelFailed,
			"AI_GATEWAY_API_KEY not set. Set the AI_GATEWAY_API_KEY environment variable to enable chat.").
			About("AI_GATEWAY_API_KEY").
			WithHint("OPENAI_API_KEY, with OPENAI_BASE_URL, and ANTHROPIC_API_KEY, with ANTHROPIC_BASE_URL, do as well.")
	}
	e := endpoint{key: getenv(chosen.prefix + "_API_KEY"), keyVar: chosen.prefix + "_API_KEY", speaks: chosen.speaks}
	if e.model = strings.TrimPrefix(model, chosen.maker); e.model == "" {
		e.model = chosen.model
	}
	base := strings.TrimRight(getenv(chosen.urlVar), "/")
	if base == "" {
		base = chosen.base
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return endpoint{}, fault.New(fault.Usage, "%s is not the address of an endpoint.", chosen.urlVar).
			About(chosen.urlVar).
			WithHint("It looks like %s.", chosen.base)
	}
	path := chosen.path
	if strings.HasSuffix(u.Path, "/v1") { // people write it with and without
		path = strings.TrimPrefix(path, "/v1")
	}
	e.address = base + path
	return e, nil
}

// host is the endpoint's name in messages: an address may hold a password.
func (e endpoint) host() string {
	u, err := url.Parse(e.address)
	if err != nil {
		return "the endpoint"
	}
	return u.Host
}
