//go:build unix

package main

import (
	"os"
	"syscall"
)

const removesOpenFiles = true

// replaceBy executes another program in this process.
func replaceBy(program string, argv, environ []string) error {
	return &os.PathError{Op: "exec", Path: program, Err: syscall.Exec(program, argv, environ)}
}

// giveStdin makes input the standard input of the program that replaces this one.
func giveStdin(input []byte) error {
	f, err := holdStdin(input)
	if err != nil {
		return err
	}
	// Dup returns the lowest free descriptor, which is 0 now.
	if err := syscall.Close(0); err != nil {
		return err
	}
	_, err = syscall.Dup(int(f.Fd()))
	return err
}
