package main

import "os"

const removesOpenFiles = false

// replaceBy runs another program and exits with its exit code.
func replaceBy(program string, argv, environ []string) error {
	child, err := os.StartProcess(program, argv, &os.ProcAttr{
		Env:   environ,
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
	if err != nil {
		return err
	}
	state, err := child.Wait()
	if err != nil {
		return err
	}
	os.Exit(state.ExitCode())
	return nil
}

// giveStdin makes input the standard input of the program that runs.
func giveStdin(input []byte) error {
	f, err := holdStdin(input)
	if err != nil {
		return err
	}
	os.Stdin = f
	return nil
}
