package backend

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/tool/limits"
)

// passed are the variables that the program gets from the caller's environment: what a browser, a network and a desktop
// need. Everything else stays here, so that secrets of other programs do not get into a browser's process.
var passed = map[string]bool{
	"HOME": true, "PATH": true, "USER": true, "LOGNAME": true, "SHELL": true, "PWD": true, "TZ": true, "TERM": true,
	"NO_COLOR": true,
	"LANG":     true, "LANGUAGE": true, "TMPDIR": true, "TMP": true, "TEMP": true,
	"DISPLAY": true, "WAYLAND_DISPLAY": true, "XAUTHORITY": true, "DBUS_SESSION_BUS_ADDRESS": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "ALL_PROXY": true, "NO_PROXY": true,
	"SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "NODE_EXTRA_CA_CERTS": true,
	"AWS_ACCESS_KEY_ID": true, "AWS_SECRET_ACCESS_KEY": true, "AWS_SESSION_TOKEN": true, "AWS_REGION": true,
	"AWS_DEFAULT_REGION": true,
	"AWS_PROFILE":        true,
	"SYSTEMROOT":         true, "SYSTEMDRIVE": true, "WINDIR": true, "COMSPEC": true, "PATHEXT": true, "USERPROFILE": true,
	"APPDATA":      true,
	"LOCALAPPDATA": true, "PROGRAMFILES": true, "PROGRAMFILES(X86)": true, "PROGRAMDATA": true, "USERNAME": true,
}

// passedPrefixes are the prefixes of agent-browser itself, of the browser providers that it knows, and of where
// desktops keep things.
var passedPrefixes = []string{
	"AGENT_BROWSER_", "AGENTCORE_", "AI_GATEWAY_", "BROWSERBASE_", "BROWSERLESS_", "BROWSER_USE_", "KERNEL_", "XDG_",
	"LC_",
}

// kept says whether the program gets a variable. Proxies are written both ways, and Windows does not mind case.
func kept(name string) bool {
	upper := strings.ToUpper(name)
	switch upper {
	case "AGENT_BROWSER_ARGS", "AGENT_BROWSER_ALLOW_FILE_ACCESS", "AGENT_BROWSER_JSON": // the tool itself decides on these
		return false
	}
	return passed[upper] || slices.ContainsFunc(passedPrefixes, func(prefix string) bool {
		return strings.HasPrefix(upper, prefix)
	})
}

// childEnv is the environment of a call's process.
//
// Rules are the variables of the owner's rules, which count in place of what the caller's environment says of the same.
func childEnv(inv Invocation, dir string, rules []string) ([]string, error) {
	env := make([]string, 0, len(inv.Env)+3)
	for name, value := range inv.Env {
		switch {
		case slices.ContainsFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, name+"=") }):
			continue
		case !kept(name) || name == "AGENT_BROWSER_SOCKET_DIR":
			continue
		case name == "AGENT_BROWSER_CONFIG" && !inv.NoBrowser:
			continue
		case name == "AGENT_BROWSER_DEFAULT_TIMEOUT":
			value = clamped(value)
		}
		env = append(env, name+"="+value)
	}
	env = append(append(env, rules...), "AGENT_BROWSER_SOCKET_DIR="+dir)
	if !inv.NoBrowser {
		config, err := emptyConfig(dir)
		if err != nil {
			return nil, err
		}
		env = append(env, "AGENT_BROWSER_CONFIG="+config)
	}
	slices.Sort(env)
	return env, nil
}

// clamped keeps agent-browser's own limit below the watchdog's, so that it is agent-browser that tells what hung.
func clamped(value string) string {
	most := limits.Defaults().Operation.Milliseconds()
	if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil && n > 0 && n <= most {
		return value
	}
	return strconv.FormatInt(most, 10)
}
