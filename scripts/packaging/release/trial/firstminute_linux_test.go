package trial

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each error of a machine that lacks something names the command that mends it. Here that command is typed as it is
// named, and mends it.

// A machine without a browser is told so by all that a person would type first.
func TestFirstMinuteWithoutABrowser(t *testing.T) {
	t.Parallel()
	m := newMachine(t, bare)
	installArchive(t, m, putArchive(t, m))
	require.Regexp(t, `(?m)^There is no browser on this machine yet.*\n\nType:\n  skua install `, m.run(t, "skua"))
	for _, line := range []string{"skua doctor --offline", "skua doctor --offline --quick"} {
		out, err := m.try(t, line)
		require.ErrorContains(t, err, "exit status 1")
		require.Regexp(t, `✗ skua does not work here yet\. No browser was found.*; to mend it: skua install\n$`, out, line)
	}
	for line, commands := range map[string][]string{
		"skua open " + site(t): {"skua install", "apt-get install chromium-headless-shell"},
		"skua open --headed":   {"skua install chrome", "apt-get install chromium"},
	} {
		_, err := m.try(t, line)
		require.ErrorContains(t, err, "exit status 1")
		require.Equal(t, commands, commandsIn(err.Error()), line)
	}
	// No server of Chrome for Testing answers here.
	_, err := m.try(t, "SKUA_CFT_URL=http://127.0.0.1:9 skua install")
	require.ErrorContains(t, err, "`skua install --system` uses the system's packages")
}

// What a browser for windows lacks is told one after the other: the browser, and then a display.
func TestFirstMinuteWithoutADisplay(t *testing.T) {
	t.Parallel()
	m := newMachine(t, ready)
	installArchive(t, m, putArchive(t, m))
	m.agrees(t)
	open := "skua --headed --session window open " + site(t)
	_, err := m.try(t, open)
	require.ErrorContains(t, err, "No browser with windows was found")
	commands := commandsIn(err.Error())
	require.Equal(t, []string{"skua install chrome", "apt-get install chromium"}, commands)
	m.run(t, commands[1])
	_, err = m.try(t, open)
	require.ErrorContains(t, err, "There is no display for a window")
	commands = commandsIn(err.Error())
	require.Equal(t, []string{"apt-get install xvfb"}, commands)
	m.run(t, commands[0])
	m.run(t, open)
	requirePage(t, m.run(t, "skua --session window snapshot -i"))
	require.Contains(t, m.run(t, "skua doctor --offline"), "\n✓ skua works: a browser started here and showed a page\n")
}

// Without fonts, pages show no text.
func TestFirstMinuteWithoutFonts(t *testing.T) {
	t.Parallel()
	m := newMachine(t, ready)
	installArchive(t, m, putArchive(t, m))
	m.agrees(t)
	m.run(t, "dpkg --purge --force-depends fonts-liberation && rm -rf /usr/share/fonts")
	require.Contains(t, m.run(t, "skua open about:blank && skua close"),
		"this machine has no fonts, so that pages show no text")

	// Debian's headless shell ends when it draws a form field. skua and its doctor tell why.
	_, err := m.try(t, "skuad stop && skua open "+site(t))
	require.ErrorContains(t, err,
		"no fonts were found on this machine, and without fonts the browser ends at a form field")
	commands := commandsIn(err.Error())
	require.Equal(t, "apt-get install -y --no-install-recommends fonts-liberation fonts-noto-color-emoji", commands[1],
		"%v", commands)
	out, err := m.try(t, "skua doctor --offline")
	require.ErrorContains(t, err, "exit status 1")
	require.Regexp(t, `✗ skua does not work here yet\. No fonts are installed.*; to mend it: `+commands[1]+`\n$`, out)

	m.run(t, commands[1])
	require.NotContains(t, m.run(t, "skua open "+site(t)), "no fonts")
	requirePage(t, m.run(t, "skua snapshot -i"))
	require.Contains(t, m.run(t, "skua doctor --offline"), "\n✓ skua works: a browser started here and showed a page\n")
}

// agrees has apt-get install what a command line names and nothing that is merely recommended, without a question to a
// person.
func (m machine) agrees(t testing.TB) {
	t.Helper()
	m.run(t,
		`printf '%s\n' 'APT::Get::Assume-Yes "1";' 'APT::Install-Recommends "0";' >/etc/apt/apt.conf.d/90agrees && apt-get update`)
}

var quotedCommand = regexp.MustCompile("`([^`]+)`|for example: (apt-get [^)]+)\\)")

// commandsIn are the command lines that a message names.
func commandsIn(message string) []string {
	var commands []string
	for _, found := range quotedCommand.FindAllStringSubmatch(message, -1) {
		commands = append(commands, strings.TrimSpace(found[1]+found[2]))
	}
	return commands
}
