package chrome

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// switchValues returns the values of every switch of this name in args.
func switchValues(args []string, name string) []string {
	var values []string
	for _, arg := range args {
		if value, ok := strings.CutPrefix(arg, name+"="); ok {
			values = append(values, value)
		}
	}
	return values
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	args := commandLine(Options{Headless: true, Width: 640, Args: []string{"--lang=de", "--window-size=1,2"}}, "/profile",
		"--extra")
	require.Equal(t, []string{"640,720", "1,2"}, switchValues(args, "--window-size"))
	require.Equal(t, []string{"{640x720}"}, switchValues(args, "--screen-info"))
	require.Equal(t, []string{"/profile"}, switchValues(args, "--user-data-dir"))
	require.Equal(t, []string{"--extra", "--lang=de", "--window-size=1,2"}, args[len(args)-3:], "the caller's come last")
	require.Contains(t, args, "--headless")
	require.Contains(t, args, "--remote-debugging-pipe")
	require.NotContains(t, args, "--no-sandbox")
	require.Len(t, switchValues(args, "--gaia-url"), 1)

	require.Contains(t, args, sitePerProcess)
	require.NotContains(t, commandLine(Options{Args: []string{"--disable-site-isolation-trials"}}, "/p"), sitePerProcess,
		"it would win")

	headed := commandLine(Options{UserDataDir: "/mine"}, "/mine")
	require.False(t, hasSwitch(headed, "--headless"))
	require.False(t, hasSwitch(headed, "--hide-scrollbars"))
	require.False(t, hasSwitch(headed, "--blink-settings"))
	require.False(t, hasSwitch(headed, "--gaia-url"), "people sign in to their own profiles")
}

func TestCommandLineMergesLists(t *testing.T) {
	t.Parallel()
	args := commandLine(Options{Headless: true, Args: []string{
		"--disable-features=One,,NetworkServiceInProcess2", "--enable-features=Translate<Study:a/b,Two",
		"--disable-features=Three",
		"--blink-settings=imagesEnabled=false",
	}}, "/p")

	disabled := switchValues(args, "--disable-features")
	require.Len(t, disabled, 1)
	names := strings.Split(disabled[0], ",")
	require.Subset(t, names, []string{"One", "Three", "NetworkServiceInProcess2", "HttpsUpgrades"})
	require.NotContains(t, names, "Translate", "the caller enabled it")
	require.False(t, slices.Contains(names, ""))

	require.Equal(t, []string{"WebMCPTesting,DevToolsWebMCPSupport,Translate<Study:a/b,Two"},
		switchValues(args, "--enable-features"), "the caller disabled ours")

	settings := switchValues(args, "--blink-settings")
	require.Len(t, settings, 1)
	require.True(t, strings.HasSuffix(settings[0], ",imagesEnabled=false"), settings[0])
	require.True(t, strings.HasPrefix(settings[0], "primaryHoverType=2,"), settings[0])

	again := commandLine(Options{}, "/p")
	require.Contains(t, strings.Split(switchValues(again, "--disable-features")[0], ","), "Translate",
		"our lists are not changed")
}
