package chrome

import (
	"fmt"
	"slices"
	"strings"
)

// Measured with Chromium 156 on two cores, interleaved, medians of 12: launch to the first reply, launch to the load
// event of a first page in a new browser context, and the memory (PSS of all processes) with that page.
//
//	                                  headless shell           chromium
//	--headless --no-sandbox only      53 / 132 ms, 104 MB      210 / 584 ms, 345 MB
//	the switches of agent-browser     49 / 132 ms, 106 MB      227 / 557 ms, 343 MB
//	--no-startup-window alone         no difference            122 / 346 ms, 261 MB
//	these                             50 / 117 ms,  94 MB      115 / 257 ms, 178 MB
//
// What made the difference: --no-startup-window, NetworkServiceInProcess2, no WebUIOmnibox*, no
// SpareRendererForSitePerProcess. Tried and left out: --no-zygote (pages start 10 to 100 ms later, chromium takes 80 MB
// more), --disable-gpu, --in-process-gpu, --single-process, --incognito, no profile directory, a profile in shared
// memory (no gain, or WebGL or isolation lost).

// disabledFeatures cost time or memory, talk to the network, or stand between an agent and the page.
var disabledFeatures = []string{
	"AutofillServerCommunication",
	"CalculateNativeWinOcclusion", // would stop painting in covered windows
	"CertificateTransparencyComponentUpdater",
	// after a click the page's tasks would wait for the next frame, and so what the click leads to
	"DeferRendererTasksAfterInput",
	"DestroyProfileOnBrowserClose",
	"DialMediaRouteProvider", // looks for televisions in the local network
	"HttpsUpgrades",          // tries https first where the user said http
	"InterestFeedContentSuggestions",
	"MediaRouter",
	"NetworkTimeServiceQuerying",
	"OptimizationHints",
	"PaintHolding", // drops input until the new page has painted
	// a new frame host for each navigation within a site: a small page takes 16 ms to load instead of 9
	"RenderDocument",
	"SpareRendererForSitePerProcess", // a process that competes with the first page for the processor
	"Translate",                      // asks in a bubble over the page
	// Each keeps a renderer for the popup of the address bar, which shows as a target of the browser too.
	"WebUIOmniboxAimPopup",
	"WebUIOmniboxPopup",
}

// enabledFeatures: the network service as a thread of the browser process saves a process.
var enabledFeatures = []string{"NetworkServiceInProcess2"}

// webMCPFeatures let pages offer tools to agents (document.modelContext), and us see them.
var webMCPFeatures = []string{"WebMCPTesting", "DevToolsWebMCPSupport"}

func (o Options) enabled() []string {
	if o.NoWebMCP {
		return enabledFeatures
	}
	return slices.Concat(enabledFeatures, webMCPFeatures)
}

// nowhere is a URL that Chromium refuses without opening a connection: port 9 is on its list of unsafe ports.
const nowhere = "http://127.0.0.1:9/"

// baseSwitches go to every browser.
var baseSwitches = []string{
	"--remote-debugging-pipe",
	"--no-startup-window", // pages are opened over the pipe
	"--no-first-run",
	"--no-default-browser-check",
	"--no-pings",
	"--no-service-autorun",
	"--allow-pre-commit-input", // else input that comes before the first frame is dropped
	"--disable-back-forward-cache",
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
	"--edge-skip-compat-layer-relaunch", // Edge would start itself again, without the pipe
	"--enable-unsafe-swiftshader",       // WebGL without a GPU, and without a warning in the page's console
	"--force-color-profile=srgb",
	"--metrics-recording-only",
	"--password-store=basic",
	"--use-mock-keychain",
	// On-demand components, such as the list of on-device models, are asked for in spite of --disable-component-update.
	"--component-updater=url-source=" + nowhere,
}

// headlessSwitches go to browsers without a window.
var headlessSwitches = []string{
	"--headless",
	"--hide-scrollbars",
	"--mute-audio",
}

// sitePerProcess gives every site its own process, so that one that hangs or is hostile does not touch the others. It
// is Chromium's default on desktops but not the headless shell's.
const sitePerProcess = "--site-per-process"

// blinkSettings of headless browsers: without an input device a page would be told that there is no mouse. Hover 2 and
// pointer 4 are Blink's "hover" and "fine".
var blinkSettings = []string{
	"primaryHoverType=2", "availableHoverTypes=2", "primaryPointerType=4",
	"availablePointerTypes=4",
}

// temporarySwitches are for browsers with a temporary profile. Such a browser has no signed-in account, yet Chromium
// asks Google for the accounts of each new profile (IdentityManager::OnNetworkInitialized); only replacing the address
// prevents that.
var temporarySwitches = []string{"--gaia-url=" + nowhere}

// gatedSwitches go to browsers whose pages may not reach everything, behind the caller's own, so that those cannot undo
// them. What may be reached is the business of a proxy; these keep what would not ask it: names looked up ahead, QUIC,
// WebRTC over UDP, and pages that are rendered before anybody could look at their requests.
var gatedSwitches = []string{
	"--dns-prefetch-disable",
	"--disable-quic",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--webrtc-ip-handling-policy=disable_non_proxied_udp", // the same in headless browsers
	"--host-resolver-rules=MAP * ^NOTFOUND, EXCLUDE 127.0.0.1",
}

// gatedFeatures are turned off for the same reason.
var gatedFeatures = []string{"Prerender2", "AsyncDns", "DnsOverHttpsUpgrade"}

// gated are the switches of a browser whose pages may not reach everything.
func (o Options) gated() []string {
	if !o.Gated {
		return nil
	}
	if o.Proxy == "" {
		return gatedSwitches
	}
	return append(slices.Clone(gatedSwitches), "--proxy-server="+o.Proxy, "--proxy-bypass-list=<-loopback>")
}

// commandLine builds the browser's switches. Chromium takes the last of several equal switches: the caller's args come
// last, so they win, except that switches with a list as value are merged, where the caller's would silently undo ours.
func commandLine(o Options, profile string, extra ...string) []string {
	disable, callers := takeList(o.Args, "--disable-features=")
	enable, callers := takeList(callers, "--enable-features=")
	settings, callers := takeList(callers, "--blink-settings=")

	width, height := o.size()
	args := slices.Clone(baseSwitches)
	if o.Headless {
		args = append(args, headlessSwitches...)
		args = append(args, fmt.Sprintf("--screen-info={%dx%d}", width, height)) // chromium's own is 800x600
		settings = slices.Concat(blinkSettings, settings)
	}
	if !hasSwitch(callers, "--disable-site-isolation-trials") {
		args = append(args, sitePerProcess)
	}
	if o.ShowScrollbars {
		args = without(args, []string{"--hide-scrollbars"})
	}
	if o.ofUser() { // what is encrypted in it is, with a key that the user's own browser has from the desktop
		args = without(args, []string{"--password-store=basic", "--use-mock-keychain"})
	}
	if o.Profile != "" {
		args = append(args, "--profile-directory="+o.Profile)
	}
	if len(o.Extensions) > 0 {
		args = append(args, "--enable-unsafe-extension-debugging") // loading them over the pipe
	}
	if o.UserDataDir == "" {
		args = append(args, temporarySwitches...)
	}
	if o.Gated {
		disable = append(disable, gatedFeatures...)
	}
	// A feature that is both enabled and disabled would be disabled, so the caller's word is taken out of our list.
	args = appendList(args, "--disable-features=", append(without(disabledFeatures, enable), disable...))
	args = appendList(args, "--enable-features=", append(without(o.enabled(), disable), enable...))
	args = appendList(args, "--blink-settings=", settings)
	args = append(args, "--user-data-dir="+profile, fmt.Sprintf("--window-size=%d,%d", width, height))
	args = append(args, extra...)
	return append(append(args, callers...), o.gated()...)
}

// takeList returns the entries of all switches that begin with prefix, and the other args.
func takeList(args []string, prefix string) (entries, rest []string) {
	for _, arg := range args {
		if list, ok := strings.CutPrefix(arg, prefix); ok {
			entries = append(entries, splitList(list)...)
		} else {
			rest = append(rest, arg)
		}
	}
	return entries, rest
}

func appendList(args []string, prefix string, entries []string) []string {
	if len(entries) == 0 {
		return args
	}
	return append(args, prefix+strings.Join(entries, ","))
}

// without returns the features that none of entries names.
func without(features, entries []string) []string {
	return slices.DeleteFunc(slices.Clone(features), func(feature string) bool {
		return slices.ContainsFunc(entries, func(entry string) bool { return featureName(entry) == feature })
	})
}

func splitList(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ","), func(s string) bool { return s == "" })
}

// featureName cuts the field trial and the parameters off an entry of --enable-features ("Name<Trial.Group:key/value").
func featureName(entry string) string {
	if i := strings.IndexAny(entry, "<:"); i >= 0 {
		return entry[:i]
	}
	return entry
}

// hasSwitch reports whether args hold the switch, with or without a value.
func hasSwitch(args []string, name string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == name || strings.HasPrefix(a, name+"=") })
}
