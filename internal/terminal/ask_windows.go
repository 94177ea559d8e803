package terminal

import (
	"syscall"
	"unicode/utf16"
)

// maxLine bounds an answer in UTF-16 units.
const maxLine = 4096

// Ask prints the prompt on the console and returns the line that is typed there, without its end. Hidden: what is typed
// is not shown. It reports false without a console, and when the person gives up.
func Ask(prompt string, hidden bool) (line string, ok bool) {
	in, ok := open("CONIN$")
	if !ok {
		return "", false
	}
	defer func() { _ = syscall.CloseHandle(in) }()
	out, ok := open("CONOUT$")
	if !ok {
		return "", false
	}
	defer func() { _ = syscall.CloseHandle(out) }()
	if hidden {
		const echoes = 4 // ENABLE_ECHO_INPUT
		var before uint32
		setMode := syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")
		if syscall.GetConsoleMode(in, &before) != nil {
			return "", false
		}
		if set, _, _ := setMode.Call(uintptr(in), uintptr(before&^echoes)); set == 0 {
			return "", false
		}
		defer func() {
			_, _, _ = setMode.Call(uintptr(in), uintptr(before))
			write(out, "\r\n")
		}()
	}
	if !write(out, prompt) {
		return "", false
	}
	var units [maxLine]uint16
	var n uint32
	if syscall.ReadConsole(in, &units[0], maxLine, &n, nil) != nil || n == 0 {
		return "", false
	}
	for i, u := range units[:n] {
		if u == '\r' || u == '\n' {
			return string(utf16.Decode(units[:i])), true
		}
	}
	return "", false // longer than what is taken, or interrupted
}

func open(name string) (syscall.Handle, bool) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return 0, false
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE, nil,
		syscall.OPEN_EXISTING, 0, 0)
	return h, err == nil
}

func write(h syscall.Handle, s string) bool {
	units := utf16.Encode([]rune(s))
	if len(units) == 0 {
		return true
	}
	var n uint32
	return syscall.WriteConsole(h, &units[0], uint32(len(units)), &n, nil) == nil
}
