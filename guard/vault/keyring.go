package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Keyring stores skua's secret in the keyring of the system.
type Keyring interface {
	// Get returns the secret. The error is ErrNoSecret if there is none yet, and ErrNoKeyring if there is no keyring.
	Get(ctx context.Context) (string, error)
	// Set stores the secret, or fails with ErrNoKeyring.
	Set(ctx context.Context, secret string) error
}

// The errors of a keyring.
var (
	ErrNoKeyring = errors.New("there is no keyring")
	ErrNoSecret  = errors.New("the keyring has no such secret")
)

// The names under which the secret is stored.
const (
	ringService = "skua"
	ringAccount = "vault-key"
)

// ringPatience bounds a request to the keyring, which may ask its user for a password.
const ringPatience = 20 * time.Second

// system returns the keyring of this system as the caller reaches it. SKUA_KEYRING=off disables it.
func system(getenv func(string) string) Keyring {
	switch strings.ToLower(getenv("SKUA_KEYRING")) {
	case "off", "0", "false", "no", "none":
		return noKeyring{}
	}
	return systemKeyring(getenv)
}

type noKeyring struct{}

func (noKeyring) Get(context.Context) (string, error) { return "", ErrNoKeyring }
func (noKeyring) Set(context.Context, string) error   { return ErrNoKeyring }

// program runs a program of the system that accesses its keyring. Secrets go through pipes, never through arguments.
type program struct {
	path   string
	getenv func(string) string
	names  []string // the caller's variables that it needs
}

func (p program) run(ctx context.Context, stdin string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ringPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second
	cmd.Env = []string{"LC_ALL=C"}
	for _, name := range p.names {
		v := p.getenv(name)
		if v == "" {
			v = os.Getenv(name)
		}
		if v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("it did not answer: %w", ctx.Err())
	}
	return out.String(), strings.TrimSpace(errOut.String()), err
}
