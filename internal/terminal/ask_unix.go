//go:build linux || darwin

package terminal

import (
	"syscall"
	"unsafe"
)

// maxLine bounds an answer in bytes.
const maxLine = 4096

// Ask prints the prompt on the controlling terminal and returns the line that is typed there, without its end. Hidden:
// what is typed is not shown. It reports false without a terminal, for a process in the background, whose reading would
// stop it, and when the person gives up (Ctrl+C, Ctrl+D or the end of input).
func Ask(prompt string, hidden bool) (line string, ok bool) {
	fd, err := syscall.Open("/dev/tty", syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "", false
	}
	defer func() { _ = syscall.Close(fd) }()
	var group int32
	if !control(fd, syscall.TIOCGPGRP, unsafe.Pointer(&group)) || int(group) != syscall.Getpgrp() {
		return "", false
	}
	if hidden {
		var before syscall.Termios
		if !control(fd, getSettings, unsafe.Pointer(&before)) {
			return "", false
		}
		quiet := before
		// Interrupts come as characters, too: a process that they end would leave the terminal mute.
		quiet.Lflag &^= syscall.ECHO | syscall.ICANON | syscall.ISIG
		quiet.Cc[syscall.VMIN], quiet.Cc[syscall.VTIME] = 1, 0
		if !control(fd, setSettings, unsafe.Pointer(&quiet)) {
			return "", false
		}
		defer func() {
			control(fd, setSettings, unsafe.Pointer(&before))
			write(fd, "\n")
		}()
	}
	if !write(fd, prompt) {
		return "", false
	}
	return readLine(fd)
}

// readLine reads byte by byte, so that the bytes after the line are left to the next reader.
func readLine(fd int) (string, bool) {
	const (
		interrupt = 3
		end       = 4
		erase     = 8
		erasing   = 21
		del       = 127
	)
	var line []byte
	var b [1]byte
	for {
		n, err := syscall.Read(fd, b[:])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil || n == 0:
			return "", false
		}
		switch b[0] {
		case '\n', '\r':
			return string(line), true
		case interrupt, end:
			return "", false
		case erase, del:
			for len(line) > 0 {
				last := line[len(line)-1]
				line = line[:len(line)-1]
				if last&0xc0 != 0x80 { // the first byte of a letter
					break
				}
			}
		case erasing:
			line = line[:0]
		default:
			if len(line) == maxLine {
				return "", false
			}
			line = append(line, b[0])
		}
	}
}

func write(fd int, s string) bool {
	for b := []byte(s); len(b) > 0; {
		n, err := syscall.Write(fd, b)
		if err != nil && err != syscall.EINTR {
			return false
		}
		b = b[max(n, 0):]
	}
	return true
}

func control(fd int, request uintptr, value unsafe.Pointer) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(value))
	return errno == 0
}
