package childenv

import (
	"os"
	"slices"
	"strings"
)

// Of returns the entries of an environment (NAME=value) that a program gets. further are names that this one needs
// besides.
func Of(environ []string, further ...string) []string {
	kept := []string{} // not nil, which is the whole environment for os/exec
	for _, entry := range environ {
		name, _, ok := strings.Cut(entry, "=")
		if ok && (isListed(strings.ToUpper(name)) || slices.Contains(further, name)) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Own returns what a program gets of this process's environment.
func Own(further ...string) []string { return Of(os.Environ(), further...) }

// isListed reports whether programs get a variable. name is in upper case, since Windows does not tell cases apart, and
// proxies have both.
func isListed(name string) bool {
	if slices.Contains(names, name) {
		return true
	}
	return slices.ContainsFunc(beginnings, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
}

var names = slices.Concat(
	// The user, their folders and language.
	[]string{
		"HOME", "USER", "LOGNAME", "USERNAME", "SHELL", "PATH", "TMPDIR", "TMP", "TEMP", "TZ", "TZDIR", "LANG",
		"LANGUAGE", "LOCPATH", "LOCALE_ARCHIVE",
	},
	// Where the linker finds libraries, and what it puts before them.
	[]string{
		"LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "NIX_LD",
		"NIX_LD_LIBRARY_PATH", "NIX_PROFILES",
	},
	// The screen and the desktop.
	[]string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DESKTOP_SESSION", "XMODIFIERS", "NO_AT_BRIDGE", "DRI_PRIME"},
	// The road to the network. The address of a proxy may contain its password, without which there is no road.
	[]string{
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "NO_PROXY", "AUTO_PROXY", "SOCKS_SERVER", "SOCKS_VERSION",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "SSLKEYLOGFILE", "RES_OPTIONS",
		"LOCALDOMAIN", "HOSTALIASES",
	},
	// Chromium and the scripts that distributions start it by. GOOGLE_API_KEY is not among them: programs that ask Gemini
	// have theirs in it.
	[]string{
		"CHROME_DEVEL_SANDBOX", "CHROME_WRAPPER", "CHROME_DESKTOP", "CHROME_LOG_FILE", "CHROME_HEADLESS",
		"CHROMIUM_FLAGS", "CHROMIUM_USER_FLAGS",
	},
	// Windows.
	[]string{
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "OS", "COMSPEC", "PATHEXT", "COMPUTERNAME", "SESSIONNAME",
		"NUMBER_OF_PROCESSORS", "DRIVERDATA",
		"USERPROFILE", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE",
		"PUBLIC",
		"PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)",
		"COMMONPROGRAMW6432",
	},
)

// beginnings are the beginnings of further variables, too many to name: of desktops, drivers, fonts and sound. None of
// these systems has a key.
var beginnings = []string{
	"LC_", "XDG_", "DBUS_", "AT_SPI_", "GTK_", "GDK_", "GSETTINGS_", "QT_", "GNOME_", "KDE_", "XCURSOR_", "IBUS_",
	"LIBGL_", "MESA_", "GALLIUM_", "EGL_", "VK_", "LIBVA_", "VDPAU_", "ANGLE_", "__GL", "__EGL", "__NV_", "__CF",
	"FONTCONFIG_", "FREETYPE_", "PULSE_", "PIPEWIRE_", "ALSA_", "KRB5", "MALLOC_", "PROCESSOR_",
}
