package vault

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// credentials is the Windows credential store. No system program reads secrets from it, so this calls its API.
type credentials struct{}

func systemKeyring(func(string) string) Keyring { return credentials{} }

// credential is CREDENTIALW.
type credential struct {
	flags, kind        uint32
	target, comment    *uint16
	written            windows.Filetime
	size               uint32
	blob               *byte
	persist, attrCount uint32
	attributes         uintptr
	alias, user        *uint16
}

const (
	genericKind    = 1
	persistMachine = 2 // for this user, on this machine
)

func procedures() (read, write, free *windows.LazyProc) {
	dll := windows.NewLazySystemDLL("advapi32.dll")
	return dll.NewProc("CredReadW"), dll.NewProc("CredWriteW"), dll.NewProc("CredFree")
}

func (credentials) Get(context.Context) (string, error) {
	target, err := windows.UTF16PtrFromString(ringService + ":" + ringAccount)
	if err != nil {
		return "", err
	}
	read, _, free := procedures()
	if read.Find() != nil {
		return "", ErrNoKeyring
	}
	var c *credential
	ok, _, err := read.Call(uintptr(unsafe.Pointer(target)), genericKind, 0, uintptr(unsafe.Pointer(&c)))
	switch {
	case ok == 0 && errors.Is(err, windows.ERROR_NOT_FOUND):
		return "", ErrNoSecret
	case ok == 0 && errors.Is(err, windows.ERROR_NO_SUCH_LOGON_SESSION):
		return "", ErrNoKeyring
	case ok == 0:
		return "", fmt.Errorf("reading the credential store: %w", err)
	}
	defer func() { _, _, _ = free.Call(uintptr(unsafe.Pointer(c))) }()
	return string(unsafe.Slice(c.blob, c.size)), nil
}

func (credentials) Set(_ context.Context, secret string) error {
	target, err := windows.UTF16PtrFromString(ringService + ":" + ringAccount)
	if err != nil {
		return err
	}
	user, err := windows.UTF16PtrFromString(ringAccount)
	if err != nil {
		return err
	}
	_, write, _ := procedures()
	if write.Find() != nil {
		return ErrNoKeyring
	}
	blob := []byte(secret)
	c := credential{
		kind:    genericKind,
		target:  target,
		user:    user,
		size:    uint32(len(blob)),
		blob:    &blob[0],
		persist: persistMachine,
	}
	ok, _, err := write.Call(uintptr(unsafe.Pointer(&c)), 0)
	switch {
	case ok == 0 && errors.Is(err, windows.ERROR_NO_SUCH_LOGON_SESSION):
		return ErrNoKeyring
	case ok == 0:
		return fmt.Errorf("writing to the credential store: %w", err)
	}
	return nil
}
