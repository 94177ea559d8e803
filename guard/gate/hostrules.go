package gate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// hostRules are the rules of --host-resolver-rules. The gate applies them, since the browser behind it resolves
// nothing.
type hostRules struct {
	maps     []hostMap
	excludes []string
}

// hostMap maps hosts that match a pattern.
type hostMap struct {
	pattern string
	host    string // empty means not found
	port    int    // 0 means as it was
}

// parseHostRules reads rules such as "MAP *.test 127.0.0.1:8080, EXCLUDE localhost".
func parseHostRules(text string) (hostRules, error) {
	var r hostRules
	for rule := range strings.SplitSeq(text, ",") {
		words := strings.Fields(rule)
		switch {
		case len(words) == 0:
		case len(words) == 2 && strings.EqualFold(words[0], "EXCLUDE"):
			r.excludes = append(r.excludes, strings.ToLower(words[1]))
		case len(words) == 3 && strings.EqualFold(words[0], "MAP"):
			m := hostMap{pattern: strings.ToLower(words[1]), host: words[2]}
			if host, port, err := split(words[2]); err == nil {
				m.host, m.port = host, port
			}
			if strings.EqualFold(strings.Trim(m.host, "^~"), "NOTFOUND") {
				m.host = ""
			}
			m.host = policy.Host(m.host)
			r.maps = append(r.maps, m)
		default:
			return r, fault.New(fault.Usage, "--host-resolver-rules: %q is not a rule.", strings.TrimSpace(rule)).
				About("--args").
				WithHint("Rules are MAP pattern replacement and EXCLUDE pattern, separated by commas.")
		}
	}
	return r, nil
}

// apply returns what a host and port map to; false means that the host does not exist.
func (r hostRules) apply(host string, port int) (string, int, bool) {
	fits := func(pattern string) bool {
		name, only, has := strings.Cut(pattern, ":")
		if has && only != strconv.Itoa(port) {
			return false
		}
		ok, err := path.Match(name, host) // host names contain no slashes
		return ok && err == nil
	}
	if slices.ContainsFunc(r.excludes, fits) {
		return host, port, true
	}
	for _, m := range r.maps {
		if !fits(m.pattern) {
			continue
		}
		if m.host == "" {
			return host, port, false
		}
		if m.port != 0 {
			port = m.port
		}
		return m.host, port, true
	}
	return host, port, true
}
