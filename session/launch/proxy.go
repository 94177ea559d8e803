package launch

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// EffectiveProxy returns the proxy of the launch and the hosts that are reached without it: those of --proxy, else
// those of the browser's own switches, of which the last one of a name applies. It fails for a proxy that only a
// browser can find.
func (l Options) EffectiveProxy() (proxy, bypass string, err error) {
	if l.Context.Proxy != "" {
		return l.Context.Proxy, l.Context.ProxyBypass, nil
	}
	bypass = l.Context.ProxyBypass
	found := ""
	for _, arg := range l.Browser.Args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "--proxy-server":
			proxy = value
		case "--proxy-bypass-list":
			bypass = value
		case "--proxy-pac-url", "--proxy-auto-detect":
			found = name
		}
	}
	if slices.Contains(l.Browser.Args, "--no-proxy-server") { // goes before all others
		return "direct://", "", nil
	}
	if found != "" {
		return "", "", fault.New(fault.TargetUnsuitable,
			"The session's browser finds its proxy by %s, which only a browser can do.", found).About(found).
			WithHint("`read <url> --rendered` reads in the session's browser.")
	}
	return proxy, bypass, nil
}
