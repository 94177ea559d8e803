package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Credential is where a key comes from. Its text is one of
//
//	key-as-it-is
//	$NAME or ${NAME}, alone or within a text: the value of an environment variable
//	!command: what a shell command prints
//
// with $$ for a dollar sign and $! for an exclamation mark that mean themselves. Printing a Credential shows neither
// the key nor the text.
type Credential struct {
	name   string // of the setting, for messages
	source string
	plain  bool // the source is the key itself, whatever characters it has
}

// String names the setting, never what it holds.
func (c Credential) String() string { return c.name }

// GoString is String, so that no way of printing shows more.
func (c Credential) GoString() string { return c.name }

// Available says whether a key is configured, as far as that can be said without running a command.
func (c Credential) Available(getenv func(string) string) bool {
	if strings.TrimSpace(c.source) == "" {
		return false
	}
	if c.command() != "" {
		return true
	}
	key, err := c.expand(getenv)
	return err == nil && strings.TrimSpace(key) != ""
}

// Key returns the key. It runs the command, when the source is one.
func (c Credential) Key(ctx context.Context, getenv func(string) string, env []string) (string, error) {
	key, err := c.expand(getenv)
	if command := c.command(); command != "" {
		key, err = c.run(ctx, command, env)
	}
	if err != nil {
		return "", err
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return "", fmt.Errorf("%s is empty", c.name)
	}
	for _, r := range key {
		if r < 0x21 || r > 0x7e {
			return "", fmt.Errorf("%s has a space, a line break or another character that no key has", c.name)
		}
	}
	return key, nil
}

func (c Credential) command() string {
	if c.plain || !strings.HasPrefix(c.source, "!") {
		return ""
	}
	return strings.TrimSpace(c.source[1:])
}

// expand puts the values of environment variables in place of their names.
func (c Credential) expand(getenv func(string) string) (string, error) {
	if c.plain {
		return c.source, nil
	}
	var b strings.Builder
	for rest := c.source; rest != ""; {
		before, after, found := strings.Cut(rest, "$")
		b.WriteString(before)
		if !found {
			break
		}
		name, left := variable(after)
		switch {
		case name != "":
			value := getenv(name)
			if value == "" {
				return "", fmt.Errorf("%s takes its value from $%s, which is not set", c.name, name)
			}
			b.WriteString(value)
			rest = left
		case strings.HasPrefix(after, "$"), strings.HasPrefix(after, "!"):
			b.WriteByte(after[0])
			rest = after[1:]
		default:
			b.WriteByte('$')
			rest = after
		}
	}
	return b.String(), nil
}

// variable reads the name that a text after a dollar sign begins with; empty if there is none.
func variable(text string) (name, rest string) {
	inner, braced := strings.CutPrefix(text, "{")
	n := 0
	for n < len(inner) &&
		(inner[n] == '_' || 'a' <= inner[n]|0x20 && inner[n]|0x20 <= 'z' || n > 0 && '0' <= inner[n] && inner[n] <= '9') {
		n++
	}
	if !braced {
		return inner[:n], inner[n:]
	}
	if n == 0 || !strings.HasPrefix(inner[n:], "}") {
		return "", text
	}
	return inner[:n], inner[n+1:]
}

const (
	commandLimit = 20 * time.Second // a password manager may ask a person
	commandBytes = 64 << 10
)

// run runs the command. Neither its output nor its text is shown: both may hold the key.
func (c Credential) run(ctx context.Context, command string, env []string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := shell(limited, command)
	cmd.Env = env
	cmd.WaitDelay = time.Second // for a child that keeps the output open
	out := &bounded{left: commandBytes}
	cmd.Stdout = out
	err := cmd.Run()
	ended, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("the command of %s was ended after %s", c.name, commandLimit)
	case exited:
		return "", fmt.Errorf("the command of %s ended with code %d", c.name, ended.ExitCode())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		// with this one it has ended well, and left something that keeps its output open
		return "", fmt.Errorf("the command of %s could not be run", c.name)
	}
	return out.String(), nil
}

// bounded keeps the first bytes of an output.
type bounded struct {
	bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	b.Buffer.Write(p[:n])
	return len(p), nil
}
