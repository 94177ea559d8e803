//go:build unix

package main

import (
	"os"
	"syscall"
)

const removesOpenFiles = true

// replaceBy goes on as another program, in this process.
func replaceBy(program string, argv, environ []string) error {
	return &os.PathError{Op: "exec", Path: program, Err: syscall.Exec(program, argv, environ)}
}

// giveStdin makes input the standard input of what this process becomes.
func giveStdin(input []byte) error {
	f, err := holdStdin(input)
	if err != nil {
		return err
	}
	// The lowest number that is free is the next one to be given out.
	if err := syscall.Close(0); err != nil {
		return err
	}
	_, err = syscall.Dup(int(f.Fd()))
	return err
}
