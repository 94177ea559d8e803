package emulation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientHints(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		userAgent                string
		platform, version, model string
		mobile                   bool
		brand, major, navigator  string
	}{
		"phone": {
			"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.1.2 Mobile " +
				"Safari/537.36",
			"Android", "15", "Pixel 9", true, "Google Chrome", "130", "Linux armv81",
		},
		"old phone": {
			"Mozilla/5.0 (Linux; Android 7.0; SM-G950U Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) " +
				"Chrome/62.0.3202.84 Mobile Safari/537.36",
			"Android", "7.0", "SM-G950U", true, "Google Chrome", "62", "Linux armv81",
		},
		"Windows": {
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 " +
				"Edg/130.0.5.0",
			"Windows", "10.0.0", "", false, "Microsoft Edge", "130", "Win32",
		},
		"macOS": {
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 " +
				"Safari/537.36",
			"macOS", "10.15.7", "", false, "Google Chrome", "130", "MacIntel",
		},
		"Linux": {
			"Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0.0.0", "Linux", "", "", false, "Google Chrome", "131",
			"Linux x86_64",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hints := clientHints(tt.userAgent)
			require.Equal(t, []any{tt.platform, tt.version, tt.model, tt.mobile},
				[]any{hints.Platform, hints.PlatformVersion, hints.Model, hints.Mobile})
			require.Equal(t, []string{tt.brand, tt.major}, []string{hints.Brands[1].Brand, hints.Brands[1].Version})
			require.Equal(t, tt.navigator, navigatorPlatform(tt.userAgent))
		})
	}
	for name, userAgent := range map[string]string{
		"Safari": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/17.0 Mobile/15E148 Safari/604.1",
		"Chrome on iOS": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"CriOS/130.0.0.0 Mobile/15E148 Safari/604.1",
		"something else": "Probe/1",
	} {
		require.Nil(t, clientHints(userAgent), name)
	}
}

func TestDevices(t *testing.T) {
	t.Parallel()
	// Those that agent-browser names.
	for _, name := range []string{
		"iPhone 12", "iPhone 15", "iPhone 16", "iPhone 16 Pro", "iPhone 17", "iPad", "iPad Pro",
		"Pixel 9", "Galaxy S25", "galaxy s25",
	} {
		d, ok := FindDevice(name)
		require.True(t, ok, name)
		require.True(t, d.Mobile && d.Touch && d.Width > 300 && d.Height > d.Width && d.Scale > 1, "%+v", d)
	}
	_, ok := FindDevice("")
	require.False(t, ok)
	require.Greater(t, len(Devices()), 150)
}
