package install

import (
	"os"
	"path"
	"runtime"

	"github.com/skua-browser/skua/internal/fault"
)

// The products, as the endpoint and the folders call them.
const (
	Chrome = "chrome"
	Shell  = "chrome-headless-shell"
)

// Platform returns the endpoint's name for a system, such as linux64. Without glibc its builds for Linux do not start.
func Platform(goos, goarch string) (string, error) {
	switch goos + "/" + goarch {
	case "linux/amd64":
		return "linux64", nil
	case "linux/arm64":
		return "linux-arm64", nil
	case "darwin/arm64":
		return "mac-arm64", nil
	case "darwin/amd64":
		return "mac-x64", nil
	case "windows/amd64", "windows/arm64": // which runs the other's programs
		return "win64", nil
	case "windows/386":
		return "win32", nil
	}
	return "", fault.New(fault.InstallFailed, "There is no Chrome for Testing for %s on %s.", goos, goarch).
		About(goos + "/" + goarch).
		WithHint(
			"Install a browser with the system's own tools (`skua install --system`), and set SKUA_EXECUTABLE_PATH to it.")
}

// ownPlatform is that of this machine.
func ownPlatform() (string, error) {
	if runtime.GOOS == "linux" && isMusl() {
		return "", fault.New(fault.InstallFailed, "Chrome for Testing needs glibc, but this system has musl.").About("musl").
			WithHint("Use the system's own browser: `skua install --system`.")
	}
	return Platform(runtime.GOOS, runtime.GOARCH)
}

// isMusl reports whether programs of this system are linked with musl.
func isMusl() bool {
	_, err := os.Stat("/etc/alpine-release")
	return err == nil
}

// executable returns the slash-separated path of a product's program inside its unpacked archive.
func executable(product, platform string) string {
	dir := product + "-" + platform
	switch {
	case product == Shell && (platform == "win64" || platform == "win32"):
		return path.Join(dir, "chrome-headless-shell.exe")
	case product == Shell:
		return path.Join(dir, "chrome-headless-shell")
	case platform == "win64" || platform == "win32":
		return path.Join(dir, "chrome.exe")
	case platform == "mac-arm64" || platform == "mac-x64":
		return path.Join(dir, "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing")
	}
	return path.Join(dir, "chrome")
}
