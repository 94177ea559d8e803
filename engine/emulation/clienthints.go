package emulation

import (
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/emulation"
)

var (
	chromeVersion  = regexp.MustCompile(`\b(?:Chrome|Chromium|CriOS)/((\d+)[\d.]*)`)
	edgeVersion    = regexp.MustCompile(`\bEdgA?/((\d+)[\d.]*)`)
	androidVersion = regexp.MustCompile(`\bAndroid ([\d.]+)(?:; ([^;)]+))?`)
	macVersion     = regexp.MustCompile(`\bMac OS X ([\d_.]+)`)
)

// clientHints returns the client hints that belong to the user agent (https://wicg.github.io/ua-client-hints/), or nil
// if it is not a Chromium's: other browsers send none.
func clientHints(userAgent string) *emulation.UserAgentMetadata {
	chrome := chromeVersion.FindStringSubmatch(userAgent)
	if chrome == nil || strings.Contains(userAgent, "CriOS/") {
		return nil
	}
	hints := &emulation.UserAgentMetadata{Mobile: strings.Contains(userAgent, " Mobile"), FormFactors: []string{"Desktop"}}
	add := func(brand, full, major string) {
		hints.Brands = append(hints.Brands, &emulation.UserAgentBrandVersion{Brand: brand, Version: major})
		hints.FullVersionList = append(hints.FullVersionList, &emulation.UserAgentBrandVersion{Brand: brand, Version: full})
	}
	add("Chromium", chrome[1], chrome[2])
	if edge := edgeVersion.FindStringSubmatch(userAgent); edge != nil {
		add("Microsoft Edge", edge[1], edge[2])
	} else {
		add("Google Chrome", chrome[1], chrome[2])
	}
	add("Not=A?Brand", "24.0.0.0", "24")
	switch android := androidVersion.FindStringSubmatch(userAgent); {
	case android != nil:
		hints.Platform, hints.PlatformVersion, hints.Model = "Android", android[1],
			strings.TrimSpace(strings.Split(android[2], " Build/")[0])
		hints.FormFactors = []string{"Tablet"}
		if hints.Mobile {
			hints.FormFactors = []string{"Mobile"}
		}
	case strings.Contains(userAgent, "Windows"):
		hints.Platform, hints.PlatformVersion = "Windows", "10.0.0"
	case strings.Contains(userAgent, "Mac OS X"):
		hints.Platform = "macOS"
		if v := macVersion.FindStringSubmatch(userAgent); v != nil {
			hints.PlatformVersion = strings.ReplaceAll(v[1], "_", ".")
		}
	case strings.Contains(userAgent, "CrOS"):
		hints.Platform = "Chrome OS"
	default:
		hints.Platform = "Linux"
	}
	if hints.Platform != "Android" {
		hints.Architecture, hints.Bitness = "x86", "64"
	}
	return hints
}

// navigatorPlatform is what navigator.platform is with this user agent; "" where that cannot be told.
func navigatorPlatform(userAgent string) string {
	for _, p := range []struct{ in, platform string }{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Linux armv81"},
		{"Windows", "Win32"},
		{"Macintosh", "MacIntel"},
		{"Linux", "Linux x86_64"},
	} {
		if strings.Contains(userAgent, p.in) {
			return p.platform
		}
	}
	return ""
}
