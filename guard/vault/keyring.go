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

// Keyring keeps one secret of ours where the system keeps secrets.
type Keyring interface {
	// Get returns the secret. It is ErrNoSecret when there is none yet, and ErrNoKeyring when there is no keyring.
	Get(ctx context.Context) (string, error)
	// Set stores the secret, or fails with ErrNoKeyring.
	Set(ctx context.Context, secret string) error
}

// What a keyring may lack.
var (
	ErrNoKeyring = errors.New("there is no keyring")
	ErrNoSecret  = errors.New("the keyring has no such secret")
)

// Under which names the secret is kept.
const (
	ringService = "skua"
	ringAccount = "vault-key"
)

// ringPatience bounds a question to the keyring, which may ask its user for a password.
const ringPatience = 20 * time.Second

// system returns the keyring of this system as the caller reaches it. SKUA_KEYRING=off stands for none.
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

// program runs a program of the system's that speaks with its keyring. What it reads and writes goes through pipes; its arguments hold no secret.
type program struct {
	path   string
	getenv func(string) string
	names  []string // variables of the caller's that it needs
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
		err = fmt.Errorf("it gave no answer: %w", ctx.Err())
	}
	return out.String(), strings.TrimSpace(errOut.String()), err
}
