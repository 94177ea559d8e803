package terminal

import "syscall"

const (
	getSettings = syscall.TIOCGETA
	setSettings = syscall.TIOCSETA
)
