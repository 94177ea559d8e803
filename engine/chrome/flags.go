package chrome

import (
	"fmt"
	"slices"
	"strings"
)

// disabledFeatures are features that cost start-up time, talk to the network or put something over the page on their own account.
var disabledFeatures = []string{
	"Translate",
	"OptimizationHints",
	"MediaRouter",
	"DialMediaRouteProvider",
	"InterestFeedContentSuggestions",
	"CertificateTransparencyComponentUpdater",
	"AutofillServerCommunication",
	"DestroyProfileOnBrowserClose",
	"PaintHolding",
}

// baseSwitches go to every browser.
var baseSwitches = []string{
	"--remote-debugging-pipe",
	"--no-first-run",
	"--no-default-browser-check",
	"--no-pings",
	"--no-service-autorun",
	"--disable-background-networking",
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-breakpad",
	"--disable-client-side-phishing-detection",
	"--disable-component-extensions-with-background-pages",
	"--disable-component-update",
	"--disable-crash-reporter",
	"--disable-default-apps",
	"--disable-domain-reliability",
	"--disable-field-trial-config",
	"--disable-hang-monitor",
	"--disable-ipc-flooding-protection",
	"--disable-popup-blocking",
	"--disable-prompt-on-repost",
	"--disable-renderer-backgrounding",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--force-color-profile=srgb",
	"--metrics-recording-only",
	"--password-store=basic",
	"--use-mock-keychain",
}

// headlessSwitches go to browsers without a window.
var headlessSwitches = []string{
	"--headless",
	"--hide-scrollbars",
	"--mute-audio",
}

// commandLine builds the browser's switches. Chromium takes the last of several equal switches, so the caller's args come after
// ours; the feature lists, where the last one would silently undo the others, are merged into one.
func commandLine(o Options, profile string, extra ...string) []string {
	width, height := o.size()
	args := slices.Clone(baseSwitches)
	if o.Headless {
		args = append(args, headlessSwitches...)
	}
	args = append(args, "--user-data-dir="+profile, fmt.Sprintf("--window-size=%d,%d", width, height))
	args = append(args, extra...)

	disabled := slices.Clone(disabledFeatures)
	var enabled []string
	for _, arg := range o.Args {
		if list, ok := strings.CutPrefix(arg, "--disable-features="); ok {
			disabled = append(disabled, splitList(list)...)
			continue
		}
		if list, ok := strings.CutPrefix(arg, "--enable-features="); ok {
			enabled = append(enabled, splitList(list)...)
			continue
		}
		args = append(args, arg)
	}
	// What the caller enables must not be disabled by us: Chromium lets the disabling win.
	disabled = slices.DeleteFunc(disabled, func(name string) bool {
		return slices.ContainsFunc(enabled, func(e string) bool { return featureName(e) == name })
	})
	args = append(args, "--disable-features="+strings.Join(disabled, ","))
	if len(enabled) > 0 {
		args = append(args, "--enable-features="+strings.Join(enabled, ","))
	}
	return args
}

func splitList(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ","), func(s string) bool { return s == "" })
}

// featureName cuts the field trial and parameters off an entry of --enable-features ("Name<Trial.Group:key/value").
func featureName(entry string) string {
	if i := strings.IndexAny(entry, "<:."); i >= 0 {
		return entry[:i]
	}
	return entry
}

// hasSwitch reports whether args hold the switch, with or without a value.
func hasSwitch(args []string, name string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == name || strings.HasPrefix(a, name+"=") })
}
