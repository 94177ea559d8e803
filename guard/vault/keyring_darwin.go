package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// security asks the user's keychain by the system's program. The secret goes to it through its standard input.
type security struct{ program }

const securityPath = "/usr/bin/security"

func systemKeyring(getenv func(string) string) Keyring {
	if _, err := os.Stat(securityPath); err != nil {
		return noKeyring{}
	}
	return security{program{path: securityPath, getenv: getenv, names: []string{"HOME"}}}
}

// itemNotFound is what the program exits with when the keychain has no such item.
const itemNotFound = 44

func (s security) Get(ctx context.Context) (string, error) {
	out, said, err := s.run(ctx, "", "find-generic-password", "-s", ringService, "-a", ringAccount, "-w")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == itemNotFound {
		return "", ErrNoSecret
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", said, err)
	}
	return strings.TrimSpace(out), nil
}

// Set has the program read its command from its standard input, where a password is seen by no list of processes. The secret is hexadecimal digits,
// so that nothing needs quotes.
func (s security) Set(ctx context.Context, secret string) error {
	_, said, err := s.run(ctx, "add-generic-password -U -s "+ringService+" -a "+ringAccount+" -w "+secret+"\n", "-i")
	if err != nil {
		return fmt.Errorf("%s: %w", said, err)
	}
	return nil
}
