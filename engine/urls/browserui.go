package urls

import "strings"

// IsBrowserUI reports whether an address is a part of the browser's UI that users do not see as a tab. The settings
// page, for example, is a tab.
func IsBrowserUI(url string) bool {
	for _, scheme := range []string{"devtools://", "chrome-extension://", "chrome-untrusted://", "chrome-search://"} {
		if strings.HasPrefix(url, scheme) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(url, "chrome://")
	if !ok {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	// Bubbles and bars of Chromium's windows have hosts of their own; those of ".top-chrome" are all of that kind.
	return strings.HasSuffix(host, ".top-chrome") || strings.HasPrefix(host, "omnibox-popup") || host == "newtab-footer"
}
