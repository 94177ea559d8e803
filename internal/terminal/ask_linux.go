package terminal

import "syscall"

const (
	getSettings = syscall.TCGETS
	setSettings = syscall.TCSETS
)
