package chrome

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// sandboxObstacle returns why the sandbox of the browser at path cannot work here, or "". Chromium's sandbox on Linux
// needs either a user namespace or its setuid helper, and is refused to root.
func sandboxObstacle(path string, getenv func(string) string) string {
	if os.Geteuid() == 0 {
		return "it runs as root"
	}
	if status, err := os.Open("/proc/self/status"); err == nil {
		defer func() { _ = status.Close() }()
		if setuidHelperWorks(setuidHelper(path, getenv), status) {
			return ""
		}
	}
	if err := tryUserNamespace(); err != nil {
		return "user namespaces are not available (" + err.Error() + ") and there is no working setuid sandbox helper"
	}
	if appArmorRestricts("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") &&
		!hasAppArmorProfile("/etc/apparmor.d", path) {
		return "AppArmor restricts user namespaces, has no profile for " + path +
			", and there is no working setuid sandbox helper"
	}
	return ""
}

// tryUserNamespace asks the kernel for what the sandbox needs. The child is told to execute a file that does not exist,
// so that nothing runs: an error of exec, and not of clone, means that the namespaces were granted.
func tryUserNamespace() error {
	_, err := syscall.ForkExec("/proc/self/nonexistent", []string{"nonexistent"}, &syscall.ProcAttr{
		Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET},
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// setuidHelper returns the helper that the browser at path would use: CHROME_DEVEL_SANDBOX is Chromium's own variable
// for it.
func setuidHelper(path string, getenv func(string) string) string {
	if helper := getenv("CHROME_DEVEL_SANDBOX"); helper != "" {
		return helper
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Join(filepath.Dir(path), "chrome-sandbox")
}

// setuidHelperWorks reports whether helper is setuid root and this process, whose /proc/self/status is given, may gain
// the privileges that the helper needs. Containers usually keep CAP_SYS_ADMIN out of the bounding set or set
// no_new_privs.
func setuidHelperWorks(helper string, status io.Reader) bool {
	info, err := os.Stat(helper)
	if err != nil || info.Mode()&fs.ModeSetuid == 0 {
		return false
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 {
		return false
	}
	return mayGainSysAdmin(status)
}

func mayGainSysAdmin(status io.Reader) bool {
	const capSysAdmin = 21
	bounding, noNewPrivs := uint64(0), true
	for lines := bufio.NewScanner(status); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "NoNewPrivs":
			noNewPrivs = value != "0"
		case "CapBnd":
			bounding, _ = strconv.ParseUint(value, 16, 64)
		}
	}
	return !noNewPrivs && bounding&(1<<capSysAdmin) != 0
}

// appArmorRestricts reports whether user namespaces are only granted to programs with an AppArmor profile (Ubuntu since
// 23.10).
func appArmorRestricts(sysctl string) bool {
	value, err := os.ReadFile(sysctl)
	return err == nil && strings.TrimSpace(string(value)) == "1"
}

// hasAppArmorProfile reports whether one of the profiles in dir names the directory of the browser. The packages of the
// browsers bring such profiles; a browser that was unpacked into the home directory has none.
func hasAppArmorProfile(dir, path string) bool {
	if strings.HasPrefix(path, "/snap/") {
		return true // snapd makes its profiles elsewhere
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return false
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), filepath.Dir(path)) {
			return true
		}
	}
	return false
}
