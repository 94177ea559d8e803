package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// security accesses the user's keychain with the system's program, which gets the secret through standard input.
type security struct{ program }

const securityPath = "/usr/bin/security"

func systemKeyring(getenv func(string) string) Keyring {
	if _, err := os.Stat(securityPath); err != nil {
		return noKeyring{}
	}
	return security{program{path: securityPath, getenv: getenv, names: []string{"HOME"}}}
}

// itemNotFound is the program's exit code if the keychain has no such item.
const itemNotFound = 44

func (s security) Get(ctx context.Context) (string, error) {
	out, stderr, err := s.run(ctx, "", "find-generic-password", "-s", ringService, "-a", ringAccount, "-w")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == itemNotFound {
		return "", ErrNoSecret
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", stderr, err)
	}
	return strings.TrimSpace(out), nil
}

// Set passes the command on standard input, so that no process list shows the secret. The secret is hexadecimal, so
// nothing needs quotes.
func (s security) Set(ctx context.Context, secret string) error {
	_, stderr, err := s.run(ctx, "add-generic-password -U -s "+ringService+" -a "+ringAccount+" -w "+secret+"\n", "-i")
	if err != nil {
		return fmt.Errorf("%s: %w", stderr, err)
	}
	return nil
}
