package vault

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/sealed"
)

// keys are the places where a key may be.
type keys struct {
	getenv func(string) string
	names  []string // variables, of which the first one that is set counts
	file   string
	ring   Keyring
}

// fromEnv returns the key of the environment and the name of its variable.
func (k *keys) fromEnv() (key sealed.Key, name string, err error) {
	for _, name := range k.names {
		if text := k.getenv(name); text != "" {
			key, err := sealed.KeyOfHex(text)
			if err != nil {
				return key, name, fault.New(fault.VaultLocked, "%s is not a key of the vault: %w", name, err).About(name).
					WithHint("Make one with `openssl rand -hex 32`, and keep it: without it the vault cannot be opened.")
			}
			return key, name, nil
		}
	}
	return key, "", sealed.ErrNoKey
}

// open decrypts a file with the first key that fits. It reads each key only if the earlier ones do not fit.
func (k *keys) open(ctx context.Context, path string, data []byte) ([]byte, error) {
	tried := "there is no key"
	key, name, err := k.fromEnv()
	if err != nil && !errors.Is(err, sealed.ErrNoKey) {
		return nil, err
	}
	if err == nil {
		if text, err := sealed.OpenJSON(key, data); err == nil {
			return text, nil
		} else if errors.Is(err, sealed.ErrDamaged) {
			return nil, fault.New(fault.VaultLocked, "%s is damaged", path).About(path).WithHint("`auth save` writes it again.")
		}
		tried = "the key in " + name + " does not open it"
	}
	if key, err := sealed.KeyFile(k.file); err == nil {
		if text, err := sealed.OpenJSON(key, data); err == nil {
			return text, nil
		}
		tried = "the key in " + k.file + " does not open it"
	} else if !errors.Is(err, sealed.ErrNoKey) {
		tried = "the key file cannot be used: " + err.Error()
	}
	switch text, err := k.ring.Get(ctx); {
	case err == nil:
		if key, err := sealed.KeyOfHex(text); err == nil {
			if text, err := sealed.OpenJSON(key, data); err == nil {
				return text, nil
			}
		}
		tried = "the key in the keyring does not open it"
	case !errors.Is(err, ErrNoKeyring) && !errors.Is(err, ErrNoSecret):
		tried = "the keyring did not give its key: " + err.Error()
	}
	return nil, fault.New(fault.VaultLocked, "The vault cannot be opened: %s needs the key that encrypted it, but %s.",
		filepath.Base(path), tried).About(path).
		WithHint(
			"Set SKUA_ENCRYPTION_KEY or AGENT_BROWSER_ENCRYPTION_KEY to that key, unlock the keyring, or save the login again.")
}

// forSealing returns the key for encrypting, and creates one if there is none; the note says where.
func (k *keys) forSealing(ctx context.Context) (key sealed.Key, note string, err error) {
	key, _, err = k.fromEnv()
	if !errors.Is(err, sealed.ErrNoKey) {
		return key, "", err
	}
	if _, err := os.Lstat(k.file); err == nil {
		key, err = sealed.KeyFile(k.file)
		return key, "", unusable(k.file, err)
	}
	switch text, err := k.ring.Get(ctx); {
	case err == nil:
		key, err = sealed.KeyOfHex(text)
		return key, "", unusable("the keyring", err)
	case errors.Is(err, ErrNoSecret):
		if key, err = k.makeInKeyring(ctx); err == nil {
			return key, "the vault's key was created in the keyring of this system", nil
		}
		if !errors.Is(err, ErrNoKeyring) {
			return key, "", unusable("the keyring", err)
		}
	case !errors.Is(err, ErrNoKeyring):
		return key, "", unusable("the keyring", err)
	}
	if err := home.Make(filepath.Dir(k.file)); err != nil {
		return key, "", unusable(k.file, err)
	}
	key, err = sealed.MakeKeyFile(k.file)
	return key, "no keyring is at hand: the vault's key was made in the file " + k.file +
		", which only you can read", unusable(k.file, err)
}

func (k *keys) makeInKeyring(ctx context.Context) (key sealed.Key, err error) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return key, err
	}
	if err := k.ring.Set(ctx, hex.EncodeToString(random)); err != nil {
		return key, err
	}
	// A key that another process stored in the meantime counts. A keyring that stores nothing does not count as one.
	text, err := k.ring.Get(ctx)
	if errors.Is(err, ErrNoSecret) {
		return key, ErrNoKeyring
	}
	if err != nil {
		return key, err
	}
	return sealed.KeyOfHex(text)
}

func unusable(where string, err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.VaultLocked, "The vault's key is not available from %s: %w", where, err).About(where).
		WithHint(
			"Unlock the keyring, or set SKUA_ENCRYPTION_KEY to 64 hexadecimal digits, or SKUA_KEYRING=off for a key file.")
}
